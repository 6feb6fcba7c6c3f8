"""Taking memory along through the verbs: exported, opened with another program, imported elsewhere, killed."""

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from on_a_terminal import age_program, answer
from real_home import Home, link_model

ARCHIVE_WORDS = "words for the archive"
WITH_WORDS = {"LOCKET_ARCHIVE_PASSPHRASE": ARCHIVE_WORDS}
CANARY = "the heron nests in the attic"
FACTS = [CANARY, "the bins go out on Tuesday", "the bike is a red Gazelle"]

pytestmark = pytest.mark.timeout(600)


def texts(home: Home) -> list[str]:
    return sorted(item["text"] for item in home.json("memory", "list")["items"])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A store with a few facts in it."""
    home = Home(tmp_path_factory.mktemp("home"))
    assert home.run("vault", "init").returncode == 0
    for fact in FACTS:
        assert home.run("memory", "add", fact).returncode == 0
    return home


@pytest.fixture(scope="module")
def archive(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of that store."""
    file = tmp_path_factory.mktemp("exports") / "memory.age"
    told = home.json("export", str(file), extra=WITH_WORDS)
    assert told["encrypted"] is True
    assert told["counts"]["fact"] == len(FACTS)
    return file


@pytest.fixture
def fresh(tmp_path: Path) -> Home:
    """An empty store of somebody else's passphrase."""
    home = Home(tmp_path / "fresh")
    assert home.run("vault", "init").returncode == 0
    return home


def test_the_file_is_its_owners_alone_and_says_nothing_in_clear(archive: Path) -> None:
    assert archive.stat().st_mode & 0o777 == 0o600
    assert archive.read_bytes().startswith(b"age-encryption.org/v1\n")
    assert CANARY.encode() not in archive.read_bytes()
    assert [path.name for path in archive.parent.iterdir()] == [archive.name]


def test_imported_elsewhere_all_is_there_and_the_second_time_nothing_is_new(
    archive: Path, fresh: Home
) -> None:
    dry = fresh.json("import", str(archive), "--dry-run", extra=WITH_WORDS)
    assert texts(fresh) == []
    told = fresh.json("import", str(archive), extra=WITH_WORDS)
    assert {**told, "dry_run": True} == dry
    assert told["added"]["fact"] == len(FACTS)
    assert texts(fresh) == sorted(FACTS)
    again = fresh.json("import", str(archive), extra=WITH_WORDS)
    assert (again["added"], again["changed"], again["refused"], again["skipped"]) == ({}, {}, {}, [])
    for path in fresh.files():
        assert CANARY.encode() not in path.read_bytes(), path


def test_the_age_program_opens_it(archive: Path, tmp_path: Path) -> None:
    clear = tmp_path / "clear"
    answer([age_program(), "-d", "-o", str(clear), str(archive)], [ARCHIVE_WORDS])
    lines = [json.loads(line) for line in clear.read_text().splitlines()]
    assert lines[0]["format"] == "locket-archive"
    assert {line["fields"]["text"] for line in lines[1:] if line["kind"] == "fact"} == set(FACTS)


def test_a_store_in_use_can_be_exported_but_not_imported_into(
    home: Home, archive: Path, tmp_path: Path
) -> None:
    running = home.start("chat", "--plain")
    try:
        deadline = time.monotonic() + 60
        while not home.json("vault", "status")["in_use_by"]:
            assert time.monotonic() < deadline
        beside = tmp_path / "beside.age"
        assert home.run("export", str(beside), extra=WITH_WORDS).returncode == 0
        refused = home.run("import", str(archive), extra=WITH_WORDS)
        assert refused.returncode == 11
    finally:
        running.communicate("/quit\n", timeout=60)


REFUSED: list[tuple[str, Any, dict[str, str], int]] = [
    ("does not open", lambda content: content, {"LOCKET_ARCHIVE_PASSPHRASE": "other words"}, 17),
    ("damaged", lambda content: content[:-1], WITH_WORDS, 17),
    ("damaged", lambda content: content[:-5] + bytes([content[-5] ^ 1]) + content[-4:], WITH_WORDS, 17),
    ("looks like none", lambda _: b"hello", WITH_WORDS, 17),
    ("for a key", lambda content: content.replace(b"-> scrypt", b"-> X25519", 1), WITH_WORDS, 17),
]


@pytest.mark.parametrize(("words", "change", "extra", "code"), REFUSED, ids=lambda value: str(value)[:20])
def test_what_is_not_whole_is_refused_with_words_and_the_store_is_unchanged(
    archive: Path, fresh: Home, tmp_path: Path, words: str, change: Any, extra: dict[str, str], code: int
) -> None:
    bad = tmp_path / "bad.age"
    bad.write_bytes(change(archive.read_bytes()))
    store = fresh.path / "vault" / "vault.db"
    before = store.read_bytes()
    done = fresh.run("import", str(bad), extra=extra)
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert store.read_bytes() == before


