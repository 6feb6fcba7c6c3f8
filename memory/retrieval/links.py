"""What hangs together: messages beside each other, facts with the messages they rest on, all that one day brought.

Owns the statements that read the conversation tree, the derivations and the days for recall.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memory.clock import to_text
from memory.retrieval.candidate import RECALLED
from memory.retrieval.period import Period
from memory.store.sql import listed, select

if TYPE_CHECKING:
    from sqlite_utils import Database

_BESIDE = RECALLED.replace("item.", "beside.")

BESIDE = f"""
SELECT item.key AS key, beside.key AS beside
FROM item
JOIN message ON message.id = item.ref
JOIN item AS beside ON beside.ref = message.parent
WHERE item.key IN (SELECT value FROM json_each(:keys)){_BESIDE}
UNION
SELECT item.key AS key, beside.key AS beside
FROM item
JOIN message ON message.parent = item.ref
JOIN item AS beside ON beside.ref = message.id
WHERE item.key IN (SELECT value FROM json_each(:keys)){_BESIDE}
ORDER BY key, beside
"""  # noqa: S608 - made of constants

SOURCES = """
SELECT id AS fact, message
FROM fact
WHERE id IN (SELECT value FROM json_each(:facts)) AND message IS NOT NULL
UNION
SELECT child AS fact, parent AS message
FROM derivation
WHERE child IN (SELECT value FROM json_each(:facts)) AND role = 'source' AND parent_kind = 'message'
ORDER BY fact, message
"""

SAID_IN = f"""
SELECT item.key
FROM item
WHERE item.said_at >= :start AND item.said_at < :end{RECALLED}
ORDER BY item.key DESC
LIMIT :limit
"""  # noqa: S608 - made of constants


def said_in(db: Database, profile: str, now: int, period: Period, limit: int) -> list[int]:
    """List the items of a period that may be recalled, the last ones first; reads every item."""
    rows = select(
        db,
        SAID_IN,
        profile=profile,
        now=now,
        start=to_text(period.start),
        end=to_text(period.end),
        limit=limit,
    )
    return [int(row["key"]) for row in rows]


def beside(db: Database, profile: str, now: int, keys: Iterable[int]) -> list[tuple[int, int]]:
    """List pairs of an item and one that was said right before or after it and may be recalled."""
    rows = select(db, BESIDE, keys=listed(keys), profile=profile, now=now)
    return [(int(row["key"]), int(row["beside"])) for row in rows]


def sources(db: Database, facts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the messages each fact rests on."""
    found: dict[str, list[str]] = {}
    for row in select(db, SOURCES, facts=listed(facts)):
        found.setdefault(str(row["fact"]), []).append(str(row["message"]))
    return {fact: tuple(messages) for fact, messages in found.items()}
