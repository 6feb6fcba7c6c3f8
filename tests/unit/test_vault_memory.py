"""What is left in memory once a vault is locked."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from memory.vault import connection, hardening

PROGRAM = """
import sys
from pathlib import Path
import vault_builders as build
from memory.vault import connection

if sys.argv[2] == "by-cipher":
    connection.wipe_freed_memory = lambda: False
if sys.argv[2] == "not-at-all":
    connection.wipe_freed_memory = lambda: True

def found():
    number = 0
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            place, rights = line.split()[:2]
            start, end = (int(part, 16) for part in place.split("-"))
            if "r" not in rights or "[v" in line:
                continue
            try:
                memory.seek(start)
                piece = memory.read(end - start)
            except OSError:
                continue
            number += piece.count(bytes(needle))
            del piece
    return number

needle = bytearray(b"canary") + bytearray(b"heron")  # never whole in this program's own text
vault = build.fresh(Path(sys.argv[1]) / "v")
with vault.db.atomic():  # the texts are made by SQL, so that Python has none of them
    vault.db.conn.execute(
        "WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 5000)"
        " INSERT INTO note (text) SELECT 'cana' || 'ryheron' || n || ' nests in the attic' FROM count"
    )
vault.db.conn.execute("SELECT SUM(LENGTH(text)) FROM note").fetchone()
open_ = found()
vault.close()
print(open_, found())
"""


def left(folder: Path, how: str) -> tuple[int, int]:
    """Return how often a text is in memory while its vault is open, and once it is locked."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder), how],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": f"{Path.cwd()}:{Path(__file__).parents[1]}", "PATH": ""},
    )
    open_, locked = done.stdout.split()
    return int(open_), int(locked)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="where a process can read itself")
@pytest.mark.parametrize("how", ["by-allocator", "by-cipher"])
def test_locking_leaves_next_to_no_decrypted_page_in_memory(tmp_path: Path, how: str) -> None:
    (tmp_path / "not").mkdir()
    before, unwiped = left(tmp_path / "not", "not-at-all")
    assert unwiped > before // 10, "the measure sees what is not wiped"
    open_, locked = left(tmp_path, how)
    assert open_ > 5000
    assert locked < open_ // 100


def test_a_connection_is_wiped_one_way_or_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The statement is only looked at: once it ran, it slows the whole process."""
    said: list[str] = []

    class Listening:
        def execute(self, statement: str) -> Listening:
            said.append(statement)
            return self

        def fetchone(self) -> tuple[str]:
            return ("4.19.0",)

    for can in (True, False):
        said.clear()
        monkeypatch.setattr(connection, "wipe_freed_memory", lambda can=can: can)
        connection._key(Listening(), bytes(32))
        assert ("PRAGMA cipher_memory_security = ON" in said) is not can


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the allocator of glibc")
def test_this_systems_allocator_wipes() -> None:
    assert hardening.wipe_freed_memory()
