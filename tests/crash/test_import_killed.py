"""The process dies while an archive is written or taken in: the old file or the new one, all of it or nothing."""

import signal
from pathlib import Path

import pytest
from real_home import Home

WITH_WORDS = {"LOCKET_ARCHIVE_PASSPHRASE": "words for the archive"}
CANARY = "canary-51c8 the heron nests in the attic"

pytestmark = pytest.mark.timeout(600)

NUMBER = 60
"""Facts, each with its version and journal line: more records than lie between two points of ``import.some``."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A store with many facts."""
    home = Home(tmp_path_factory.mktemp("home"))
    assert home.run("vault", "init").returncode == 0
    _fill(home)
    return home


def _fill(home: Home) -> None:
    from real_home import PASSPHRASE

    from memory.core import Core
    from memory.ids import new_id_maker
    from memory.memory import Memory
    from memory.store.migrations import SCHEMA_VERSION, migrate
    from memory.vault.keys import Passphrase
    from memory.vault.vault import open_vault, utc_now

    with open_vault(
        home.path / "vault",
        Passphrase(PASSPHRASE),
        migrate=migrate,
        schema_version=SCHEMA_VERSION,
        allow_cheap=True,
    ) as vault:
        ids = new_id_maker(utc_now, lambda bits: 1 << (bits - 1))
        memory = Memory(Core(vault.db, "default", utc_now, ids, vault.key("tombstones")))
        for number in range(NUMBER):
            memory.add_fact(f"{CANARY} {number}")


@pytest.fixture(scope="module")
def archive(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of that store."""
    file = tmp_path_factory.mktemp("exports") / "memory.age"
    assert home.run("export", str(file), extra=WITH_WORDS).returncode == 0
    return file


def count(home: Home) -> int:
    return len(home.json("memory", "list")["items"])


@pytest.fixture
def fresh(tmp_path: Path) -> Home:
    """An empty store."""
    home = Home(tmp_path / "fresh")
    assert home.run("vault", "init").returncode == 0
    return home


@pytest.mark.parametrize(
    "where", ["import.some", "import.some:3", "import.rows", "import.items", "import.committed"]
)
def test_killed_in_the_middle_all_of_it_is_there_or_nothing(archive: Path, fresh: Home, where: str) -> None:
    died = fresh.run("import", str(archive), extra={**WITH_WORDS, "LOCKET_CRASH_AT": where})
    assert died.returncode == -signal.SIGKILL
    assert count(fresh) == (NUMBER if where == "import.committed" else 0)
    for path in fresh.files():
        assert CANARY.encode() not in path.read_bytes(), path
    again = fresh.json("import", str(archive), extra=WITH_WORDS)
    assert again["added"].get("fact", 0) == (0 if where == "import.committed" else NUMBER)
    assert count(fresh) == NUMBER
    assert fresh.run("vault", "check").returncode == 0


def test_killed_while_writing_the_old_file_is_still_there(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "memory.age"
    file.write_text("the old one")
    ends = {**WITH_WORDS, "LOCKET_CRASH_AT": "export.written"}
    died = home.run("export", str(file), "--replace", extra=ends)
    assert died.returncode == -signal.SIGKILL
    assert file.read_text() == "the old one"
    for path in tmp_path.iterdir():
        assert CANARY.encode() not in path.read_bytes()
