"""How far the vectors of one embedding model have come, and which models have left vectors here.

Nothing is written down about it: an item without a vector of the model is what is left to do, so work that was
cut off at any point goes on from there. Refuses to decide when work is done.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.errors import AmbiguousId, BadInput, NotFound
from memory.ports import EmbedderIdentity
from memory.retrieval.embedders import EmbedderRow, find_embedder, list_embedders, table_name
from memory.retrieval.vectors import count_pending, drop_embedder

if TYPE_CHECKING:
    from sqlite_utils import Database

TOTAL = """
SELECT count(*)
FROM item
WHERE profile IN (SELECT id FROM profile) AND text <> ''
"""


@dataclass(frozen=True, slots=True)
class Filling:
    """What a model's vectors stand at, over all profiles."""

    name: str
    left: int
    """Items that lack a vector of this model."""
    total: int
    """Items that have a text."""
    in_use: bool
    """Whether recall compares with this model's vectors; if not, it searches by words meanwhile."""

    @property
    def done(self) -> int:
        """Return how many items have their vector."""
        return self.total - self.left


def find_filling(db: Database, identity: EmbedderIdentity) -> Filling | None:
    """Find what a model's vectors stand at; None for a model this store has not met."""
    row = find_embedder(db, identity)
    if row is None:
        return None
    total = int(db.execute(TOTAL).fetchone()[0])
    return Filling(row.name, count_pending(db, row.key), total, row.state == "active")


@dataclass(frozen=True, slots=True)
class Kept:
    """The vectors of one embedding model that the store holds, over all profiles."""

    name: str
    sha256: str
    dims: int
    state: str
    vectors: int


def list_kept(db: Database) -> list[Kept]:
    """List the models that made vectors for this store, the one met first before the others."""
    return [_kept(db, row) for row in list_embedders(db)]


def drop_kept(db: Database, named: str) -> Kept:
    """Remove a model's vectors, found by its name or the beginning of its hash; never those recall compares."""
    rows = list_embedders(db)
    found = [row for row in rows if row.name == named] or [
        row for row in rows if named and row.sha256.startswith(named)
    ]
    if not found:
        raise NotFound("embedding model", named)
    if len(found) > 1:
        raise AmbiguousId(named, len(found))
    (row,) = found
    if row.state == "active":
        raise BadInput(
            f"the vectors of {row.name} find your memories now, and can go once another model does"
        )
    gone = _kept(db, row)
    drop_embedder(db, row.key)
    return gone


def _kept(db: Database, row: EmbedderRow) -> Kept:
    # the shadow table is an ordinary one, so counting it scans no vectors
    counted = db.execute(f"SELECT count(*) FROM {table_name(row.key)}_rowids").fetchone()[0]  # noqa: S608
    return Kept(row.name, row.sha256, row.dims, row.state, int(counted))
