"""The vector tables: one per embedder, made at run time, always in step with the items.

Owns the ``embedder`` rows and every ``item_vec_N`` table. Refuses vectors of another size or of a model the
row is not stamped with. One surprise: the state column of a vector says ``unrecalled`` for items that only
the user's own search may find, so that recall needs no join after the nearest-neighbour scan.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memory.errors import EmbedderMismatch
from memory.ports import Embedder, EmbedderIdentity
from memory.retrieval.background import calibrate
from memory.retrieval.batches import EMBED_BATCH, GIVES_WAY, batches
from memory.retrieval.embedders import (
    EmbedderRow,
    active_embedder,
    embedder_row,
    find_embedder,
    insert_embedder,
    retire_active,
    table_name,
)
from memory.retrieval.floats import check_vector, padded, padded_dims

if TYPE_CHECKING:
    from sqlite_utils import Database

UNRECALLED = "unrecalled"
"""The vector state of an item that is searchable by the user and never recalled."""

CHUNK_ROWS = 256
"""Vectors that lie together in the file: fewer, and a small profile does not occupy megabytes."""

LIST_TABLES = """
SELECT name
FROM sqlite_master
WHERE type = 'table'
    AND name GLOB 'item_vec_[0-9]*'
    AND sql LIKE 'CREATE VIRTUAL TABLE%'
ORDER BY name
"""

# one index probe per profile and kind of gap; `<>` alone would read every item
PENDING = """
SELECT key, text
FROM (
    SELECT key, text FROM item
    WHERE profile IN (SELECT id FROM profile) AND embedded_by IS NULL AND text <> ''
    UNION ALL
    SELECT key, text FROM item
    WHERE profile IN (SELECT id FROM profile) AND embedded_by < :embedder AND text <> ''
    UNION ALL
    SELECT key, text FROM item
    WHERE profile IN (SELECT id FROM profile) AND embedded_by > :embedder AND text <> ''
)
ORDER BY key DESC
LIMIT :limit
"""

COUNT_PENDING = """
SELECT
    (SELECT count(*) FROM item
        WHERE profile IN (SELECT id FROM profile) AND embedded_by IS NULL AND text <> '')
    + (SELECT count(*) FROM item
        WHERE profile IN (SELECT id FROM profile) AND embedded_by < :embedder AND text <> '')
    + (SELECT count(*) FROM item
        WHERE profile IN (SELECT id FROM profile) AND embedded_by > :embedder AND text <> '')
"""

UNSTAMP = """
UPDATE item
SET embedded_by = NULL
WHERE key IN (SELECT value FROM json_each(:keys)) AND embedded_by IS NOT NULL
"""

RECALLABLE_AMONG = """
SELECT key
FROM item
WHERE key IN (SELECT value FROM json_each(:keys)) AND recallable = 1
ORDER BY key
"""


def list_tables(db: Database) -> list[str]:
    """List the vector tables there are, of present and earlier embedders."""
    return [str(row[0]) for row in db.execute(LIST_TABLES).fetchall()]


def ensure_embedder(db: Database, identity: EmbedderIdentity, now: datetime) -> EmbedderRow:
    """Stamp the embedder and make its table; the first one is active at once, a later one fills up first.

    A model met again keeps its vectors: only what came since has to be embedded.
    """
    row = find_embedder(db, identity)
    if row is None:
        row = insert_embedder(db, identity, now)
        db.execute(_create_sql(row))
    else:
        db.execute(_restamp_sql(row.key), {"embedder": row.key})
    if row.state != "active":
        row = activate_when_full(db, row.key)
    return row


def activate_when_full(db: Database, embedder_key: int) -> EmbedderRow:
    """Make an embedder the active one once no item lacks its vector, or when there is no other."""
    alone = db.execute("SELECT count(*) FROM embedder WHERE state = 'active'").fetchone()[0] == 0
    if alone or count_pending(db, embedder_key) == 0:
        retire_active(db)
        db.execute("UPDATE embedder SET state = 'active' WHERE key = :key", {"key": embedder_key})
    else:
        db.execute("UPDATE embedder SET state = 'filling' WHERE key = :key", {"key": embedder_key})
    return embedder_row(db, embedder_key)


def pending(db: Database, embedder_key: int, limit: int) -> list[tuple[int, str]]:
    """List items without a vector of this embedder, newest first, as key and text."""
    rows = db.execute(PENDING, {"embedder": embedder_key, "limit": limit}).fetchall()
    return [(int(key), str(text)) for key, text in rows]


def count_pending(db: Database, embedder_key: int) -> int:
    """Count the items without a vector of this embedder."""
    return int(db.execute(COUNT_PENDING, {"embedder": embedder_key}).fetchone()[0])


def store(db: Database, embedder_key: int, vectors: Sequence[tuple[int, bytes]]) -> int:
    """Write vectors of items, replacing older ones; return how many items still existed."""
    row = embedder_row(db, embedder_key)
    table = table_name(embedder_key)
    for _, vector in vectors:
        check_vector(vector, row.name, row.dims)
    values = [
        {"key": key, "vector": vector, "padded": padded(vector, row.dims)}
        for key, vector in vectors
        if any(vector)
    ]
    keys = json.dumps([key for key, _ in vectors])
    db.conn.executemany(f"DELETE FROM {table} WHERE id = ?", [(key,) for key, _ in vectors])  # noqa: S608
    db.conn.executemany(_insert_sql(table), values)
    cursor = db.execute(
        "UPDATE item SET embedded_by = :embedder WHERE key IN (SELECT value FROM json_each(:keys))",
        {"embedder": embedder_key, "keys": keys},
    )
    return int(cursor.rowcount)


def set_state(
    db: Database, keys: Sequence[int], *, state: str | None = None, expires_at: int | None = None
) -> None:
    """Carry an item's new state or expiry into every vector table."""
    if not keys or (state is None and expires_at is None):
        return
    listed = json.dumps(list(keys))
    recallable = {int(row[0]) for row in db.execute(RECALLABLE_AMONG, {"keys": listed}).fetchall()}
    for table in list_tables(db):
        # by key: an update over a set of rows is refused by the partition column
        if state is not None:
            db.conn.executemany(
                f"UPDATE {table} SET state = ? WHERE id = ?",  # noqa: S608
                [(state if key in recallable else UNRECALLED, key) for key in keys],
            )
        if expires_at is not None:
            db.conn.executemany(
                f"UPDATE {table} SET expires_at = ? WHERE id = ?",  # noqa: S608
                [(expires_at, key) for key in keys],
            )


