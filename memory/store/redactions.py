"""Messages that lost words, so that a copy made before can be made to lose them too.

Reads only, and decides nothing about what is forgotten.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.store import rows
from memory.store.sql import listed, select, texts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlite_utils import Database

    from memory.records import Message

REDACTED = f"""
SELECT {rows.MESSAGE}
FROM message
WHERE profile = :profile AND redacted_at IS NOT NULL
ORDER BY key
"""

WHOLLY_AMONG = """
SELECT conversation
FROM message
WHERE profile = :profile
GROUP BY conversation
HAVING min(id IN (SELECT value FROM json_each(:ids))) = 1
ORDER BY conversation
"""


def redacted_messages(db: Database, profile: str) -> list[Message]:
    """List the messages that lost words or their whole text."""
    return [rows.message(row) for row in select(db, REDACTED, profile=profile)]


def conversations_wholly_among(db: Database, profile: str, messages: Iterable[str]) -> list[str]:
    """List the conversations in which every message is one of these."""
    return texts(db, WHOLLY_AMONG, profile=profile, ids=listed(messages))
