"""Puts a backup in the place of the present store, whole or not at all, and keeps what it replaces.

The backup is prepared, checked and brought up to date in a folder beside the store; giving that folder the name
``restoring`` is the decision, and everything after it is finished by whoever opens the vault next. What was
forgotten since the backup must stay forgotten: the caller's hook carries tombstones from the store that goes to
the one that comes.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from memory.vault import keyfile
from memory.vault.backup import MANIFEST, BackupCard, file_sha256, read_card, write_manifest
from memory.vault.check import check_connection
from memory.vault.crashpoints import point
from memory.vault.driver_errors import store_errors
from memory.vault.errors import BackupUnusable, KeyFileDamaged, NewerVersion, StoreDamaged, VaultError
from memory.vault.exclusive import close_self_contained
from memory.vault.files import FILE_MODE, disk_errors, make_private_folder, sync_file, sync_folder
from memory.vault.identity import read_schema_version, write_schema_version
from memory.vault.keys import Secret
from memory.vault.layout import Layout, sidecars
from memory.vault.lock import acquire
from memory.vault.migration import Migrate
from memory.vault.moving import move_folder
from memory.vault.opening import Unlocked, unlock

if TYPE_CHECKING:
    from sqlite_utils import Database

Carried = Literal["reapplied", "no store to take them from", "the old store could not be read"]
Reapply = Callable[["Database", "Database"], None]
"""Called with the store that goes (read-only) and the one that comes (for writing)."""
_TEMP: Final = ".restoring.tmp"
_REPLACED: Final = "replaced"


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did."""

    from_backup: BackupCard
    replaced: Path | None
    """Where the store that went is kept, as a backup; None when there was none."""
    tombstones: Carried


def restore_backup(
    folder: Path,
    backup: Path,
    secret: Secret,
    *,
    current: Secret | None,
    reapply: Reapply | None = None,
    migrate: Migrate | None = None,
    schema_version: int | None = None,
    now: Callable[[], datetime],
    allow_cheap: bool = False,
) -> Restored:
    """Replace the vault in a folder by a backup that ``secret`` opens.

    ``current`` opens the present store, to carry over its tombstones; it may be None when nobody knows it.
    """
    layout = Layout(folder)
    make_private_folder(folder)
    lock = acquire(layout.lock, since=now().isoformat())
    try:
        finish_restore(layout)
        temp = folder / _TEMP
        tombstones: Carried = "no store to take them from"
        shutil.rmtree(temp, ignore_errors=True)
        try:
            card = _staged(temp, backup)
            inner = Layout(temp)
            copy = key_file_of_backup(inner, allow_cheap)
            unlocked = unlock(inner.store, copy, secret, writer=True, allow_cheap=allow_cheap)
            try:
                _made_current(unlocked, migrate, schema_version)
                if reapply is not None and layout.store.exists():
                    old = _old_store(layout, copy, secret, current, allow_cheap=allow_cheap)
                    tombstones = _carried_over(old, unlocked.db, reapply)
            except BaseException:
                unlocked.db.close()
                raise
            close_self_contained(unlocked.db)
            replaced = _announced(layout, temp, card, now())
            for path in (inner.store, inner.key_file):
                sync_file(path)
            sync_folder(temp)
            point("restore.staged")
        except BaseException:
            shutil.rmtree(temp, ignore_errors=True)
            raise
        with disk_errors(layout.restoring.name):
            temp.rename(layout.restoring)
            sync_folder(folder)
        point("restore.decided")
        finish_restore(layout)
        return Restored(card, replaced, tombstones)
    finally:
        lock.release()


def finish_restore(layout: Layout) -> None:
    """Finish a restore that was decided; call it only under the writer lock."""
    staged = Layout(layout.restoring)
    if not layout.restoring.exists():
        return
    with disk_errors(layout.restoring.name):
        old = layout.restoring / _REPLACED
        for new, present in ((staged.store, layout.store), (staged.key_file, layout.key_file)):
            if not new.exists():
                continue  # moved by whoever was interrupted
            beside = sidecars(present) if present == layout.store else ()
            for path in (*beside, present):
                if path.exists():
                    path.replace(old / path.name)
                    point("restore.put-aside")
            sync_folder(old)
            new.replace(present)
            sync_folder(layout.folder)
            point("restore.put-in-place")
        _keep_replaced(layout, old)
        shutil.rmtree(layout.restoring)
        sync_folder(layout.folder)


