"""Exclusive moments: when a store is copied, re-encrypted or exchanged, nobody else may have it open.

Leaving the write-ahead log succeeds only for a sole connection, so it serves both as the test and as the way to
one self-contained file. The store returns to its log at the next opening for writing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memory.vault.connection import connect_writer
from memory.vault.crashpoints import point
from memory.vault.driver_errors import store_errors
from memory.vault.errors import READ_BY_ANOTHER, StoreInUse
from memory.vault.files import disk_errors, sync_file, sync_folder
from memory.vault.guard import off_guard
from memory.vault.layout import sidecars

if TYPE_CHECKING:
    from sqlite_utils import Database

_PATIENCE_MS = 1000
_CHECKPOINT_PATIENCE_MS = 250


def leave_log(db: Database) -> None:
    """Move everything into the one file, or raise StoreInUse when another connection has it open."""
    with store_errors(), off_guard(db.conn):
        db.conn.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
        row = db.conn.execute("PRAGMA journal_mode = DELETE").fetchone()
        if row[0] != "delete":
            raise StoreInUse(None, None, READ_BY_ANOTHER)


def truncate_log(db: Database) -> bool:
    """Move the log's pages into the store and empty it; False when a reader stood in the way."""
    connection = db.conn
    with store_errors():
        (patience,) = connection.execute("PRAGMA busy_timeout").fetchone()
        connection.execute(f"PRAGMA busy_timeout = {_CHECKPOINT_PATIENCE_MS}")
        try:
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            connection.execute(f"PRAGMA busy_timeout = {patience}")
    return bool(busy == 0)


def close_self_contained(db: Database) -> None:
    """Close the connection with nothing left outside the store's own file."""
    try:
        leave_log(db)
    finally:
        db.close()


def settle(path: Path, key: bytes) -> None:
    """Fold a closed store's left-over log into it."""
    close_self_contained(connect_writer(path, key))


def put_in_place(prepared: Path, store: Path, *, named: str) -> None:
    """Exchange a closed store for a prepared, closed one; crash points ``<named>.synced`` and ``.renamed``."""
    with disk_errors(store.name):
        sync_file(prepared)
        point(f"{named}.synced")
        prepared.replace(store)
        point(f"{named}.renamed")
        sync_folder(store.parent)


def remove_store(path: Path) -> None:
    """Delete a prepared store and what SQLite kept beside it."""
    for leftover in (path, *sidecars(path)):
        leftover.unlink(missing_ok=True)
