"""Text files that came with a message; their content is searchable and never trusted like the user's words."""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.clock import to_text
from memory.errors import NotFound
from memory.store import rows
from memory.store.sql import first, insert, run, select
from memory.store.stored import Attachment

if TYPE_CHECKING:
    from sqlite_utils import Database

BY_ID = f"""
SELECT {rows.ATTACHMENT}
FROM attachment
WHERE id = :id AND profile = :profile
ORDER BY key
"""

OF_CONVERSATION = f"""
SELECT {rows.ATTACHMENT}
FROM attachment
WHERE conversation = :conversation AND profile = :profile
ORDER BY recorded_at, key
"""

BIND = """
UPDATE attachment
SET message = :message
WHERE id = :id AND profile = :profile
"""


def insert_attachment(db: Database, attachment: Attachment) -> None:
    """Add an attachment; its items are written apart from this."""
    row = {
        "id": attachment.id,
        "profile": attachment.profile,
        "conversation": attachment.conversation,
        "message": attachment.message,
        "name": attachment.name,
        "media_type": attachment.media_type,
        "text": attachment.text,
        "sha256": attachment.sha256,
        "recorded_at": to_text(attachment.recorded_at),
    }
    insert(db, "attachment", row)


def get_attachment(db: Database, profile: str, ident: str) -> Attachment:
    """Return an attachment by its whole id."""
    row = first(db, BY_ID, profile=profile, id=ident)
    if row is None:
        raise NotFound("attachment", ident)
    return rows.attachment(row)


def list_attachments(db: Database, profile: str, conversation: str) -> list[Attachment]:
    """List a conversation's attachments in the order they came."""
    found = select(db, OF_CONVERSATION, profile=profile, conversation=conversation)
    return [rows.attachment(row) for row in found]


def bind_attachment(db: Database, profile: str, ident: str, message: str) -> None:
    """Tie an attachment to the message it was sent with."""
    if run(db, BIND, profile=profile, id=ident, message=message) == 0:
        raise NotFound("attachment", ident)
