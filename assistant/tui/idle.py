"""When Locket locks itself: a pure rule over two clocks.

Knows nothing of screens. One surprise: the clock of idleness goes on while the computer sleeps, where the system has
such a clock, so that a lid closed for an hour wakes up locked.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

STREAM_GRACE = 120.0
"""Seconds an answer that is being made may hold the lock back."""

WORK_LIMIT = 3600.0
"""Seconds after the last key during which work that was asked for, as long as it gets on, counts as a key."""

SHORTEST_SLEEP = 5.0
"""Seconds; less is two clocks that do not quite agree."""


def waking_clock() -> float:
    """Seconds since some fixed instant, sleep included where possible."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


def asleep_clock() -> float:
    """Seconds that the computer has slept, counted from some fixed instant; a clock that is set forward counts too."""
    return (waking_clock() if hasattr(time, "CLOCK_BOOTTIME") else time.time()) - time.monotonic()


@dataclass(slots=True)
class SleepWatch:
    """Notices that the computer slept since the last look."""

    clock: Callable[[], float] = asleep_clock
    slept: float = 0.0

    def __post_init__(self) -> None:
        """Begin now."""
        self.slept = self.clock()

    def has_slept(self) -> bool:
        """Say whether the computer slept since this was asked last."""
        before, self.slept = self.slept, self.clock()
        return self.slept - before > SHORTEST_SLEEP


@dataclass(slots=True)
class IdleTimer:
    """Counts from the last thing the user did."""

    limit: float
    """Seconds; 0 never locks."""
    clock: Callable[[], float] = waking_clock
    last: float = 0.0
    touched: float = 0.0
    """When the user did something; `last` may be later."""

    def __post_init__(self) -> None:
        """Begin counting now."""
        self.touch()

    def touch(self) -> None:
        """Note that the user did something."""
        self.last = self.touched = self.clock()

    def work_got_on(self) -> None:
        """Note that work the user waits for is a step further: it is not to be stopped, and its end is to be seen."""
        if self.clock() - self.touched < WORK_LIMIT:
            self.last = self.clock()

    @property
    def left(self) -> float | None:
        """Seconds until the lock; None when it never comes."""
        return None if self.limit <= 0 else self.limit - (self.clock() - self.last)

    def is_due(self, *, talking: bool) -> bool:
        """Whether to lock now."""
        left = self.left
        if left is None or left > 0:
            return False
        return not talking or left <= -STREAM_GRACE
