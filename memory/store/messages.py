"""The messages of a conversation: a tree, read as the path from its root to a leaf.

Refuses text that no encoding can carry. One surprise: a path is found upwards, so an id that was cut out of
the tree ends it there instead of failing.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from memory.clock import to_text
from memory.errors import BadInput, NotFound
from memory.records import Message
from memory.store import rows
from memory.store.sql import first, insert, listed, run, select

if TYPE_CHECKING:
    from sqlite_utils import Database

BY_ID = f"""
SELECT {rows.MESSAGE}
FROM message
WHERE id = :id AND profile = :profile
ORDER BY key
"""

BY_IDS = f"""
SELECT {rows.MESSAGE}
FROM message
WHERE profile = :profile AND id IN (SELECT value FROM json_each(:ids))
ORDER BY said_at, key
"""

PATH = f"""
WITH RECURSIVE upwards (id, parent, conversation, depth) AS (
    SELECT id, parent, conversation, 0
    FROM message
    WHERE id = :leaf AND profile = :profile
    UNION ALL
    SELECT above.id, above.parent, above.conversation, upwards.depth + 1
    FROM upwards
    JOIN message AS above ON above.id = upwards.parent
    -- a damaged tree with a ring in it must end too
    WHERE above.conversation = upwards.conversation AND upwards.depth < :most
)
SELECT {rows.MESSAGE}
FROM upwards
JOIN message ON message.id = upwards.id
ORDER BY upwards.depth DESC, message.key
"""

BRANCHES = f"""
SELECT {rows.MESSAGE}
FROM message
JOIN message AS chosen ON chosen.id = :id AND chosen.profile = :profile
WHERE message.conversation = chosen.conversation
    AND message.parent IS chosen.parent
    AND message.role = chosen.role
ORDER BY message.said_at, message.key
"""

CHILDREN = f"""
SELECT {rows.MESSAGE}
FROM message
WHERE parent = :id AND profile = :profile
ORDER BY said_at, key
"""

ALL_OF = f"""
SELECT {rows.MESSAGE}
FROM message
WHERE conversation = :conversation AND profile = :profile
ORDER BY said_at, key
"""

UNDISTILLED = f"""
SELECT {rows.MESSAGE}
FROM message
WHERE conversation = :conversation AND profile = :profile AND role = 'user' AND distilled_at IS NULL
ORDER BY said_at, key
LIMIT :limit
"""

DISTILLED = """
UPDATE message
SET distilled_at = :now
WHERE profile = :profile AND id IN (SELECT value FROM json_each(:ids))
"""

REWRITE = """
UPDATE message
SET text = :text, masked = :masked, redacted_at = :now
WHERE id = :id AND profile = :profile
"""

DELETE = """
DELETE FROM message
WHERE profile = :profile AND id IN (SELECT value FROM json_each(:ids))
"""

LONGEST_PATH = 200_000


def insert_message(db: Database, message: Message) -> None:
    """Add a message; the conversation's leaf is moved apart from this."""
    try:
        message.text.encode()
    except UnicodeEncodeError as error:
        raise BadInput("the text holds half a character and cannot be kept") from error
    insert(db, "message", rows.message_row(message))


def find_message(db: Database, profile: str, ident: str) -> Message | None:
    """Find a message by its whole id."""
    row = first(db, BY_ID, profile=profile, id=ident)
    return None if row is None else rows.message(row)


def get_message(db: Database, profile: str, ident: str) -> Message:
    """Return a message by its whole id."""
    message = find_message(db, profile, ident)
    if message is None:
        raise NotFound("message", ident)
    return message


def list_messages(db: Database, profile: str, idents: Iterable[str]) -> list[Message]:
    """List the messages with these ids, in the order they were said; absent ones are left out."""
    return [rows.message(row) for row in select(db, BY_IDS, profile=profile, ids=listed(idents))]


def path(db: Database, profile: str, leaf: str | None) -> list[Message]:
    """List the messages from the root of the conversation to a leaf."""
    if leaf is None:
        return []
    return [rows.message(row) for row in select(db, PATH, profile=profile, leaf=leaf, most=LONGEST_PATH)]


def branches(db: Database, profile: str, ident: str) -> list[Message]:
    """List a message with the others that stand at the same place, oldest first."""
    return [rows.message(row) for row in select(db, BRANCHES, profile=profile, id=ident)]


def children(db: Database, profile: str, ident: str) -> list[Message]:
    """List what was said directly after a message."""
    return [rows.message(row) for row in select(db, CHILDREN, profile=profile, id=ident)]


def newest_leaf(db: Database, profile: str, ident: str) -> str:
    """Return the end of the branch below a message that was spoken in last."""
    leaf = ident
    for _ in range(LONGEST_PATH):
        below = children(db, profile, leaf)
        if not below:
            break
        leaf = below[-1].id
    return leaf


def all_messages(db: Database, profile: str, conversation: str) -> list[Message]:
    """List every message of a conversation, also those of branches left behind."""
    return [rows.message(row) for row in select(db, ALL_OF, profile=profile, conversation=conversation)]


def undistilled(db: Database, profile: str, conversation: str, limit: int = 200) -> list[Message]:
    """List the user's messages that no model has read for memories yet."""
    found = select(db, UNDISTILLED, profile=profile, conversation=conversation, limit=limit)
    return [rows.message(row) for row in found]


def mark_distilled(db: Database, profile: str, idents: Iterable[str], now: datetime) -> None:
    """Note that these messages need not be distilled again."""
    run(db, DISTILLED, profile=profile, ids=listed(idents), now=to_text(now))


def rewrite_message(
    db: Database, profile: str, ident: str, text: str, masked: str | None, now: datetime
) -> None:
    """Replace a message's words by redacted ones; its items are rewritten apart from this."""
    if run(db, REWRITE, profile=profile, id=ident, text=text, masked=masked, now=to_text(now)) == 0:
        raise NotFound("message", ident)


def delete_messages(db: Database, profile: str, idents: Iterable[str]) -> int:
    """Delete messages; whoever stood below one hangs in the air until re-parented."""
    return run(db, DELETE, profile=profile, ids=listed(idents))
