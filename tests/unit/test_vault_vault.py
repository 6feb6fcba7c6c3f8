from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
import vault_builders as build
from sqlcipher3 import dbapi2

from memory.vault import rawfile
from memory.vault.errors import (
    KeyFileDamaged,
    MigrationFailed,
    MigrationNeeded,
    NewerVersion,
    NoStore,
    StoreDamaged,
    StoreExists,
    StoreInUse,
    VaultClosed,
    WrongPassphrase,
)
from memory.vault.kdf import CHEAPEST
from memory.vault.keys import Passphrase
from memory.vault.vault import create_vault, open_vault


def test_what_was_said_is_there_after_reopening(tmp_path: Path) -> None:
    with build.fresh(tmp_path / "v") as vault:
        build.say(vault, build.CANARY)
        file_id = vault.file_id
    with build.reopen(tmp_path / "v") as vault:
        assert build.said(vault) == [build.CANARY]
        assert vault.file_id == file_id
        assert vault.writable


def test_nothing_is_written_in_clear(tmp_path: Path) -> None:
    with build.fresh(tmp_path / "v") as vault:
        build.say(vault, build.CANARY)
        for content in build.picture(tmp_path).values():
            assert b"canary" not in content
            assert b"note" not in content


def test_a_wrong_passphrase_changes_nothing(tmp_path: Path) -> None:
    with build.make(tmp_path / "v"):
        pass
    before = build.picture(tmp_path)
    with pytest.raises(WrongPassphrase):
        build.reopen(tmp_path / "v", "wrong")
    assert build.picture(tmp_path) == before
    build.reopen(tmp_path / "v").close()


