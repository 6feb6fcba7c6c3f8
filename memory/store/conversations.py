"""Conversations: their titles, their current leaf, what their prompt began with.

Knows nothing of what is said in them. One surprise: the marks of the idle work and of the prompt are kept
here and not in the record, because nobody else reads them.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from memory.clock import to_text
from memory.errors import NotFound
from memory.records import EVERY_PROFILE, Conversation
from memory.store import rows
from memory.store.sql import first, insert, run, select, update

if TYPE_CHECKING:
    from sqlite_utils import Database

Mark = Literal["episode_upto", "window_from", "earlier"]
"""The last message in an episode, the first message in the window, what left the window in short."""

BY_ID = f"""
SELECT {rows.CONVERSATION}
FROM conversation
WHERE id = :id AND profile = :profile
ORDER BY key
"""

BY_SOURCE = f"""
SELECT {rows.CONVERSATION}
FROM conversation
WHERE source = :source AND profile = :profile
ORDER BY key
"""

RECENT = f"""
SELECT {rows.CONVERSATION}
FROM conversation
WHERE profile = :profile
    AND archived <= :archived
    AND (:query = '' OR instr(lower(title), lower(:query)) > 0)
ORDER BY updated_at DESC, key DESC
LIMIT :limit
OFFSET :offset
"""

DROP_HEADS = """
UPDATE conversation
SET head = NULL
WHERE head IS NOT NULL AND (profile = :profile OR :profile = :every)
"""

MARKS = """
SELECT episode_upto, window_from, earlier
FROM conversation
WHERE id = :id AND profile = :profile
ORDER BY key
"""

DELETE = """
DELETE FROM conversation
WHERE id = :id AND profile = :profile
"""

ADVANCE = """
UPDATE conversation
SET leaf = :leaf, updated_at = max(updated_at, :now)
WHERE id = :id AND profile = :profile
"""


def create_conversation(db: Database, conversation: Conversation) -> None:
    """Add a conversation."""
    insert(db, "conversation", rows.conversation_row(conversation))


def find_conversation(db: Database, profile: str, ident: str) -> Conversation | None:
    """Find a conversation by its whole id."""
    row = first(db, BY_ID, profile=profile, id=ident)
    return None if row is None else rows.conversation(row)


def get_conversation(db: Database, profile: str, ident: str) -> Conversation:
    """Return a conversation by its whole id."""
    conversation = find_conversation(db, profile, ident)
    if conversation is None:
        raise NotFound("conversation", ident)
    return conversation


def find_imported_conversation(db: Database, profile: str, source: str) -> Conversation | None:
    """Find a conversation by where it was imported from."""
    row = first(db, BY_SOURCE, profile=profile, source=source)
    return None if row is None else rows.conversation(row)


def list_conversations(
    db: Database,
    profile: str,
    *,
    query: str = "",
    archived: bool = False,
    limit: int = 50,
    offset: int = 0,
) -> list[Conversation]:
    """List conversations, the last used first; archived ones only when asked for."""
    found = select(
        db, RECENT, profile=profile, query=query, archived=int(archived), limit=limit, offset=offset
    )
    return [rows.conversation(row) for row in found]


def update_conversation(db: Database, conversation: Conversation) -> None:
    """Write a changed conversation (title, archived, remembering, head …)."""
    if not update(db, "conversation", rows.conversation_row(conversation)):
        raise NotFound("conversation", conversation.id)


def set_title(db: Database, profile: str, ident: str, title: str) -> None:
    """Name a conversation."""
    _set(db, profile, ident, "title", title)


def set_leaf(db: Database, profile: str, ident: str, leaf: str | None, now: datetime) -> None:
    """Make a message the end of the current path, and the conversation the last used."""
    if run(db, ADVANCE, profile=profile, id=ident, leaf=leaf, now=to_text(now)) == 0:
        raise NotFound("conversation", ident)


def set_archived(db: Database, profile: str, ident: str, archived: bool) -> None:
    """Hide a conversation from the list, or show it again."""
    _set(db, profile, ident, "archived", int(archived))


def set_remembering(db: Database, profile: str, ident: str, remembering: bool) -> None:
    """Pause or resume remembering for one conversation."""
    _set(db, profile, ident, "remembering", int(remembering))


def set_head(db: Database, profile: str, ident: str, head: str | None) -> None:
    """Keep the top of the prompt as it was sent; None asks for a new one."""
    _set(db, profile, ident, "head", head)


def drop_heads(db: Database, profile: str) -> None:
    """Ask for a new top of the prompt in every conversation of a profile, or of all with ``*``."""
    run(db, DROP_HEADS, profile=profile, every=EVERY_PROFILE)


def find_mark(db: Database, profile: str, ident: str, mark: Mark) -> str | None:
    """Return a mark of a conversation, None when it was never set."""
    row = first(db, MARKS, profile=profile, id=ident)
    if row is None:
        raise NotFound("conversation", ident)
    found: str | None = row[mark]
    return found


def set_mark(db: Database, profile: str, ident: str, mark: Mark, value: str | None) -> None:
    """Move a mark, or take it away."""
    _set(db, profile, ident, mark, value)


def delete_conversation(db: Database, profile: str, ident: str) -> None:
    """Delete a conversation with its messages, attachments, traces and working state; nothing derived."""
    if run(db, DELETE, profile=profile, id=ident) == 0:
        raise NotFound("conversation", ident)


_SETTERS = {
    name: f"""
UPDATE conversation
SET {name} = :value
WHERE id = :id AND profile = :profile
"""
    for name in ("title", "archived", "remembering", "head", "episode_upto", "window_from", "earlier")
}


def _set(db: Database, profile: str, ident: str, column: str, value: Any) -> None:
    if run(db, _SETTERS[column], profile=profile, id=ident, value=value) == 0:
        raise NotFound("conversation", ident)
