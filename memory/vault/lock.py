"""The writer lock: one program at a time may write to a vault.

The operating system holds the lock and drops it when the process dies, so a lock cannot go stale; the file's
text (pid, start time of that process, since when) only serves the message to people. Readers need no lock.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from memory.vault.errors import StoreInUse
from memory.vault.files import FILE_MODE, disk_errors, read_errors

PATIENCE_SECONDS = 0.3
"""Long enough to outlast somebody who only looks whether the lock is held."""
_LOCKED_BYTE = 1 << 20  # far beyond the text: Windows forbids reading locked bytes


@dataclass(frozen=True, slots=True)
class Holder:
    """Who says to hold the lock; any part may be unknown."""

    pid: int | None = None
    started: str | None = None
    since: str | None = None


class WriterLock:
    """A held lock; ``release`` gives it back and may be called twice."""

    def __init__(self, descriptor: int, stale: Holder | None) -> None:
        self._descriptor: int | None = descriptor
        self.stale = stale
        """The holder that died without releasing, when there was one."""

    def release(self) -> None:
        """Give the lock back and wipe its text."""
        if self._descriptor is None:
            return
        descriptor, self._descriptor = self._descriptor, None
        os.ftruncate(descriptor, 0)
        _unlock(descriptor)
        os.close(descriptor)


def acquire(path: Path, *, since: str) -> WriterLock:
    """Take the lock or raise StoreInUse with what its holder wrote."""
    with disk_errors(path.name):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE)
    with ExitStack() as on_failure:
        on_failure.callback(os.close, descriptor)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not _try_lock(descriptor):
            if time.monotonic() >= deadline:
                holder = _read(descriptor)
                raise StoreInUse(holder.pid, holder.since)
            time.sleep(0.01)
        left = _read(descriptor)
        mine = Holder(os.getpid(), process_start(os.getpid()), since)
        with disk_errors(path.name):
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, json.dumps(asdict(mine)).encode())
        on_failure.pop_all()
    return WriterLock(descriptor, left if left.pid is not None else None)


def find_holder(path: Path) -> Holder | None:
    """Return who holds the lock now, or None when nobody does, whatever the file says."""
    try:
        with read_errors(path.name):
            descriptor = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        if _try_lock(descriptor):
            _unlock(descriptor)
            return None
        return _read(descriptor)
    finally:
        os.close(descriptor)


def process_start(pid: int) -> str | None:
    """Return when the process started, in the system's own clock ticks, where the system tells."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stream:  # noqa: PTH123
            return stream.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return None


def _read(descriptor: int) -> Holder:
    try:
        os.lseek(descriptor, 0, os.SEEK_SET)
        value = json.loads(os.read(descriptor, 4096))
        return Holder(int(value["pid"]), value.get("started"), value.get("since"))
    except (ValueError, KeyError, TypeError, AttributeError):
        return Holder()


if sys.platform == "win32":  # pragma: no cover - exercised on Windows only
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
