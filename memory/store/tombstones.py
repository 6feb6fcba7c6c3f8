"""Marks that something was forgotten and must not come back: keyed hashes and places, never content.

Computes no hash: the key belongs to the vault. One surprise: a mark also covers the characters of its source
message, so that distilling the same words again finds nothing. Another: marks that came with an archive were
made with the key of the store it was written from, so there may be several keys to look with.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from memory.clock import to_text
from memory.errors import NotFound
from memory.records import EVERY_PROFILE
from memory.store import rows
from memory.store.settings import find_setting, put_setting
from memory.store.sql import first, insert, listed, run, select
from memory.store.stored import Tombstone

if TYPE_CHECKING:
    from sqlite_utils import Database

KEYS_SETTING: Final = "tombstone_keys"
"""The setting that holds the keys of other stores' marks."""

BY_HASH = f"""
SELECT {rows.TOMBSTONE}
FROM tombstone
WHERE profile = :profile AND hash = :hash
ORDER BY key
"""

OVER = f"""
SELECT {rows.TOMBSTONE}
FROM tombstone
WHERE +profile = :profile
    AND message = :message
    AND (span_start IS NULL OR (span_start < :end AND span_end > :start))
ORDER BY key
"""

LIST = f"""
SELECT {rows.TOMBSTONE}
FROM tombstone
WHERE profile = :profile
ORDER BY recorded_at, key
"""

DELETE = """
DELETE FROM tombstone
WHERE profile = :profile AND id = :id
"""

DELETE_HASHES = """
DELETE FROM tombstone
WHERE profile = :profile AND hash IN (SELECT value FROM json_each(:hashes))
"""


def other_keys(db: Database) -> tuple[bytes, ...]:
    """Return the keys that marks from other stores were made with."""
    return tuple(bytes.fromhex(key) for key in find_setting(db, EVERY_PROFILE, KEYS_SETTING, []))


def add_keys(db: Database, keys: Iterable[bytes]) -> None:
    """Look for marks with these keys too, from now on."""
    known = [key.hex() for key in other_keys(db)]
    more = [key.hex() for key in keys if key.hex() not in known]
    if more:
        put_setting(db, EVERY_PROFILE, KEYS_SETTING, [*known, *more])


def insert_tombstone(db: Database, tombstone: Tombstone) -> None:
    """Set a mark; the same hash at the same place is marked once."""
    for known in find_tombstones(db, tombstone.profile, tombstone.hash):
        same_place = (known.message, known.start, known.end)
        if same_place == (tombstone.message, tombstone.start, tombstone.end):
            return
    row = {
        "id": tombstone.id,
        "profile": tombstone.profile,
        "kind": tombstone.kind,
        "hash": tombstone.hash,
        "message": tombstone.message,
        "span_start": tombstone.start,
        "span_end": tombstone.end,
        "recorded_at": to_text(tombstone.recorded_at),
    }
    insert(db, "tombstone", row)


def find_tombstones(db: Database, profile: str, hashed: str) -> list[Tombstone]:
    """List the marks with this hash."""
    return [rows.tombstone(row) for row in select(db, BY_HASH, profile=profile, hash=hashed)]


def is_covered(db: Database, profile: str, message: str, start: int, end: int) -> bool:
    """Tell whether any of these characters of a message were forgotten."""
    return first(db, OVER, profile=profile, message=message, start=start, end=end) is not None


def list_tombstones(db: Database, profile: str) -> list[Tombstone]:
    """List all marks, oldest first."""
    return [rows.tombstone(row) for row in select(db, LIST, profile=profile)]


def remove_tombstone(db: Database, profile: str, ident: str) -> None:
    """Take a mark away, so that the memory may come back."""
    if run(db, DELETE, profile=profile, id=ident) == 0:
        raise NotFound("tombstone", ident)


def make_room(db: Database, profile: str, hashes: Iterable[str]) -> None:
    """Take earlier marks away, because later ones take their place."""
    run(db, DELETE_HASHES, profile=profile, hashes=listed(hashes))
