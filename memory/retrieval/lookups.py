"""What is looked up rather than searched: named facts, the subjects a question names, what advice has to mind.

Owns the statements that read facts for recall. Each keeps what may not be recalled out by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from memory.retrieval.candidate import RECALLED
from memory.store.sql import listed, select, texts

if TYPE_CHECKING:
    from sqlite_utils import Database

MOST_SLOTS = 4
IMPORTANT = 0.7
"""From here on a fact must not be missed."""

SUBJECTS = """
SELECT DISTINCT subject
FROM fact
WHERE profile = :profile AND subject IN (SELECT value FROM json_each(:words))
ORDER BY subject
"""

EXACT = f"""
SELECT item.key
FROM fact
JOIN item ON item.ref = fact.id AND item.kind = 'fact'
WHERE fact.profile = :profile AND fact.subject = :subject AND fact.attribute = :attribute
    AND fact.state = 'active' AND fact.valid_to IS NULL{RECALLED}
ORDER BY fact.pinned DESC, fact.recorded_at DESC, item.key
LIMIT 6
"""  # noqa: S608 - made of constants

MINDED = f"""
SELECT item.key
FROM fact
JOIN item ON item.ref = fact.id AND item.kind = 'fact' AND item.part = 0
WHERE fact.profile = :profile AND fact.kind = 'constraint' AND fact.importance >= :least
    AND fact.state = 'active' AND fact.valid_to IS NULL{RECALLED}
ORDER BY fact.pinned DESC, fact.importance DESC, fact.recorded_at DESC, item.key
LIMIT 5
"""  # noqa: S608 - made of constants


def exact(db: Database, profile: str, slots: Sequence[tuple[str, str]], now: int) -> list[int]:
    """List the facts of the subjects and attributes that a question names, the pinned and newest first."""
    found: dict[int, None] = {}
    for subject, attribute in slots[:MOST_SLOTS]:
        rows = select(db, EXACT, profile=profile, subject=subject, attribute=attribute, now=now)
        found |= dict.fromkeys(int(row["key"]) for row in rows)
    return list(found)


def subjects(db: Database, profile: str, words: Collection[str]) -> list[str]:
    """List the subjects of one word that are among the words of a question."""
    return texts(db, SUBJECTS, profile=profile, words=listed(sorted(words)))


def minded(db: Database, profile: str, now: int) -> list[int]:
    """List the few constraints that any advice has to mind: allergies, diets, what somebody must avoid."""
    rows = select(db, MINDED, profile=profile, now=now, least=IMPORTANT)
    return [int(row["key"]) for row in rows]
