"""Backups: a whole copy of the store beside a copy of its key file, each in a folder of its own.

A backup is encrypted exactly as the store is and opens with the secrets of the day it was made; ``backup.json``
says in clear when, why and by which slots. A folder takes its final name when it is complete, so that every
backup in the list is whole.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from memory.vault import keyfile
from memory.vault.connection import connect_bare
from memory.vault.crashpoints import point
from memory.vault.driver_errors import store_errors
from memory.vault.errors import BackupUnusable, StoreUnwritable, VaultError
from memory.vault.files import FILE_MODE, disk_errors, make_private_folder, sync_file, sync_folder
from memory.vault.identity import read_schema_version
from memory.vault.keyfile import KeyFile
from memory.vault.layout import Layout

if TYPE_CHECKING:
    from sqlite_utils import Database

Reason = Literal["manual", "daily", "migration", "replaced"]
MANIFEST: Final = "backup.json"
KEPT_DAYS: Final = 7
KEPT_BYTES: Final = 4 << 30
_PAGES_A_STEP: Final = 1000
_PIECE: Final = 1 << 22
_FIELDS: Final = {
    "file_id",
    "format",
    "made_at",
    "reason",
    "schema_version",
    "slots",
    "store_bytes",
    "store_sha256",
}


@dataclass(frozen=True, slots=True)
class BackupCard:
    """What a backup says about itself, without any secret."""

    path: Path
    made_at: str
    reason: str
    schema_version: int
    file_id: bytes
    store_bytes: int
    store_sha256: str
    slots: tuple[tuple[str, str, str], ...]
    """Id, kind and day of making of each slot that opens it."""

    @property
    def name(self) -> str:
        """The backup's own folder name."""
        return self.path.name

    def opened_by_passphrase_of(self) -> tuple[str, ...]:
        """Return the days on which the passphrases that open this backup were set."""
        return tuple(created for _, kind, created in self.slots if kind == "passphrase")

    def shares_a_passphrase_with(self, key_file: KeyFile) -> bool:
        """Say whether a present passphrase opens this backup."""
        present = {slot.id for slot in key_file.slots if slot.kind == "passphrase"}
        return any(slot_id in present for slot_id, _, _ in self.slots)


