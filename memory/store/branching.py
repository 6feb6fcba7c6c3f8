"""What a conversation's branches need to be asked of the store: what was set aside, and what had been closed by it.

Reads only, but for the working state, which is dropped when the words that made it are left behind.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memory.store import rows
from memory.store.sql import first, listed, run, select, texts
from memory.store.stored import QueuedCandidate, Version

if TYPE_CHECKING:
    from sqlite_utils import Database

WAITING = f"""
SELECT {rows.CANDIDATE}
FROM candidate
WHERE profile = :profile AND conversation = :conversation AND state IN ('pending', 'set_aside')
ORDER BY recorded_at, key
"""

ONCE_CLOSED_BY = f"""
SELECT {rows.VERSION}
FROM version
WHERE profile = :profile AND kind = 'fact' AND ref <> :fact
    AND json_extract("after", '$.superseded_by') = :fact
ORDER BY key
"""

SET_ASIDE_AS = f"""
SELECT {rows.VERSION}
FROM version
WHERE profile = :profile AND ref = :ref AND json_extract("after", '$.state') = 'set_aside'
    AND json_extract("before", '$.state') <> 'set_aside'
ORDER BY key DESC
LIMIT 1
"""

WITH_ITEMS_IN = """
SELECT DISTINCT ref
FROM item
WHERE ref IN (SELECT value FROM json_each(:refs)) AND state IN (SELECT value FROM json_each(:states))
ORDER BY ref
"""

STATE_MADE_BY = """
SELECT message
FROM working_state
WHERE profile = :profile AND conversation = :conversation
ORDER BY key
"""

DROP_STATE = """
DELETE FROM working_state
WHERE profile = :profile AND conversation = :conversation
"""


def waiting_in(db: Database, profile: str, conversation: str) -> list[QueuedCandidate]:
    """List a conversation's candidates that wait, or would if their branch were the one talked in."""
    found = select(db, WAITING, profile=profile, conversation=conversation)
    return [rows.candidate(row) for row in found]


def once_closed_by(db: Database, profile: str, fact: str) -> list[Version]:
    """List the changes in which a fact took the place of another, oldest first."""
    return [rows.version(row) for row in select(db, ONCE_CLOSED_BY, profile=profile, fact=fact)]


def set_aside_as(db: Database, profile: str, ref: str) -> Version | None:
    """Find the change by which a record was last set aside."""
    row = first(db, SET_ASIDE_AS, profile=profile, ref=ref)
    return None if row is None else rows.version(row)


def refs_with_items(db: Database, refs: Iterable[str], *states: str) -> list[str]:
    """Return those of these that have items in one of the states."""
    return texts(db, WITH_ITEMS_IN, refs=listed(refs), states=listed(states))


def state_made_by(db: Database, profile: str, conversation: str) -> str | None:
    """Return the message after which the working state was last written."""
    row = first(db, STATE_MADE_BY, profile=profile, conversation=conversation)
    return None if row is None else row["message"]


def drop_working_state(db: Database, profile: str, conversation: str) -> None:
    """Take a conversation's working state away."""
    run(db, DROP_STATE, profile=profile, conversation=conversation)
