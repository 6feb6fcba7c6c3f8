"""The open vault: its connections, its keys, its closing.

Owns the order in which a vault is made and opened (lock, key file, unlock, check, migrate), and hands out the
writing connection, reading ones and keys by their use. Knows nothing of what is stored. The surprise: opening
may finish what a killed predecessor had decided (a rotation, a restore, a creation).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from memory.vault import keyfile
from memory.vault.backup import (
    KEPT_BYTES,
    KEPT_DAYS,
    BackupCard,
    Reason,
    is_daily_due,
    list_backups,
    make_backup,
    remove_backup,
    too_many,
)
from memory.vault.connection import connect_reader
from memory.vault.creation import finish_creation, make_files
from memory.vault.driver import ProgrammingError
from memory.vault.errors import HALF_RESTORED, NoStore, StoreExists, StoreInUse, VaultClosed
from memory.vault.exclusive import truncate_log
from memory.vault.files import full_or_refused, make_private_folder
from memory.vault.identity import Identity
from memory.vault.kdf import DEFAULT, Argon2Params, check_params
from memory.vault.keyfile import KeyFile
from memory.vault.keys import DATA_LABELS, Passphrase, Secret, subkey
from memory.vault.layout import Layout
from memory.vault.lock import WriterLock, acquire
from memory.vault.migration import Migrate, brought_up_to_date
from memory.vault.opening import Unlocked, judged_modes, require_store, tidied, unlock
from memory.vault.pages import PageReader
from memory.vault.rawfile import HeldFile
from memory.vault.restore import finish_restore

if TYPE_CHECKING:
    from sqlite_utils import Database

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the present instant."""
    return datetime.now(UTC)


