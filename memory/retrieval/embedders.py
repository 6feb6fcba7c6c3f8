"""The stamped identities of embedding models.

Owns the ``embedder`` table. Refuses to compare vectors of two models: a row is found only by weights, size and
normalisation together. The background written beside each is measured elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from memory.clock import to_text
from memory.errors import BadInput, EmbedderMismatch, NotFound
from memory.ports import EmbedderIdentity

if TYPE_CHECKING:
    from sqlite_utils import Database

DEFAULT_BACKGROUND = (0.02, 0.075)
"""Mean and deviation assumed until they are measured."""

COLUMNS = "key, name, sha256, dims, normalised, state, background_mean, background_sd, background_items"

FIND = f"""
SELECT {COLUMNS}
FROM embedder
WHERE sha256 = :sha256 AND dims = :dims AND normalised = :normalised
ORDER BY key
"""  # noqa: S608 - made of constants

LIST = f"""
SELECT {COLUMNS}
FROM embedder
ORDER BY key
"""  # noqa: S608 - made of constants

INSERT = """
INSERT INTO embedder (name, sha256, dims, normalised, state, recorded_at)
VALUES (:name, :sha256, :dims, :normalised, 'filling', :recorded_at)
"""


SET_BACKGROUND = """
UPDATE embedder
SET background_mean = :mean, background_sd = :sd, background_items = :items
WHERE key = :key
"""


@dataclass(frozen=True, slots=True)
class EmbedderRow:
    """One embedding model as this store knows it."""

    key: int
    name: str
    sha256: str
    dims: int
    normalised: bool
    state: str
    """"active", "filling" (some items still lack a vector) or "kept" (used before)."""
    background_mean: float
    background_sd: float
    background_items: int


def table_name(embedder_key: int) -> str:
    """Return the name of an embedder's vector table; only ever built from an integer."""
    return f"item_vec_{embedder_key:d}"


def list_embedders(db: Database) -> list[EmbedderRow]:
    """List every embedder this store has met, oldest first."""
    return [_row(row) for row in db.execute(LIST).fetchall()]


def embedder_row(db: Database, key: int) -> EmbedderRow:
    """Return one embedder by its local key."""
    for row in list_embedders(db):
        if row.key == key:
            return row
    raise NotFound("embedder", str(key))


def active_embedder(db: Database) -> EmbedderRow | None:
    """Return the embedder that recall uses, if any."""
    return next((row for row in list_embedders(db) if row.state == "active"), None)


def find_embedder(db: Database, identity: EmbedderIdentity) -> EmbedderRow | None:
    """Find the row of exactly this model, size and normalisation."""
    if not identity.sha256 or identity.dims <= 0:
        raise BadInput("an embedding model needs the hash of its weights and a size")
    values = {
        "sha256": identity.sha256,
        "dims": identity.dims,
        "normalised": int(identity.normalised),
    }
    found = db.execute(FIND, values).fetchone()
    return None if found is None else _row(found)


def insert_embedder(db: Database, identity: EmbedderIdentity, now: datetime) -> EmbedderRow:
    """Write a row for a model met for the first time."""
    for known in list_embedders(db):
        if known.sha256 == identity.sha256:
            raise EmbedderMismatch(
                f"{identity.name} made vectors of {known.dims} numbers before and now makes {identity.dims}"
                if known.dims != identity.dims
                else f"{identity.name} changed whether its vectors have length one"
            )
    values = {
        "name": identity.name,
        "sha256": identity.sha256,
        "dims": identity.dims,
        "normalised": int(identity.normalised),
        "recorded_at": to_text(now),
    }
    db.execute(INSERT, values)
    row = find_embedder(db, identity)
    assert row is not None
    return row


def retire_active(db: Database) -> None:
    """Keep the active embedder's vectors without using them."""
    db.execute("UPDATE embedder SET state = 'kept' WHERE state = 'active'")


def set_background(db: Database, key: int, mean: float, deviation: float, items: int) -> None:
    """Write down what chance similarity looks like under an embedder, and on how many items it was measured."""
    db.execute(SET_BACKGROUND, {"mean": mean, "sd": deviation, "items": items, "key": key})


def _row(values: tuple[object, ...]) -> EmbedderRow:
    key, name, sha256, dims, normalised, state, mean, deviation, items = values
    assumed_mean, assumed_sd = DEFAULT_BACKGROUND
    return EmbedderRow(
        key=int(str(key)),
        name=str(name),
        sha256=str(sha256),
        dims=int(str(dims)),
        normalised=bool(normalised),
        state=str(state),
        background_mean=mean if isinstance(mean, float) else assumed_mean,
        background_sd=deviation if isinstance(deviation, float) else assumed_sd,
        background_items=int(str(items)),
    )
