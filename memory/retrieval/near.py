"""How close things are that both have a vector: one against a few, without a search."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory.retrieval.embedders import active_embedder, table_name

if TYPE_CHECKING:
    from sqlite_utils import Database


def active_key(db: Database) -> int | None:
    """Return the key of the embedder that recall uses."""
    row = active_embedder(db)
    return None if row is None else row.key


def cosines(db: Database, ref: str, others: Sequence[str]) -> dict[str, float]:
    """Return the cosine of one thing to each of the others that has a vector."""
    key = active_key(db)
    if key is None or not others:
        return {}
    table = table_name(key)
    sql = f"""
SELECT item.ref, 1 - vec_distance_cosine(mine.embedding, theirs.embedding)
FROM item AS own
JOIN {table} AS mine ON mine.id = own.key
JOIN item ON item.ref IN (SELECT value FROM json_each(:others)) AND item.part = 0
JOIN {table} AS theirs ON theirs.id = item.key
WHERE own.ref = :ref AND own.part = 0
ORDER BY item.key
"""  # noqa: S608 - the table's name is made of an integer
    found = db.execute(sql, {"ref": ref, "others": json.dumps(list(others))}).fetchall()
    return {str(other): float(cosine) for other, cosine in found}
