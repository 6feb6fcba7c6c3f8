"""What a store knows about itself: which key file it belongs to, its seal, and its schema version.

Owns the table ``vault_meta`` (made with the store, before any migration; never exported, never forgotten) and
the ``user_version`` number. The seal is the root of keys that must survive a change of the data key.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from memory.vault.driver_errors import store_errors
from memory.vault.errors import StoreDamaged
from memory.vault.guard import off_guard
from memory.vault.keys import DATA_KEY_BYTES

if TYPE_CHECKING:
    from sqlite_utils import Database

TABLE: Final = "vault_meta"
_CREATE: Final = """
CREATE TABLE vault_meta (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    value BLOB NOT NULL
) STRICT
"""
_INSERT: Final = "INSERT INTO vault_meta (name, value) VALUES (:name, :value)"
_SELECT: Final = "SELECT name, value FROM vault_meta ORDER BY key"


@dataclass(frozen=True, slots=True)
class Identity:
    """The store's own record of itself."""

    file_id: bytes
    seal: bytes = field(repr=False)


def write_identity(db: Database, file_id: bytes, *, seal: bytes | None = None) -> Identity:
    """Give a new store its identity, once."""
    identity = Identity(file_id, seal if seal is not None else os.urandom(DATA_KEY_BYTES))
    with store_errors(), db.atomic():
        db.conn.execute(_CREATE)
        db.conn.execute(_INSERT, {"name": "file_id", "value": identity.file_id})
        db.conn.execute(_INSERT, {"name": "seal", "value": identity.seal})
    return identity


def read_identity(db: Database) -> Identity:
    """Return the store's identity; a store without one was not made by us or lost its first pages."""
    connection: Any = db.conn
    with store_errors():
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'vault_meta'").fetchone():
            raise StoreDamaged("the store does not say which key file it belongs to")
        found = dict(connection.execute(_SELECT).fetchall())
    if set(found) < {"file_id", "seal"} or len(found["seal"]) != DATA_KEY_BYTES:
        raise StoreDamaged("the store's record of itself is incomplete")
    return Identity(found["file_id"], found["seal"])


def read_schema_version(db: Database) -> int:
    """Return the number of the schema; 0 is a store that was never migrated."""
    with store_errors():
        return int(db.conn.execute("PRAGMA user_version").fetchone()[0])


def write_schema_version(db: Database, version: int) -> None:
    """Stamp the store with the schema it has now."""
    with store_errors(), off_guard(db.conn):
        db.conn.execute(f"PRAGMA user_version = {int(version)}")
