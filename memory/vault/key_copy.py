"""Puts a backup's copy of the key file in the place of one that is lost or damaged; the store stays as it is.

A damaged key file says nothing about the store: bringing a whole backup back for it would cost every word since that
backup. Never replaces a key file that is whole, and keeps the bytes of the one that is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from memory.vault import keyfile
from memory.vault.backup import BackupCard, read_card
from memory.vault.errors import (
    BackupUnusable,
    KeyFileDamaged,
    NothingToPutBack,
    StoreDamaged,
    WrongPassphrase,
)
from memory.vault.files import write_atomically
from memory.vault.keyfile import KeyFile
from memory.vault.keys import Secret
from memory.vault.layout import Layout
from memory.vault.lock import acquire
from memory.vault.opening import unlock
from memory.vault.restore import finish_restore, key_file_of_backup


@dataclass(frozen=True, slots=True)
class KeyPutBack:
    """What was put back."""

    from_backup: BackupCard
    replaced: Path | None
    """Where the bytes of the damaged key file are kept; None when there was none."""


def put_key_file_back(
    folder: Path, backup: Path, secret: Secret, *, now: Callable[[], datetime], allow_cheap: bool = False
) -> KeyPutBack:
    """Take the key file of a backup that ``secret`` opens, once it has opened the present store."""
    layout = Layout(folder)
    if not layout.store.exists():
        raise StoreDamaged(f"{layout.store.name} is missing; restore the whole backup")
    lock = acquire(layout.lock, since=now().isoformat())
    try:
        finish_restore(layout)
        card, copy = read_card(backup), key_file_of_backup(Layout(backup), allow_cheap)
        _refuse_whole(layout, copy, secret, allow_cheap=allow_cheap)
        if not opens(layout, copy, secret, allow_cheap=allow_cheap):
            raise BackupUnusable(
                "its key file does not open the store, which has another key now or is damaged too; "
                "restore the whole backup"
            )
        replaced = _kept(layout, now())
        keyfile.save(copy, layout.key_file)
        return KeyPutBack(card, replaced)
    finally:
        lock.release()


def only_key_is_damaged(folder: Path, backup: Path, secret: Secret, *, allow_cheap: bool = False) -> bool:
    """Say whether putting the backup's key file back would be enough; nothing is changed."""
    layout = Layout(folder)
    if not layout.store.exists():
        return False
    try:
        keyfile.load(layout.key_file, allow_cheap=allow_cheap)
    except KeyFileDamaged:
        copy = key_file_of_backup(Layout(backup), allow_cheap)
        return opens(layout, copy, secret, allow_cheap=allow_cheap)
    return False


def opens(layout: Layout, key_file: KeyFile, secret: Secret, *, allow_cheap: bool) -> bool:
    """Say whether a key file and a secret open the present store; a wrong secret is an error."""
    try:
        unlock(layout.store, key_file, secret, writer=False, allow_cheap=allow_cheap).db.close()
    except (StoreDamaged, KeyFileDamaged):
        return False
    return True


def _refuse_whole(layout: Layout, copy: KeyFile, secret: Secret, *, allow_cheap: bool) -> None:
    try:
        present = keyfile.load(layout.key_file, allow_cheap=allow_cheap)
        if present.file_id != copy.file_id:
            return  # of another vault, whatever opens it
        if not opens(layout, present, secret, allow_cheap=allow_cheap):
            return  # of another data key, or its list of slots was forged
    except KeyFileDamaged:
        return
    except WrongPassphrase:
        pass  # of another day, maybe, and whole
    raise NothingToPutBack(f"the present {layout.key_file.name} is whole")


def _kept(layout: Layout, now: datetime) -> Path | None:
    try:
        content = layout.key_file.read_bytes()
    except FileNotFoundError:
        return None
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    path = layout.folder / f"{layout.key_file.name}.{stamp}.replaced"
    write_atomically(path, content, named="keyfile")
    return path
