"""The door to the store: what every connection sets, and what cannot be had through it.

More than 300 lines: one known trap of the driver and its neighbours after the other.
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import vault_builders as build
from sqlcipher3 import dbapi2

from memory.vault import connection, driver
from memory.vault.errors import StoreDamaged
from memory.vault.vault import Vault


@pytest.fixture
def vault(tmp_path: Path) -> Any:
    with build.make(tmp_path / "v") as vault:
        yield vault


@pytest.mark.parametrize(
    ("pragma", "expected"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("temp_store", 2),
        ("secure_delete", 1),
        ("foreign_keys", 1),
        ("trusted_schema", 0),
        ("journal_size_limit", 0),
    ],
)
def test_the_writer_has_every_protection(vault: Vault, pragma: str, expected: object) -> None:
    assert vault.db.conn.execute(f"PRAGMA {pragma}").fetchone()[0] == expected


@pytest.mark.parametrize("pragma", ["temp_store", "query_only", "foreign_keys"])
def test_a_reader_has_its_protections(vault: Vault, pragma: str) -> None:
    assert vault.read_only().conn.execute(f"PRAGMA {pragma}").fetchone()[0] in (1, 2)


@pytest.mark.parametrize(
    "statement",
    [
        "PRAGMA temp_store = FILE",
        "PRAGMA temp_store_directory = '/tmp'",
        "PRAGMA secure_delete = OFF",
        "PRAGMA writable_schema = ON",
        "PRAGMA trusted_schema = ON",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA synchronous = OFF",
        "PRAGMA key = 'other'",
        "PRAGMA rekey = ''",
        "PRAGMA cipher_log = '/tmp/log'",
        "PRAGMA user_version = 9",
        "ATTACH ':memory:' AS plain KEY ''",
        "ATTACH '' AS plain",
        "VACUUM INTO 'plain.db'",
        "SELECT load_extension('vec0')",
        "SELECT sqlcipher_export('main')",
    ],
)
def test_no_statement_leads_out_of_the_encrypted_file(vault: Vault, statement: str) -> None:
    before = build.picture(vault.folder)
    with pytest.raises(dbapi2.DatabaseError, match="authoriz"):
        vault.db.conn.execute(statement)
    assert build.picture(vault.folder) == before


def test_a_reader_cannot_become_a_writer(vault: Vault) -> None:
    reader = vault.read_only()
    with pytest.raises(dbapi2.DatabaseError, match="authoriz"):
        reader.conn.execute("PRAGMA query_only = OFF")
    with pytest.raises(dbapi2.OperationalError, match="readonly"):
        reader.conn.execute("INSERT INTO note (text) VALUES ('x')")


def test_a_failed_write_on_a_reader_leaves_no_transaction_open(vault: Vault) -> None:
    """Else the log could not be emptied, and a forget would never get its certificate."""
    reader = vault.read_only()
    build.say(vault, "before")
    with pytest.raises(dbapi2.OperationalError):
        reader.conn.execute("INSERT INTO note (text) VALUES ('x')")
    assert not reader.conn.in_transaction
    assert vault.checkpoint_truncate()


def test_an_open_read_makes_the_checkpoint_say_no(vault: Vault) -> None:
    build.say(vault, "one", "two")
    cursor = vault.read_only().conn.execute("SELECT text FROM note ORDER BY key")
    cursor.fetchone()
    build.say(vault, "three")
    assert not vault.checkpoint_truncate()
    cursor.close()
    assert vault.checkpoint_truncate()
    assert (vault.folder / "vault.db-wal").stat().st_size == 0


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_a_key_of_another_length_is_refused_before_the_file_is_touched(tmp_path: Path, length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        connection.connect_writer(tmp_path / "new.db", b"k" * length, create=True)
    assert not (tmp_path / "new.db").exists()


def test_a_plain_sqlite_file_is_refused(tmp_path: Path) -> None:
    with build.make(tmp_path / "v"):
        pass
    store = tmp_path / "v" / "vault.db"
    store.unlink()
    plain = dbapi2.connect(str(store))
    plain.execute("CREATE TABLE note (key INTEGER PRIMARY KEY, text TEXT)")
    plain.commit()
    plain.close()
    with pytest.raises(StoreDamaged, match="not encrypted"):
        build.reopen(tmp_path / "v")


def test_the_store_does_not_start_like_an_sqlite_file(vault: Vault) -> None:
    assert not (vault.folder / "vault.db").read_bytes().startswith(b"SQLite")


def test_a_driver_without_encryption_is_refused_before_it_writes_a_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the key without a word and would keep everything in clear."""
    monkeypatch.setattr("memory.vault.connection.dbapi2.connect", sqlite3.connect)
    with pytest.raises(RuntimeError, match="no encryption"):
        connection.connect_writer(tmp_path / "new.db", b"k" * 32, create=True)
    assert [path.read_bytes() for path in tmp_path.iterdir()] in ([], [b""])


