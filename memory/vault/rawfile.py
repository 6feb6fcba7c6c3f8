"""Reads a store's bytes beside SQLite without breaking its locks.

On POSIX, closing any descriptor of a file drops every lock the process holds on it, SQLite's included, after
which another program may rewrite the file under us. So descriptors are shared per file and closed only when
the last holder in this process lets go; whoever opens a connection holds the file for as long.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from pathlib import Path

_guard = threading.Lock()


@dataclass(slots=True)
class _Shared:
    holders: int = 0
    descriptor: int | None = None


_shared: dict[tuple[int, int], _Shared] = {}


class HeldFile:
    """One holder of a file's shared descriptor."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with _guard:
            found = path.stat()
            self._id: tuple[int, int] | None = (found.st_dev, found.st_ino)
            _shared.setdefault(self._id, _Shared()).holders += 1

    def read_at(self, offset: int, length: int) -> bytes:
        """Return up to ``length`` bytes from ``offset``; fewer at the end of the file."""
        with _guard:
            shared = self._mine()
            if shared.descriptor is None:
                shared.descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            os.lseek(shared.descriptor, offset, os.SEEK_SET)
            parts: list[bytes] = []
            while length > 0 and (part := os.read(shared.descriptor, length)):
                parts.append(part)
                length -= len(part)
            return b"".join(parts)

    def size(self) -> int:
        """Return the file's length in bytes."""
        return self.path.stat().st_size

    def close(self) -> None:
        """Let go; the last holder closes the descriptor."""
        with _guard:
            if self._id is None:
                return
            shared = self._mine()
            shared.holders -= 1
            if shared.holders == 0:
                del _shared[self._id]
                if shared.descriptor is not None:
                    os.close(shared.descriptor)
            self._id = None

    def _mine(self) -> _Shared:
        if self._id is None:
            raise ValueError("the file was let go")
        return _shared[self._id]


def read_start(path: Path, length: int) -> bytes:
    """Return the first bytes of a file."""
    held = HeldFile(path)
    try:
        return held.read_at(0, length)
    finally:
        held.close()