def delete(db: Database, keys: Sequence[int]) -> None:
    """Remove the vectors of items from every table; items that stay must be embedded again."""
    if not keys:
        return
    listed = json.dumps(list(keys))
    for table in list_tables(db):
        if len(keys) <= EMBED_BATCH:
            db.conn.executemany(f"DELETE FROM {table} WHERE id = ?", [(key,) for key in keys])  # noqa: S608
        else:
            db.execute(f"DELETE FROM {table} WHERE id IN (SELECT value FROM json_each(?))", [listed])  # noqa: S608
    db.execute(UNSTAMP, {"keys": listed})


def drop_embedder(db: Database, embedder_key: int) -> None:
    """Remove an embedder that is not active, with all its vectors."""
    if embedder_row(db, embedder_key).state == "active":
        raise EmbedderMismatch("the active embedding model cannot be removed")
    db.execute(f"DROP TABLE {table_name(embedder_key)}")
    db.execute("UPDATE item SET embedded_by = NULL WHERE embedded_by = :key", {"key": embedder_key})
    db.execute("DELETE FROM embedder WHERE key = :key", {"key": embedder_key})


def warm(db: Database) -> bool:
    """Read the active vectors once, so that the first question does not have to; say whether there are any."""
    row = active_embedder(db)
    if row is None:
        return False
    probe = array("f", [1.0] + [0.0] * (row.dims - 1)).tobytes()
    sql = f"SELECT id FROM {table_name(row.key)} WHERE embedding MATCH ? AND k = 1 ORDER BY distance"  # noqa: S608
    return bool(db.execute(sql, [probe]).fetchall())


def embed_pending(
    db: Database, embedder: Embedder, limit: int, stop: Callable[[], bool], characters: int | None = None
) -> int:
    """Embed up to ``limit`` items that lack a vector; return how many. The caller owns the transaction.

    ``characters`` bounds what the engine is given at once, so that ``stop`` is asked more often.
    """
    row = find_embedder(db, embedder.identity)
    if row is None:
        raise EmbedderMismatch(f"{embedder.identity.name} was never introduced to this store")
    waiting = pending(db, row.key, limit)
    done: list[tuple[int, bytes]] = []
    for batch in batches(waiting, characters):
        if stop():
            break
        made = embedder.embed([text for _, text in batch])
        if len(made) != len(batch):
            raise EmbedderMismatch(f"{row.name} gave {len(made)} vectors for {len(batch)} texts")
        done.extend((key, vector) for (key, _), vector in zip(batch, made, strict=True))
    if done:
        store(db, row.key, done)
        if len(done) == len(waiting):  # what gave way is taken up again, and measures chance then
            calibrate(db, row, embedder)
    if row.state == "filling" and activate_when_full(db, row.key).state == "active":
        calibrate(db, row, embedder, anew=True)  # on the whole store, wherever the work was cut off before
    return len(done)


def _create_sql(row: EmbedderRow) -> str:
    return f"""
CREATE VIRTUAL TABLE {table_name(row.key)} USING vec0 (
    profile TEXT partition key,
    id INTEGER PRIMARY KEY,
    embedding float[{row.dims:d}] distance_metric=cosine,
    bits bit[{padded_dims(row.dims):d}],
    kind TEXT,
    state TEXT,
    expires_at INTEGER,
    chunk_size={CHUNK_ROWS}
)
"""


def _insert_sql(table: str) -> str:
    return f"""
INSERT INTO {table} (profile, id, embedding, bits, kind, state, expires_at)
SELECT profile, key, :vector, vec_quantize_binary(:padded), kind,
    CASE WHEN recallable = 1 THEN state ELSE '{UNRECALLED}' END, expires_at
FROM item
WHERE key = :key
"""  # noqa: S608 - the table's name is made of an integer


def _restamp_sql(embedder_key: int) -> str:
    # the shadow table is an ordinary one, so asking it costs an index probe and not a vector scan
    table = f"{table_name(embedder_key)}_rowids"
    return f"""
UPDATE item
SET embedded_by = :embedder
WHERE (embedded_by IS NULL OR embedded_by <> :embedder)
    AND EXISTS (SELECT 1 FROM {table} WHERE {table}.rowid = item.key)
"""  # noqa: S608 - the table's name is made of an integer


__all__ = [
    "EMBED_BATCH",
    "GIVES_WAY",
    "EmbedderRow",
    "activate_when_full",
    "calibrate",
    "count_pending",
    "delete",
    "drop_embedder",
    "embed_pending",
    "ensure_embedder",
    "list_tables",
    "pending",
    "set_state",
    "store",
    "table_name",
    "warm",
]
