"""Knows vectors again without keeping them, and looks for them in what the vector tables really hold.

One surprise: it reads the tables' own chunks, deleted places included, since a place can be marked free and
still hold its numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from memory.retrieval.vectors import list_tables
from memory.store import chunks

if TYPE_CHECKING:
    from sqlite_utils import Database

SHORT = 16
"""Bytes of a vector's fingerprint; none of its numbers can be read from it."""


@dataclass(frozen=True, slots=True)
class VectorMarks:
    """Fingerprints of the vectors that must be gone from one table."""

    table: str
    marks: frozenset[str]

    def payload(self) -> dict[str, Any]:
        """Return the form that a job keeps."""
        return {"table": self.table, "marks": sorted(self.marks)}


@dataclass(frozen=True, slots=True)
class VectorCheck:
    """What a look into the vector tables found."""

    searched: int
    """Vectors that were looked for."""
    left: int
    """Of these, how many still stand in a place that was given up."""
    strays: int
    """Vectors of items that are no more."""
    shared: int
    """Of these, how many are also the vector of an item that stays: the same words, left alone."""


def marks_of(db: Database, keys: Sequence[int]) -> list[VectorMarks]:
    """Return the fingerprints of the vectors of items."""
    if not keys:
        return []
    return [
        VectorMarks(table, frozenset(_mark(v) for v in chunks.vectors_of(db, table, keys) if any(v)))
        for table in list_tables(db)
    ]


def marks_from(payload: Iterable[Mapping[str, Any]]) -> list[VectorMarks]:
    """Read fingerprints from a job."""
    return [VectorMarks(row["table"], frozenset(row["marks"])) for row in payload]


def check(db: Database, wanted: Iterable[VectorMarks]) -> VectorCheck:
    """Look for vectors in every place of their tables, free ones included."""
    searched = left = strays = shared = 0
    known = set(list_tables(db))
    for marks in wanted:
        searched += len(marks.marks)
        if marks.table not in known:  # the table was dropped with its model
            continue
        strays += chunks.count_strays(db, marks.table)
        for place in chunks.iter_places(db, marks.table):
            if any(place.vector) and _mark(place.vector) in marks.marks:
                left, shared = left + (not place.used), shared + place.used
    return VectorCheck(searched, left, strays, shared)


def _mark(vector: bytes) -> str:
    return sha256(vector).hexdigest()[:SHORT]