class Vault:
    """An unlocked vault; close it to lock."""

    def __init__(
        self,
        layout: Layout,
        unlocked: Unlocked,
        key_file: KeyFile,
        *,
        lock: WriterLock | None,
        notices: tuple[str, ...],
        now: Clock,
        allow_cheap: bool,
    ) -> None:
        self.layout = layout
        self.key_file = key_file
        self.slot_id = unlocked.opened.slot.id
        self.identity: Identity = unlocked.identity
        self.notices = notices
        """Words about what protects less than it should, such as permissions that were too open."""
        self.now = now
        self.allow_cheap = allow_cheap
        self._data_key = bytearray(unlocked.opened.data_key)
        self._db: Database | None = unlocked.db
        self._readers: list[Database] = []
        self._lock = lock
        self._held = HeldFile(layout.store)
        self._closing = threading.Lock()

    @property
    def folder(self) -> Path:
        """The vault's folder."""
        return self.layout.folder

    @property
    def file_id(self) -> bytes:
        """Sixteen random bytes that name this vault; its backups share them."""
        return self.key_file.file_id

    @property
    def writable(self) -> bool:
        """Whether this is the one writer."""
        return self._lock is not None

    @property
    def db(self) -> Database:
        """The vault's main connection."""
        if self._db is None:
            raise VaultClosed("the vault is locked")
        return self._db

    @property
    def data_key(self) -> bytes:
        """The data key, for the vault's own modules."""
        if self._db is None:
            raise VaultClosed("the vault is locked")
        return bytes(self._data_key)

    def key(self, label: str) -> bytes:
        """Return the key of one use; those of tombstones and certificates survive a change of the data key."""
        root = self.data_key if label in DATA_LABELS else self.identity.seal
        return subkey(root, label, self.file_id)

    def adopt(self, key_file: KeyFile, data_key: bytes, slot_id: str) -> None:
        """Go on with another data key, which the store already has."""
        self.key_file, self.slot_id = key_file, slot_id
        self._data_key[:] = data_key

    def backup(
        self,
        reason: Reason = "manual",
        *,
        destination: Path | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> BackupCard:
        """Copy the store and its key file into a new backup, beside the store or to a destination."""
        with full_or_refused(self.folder if destination is None else destination.parent):
            return make_backup(
                self.layout,
                self.db,
                self.key("db"),
                self.key_file,
                reason=reason,
                now=self.now(),
                destination=destination,
                progress=progress,
            )

    def backup_daily(
        self,
        *,
        kept: int = KEPT_DAYS,
        kept_bytes: int = KEPT_BYTES,
        progress: Callable[[int, int], None] | None = None,
    ) -> BackupCard | None:
        """Make this day's backup unless there is one, and let the oldest daily ones go."""
        if not is_daily_due(list_backups(self.folder), self.now()):
            return None
        card = self.backup("daily", progress=progress)
        for old in too_many(list_backups(self.folder), card, kept=kept, kept_bytes=kept_bytes):
            remove_backup(old.path)
        return card

    def read_only(self) -> Database:
        """Open a further connection that cannot write, for another thread.

        Closing the vault closes it too, but that thread must have stopped by then: SQLite does not bear closing a
        connection under a running statement.
        """
        with self._closing:
            reader = connect_reader(self.layout.store, self.key("db"))
            self._readers.append(reader)
            return reader

    def pages(self) -> PageReader:
        """Return a reader of the store's decrypted pages; close it after use."""
        return PageReader(self.layout.store, self.key("db"))

    def checkpoint_truncate(self) -> bool:
        """Empty the log, so that no old page is left in it; False when a reader stood in the way."""
        return truncate_log(self.db)

    def close(self) -> None:
        """Lock: drop every connection and key, then let the next writer in; may be called twice."""
        with self._closing:
            if self._db is None:
                return
            database, self._db = self._db, None
            with ExitStack() as every_step:
                if self._lock is not None:
                    every_step.callback(self._lock.release)
                every_step.callback(self._held.close)
                every_step.callback(database.close)
                for reader in self._readers:
                    every_step.callback(reader.close)
                    with suppress(ProgrammingError):  # its user closed it already
                        reader.conn.interrupt()
                self._readers.clear()
                self._data_key[:] = bytes(len(self._data_key))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def create_vault(
    folder: Path,
    passphrase: str,
    *,
    params: Argon2Params = DEFAULT,
    migrate: Migrate | None = None,
    schema_version: int | None = None,
    now: Clock = utc_now,
    allow_cheap: bool = False,
    lineage: tuple[bytes, bytes | None] | None = None,
) -> Vault:
    """Make a vault with one passphrase slot and return it, open for writing.

    ``lineage`` (the id and, if known, the seal of an earlier vault) is for a vault that continues another.
    """
    check_params(params, allow_cheap=allow_cheap)
    layout = Layout(folder)
    make_private_folder(folder)
    lock = acquire(layout.lock, since=now().isoformat())
    try:
        if layout.key_file.exists() or layout.store.exists() or layout.restoring.exists():
            raise StoreExists(f"there is a vault in {folder} already")
        with full_or_refused(folder):
            make_files(
                layout,
                Passphrase(passphrase),
                params,
                now().isoformat(),
                allow_cheap=allow_cheap,
                lineage=lineage,
            )
    finally:
        lock.release()
    return open_vault(
        folder,
        Passphrase(passphrase),
        migrate=migrate,
        schema_version=schema_version,
        params=params,
        now=now,
        allow_cheap=allow_cheap,
    )


def open_vault(
    folder: Path,
    secret: Secret,
    *,
    writer: bool = True,
    migrate: Migrate | None = None,
    schema_version: int | None = None,
    params: Argon2Params = DEFAULT,
    now: Clock = utc_now,
    upgrade_kdf: bool = True,
    allow_cheap: bool = False,
) -> Vault:
    """Unlock a vault; readers need no lock and find the store as the last commit left it."""
    layout = Layout(folder)
    if not any(path.exists() for path in (layout.key_file, layout.store, layout.restoring)):
        raise NoStore(f"there is no vault in {folder}")
    with full_or_refused(folder), ExitStack() as on_failure:
        lock = None
        if writer:
            lock = acquire(layout.lock, since=now().isoformat())
            on_failure.callback(lock.release)
            finish_restore(layout)
            finish_creation(layout)
        elif layout.restoring.exists():
            raise StoreInUse(None, None, HALF_RESTORED)
        require_store(layout)
        notices = judged_modes(layout, change=writer)
        key_file = keyfile.load(layout.key_file, allow_cheap=allow_cheap)
        unlocked = unlock(layout.store, key_file, secret, writer=writer, allow_cheap=allow_cheap)
        on_failure.callback(unlocked.db.close)
        if writer:
            cost = params if upgrade_kdf else None
            key_file, unlocked = tidied(layout, key_file, unlocked, secret, cost, allow_cheap=allow_cheap)
        unlocked = brought_up_to_date(
            layout, key_file, unlocked, migrate, schema_version, writer=writer, now=now()
        )
        on_failure.callback(unlocked.db.close)
        vault = Vault(
            layout, unlocked, key_file, lock=lock, notices=notices, now=now, allow_cheap=allow_cheap
        )
        on_failure.pop_all()
    return vault