def _staged(temp: Path, backup: Path) -> BackupCard:
    card = read_card(backup)
    source, target = Layout(backup), Layout(temp)
    with disk_errors(temp.name):
        make_private_folder(temp)
        make_private_folder(temp / _REPLACED)
        for path, copy in ((source.store, target.store), (source.key_file, target.key_file)):
            try:
                shutil.copyfile(path, copy)
            except FileNotFoundError as error:
                raise BackupUnusable(f"the backup {card.name} lacks its {path.name}") from error
            copy.chmod(FILE_MODE)
        for path, copy in zip(sidecars(source.store), sidecars(target.store), strict=True):
            if path.exists():  # a store that was put aside while it was damaged keeps its log
                shutil.copyfile(path, copy)
    if card.store_sha256 and file_sha256(target.store) != card.store_sha256:
        raise BackupUnusable(f"the backup {card.name} was damaged: its checksum does not match")
    return card


def key_file_of_backup(inner: Layout, allow_cheap: bool) -> keyfile.KeyFile:
    """Return a backup's key file, or raise BackupUnusable when it is damaged."""
    try:
        return keyfile.load(inner.key_file, allow_cheap=allow_cheap)
    except KeyFileDamaged as error:
        raise BackupUnusable(f"the backup's key file is damaged: {error}") from error


def _made_current(unlocked: Unlocked, migrate: Migrate | None, schema_version: int | None) -> None:
    report = check_connection(unlocked.db)
    if not report.sound:
        raise BackupUnusable("the backup is damaged: " + "; ".join(report.problems[:3]))
    found = read_schema_version(unlocked.db)
    if schema_version is None or found == schema_version:
        return
    if found > schema_version:
        raise NewerVersion("backup", found, schema_version)
    if migrate is not None:
        migrate(unlocked.db)
        write_schema_version(unlocked.db, schema_version)


def _carried_over(old: Database | None, new: Database, reapply: Reapply) -> Carried:
    if old is None:
        return "the old store could not be read"
    try:
        with store_errors():
            reapply(old, new)
    except StoreDamaged:
        return "the old store could not be read"
    finally:
        old.close()
    return "reapplied"


def _old_store(
    layout: Layout, copy: keyfile.KeyFile, secret: Secret, current: Secret | None, *, allow_cheap: bool
) -> Database | None:
    """Open the store that goes; the backup's own key file opens it too, unless its data key was changed since."""
    if current is not None:
        with suppress(KeyFileDamaged, StoreDamaged):
            present = keyfile.load(layout.key_file, allow_cheap=allow_cheap)
            return unlock(layout.store, present, current, writer=False, allow_cheap=allow_cheap).db
    with suppress(KeyFileDamaged, StoreDamaged):
        return unlock(layout.store, copy, secret, writer=False, allow_cheap=allow_cheap).db
    return None


def _announced(layout: Layout, temp: Path, card: BackupCard, now: datetime) -> Path | None:
    """Write what will be said about the replaced store once it is a backup, and return where that will be."""
    if not layout.store.exists() and not layout.key_file.exists():
        return None
    make_private_folder(layout.backups)  # what cannot be kept is not replaced
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    final, count = layout.backups / f"{stamp}-replaced", 1
    while final.exists():
        count += 1
        final = layout.backups / f"{stamp}-replaced-{count}"
    slots: tuple[tuple[str, str, str], ...] = ()
    file_id = card.file_id
    try:
        old = keyfile.load(layout.key_file, allow_cheap=True)  # only looked at, never derived from
    except VaultError:
        pass
    else:
        slots, file_id = tuple((slot.id, slot.kind, slot.created) for slot in old.slots), old.file_id
    said = replace(
        card,
        path=final,
        made_at=now.astimezone(UTC).isoformat(),
        reason="replaced",
        file_id=file_id,
        store_bytes=layout.store.stat().st_size if layout.store.exists() else 0,
        store_sha256="",
        slots=slots,
    )
    write_manifest(said, temp / _REPLACED / MANIFEST)
    name = temp / _REPLACED / "name"
    name.write_text(final.name, encoding="ascii")
    sync_file(name)
    sync_folder(name.parent)
    return final


def _keep_replaced(layout: Layout, old: Path) -> None:
    name = old / "name"
    if not name.exists():
        return
    make_private_folder(layout.backups)
    final = layout.backups / name.read_text(encoding="ascii")
    if not final.exists():  # else whoever was interrupted had it there already
        move_folder(old, final)
        (final / "name").unlink()