def test_no_copy_without_a_key_can_be_made_through_the_driver(vault: Vault, tmp_path: Path) -> None:
    build.say(vault, build.CANARY)
    plain = dbapi2.connect(str(tmp_path / "plain.db"))
    try:
        with pytest.raises(dbapi2.DatabaseError):
            vault.db.conn.backup(plain)
    finally:
        plain.close()
    assert all(b"heron" not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


BIG_SORT = """
WITH RECURSIVE
    row (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM row WHERE number < 3000)
SELECT 'the heron nests ' || hex(randomblob(900)) AS text
FROM row
ORDER BY text
"""


def clear_text_in_open_files(db: Any) -> bool:
    """Sort more than fits and say whether a file that this process has open, unlinked ones too, shows a row."""
    db.execute("PRAGMA cache_size = 20")
    cursor = db.execute(BIG_SORT)
    cursor.fetchone()
    try:
        for entry in Path("/proc/self/fd").iterdir():
            descriptor = int(entry.name)
            with suppress(OSError):  # the listing's own is closed by now
                found = os.fstat(descriptor)
                if stat.S_ISREG(found.st_mode) and b"the heron nests" in os.pread(
                    descriptor, found.st_size, 0
                ):  # through what is open already: opening it once more would cost the store its locks
                    return True
    finally:
        cursor.close()
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="where a process can list its own files")
def test_a_big_sort_leaves_no_row_in_a_temporary_file(vault: Vault) -> None:
    """The one way in which an encrypted store still writes clear text; the other half shows that this would see it."""
    assert not clear_text_in_open_files(vault.db.conn)
    assert not clear_text_in_open_files(vault.read_only().conn)
    careless = connection.connect_bare(vault.folder / "vault.db", vault.key("db"))
    try:
        careless.execute("PRAGMA temp_store = FILE")
        assert clear_text_in_open_files(careless)
    finally:
        careless.close()


