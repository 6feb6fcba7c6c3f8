"""Times as people read them, by the computer's own clock, and as JSON has them, in UTC.

The surprise: files of the vault hold times as text that nobody has authenticated before it is unlocked; what is no
time is shown as it stands.
"""

from __future__ import annotations

from datetime import datetime

from memory.clock import to_text, to_text_or_none


def in_json(instant: datetime | None) -> str | None:
    """Return an instant in the one form that JSON has, or nothing for none."""
    return to_text_or_none(instant)


def text_in_json(written: str) -> str:
    """Return a time that is kept as text in that form."""
    instant = _find(written)
    return written if instant is None else to_text(instant)


def day(time: datetime | str) -> str:
    """Return the day that a time is on here."""
    instant = _find(time) if isinstance(time, str) else time
    return str(time)[:10] if instant is None else f"{instant.astimezone():%Y-%m-%d}"


def minute(time: datetime | str) -> str:
    """Return day and minute of a time here."""
    instant = _find(time) if isinstance(time, str) else time
    return str(time)[:16] if instant is None else f"{instant.astimezone():%Y-%m-%d %H:%M}"


def _find(written: str) -> datetime | None:
    try:
        instant = datetime.fromisoformat(written)
    except ValueError:
        return None
    return instant if instant.tzinfo else None