def test_on_a_terminal_a_new_passphrase_is_asked_for_twice_and_clear_text_confirmed(
    home: Home, fresh: Home, tmp_path: Path
) -> None:
    locket = [sys.executable, "-m", "assistant"]
    file, clear = tmp_path / "memory.age", tmp_path / "clear.jsonl"
    asked = answer([*locket, "export", str(file)], [ARCHIVE_WORDS, ARCHIVE_WORDS], home.environment())
    assert "New passphrase for the archive" in asked
    assert ARCHIVE_WORDS not in asked
    answer([*locket, "import", str(file)], [ARCHIVE_WORDS], fresh.environment())
    assert texts(fresh) == sorted(FACTS)
    warned = answer([*locket, "export", str(clear), "--plaintext"], ["y"], home.environment())
    assert "can read it" in warned
    assert CANARY in clear.read_text()


def test_an_export_never_writes_over_a_file_unasked(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "there.age"
    file.write_text("mine")
    refused = home.run("export", str(file), extra=WITH_WORDS)
    assert (refused.returncode, "--replace" in refused.stderr) == (2, True)
    assert file.read_text() == "mine"
    assert home.run("export", str(file), "--replace", extra=WITH_WORDS).returncode == 0
    assert file.read_bytes().startswith(b"age-encryption.org/v1\n")
    nowhere = home.run("export", str(tmp_path / "no" / "folder.age"), extra=WITH_WORDS)
    assert nowhere.returncode == 2


def test_a_copy_in_clear_is_warned_of_confirmed_and_not_taken_back(
    home: Home, fresh: Home, tmp_path: Path
) -> None:
    file = tmp_path / "clear.jsonl"
    asked = home.run("export", str(file), "--plaintext")
    assert (asked.returncode, file.exists()) == (2, False)
    assert "can read it" in asked.stderr
    told = home.json("export", str(file), "--plaintext", "--yes")
    assert told["encrypted"] is False
    assert CANARY in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    assert fresh.run("import", str(file), extra=WITH_WORDS).returncode == 17


def test_the_archives_passphrase_comes_from_a_file_or_a_command_too(
    home: Home, fresh: Home, tmp_path: Path
) -> None:
    words = tmp_path / "words"
    words.write_text(ARCHIVE_WORDS + "\n")
    file = tmp_path / "memory.age"
    assert home.run("export", str(file), "--archive-password-file", str(words)).returncode == 0
    assert fresh.run("import", str(file), "--archive-password-command", f"cat {words}").returncode == 0
    none = home.run("export", str(tmp_path / "other.age"))
    assert none.returncode == 2
    assert "--archive-password-file" in none.stderr
    assert texts(fresh) == sorted(FACTS)


def test_what_was_told_here_is_known_there(tmp_path: Path, starter_model: Path, minilm_model: Path) -> None:
    """Told, exported, imported into a fresh home, asked: remembered, with the vectors made anew."""
    there = Home(tmp_path / "there")
    here = Home(tmp_path / "here")
    for home in (there, here):
        link_model(starter_model, home.path / "models")
        link_model(minilm_model, home.path / "models")
        assert home.run("vault", "init").returncode == 0
    there.json("ask", "My dog is called Biscuit and I'm allergic to peanuts")
    first = tmp_path / "first.age"
    assert there.run("export", str(first), extra=WITH_WORDS).returncode == 0
    here.json("import", str(first), extra=WITH_WORDS)
    second = tmp_path / "second.jsonl"
    assert here.run("export", str(second), "--plaintext", "--yes").returncode == 0
    original = tmp_path / "original.jsonl"
    assert there.run("export", str(original), "--plaintext", "--yes").returncode == 0
    assert second.read_text().splitlines()[1:] == original.read_text().splitlines()[1:]
    answer = here.json("ask", "What is my dog called?")
    assert "Biscuit" in answer["answer"]
    assert any("Biscuit" in item["text"] for item in answer["recalled"])


def test_another_programs_export_comes_in_and_what_did_not_is_listed(fresh: Home, tmp_path: Path) -> None:
    message = {"author": {"role": "user"}, "create_time": 1.7e9, "content": {"parts": ["I keep herons"]}}
    talk = {
        "id": "c1",
        "title": "Herons",
        "current_node": "a",
        "mapping": {"a": {"message": message, "parent": None}},
    }
    export = tmp_path / "conversations.json"
    export.write_text(json.dumps([talk, {"title": "broken", "mapping": 5}]))
    done = fresh.run("import", str(export), "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["added"]) == (3, {"conversation": 1, "message": 1})
    assert "broken" in told["skipped"][0]["what"]
    listed = fresh.json("conversations", "list")["conversations"]
    assert [one["title"] for one in listed] == ["Herons"]
    again = fresh.run("import", str(export), "--format", "chatgpt", "--json")
    assert json.loads(again.stdout)["added"] == {}
    wrong = fresh.run("import", str(export), "--format", "locket", extra=WITH_WORDS)
    assert (wrong.returncode, "no age file" in wrong.stderr) == (17, True)
