"""Takes a whole profile out of every table, in as many statements whether it holds a little or a lot.

Decides nothing and opens no transaction. One surprise: links have no profile of their own, so they go first,
while the rows at their ends still tell whose they are.
"""

# ruff: noqa: S608 - names of tables are joined in, never values

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memory.retrieval import vectors
from memory.store.sql import run, select

if TYPE_CHECKING:
    from sqlite_utils import Database

OWNED: Final = (
    "version", "trace", "journal", "job", "tombstone", "certificate", "golden", "item", "draft", "attachment",
    "working_state", "candidate", "rule", "episode", "fact", "message", "conversation", "setting",
)  # fmt: skip
"""Every table with a profile, those that point at others before what they point at."""

ENDS: Final = ("fact", "message", "episode", "rule", "candidate", "attachment")

DERIVATIONS: Final = f"""
WITH own (id) AS ({" UNION ALL ".join(f"SELECT id FROM {table} WHERE profile = :profile" for table in ENDS)})
DELETE FROM derivation
WHERE child IN (SELECT id FROM own) OR parent IN (SELECT id FROM own)
"""

ITEM_KEYS: Final = """
SELECT key
FROM item
WHERE profile = :profile
ORDER BY key
"""

PROFILE: Final = """
DELETE FROM profile
WHERE id = :profile
"""

_DELETES: Final = {
    table: f"""
DELETE FROM {table}
WHERE profile = :profile
"""
    for table in OWNED
}


def remove_profile(db: Database, profile: str) -> dict[str, int]:
    """Delete a profile with everything that is its own; return how many rows went, by table."""
    vectors.delete(db, [int(row["key"]) for row in select(db, ITEM_KEYS, profile=profile)])
    gone = {"derivation": run(db, DERIVATIONS, profile=profile)}
    gone |= {table: run(db, _DELETES[table], profile=profile) for table in OWNED}
    gone["profile"] = run(db, PROFILE, profile=profile)
    return gone
