"""A folder that one process at a time works in.

Owns the waiting. The lock is on the folder itself, so that nothing is left of it when the folder goes or the
process dies; where a system has no such lock, there is none.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

from models.errors import Interrupted

try:
    import fcntl
except ImportError:  # not on every system
    fcntl = None  # type: ignore[assignment]

_TICK_S = 0.1


@contextmanager
def alone_in(folder: Path, stop: Event, waiting: Callable[[], None]) -> Iterator[None]:
    """Make a folder, and wait until nobody else is in it; `waiting` is told once."""
    descriptor = None
    told = False
    while descriptor is None and fcntl is not None:
        descriptor = _taken(folder)
        if descriptor is None:
            if not told:
                waiting()
                told = True
            if stop.wait(_TICK_S):
                raise Interrupted("The download was stopped; it goes on from here next time.")
    folder.mkdir(mode=0o700, exist_ok=True)
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _taken(folder: Path) -> int | None:
    """Take the lock; None when somebody has it, or has just removed the folder that it was on."""
    folder.mkdir(mode=0o700, exist_ok=True)
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.stat(folder)):  # noqa: PTH116 - beside its like
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(descriptor)
    return None
