"""The inside of the vector tables: their chunks as they lie in the store, free places included.

Reads only, and only these: whether a vector is really gone cannot be asked of the table itself.
"""

# ruff: noqa: S608 - names of tables are joined in, which this package made of integers

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.store.sql import listed

if TYPE_CHECKING:
    from sqlite_utils import Database


@dataclass(frozen=True, slots=True)
class Place:
    """One place for a vector."""

    used: bool
    vector: bytes


def vectors_of(db: Database, table: str, keys: Sequence[int]) -> list[bytes]:
    """Return the vectors of items."""
    statement = f"SELECT embedding FROM {table} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
    return [bytes(row[0]) for row in db.execute(statement, [listed(keys)]).fetchall()]


def count_strays(db: Database, table: str) -> int:
    """Count vectors whose item is gone."""
    statement = f"SELECT count(*) FROM {table}_rowids WHERE rowid NOT IN (SELECT key FROM item)"
    return int(db.execute(statement).fetchall()[0][0])


def iter_places(db: Database, table: str) -> Iterator[Place]:
    """Yield every place of every chunk, one chunk in memory at a time."""
    chunks = db.execute(f"SELECT chunk_id, size, validity FROM {table}_chunks ORDER BY chunk_id").fetchall()
    for number, size, validity in chunks:
        found = db.execute(
            f"SELECT vectors FROM {table}_vector_chunks00 WHERE rowid = ? ORDER BY rowid", [number]
        ).fetchall()
        for (vectors,) in found:
            length = len(vectors) // size
            for place in range(size):
                used = bool(validity[place // 8] >> (place % 8) & 1)
                yield Place(used, bytes(vectors[place * length : (place + 1) * length]))