def make_backup(
    layout: Layout,
    db: Database,
    key: bytes,
    key_file: KeyFile,
    *,
    reason: Reason,
    now: datetime,
    destination: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> BackupCard:
    """Copy an open store, and the key file that opens it, into a new backup.

    It goes beside the store, into a folder that exists, or to a name that is free. ``progress`` is called with pages done and pages in all, also while the copy is being read again; when it
    raises, nothing is left of the backup.
    """
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    final = _place(layout, destination, f"{stamp}-{reason}")
    make_private_folder(final.parent)
    with disk_errors(final.name):
        temp = Path(tempfile.mkdtemp(prefix=f".{final.name}.", suffix=".tmp", dir=final.parent))
    try:
        with disk_errors(final.name), store_errors():
            inner = Layout(temp)
            _copy_store(db, inner.store, key, progress)
            point("backup.store-copied")
            keyfile.save(key_file, inner.key_file)
            card = _card(final, inner.store, key_file, reason, read_schema_version(db), now, progress)
            write_manifest(card, temp / MANIFEST)
            point("backup.complete")
            sync_folder(temp)
            temp.rename(final)
            point("backup.renamed")
            sync_folder(final.parent)
    except BaseException:
        shutil.rmtree(temp, ignore_errors=True)
        raise
    return card


def list_backups(folder: Path) -> tuple[BackupCard, ...]:
    """Return every whole backup of the vault in a folder, the oldest first."""
    backups = Layout(folder).backups
    if not backups.is_dir():
        return ()
    found = []
    for entry in backups.iterdir():
        if entry.name.startswith(".") or not (entry / MANIFEST).is_file():
            continue
        try:
            found.append(read_card(entry))
        except BackupUnusable:
            continue  # shown by nobody, deleted by nobody
    return tuple(sorted(found, key=lambda card: (card.made_at, card.name)))


def read_card(path: Path) -> BackupCard:
    """Return what a backup says about itself, or raise BackupUnusable."""
    try:
        value: Any = json.loads((path / MANIFEST).read_bytes())
        checksum = value.pop("checksum")
        if set(value) != _FIELDS or value["format"] != 1 or checksum != _checksum(value):
            raise BackupUnusable(f"{path.name} was damaged, or not written by a Locket known here")
        return BackupCard(
            path=path,
            made_at=str(value["made_at"]),
            reason=str(value["reason"]),
            schema_version=int(value["schema_version"]),
            file_id=bytes.fromhex(value["file_id"]),
            store_bytes=int(value["store_bytes"]),
            store_sha256=str(value["store_sha256"]),
            slots=tuple((str(ident), str(kind), str(created)) for ident, kind, created in value["slots"]),
        )
    except OSError as error:
        raise BackupUnusable(f"there is no whole backup in {path}") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BackupUnusable(f"what {path} says of its backup cannot be read") from error


def write_manifest(card: BackupCard, path: Path) -> None:
    """Write down what a backup says about itself."""
    value: dict[str, Any] = {
        "file_id": card.file_id.hex(),
        "format": 1,
        "made_at": card.made_at,
        "reason": card.reason,
        "schema_version": card.schema_version,
        "slots": [list(slot) for slot in card.slots],
        "store_bytes": card.store_bytes,
        "store_sha256": card.store_sha256,
    }
    value["checksum"] = _checksum(value)
    path.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n", encoding="ascii")
    path.chmod(FILE_MODE)
    sync_file(path)


def is_daily_due(cards: tuple[BackupCard, ...], now: datetime) -> bool:
    """Say whether no daily backup was made on this day yet."""
    today = now.astimezone(UTC).date().isoformat()
    return not any(card.reason == "daily" and card.made_at[:10] == today for card in cards)


def too_many(
    cards: tuple[BackupCard, ...], newest: BackupCard, *, kept: int = KEPT_DAYS, kept_bytes: int = KEPT_BYTES
) -> tuple[BackupCard, ...]:
    """Return the daily backups to let go, never the one just made, whatever the clock said when it was made."""
    others = [card for card in cards if card.reason == "daily" and card.path != newest.path]
    others.sort(key=lambda card: card.made_at, reverse=True)
    total = newest.store_bytes
    gone: list[BackupCard] = []
    for place, card in enumerate(others, start=1):
        total += card.store_bytes
        if place >= kept or total > kept_bytes:
            gone.append(card)
    return tuple(gone)


def remove_backup(path: Path) -> None:
    """Delete one backup, wherever a link leads to it; its name goes first, so that half of one is never listed."""
    if path.is_symlink():
        linked = path.resolve()
        path.unlink()
        path = linked
    doomed = path.with_name(f".{path.name}.tmp")
    with disk_errors(path.name):
        path.rename(doomed)
        shutil.rmtree(doomed)


def is_whole(card: BackupCard) -> bool | None:
    """Say whether a backup is as it was written, without its pages; None for a store that was only put aside."""
    inner = Layout(card.path)
    try:
        keyfile.load(inner.key_file, allow_cheap=True)  # only looked at, never derived from
        return file_sha256(inner.store) == card.store_sha256 if card.store_sha256 else None
    except (OSError, VaultError):
        return False


def file_sha256(path: Path, *, between: Callable[[], None] | None = None) -> str:
    """Return the SHA-256 of a file that nobody has open; ``between`` is called after each piece and may raise."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while piece := stream.read(_PIECE):
            digest.update(piece)
            if between is not None:
                between()
    return digest.hexdigest()


def _copy_store(db: Database, target: Path, key: bytes, progress: Callable[[int, int], None] | None) -> None:
    def step(_status: int, remaining: int, total: int) -> None:
        if progress is not None:
            progress(total - remaining, total)

    connection = connect_bare(target, key)
    try:
        db.conn.backup(connection, pages=_PAGES_A_STEP, progress=step)
    finally:
        connection.close()
    target.chmod(FILE_MODE)
    sync_file(target)


def _card(
    path: Path,
    store: Path,
    key_file: KeyFile,
    reason: Reason,
    schema_version: int,
    now: datetime,
    progress: Callable[[int, int], None] | None,
) -> BackupCard:
    def between() -> None:
        if progress is not None:
            progress(1, 1)

    return BackupCard(
        path=path,
        made_at=now.astimezone(UTC).isoformat(),
        reason=reason,
        schema_version=schema_version,
        file_id=key_file.file_id,
        store_bytes=store.stat().st_size,
        store_sha256=file_sha256(store, between=between),
        slots=tuple((slot.id, slot.kind, slot.created) for slot in key_file.slots),
    )


def _checksum(value: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _place(layout: Layout, destination: Path | None, name: str) -> Path:
    if destination is None:
        return _free_name(layout.backups / name)
    final = destination / name if destination.is_dir() else destination
    if final.exists():
        raise StoreUnwritable(f"there is something at {final} already")
    return final


def _free_name(path: Path) -> Path:
    candidate, count = path, 1
    while candidate.exists():
        count += 1
        candidate = path.with_name(f"{path.name}-{count}")
    return candidate
