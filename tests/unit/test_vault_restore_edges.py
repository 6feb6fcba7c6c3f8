"""Restores and copies where the disk, a link, a reader or a lost key file stands in the way."""

from __future__ import annotations

import errno
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import vault_builders as build

from memory.vault import files, keyfile, moving, restore, rotate
from memory.vault.backup import BackupCard, list_backups, remove_backup
from memory.vault.connection import connect_reader
from memory.vault.errors import StoreInUse, StoreUnreadable, StoreUnwritable
from memory.vault.kdf import CHEAPEST, LOWEST
from memory.vault.key_copy import put_key_file_back
from memory.vault.keys import Passphrase, Recovery, new_data_key
from memory.vault.keyslots import wrap
from memory.vault.restore import Restored, restore_backup
from memory.vault.slots import add_slot, change_passphrase
from memory.vault.vault import Vault, open_vault

MINE = Passphrase(build.WORDS)


def put_back(folder: Path, card: BackupCard, **more: Any) -> Restored:
    settings: dict[str, Any] = {"current": MINE, "now": lambda: build.NOON, "allow_cheap": True, **more}
    return restore_backup(folder, card.path, MINE, **settings)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A vault in which something was said before and after its one backup."""
    with build.make(tmp_path / "v") as vault:
        build.say(vault, "then")
        vault.backup()
        build.say(vault, "now")
    return tmp_path / "v"


def only_backup(folder: Path) -> BackupCard:
    (card,) = list_backups(folder)
    return card


def on_another_disk(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Have no rename lead into or out of a folder."""
    real = Path.rename

    def rename(self: Path, target: Path) -> Path:
        if (folder in self.parents) != (folder in Path(target).parents):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return real(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    monkeypatch.setattr(Path, "replace", rename)


def said(folder: Path) -> list[str]:
    with build.reopen(folder) as vault:
        return build.said(vault)


def test_what_a_restore_replaces_is_kept_on_another_disk_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_another_disk(monkeypatch, folder / "backups")
    done = put_back(folder, only_backup(folder))
    assert done.replaced is not None
    assert {path.name for path in done.replaced.iterdir()} == {"vault.db", "vault.key", "backup.json"}
    assert not (folder / "restoring").exists()
    assert said(folder) == ["then"]
    assert said(shutil.copytree(done.replaced, folder.parent / "replaced")) == ["then", "now"]


def test_a_restore_that_stops_on_the_way_to_another_disk_is_finished_by_the_next_opening(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_another_disk(monkeypatch, folder / "backups")
    with monkeypatch.context() as now:
        now.setattr(moving, "sync_file", full)
        with pytest.raises(StoreUnwritable, match="restoring"):
            put_back(folder, only_backup(folder))
    assert said(folder) == ["then"]
    assert [card.reason for card in list_backups(folder)] == ["manual", "replaced"]


def full(_path: Path) -> None:
    raise OSError(errno.EBUSY, "Device or resource busy")


def test_a_restore_is_refused_while_what_it_replaces_cannot_be_kept(folder: Path) -> None:
    card = only_backup(folder)
    shutil.move(folder / "backups", folder.parent / "elsewhere")
    (folder / "backups").symlink_to(folder.parent / "not-mounted")
    with pytest.raises(StoreUnwritable, match="backups"):
        restore_backup(
            folder,
            folder.parent / "elsewhere" / card.name,
            MINE,
            current=MINE,
            now=lambda: build.NOON,
            allow_cheap=True,
        )
    assert said(folder) == ["then", "now"]


def test_where_the_replaced_store_goes_is_on_the_disk_before_the_restore_is_decided(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    real = files.sync_file

    def sync(path: Path) -> None:
        synced.append(path.name)
        real(path)

    monkeypatch.setattr(restore, "sync_file", sync)

    def decided(name: str) -> None:
        if name == "restore.decided":
            assert synced == ["name", "vault.db", "vault.key"]

    monkeypatch.setattr(restore, "point", decided)
    put_back(folder, only_backup(folder))


def test_a_key_file_whose_store_is_lost_is_kept_by_a_restore(folder: Path) -> None:
    lost = folder.parent / "vault.db"
    shutil.move(folder / "vault.db", lost)
    done = put_back(folder, only_backup(folder))
    assert done.replaced is not None
    shutil.copytree(done.replaced, folder.parent / "found")
    shutil.move(lost, folder.parent / "found" / "vault.db")
    assert said(folder.parent / "found") == ["then", "now"]


@pytest.mark.parametrize("current", [MINE, None])
def test_what_was_forgotten_is_carried_over_although_the_key_file_is_lost(folder: Path, current: Any) -> None:
    (folder / "vault.key").write_bytes(b"rotten")
    seen: list[str] = []

    def reapply(old: Any, _new: Any) -> None:
        seen.extend(row[0] for row in old.conn.execute("SELECT text FROM note ORDER BY key").fetchall())

    done = put_back(folder, only_backup(folder), current=current, reapply=reapply)
    assert done.tombstones == "reapplied"
    assert seen == ["then", "now"]


def test_a_key_file_of_another_vault_is_replaced_whatever_opens_it(folder: Path) -> None:
    build.fresh(folder.parent / "other", "quite another passphrase").close()
    shutil.copyfile(folder.parent / "other" / "vault.key", folder / "vault.key")
    put_key_file_back(folder, only_backup(folder).path, MINE, now=lambda: build.NOON, allow_cheap=True)
    assert said(folder) == ["then", "now"]


def test_a_backup_that_cannot_go_where_it_should_is_nowhere(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("something else")
    with build.reopen(folder) as vault:
        with pytest.raises(StoreUnwritable, match="already"):
            vault.backup(destination=tmp_path / "taken")
        assert len(list_backups(folder)) == 1
    assert (tmp_path / "taken").read_text() == "something else"


def test_a_backup_for_elsewhere_writes_nothing_beside_the_store(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    with build.reopen(folder) as vault:
        before = {path.name for path in (folder / "backups").iterdir()}

        def between(_done: int, _total: int) -> None:
            assert {path.name for path in (folder / "backups").iterdir()} == before

        card = vault.backup(destination=tmp_path / "stick", progress=between)
    assert list((tmp_path / "stick").iterdir()) == [card.path]
    assert said(shutil.copytree(card.path, tmp_path / "copy")) == ["then", "now"]
    assert os.name == "nt" or {path.stat().st_mode & 0o777 for path in card.path.iterdir()} == {0o600}


def test_a_backup_that_is_a_link_is_deleted_where_it_lies(folder: Path, tmp_path: Path) -> None:
    card = only_backup(folder)
    shutil.move(card.path, tmp_path / "far")
    card.path.symlink_to(tmp_path / "far")
    remove_backup(card.path)
    assert not (tmp_path / "far").exists()
    assert list((folder / "backups").iterdir()) == []


def left_rotating(vault: Vault) -> None:
    """Have the key file of an open vault hold a second data key, as a rotation that was killed leaves it."""
    new_key = new_data_key()
    slot = wrap(
        new_key,
        MINE,
        head=vault.key_file.head,
        label="",
        created="2026-03-01",
        generation=2,
        params=CHEAPEST,
        allow_cheap=True,
    )
    slots = (*vault.key_file.slots, slot)
    both = keyfile.sealed(replace(vault.key_file, slots=slots), {1: vault.data_key, 2: new_key})
    keyfile.save(both, vault.layout.key_file)


def test_a_reader_in_the_way_of_an_interrupted_rotation_keeps_only_the_keys_from_changing(
    folder: Path,
) -> None:
    with build.reopen(folder) as vault:
        build.say(vault, "in the log")
        reader = connect_reader(vault.layout.store, vault.key("db"))
        reader.conn.execute("BEGIN")
        reader.conn.execute("SELECT count(*) FROM note").fetchone()
        left_rotating(vault)
    with open_vault(folder, MINE, params=LOWEST, allow_cheap=True) as vault:  # also with a cost to be raised
        assert len(vault.key_file.macs) == 2
        for change in (
            lambda: change_passphrase(vault, "new", params=CHEAPEST),
            lambda: add_slot(vault, Recovery(b"r" * 32)),
            lambda: rotate.rotate(vault, [MINE], params=CHEAPEST),
        ):
            with pytest.raises(StoreInUse, match="open for reading"):
                change()
        reader.close()
        add_slot(vault, Recovery(b"r" * 32))
        assert {slot.generation for slot in vault.key_file.slots} == {1}
    assert said(folder) == ["then", "now", "in the log"]


def test_a_disk_that_cannot_sync_folders_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "fsync", refuse)
    files.sync_folder(tmp_path)
    with pytest.raises(OSError, match="Invalid"):
        files.sync_file(write(tmp_path / "file"))


def write(path: Path) -> Path:
    path.write_bytes(b"content")
    return path


@pytest.mark.parametrize("name", ["vault.key", "vault.db"])
def test_a_file_that_does_not_let_itself_be_read_is_said_so(folder: Path, name: str) -> None:
    (folder / name).unlink()
    (folder / name).mkdir()
    with pytest.raises(StoreUnreadable, match=f"{name}: Is a directory"):
        build.reopen(folder)


def test_a_lock_that_cannot_be_written_is_said_so(folder: Path) -> None:
    (folder / "vault.lock").unlink()
    (folder / "vault.lock").mkdir()
    with pytest.raises(StoreUnwritable, match=r"vault\.lock"):
        build.reopen(folder)
