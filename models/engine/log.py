"""Where an engine's own mutterings go: a file that cannot grow, and its last words in memory.

Owns the size limit. What an engine prints is never trusted to be fit for a terminal, so the tail is
cleaned of control characters before anybody sees it.
"""

import os
from collections import deque
from contextlib import suppress
from pathlib import Path
from threading import Lock

MAX_FILE = 256 * 1024
TAIL_LINES = 30
_MAX_LINE = 400


class BoundedLog:
    """Takes bytes for ever and keeps only the latest of them."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._tail: deque[str] = deque(maxlen=TAIL_LINES)
        self._rest = b""
        self._lock = Lock()

    def write(self, block: bytes) -> None:
        """Add what an engine printed."""
        with self._lock:
            self._remember(block)
            if self._path is not None:
                with suppress(OSError):  # a full disk must not stop the pipe from being emptied
                    self._append(self._path, block[-MAX_FILE:])

    def tail(self) -> str:
        """Give the last lines, safe to show."""
        with self._lock:
            lines = [*self._tail, _clean(self._rest)]
        return "\n".join(line for line in lines if line)

    def _remember(self, block: bytes) -> None:
        *lines, rest = (self._rest + block[-MAX_FILE:]).split(b"\n")
        self._tail.extend(_clean(line) for line in lines[-TAIL_LINES:])
        self._rest = rest[:_MAX_LINE]

    @staticmethod
    def _append(path: Path, block: bytes) -> None:
        """Write to the file, moving a full one aside first."""
        if path.exists() and path.stat().st_size + len(block) > MAX_FILE:
            path.replace(path.with_name(path.name + ".1"))
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "ab") as file:
            file.write(block)


def _clean(line: bytes) -> str:
    """Keep the printable part of a line."""
    text = line[:_MAX_LINE].decode("utf-8", "replace")
    return "".join(character if character.isprintable() else " " for character in text).strip()
