"""Words that are not a message yet: what is being typed, what waits for its turn, what was typed before.

One surprise: a conversation has one unsent text and any number of queued ones; the input history belongs to
the profile.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from memory.clock import to_text
from memory.ports import NewId
from memory.store import rows
from memory.store.sql import first, insert, run, select, texts
from memory.store.stored import Draft, DraftKind

if TYPE_CHECKING:
    from sqlite_utils import Database

UNSENT = f"""
SELECT {rows.DRAFT}
FROM draft
WHERE profile = :profile AND kind = 'unsent' AND conversation IS :conversation
ORDER BY key DESC
"""

QUEUED = f"""
SELECT {rows.DRAFT}
FROM draft
WHERE profile = :profile AND kind = 'queued' AND conversation IS :conversation
ORDER BY key
"""

WAITING = """
SELECT conversation
FROM draft
WHERE profile = :profile AND kind IN ('unsent', 'queued') AND conversation IS NOT NULL
GROUP BY conversation
ORDER BY max(key) DESC
LIMIT :limit
"""

HISTORY = f"""
SELECT {rows.DRAFT}
FROM draft
WHERE profile = :profile AND kind = 'history'
ORDER BY key DESC
LIMIT :limit
"""

CLEAR_UNSENT = """
DELETE FROM draft
WHERE profile = :profile AND kind = 'unsent' AND conversation IS :conversation
"""

DELETE = """
DELETE FROM draft
WHERE profile = :profile AND id = :id
"""

TRIM_HISTORY = """
DELETE FROM draft
WHERE profile = :profile AND kind = 'history' AND key NOT IN (
    SELECT key
    FROM draft
    WHERE profile = :profile AND kind = 'history'
    ORDER BY key DESC
    LIMIT :keep
)
"""

HISTORY_KEPT = 200


def keep_unsent(
    db: Database, profile: str, conversation: str | None, text: str, now: datetime, new_id: NewId
) -> None:
    """Keep the text of the input line; empty text clears it."""
    run(db, CLEAR_UNSENT, profile=profile, conversation=conversation)
    if text:
        _insert(db, Draft(new_id(), profile, conversation, "unsent", text, now))


def unsent_text(db: Database, profile: str, conversation: str | None) -> str:
    """Return the text of the input line, or nothing."""
    row = first(db, UNSENT, profile=profile, conversation=conversation)
    return "" if row is None else rows.draft(row).text


def queue_draft(
    db: Database, profile: str, conversation: str | None, text: str, now: datetime, new_id: NewId
) -> Draft:
    """Keep a message that waits until the answer in progress is finished."""
    draft = Draft(new_id(), profile, conversation, "queued", text, now)
    _insert(db, draft)
    return draft


def list_queued(db: Database, profile: str, conversation: str | None) -> list[Draft]:
    """List the waiting messages in the order they will be sent."""
    return [rows.draft(row) for row in select(db, QUEUED, profile=profile, conversation=conversation)]


def conversations_waiting(db: Database, profile: str, limit: int) -> list[str]:
    """List the conversations in which something was not sent, the last one first."""
    return texts(db, WAITING, profile=profile, limit=limit)


def delete_draft(db: Database, profile: str, ident: str) -> None:
    """Drop a draft, because it was sent or taken back."""
    run(db, DELETE, profile=profile, id=ident)


def remember_typed(db: Database, profile: str, text: str, now: datetime, new_id: NewId) -> None:
    """Put a line on the input history, once when it repeats the last one."""
    last = input_history(db, profile, 1)
    if last != [text]:
        _insert(db, Draft(new_id(), profile, None, "history", text, now))
        run(db, TRIM_HISTORY, profile=profile, keep=HISTORY_KEPT)


def input_history(db: Database, profile: str, limit: int = HISTORY_KEPT) -> list[str]:
    """List earlier lines, newest first."""
    return [rows.draft(row).text for row in select(db, HISTORY, profile=profile, limit=limit)]


def _insert(db: Database, draft: Draft) -> None:
    kind: DraftKind = draft.kind
    row = {
        "id": draft.id,
        "profile": draft.profile,
        "conversation": draft.conversation,
        "kind": kind,
        "text": draft.text,
        "recorded_at": to_text(draft.recorded_at),
    }
    insert(db, "draft", row)