def test_a_folder_without_a_vault_stays_empty(tmp_path: Path) -> None:
    with pytest.raises(NoStore):
        build.reopen(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_vault_is_never_created_over_another(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        with pytest.raises(StoreInUse):
            build.fresh(tmp_path / "v")
        build.say(vault, "kept")
    for missing in ("vault.key", "vault.db"):
        content = (tmp_path / "v" / missing).read_bytes()
        (tmp_path / "v" / missing).unlink()
        with pytest.raises(StoreExists):
            build.fresh(tmp_path / "v")
        (tmp_path / "v" / missing).write_bytes(content)
    with build.reopen(tmp_path / "v") as vault:
        assert build.said(vault) == ["kept"]


@pytest.mark.parametrize(("missing", "error"), [("vault.key", KeyFileDamaged), ("vault.db", StoreDamaged)])
def test_half_a_vault_has_its_own_words(tmp_path: Path, missing: str, error: type[Exception]) -> None:
    with build.make(tmp_path / "v"):
        pass
    (tmp_path / "v" / missing).unlink()
    with pytest.raises(error, match="missing"):
        build.reopen(tmp_path / "v")


def test_a_key_file_beside_another_store_is_noticed(tmp_path: Path) -> None:
    for name in ("a", "b"):
        with build.fresh(tmp_path / name):
            pass
    (tmp_path / "a" / "vault.db").write_bytes((tmp_path / "b" / "vault.db").read_bytes())
    with pytest.raises(StoreDamaged, match="another key file"):
        build.reopen(tmp_path / "a")


def test_a_closed_vault_gives_nothing_away(tmp_path: Path) -> None:
    vault = build.make(tmp_path / "v")
    reader, main = vault.read_only(), vault.db
    vault.close()
    vault.close()
    for ask in (lambda: vault.db, lambda: vault.data_key, lambda: vault.key("files"), vault.read_only):
        with pytest.raises(VaultClosed):
            ask()
    for connection in (reader.conn, main.conn):
        with pytest.raises(dbapi2.ProgrammingError):
            connection.execute("SELECT 1")
    assert bytes(vault._data_key) == bytes(32)


def test_the_next_writer_gets_in_at_once_after_closing(tmp_path: Path) -> None:
    build.make(tmp_path / "v").close()
    for _ in range(3):
        build.reopen(tmp_path / "v").close()


def test_closing_cleanly_leaves_only_the_store(tmp_path: Path) -> None:
    with build.fresh(tmp_path / "v") as vault:
        build.say(vault, "hello")
    assert sorted(path.name for path in (tmp_path / "v").iterdir()) == ["vault.db", "vault.key", "vault.lock"]


def test_a_failed_opening_lets_go_of_the_lock(tmp_path: Path) -> None:
    with build.make(tmp_path / "v"):
        pass
    for _ in range(2):
        with pytest.raises(WrongPassphrase):
            build.reopen(tmp_path / "v", "wrong")


def test_a_reader_reads_on_its_own_thread_while_the_writer_writes(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        reader = vault.read_only()
        seen: list[int] = []
        done = threading.Event()

        def read() -> None:
            while not done.is_set():
                seen.append(reader.conn.execute("SELECT COUNT(*) FROM note").fetchone()[0])

        thread = threading.Thread(target=read)
        thread.start()
        build.say(vault, *[f"text {number}" for number in range(50)])
        done.set()
        thread.join()
        assert seen == sorted(seen)
        assert reader.conn.execute("SELECT COUNT(*) FROM note").fetchone()[0] == 50


def test_keys_by_use_differ_and_stay(tmp_path: Path) -> None:
    labels = ("db", "files", "tombstones", "certificates")
    with build.make(tmp_path / "v") as vault:
        keys = [vault.key(label) for label in labels]
    with build.reopen(tmp_path / "v", writer=False) as vault:
        assert [vault.key(label) for label in labels] == keys
    assert len(set(keys)) == 4


class TestMigration:
    def second_schema(self, db: Any) -> None:
        db.conn.execute("ALTER TABLE note ADD COLUMN colour TEXT")

    def failing(self, db: Any) -> None:
        db.conn.execute("ALTER TABLE note ADD COLUMN colour TEXT")
        db.conn.execute("DELETE FROM note")
        raise ZeroDivisionError

    def test_an_older_store_is_brought_up_to_date(self, tmp_path: Path) -> None:
        with build.make(tmp_path / "v") as vault:
            build.say(vault, "old")
        with build.reopen(tmp_path / "v", migrate=self.second_schema, schema_version=2) as vault:
            assert vault.db.conn.execute("SELECT text, colour FROM note").fetchall() == [("old", None)]
        with build.reopen(tmp_path / "v", migrate=self.failing, schema_version=2) as vault:
            assert build.said(vault) == ["old"]

    def test_a_failed_migration_leaves_the_old_store_working(self, tmp_path: Path) -> None:
        with build.make(tmp_path / "v") as vault:
            build.say(vault, "old")
        with pytest.raises(MigrationFailed):
            build.reopen(tmp_path / "v", migrate=self.failing, schema_version=2)
        with build.reopen(tmp_path / "v") as vault:
            assert build.said(vault) == ["old"]
        assert not list((tmp_path / "v").glob("vault.db.new*"))

    def test_a_migration_waits_for_a_reader_to_leave(self, tmp_path: Path) -> None:
        with build.make(tmp_path / "v") as vault:
            build.say(vault, "old")
        with build.reopen(tmp_path / "v", writer=False) as reader:
            with pytest.raises(StoreInUse):
                build.reopen(tmp_path / "v", migrate=self.second_schema, schema_version=2)
            assert build.said(reader) == ["old"]
        with build.reopen(tmp_path / "v", migrate=self.second_schema, schema_version=2) as vault:
            assert build.said(vault) == ["old"]

    def test_a_reader_does_not_migrate(self, tmp_path: Path) -> None:
        with build.make(tmp_path / "v"):
            pass
        with pytest.raises(MigrationNeeded):
            build.reopen(tmp_path / "v", writer=False, migrate=self.second_schema, schema_version=2)

    def test_a_newer_store_is_refused_unchanged(self, tmp_path: Path) -> None:
        with build.fresh(tmp_path / "v", schema_version=7):
            pass
        before = build.picture(tmp_path)
        with pytest.raises(NewerVersion) as caught:
            build.reopen(tmp_path / "v", schema_version=6)
        assert (caught.value.found, caught.value.supported) == (7, 6)
        assert build.picture(tmp_path) == before


def test_a_creation_that_lacks_only_the_renaming_is_finished(tmp_path: Path) -> None:
    with create_vault(tmp_path / "v", "words", params=CHEAPEST, allow_cheap=True):
        pass
    (tmp_path / "v" / "vault.db").rename(tmp_path / "v" / "vault.db.new")
    with open_vault(tmp_path / "v", Passphrase("words"), params=CHEAPEST, allow_cheap=True):
        pass
    assert not (tmp_path / "v" / "vault.db.new").exists()


def test_reading_the_raw_bytes_does_not_cost_the_writer_its_locks(tmp_path: Path) -> None:
    """On POSIX closing any descriptor of the file would: another program could then rewrite it under us."""
    with build.make(tmp_path / "v") as vault:
        build.say(vault, "one")
        with build.reopen(tmp_path / "v", writer=False) as second:
            second.pages().close()
        assert len(rawfile.read_start(tmp_path / "v" / "vault.db", 16)) == 16
        locks = [line for line in Path("/proc/locks").read_text().splitlines() if "POSIX" in line]
        found = (tmp_path / "v" / "vault.db").stat()
        assert any(f":{found.st_ino} " in line for line in locks)
        assert (found.st_dev, found.st_ino) in rawfile._shared
    assert (found.st_dev, found.st_ino) not in rawfile._shared
