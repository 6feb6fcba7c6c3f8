"""A clock that stands still until a test moves it."""

from datetime import datetime, timedelta, timezone

START = datetime(2026, 3, 2, 9, 0, tzinfo=timezone(timedelta(hours=1)))
"""A Monday morning, one hour east of Greenwich, so that local and universal time differ."""


class FixedClock:
    """Gives the same instant each time it is called."""

    def __init__(self, start: datetime = START) -> None:
        self.instant = start

    def __call__(self) -> datetime:
        return self.instant

    def advance(self, **passed: float) -> datetime:
        """Let time pass, in the words of `timedelta`, and return the new instant."""
        self.instant += timedelta(**passed)
        return self.instant
