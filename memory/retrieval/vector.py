"""The meaning side: nearest neighbours of a question among the items that may be recalled.

Owns the nearest-neighbour statements. Profile, state and expiry are inside MATCH: a filter after the search
would leave nothing of a small profile beside a large one. One surprise: reading single vectors back is what
costs most here, so each is read at most once and most not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memory.retrieval.embedders import EmbedderRow, table_name
from memory.retrieval.floats import check_vector, normalised, padded
from memory.store.sql import listed

if TYPE_CHECKING:
    from sqlite_utils import Database

BITS_K = 100
"""Neighbours asked of the binary scan at once; its cost grows steeply beyond."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which vectors may be neighbours."""

    profile: str
    now: int
    any_state: bool = False
    """For the user's own search: every state, expired items too."""


@dataclass(frozen=True, slots=True)
class Similarity:
    """How near one item is to the question."""

    cosine: float
    adjusted: float
    """After what the nearest items have in common was taken off the question."""


class Comparison:
    """One question's vector against the items of one embedder."""

    def __init__(self, db: Database, row: EmbedderRow, vector: bytes) -> None:
        check_vector(vector, row.name, row.dims)
        self._db = db
        self._row = row
        self._vector = normalised(vector)
        self._table = table_name(row.key)
        self._blobs: dict[int, bytes] = {}
        self._cosines: dict[int, float] = {}
        self._common: Any = None

    def nearest(self, scope: Scope, limit: int, prefilter_rows: int) -> list[int]:
        """Return the keys of the nearest items, best first."""
        highest = self._db.execute(f"SELECT coalesce(max(rowid), 0) FROM {self._table}_rowids").fetchone()  # noqa: S608
        if int(highest[0]) < prefilter_rows:
            values = {"vector": self._vector, "k": limit, **_values(scope)}
            found = self._db.execute(_exact_sql(self._table, scope), values).fetchall()
            self._cosines = {int(key): 1.0 - distance for key, distance in found if distance is not None}
        else:
            vector = padded(self._vector, self._row.dims)
            values = {"vector": vector, "k": max(BITS_K, limit), **_values(scope)}
            found = self._db.execute(_bits_sql(self._table, scope), values).fetchall()
            self._learn([int(row[0]) for row in found])
        return sorted(self._cosines, key=lambda key: (-self._cosines[key], key))[:limit]

    def take_off_common(self, keys: Sequence[int], share: float) -> None:
        """Take a share of what these items have in common off the question, for the order only."""
        if share and keys:
            found, matrix = self._matrix(keys)
            self._common = share * matrix.mean(axis=0) if found else None

    def similarities(self, keys: Iterable[int]) -> dict[int, Similarity]:
        """Compare with these items; items without a vector are left out."""
        wanted = list(keys)
        self._learn([key for key in wanted if key not in self._cosines])
        there = [key for key in wanted if key in self._cosines]
        if self._common is None:
            return {key: Similarity(self._cosines[key], self._cosines[key]) for key in there}
        found, matrix = self._matrix(there)
        off = dict(zip(found, (matrix @ self._common).tolist(), strict=True))
        return {key: Similarity(self._cosines[key], self._cosines[key] - off[key]) for key in found}

    def _learn(self, keys: Sequence[int]) -> None:
        """Measure the cosines of items that the search did not bring."""
        if not keys:
            return
        import numpy as np  # noqa: PLC0415 - in memory since the store was opened, and not before

        found, matrix = self._matrix(keys)
        plain = matrix @ np.frombuffer(self._vector, dtype="<f4")
        self._cosines |= dict(zip(found, plain.tolist(), strict=True))

    def _matrix(self, keys: Iterable[int]) -> tuple[list[int], Any]:
        import numpy as np  # noqa: PLC0415 - as above

        wanted = list(dict.fromkeys(keys))
        missing = [key for key in wanted if key not in self._blobs]
        if missing:
            for key, blob in self._db.execute(
                _vectors_sql(self._table), {"keys": listed(missing)}
            ).fetchall():
                self._blobs[int(key)] = blob if self._row.normalised else normalised(blob)
        found = [key for key in wanted if key in self._blobs]
        joined = b"".join(self._blobs[key] for key in found)
        return found, np.frombuffer(joined, dtype="<f4").reshape(len(found), self._row.dims)


def _values(scope: Scope) -> dict[str, object]:
    return {"profile": scope.profile} if scope.any_state else {"profile": scope.profile, "now": scope.now}


def _where(scope: Scope) -> str:
    return (
        "AND profile = :profile"
        if scope.any_state
        else "AND profile = :profile AND state = 'active' AND expires_at > :now"
    )


def _exact_sql(table: str, scope: Scope) -> str:
    return f"""
SELECT id, distance
FROM {table}
WHERE embedding MATCH :vector AND k = :k {_where(scope)}
ORDER BY distance
"""  # noqa: S608 - a table name made of an integer


def _bits_sql(table: str, scope: Scope) -> str:
    return f"""
SELECT id, distance
FROM {table}
WHERE bits MATCH vec_quantize_binary(:vector) AND k = :k {_where(scope)}
ORDER BY distance
"""  # noqa: S608 - as above


def _vectors_sql(table: str) -> str:
    # from the list to the vectors: asked the other way round, every vector would be read
    return f"""
SELECT {table}.id, {table}.embedding
FROM json_each(:keys) AS wanted
CROSS JOIN {table} ON {table}.id = wanted.value
ORDER BY {table}.id
"""  # noqa: S608 - as above
