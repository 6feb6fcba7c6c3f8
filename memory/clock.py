"""Instants as text and as numbers: one UTC form, so that text order is time order.

Owns the written form of every time in the store. Refuses times without a zone. One surprise: the present
instant carries the user's own offset, because the prompt tells the time as the user's wall shows it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from memory.errors import BadInput
from memory.records import NEVER

WRITTEN_LENGTH: Final = len("2026-01-31T09:30:00.000000Z")


def system_clock() -> datetime:
    """Return the present instant in the computer's own zone."""
    return datetime.now(UTC).astimezone()


def to_text(instant: datetime) -> str:
    """Write an instant in UTC with microseconds, ending in Z."""
    if instant.utcoffset() is None:
        raise BadInput("a time without a zone names no instant")
    return instant.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def to_text_or_none(instant: datetime | None) -> str | None:
    """Write an instant, or nothing for none."""
    return None if instant is None else to_text(instant)


def from_text(written: str) -> datetime:
    """Read an instant written by ``to_text``; any other form is refused."""
    try:
        instant = datetime.fromisoformat(written)
    except ValueError as error:
        raise BadInput("a stored time cannot be read") from error
    if len(written) != WRITTEN_LENGTH or not written.endswith("Z"):
        raise BadInput("a stored time is not in the one form that sorts")
    return instant


def from_text_or_none(written: str | None) -> datetime | None:
    """Read an instant, or none from nothing."""
    return None if written is None else from_text(written)


def to_epoch(instant: datetime | None) -> int:
    """Return whole seconds since 1970, or the far date that means never."""
    return NEVER if instant is None else min(int(instant.timestamp()), NEVER)


def zone_of(instant: datetime) -> str:
    """Return an instant's UTC offset as ``+02:00``."""
    offset = instant.utcoffset()
    if offset is None:
        raise BadInput("a time without a zone names no instant")
    minutes = int(offset.total_seconds() // 60)
    sign = "-" if minutes < 0 else "+"
    hours, rest = divmod(abs(minutes), 60)
    return f"{sign}{hours:02d}:{rest:02d}"