def test_a_wrong_key_prints_nothing(tmp_path: Path) -> None:
    """SQLCipher's own log lines would tear the screen."""
    with build.make(tmp_path / "v"):
        pass
    code = (
        "from pathlib import Path; from memory.vault import connection, errors\n"
        f"try: connection.connect_writer(Path({str(tmp_path / 'v' / 'vault.db')!r}), b'x' * 32)\n"
        "except errors.StoreDamaged: pass\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=Path.cwd())
    assert (done.stdout, done.stderr) == (b"", b"")


def test_opening_the_extension_does_not_import_its_package() -> None:
    code = (
        "import sys; from memory.vault import connection; connection.extension_path()\n"
        "assert not {'numpy', 'sqlite_vec', 'sqlite_utils'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path.cwd())


def test_sqlite_utils_imported_too_early_is_noticed() -> None:
    code = (
        "import sqlite_utils\nfrom memory.vault import driver\n"
        "try: driver.check_sqlite_utils()\nexcept RuntimeError as e: print('noticed')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=Path.cwd())
    assert done.stdout == b"noticed\n"


def test_the_cache_is_larger_than_all_vector_tables(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "CACHE_AT_LEAST", 1 << 20)
    db = vault.db
    db.conn.execute(
        "CREATE VIRTUAL TABLE item_vec_1 USING vec0(id INTEGER PRIMARY KEY, embedding float[256])"
    )
    rows = [(number, bytes(1024)) for number in range(1, 2049)]
    with db.atomic():
        db.conn.executemany("INSERT INTO item_vec_1 (id, embedding) VALUES (?, ?)", rows)
    assert connection.size_cache(db.conn) > 2048 * 1024
    assert -db.conn.execute("PRAGMA cache_size").fetchone()[0] * 1024 > 2048 * 1024


def test_a_deleted_vector_leaves_its_chunk(vault: Vault) -> None:
    """An older sqlite-vec left every deleted vector readable in the file."""
    db = vault.db
    db.conn.execute("CREATE VIRTUAL TABLE item_vec_1 USING vec0(id INTEGER PRIMARY KEY, embedding float[4])")
    pattern = b"\x11\x22\x33\x3f" * 4
    with db.atomic():
        db.conn.execute("INSERT INTO item_vec_1 VALUES (1, ?)", (pattern,))
        db.conn.execute("INSERT INTO item_vec_1 VALUES (2, ?)", (bytes(16),))
    chunks = "SELECT vectors FROM item_vec_1_vector_chunks00"
    assert pattern in db.conn.execute(chunks).fetchone()[0]
    with db.atomic():
        db.conn.execute("DELETE FROM item_vec_1 WHERE id = 1")
    assert pattern not in db.conn.execute(chunks).fetchone()[0]


class TestSqliteUtilsOnThisDriver:
    """What sqlite-utils takes for granted about the standard driver, tried on ours."""

    def test_it_catches_the_encrypted_drivers_errors(self, vault: Vault) -> None:
        from sqlite_utils import utils

        assert utils.OperationalError is dbapi2.OperationalError is driver.OperationalError

    def test_rows_grow_columns_with_alter(self, vault: Vault) -> None:
        table = vault.db.table("thing", pk="id")
        table.insert({"id": 1})
        table.insert({"id": 2, "colour": "red"}, alter=True)
        table.upsert({"id": 1, "size": 3}, alter=True)
        table.update(2, {"weight": 4}, alter=True)
        assert list(table.rows) == [
            {"id": 1, "colour": None, "size": 3, "weight": None},
            {"id": 2, "colour": "red", "size": None, "weight": 4},
        ]

    def test_dropping_what_is_not_there_can_be_ignored(self, vault: Vault) -> None:
        vault.db.table("nothing").drop(ignore=True)

    def test_an_index_finds_a_free_name(self, vault: Vault) -> None:
        table = vault.db.table("thing", pk="id")
        table.insert({"id": 1, "a": 1})
        table.create_index(["a"])
        table.create_index(["a"], find_unique_name=True)
        assert len(table.indexes) == 2

    def test_a_returning_query_gives_its_rows_and_is_committed(self, vault: Vault) -> None:
        rows = list(vault.db.query("INSERT INTO note (text) VALUES ('x') RETURNING key"))
        assert rows == [{"key": 1}]
        assert not vault.db.conn.in_transaction

    def test_atomic_takes_everything_back_on_an_error(self, vault: Vault) -> None:
        def fail() -> None:
            with vault.db.atomic():
                vault.db.conn.execute("INSERT INTO note (text) VALUES ('gone')")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        assert build.said(vault) == []

    def test_a_with_on_the_bare_connection_takes_nothing_back(self, vault: Vault) -> None:
        """It looks like a transaction and is none: nothing of ours may use it."""

        def fail() -> None:
            with vault.db.conn:
                vault.db.conn.execute("INSERT INTO note (text) VALUES ('stayed')")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        assert build.said(vault) == ["stayed"]
        root = Path(__file__).parents[2]
        for package in ("memory", "assistant"):
            for path in (root / package).rglob("*.py"):
                assert not re.search(r"^\s*with\b.*\bconn(ection)?:$", path.read_text(), re.MULTILINE), path

    def test_a_transform_drops_the_triggers(self, vault: Vault) -> None:
        """So no migration of ours may use it on a table with a search index; this fails when that changes."""
        assert len(vault.db.table("note").triggers) == 2
        vault.db.table("note").transform(rename={"text": "words"})
        assert vault.db.table("note").triggers == []

    def test_no_installed_plugin_is_run(self, vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
        from sqlite_utils import db

        def refuse() -> None:
            raise AssertionError("a plugin was looked for")

        monkeypatch.setattr(db, "ensure_plugins_loaded", refuse)
        vault.read_only()

    def test_the_connection_is_in_the_mode_it_accepts(self, vault: Vault) -> None:
        assert getattr(vault.db.conn, "autocommit", None) is None
        assert vault.db.conn.isolation_level is None
