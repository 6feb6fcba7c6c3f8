"""What any other program's export comes down to: conversations, memories, and what had to be left out.

Pure. Owns the careful reading of values whose type nobody vouches for: a wrong type is an absent value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from memory.transfer.report import Skipped

LATEST: Final = 32_503_680_000.0
"""Seconds from 1970 to the year 3000; a time after it is none, and ids could not hold one much later."""
UNKNOWN: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands for a time that the source does not tell, the same at every import."""


@dataclass(frozen=True, slots=True)
class SourceAttachment:
    """A text that came with a message."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class SourceMessage:
    """One utterance; ``parent`` is the id of one before it in the same list."""

    id: str
    parent: str | None
    role: str
    text: str
    said_at: datetime
    model: str | None = None
    attachments: tuple[SourceAttachment, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceConversation:
    """One conversation with all its branches, parents first."""

    id: str
    title: str
    created_at: datetime
    updated_at: datetime
    messages: tuple[SourceMessage, ...]
    leaf: str


@dataclass(frozen=True, slots=True)
class SourceMemory:
    """One statement that another program remembered."""

    text: str
    value: str
    said_at: datetime | None = None
    subject: str = "user"
    attribute: str = "note"


Piece = SourceConversation | SourceMemory | Skipped


def memory_of(text: str, said_at: datetime | None = None) -> SourceMemory:
    """Return a statement about the user in its own words."""
    return SourceMemory(text, text, said_at)


def table(value: object) -> Mapping[str, Any]:
    """Return a mapping, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def sequence(value: object) -> list[Any]:
    """Return a list, an empty one for anything else."""
    return value if isinstance(value, list) else []


def words(value: object) -> str:
    """Return a text without the white space around it, an empty one for anything else."""
    return value.strip() if isinstance(value, str) else ""


def instant(value: object) -> datetime | None:
    """Read seconds since 1970 or an ISO time; a time without a zone is UTC."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return datetime.fromtimestamp(value, UTC) if 0 < value <= LATEST else None
    if isinstance(value, str):
        try:
            found = datetime.fromisoformat(value.strip())
            found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        except (ValueError, OverflowError):
            return None
        return found if found.timestamp() <= LATEST else None
    return None


def fingerprint(*parts: str) -> str:
    """Return a short name for what has none of its own, the same at every import."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:32]
