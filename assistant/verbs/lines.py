"""Lines that are typed or piped in, awaited in a way that can be called off.

Knows nothing of conversations. The surprise: a thread in the middle of ``readline`` cannot be told to stop, and
would hold up the end of the process; so where the system can wait for two things, the second one is a pipe of our own.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import select
import sys
from contextlib import suppress
from typing import TextIO

_PIECE = 1 << 16


class Lines:
    """Reads standard input line by line until it ends or ``stop`` is called."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._stopped = False
        self._ended = False
        self._text = ""
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._wake: tuple[int, int] | None = None
        with suppress(OSError, ValueError, AttributeError):  # a stream without a file behind it
            if sys.platform != "win32":
                stream.fileno()
                self._wake = os.pipe()

    async def next(self) -> str | None:
        """Return the next line; None when there is none any more."""
        return await asyncio.to_thread(self._read)

    def stop(self) -> None:
        """Give no more lines, also to whoever waits for one now."""
        self._stopped = True
        if self._wake is not None:
            os.write(self._wake[1], b".")

    def close(self) -> None:
        """Give the pipe back."""
        if self._wake is not None:
            for end in self._wake:
                os.close(end)
            self._wake = None

    def _read(self) -> str | None:
        if self._wake is None:
            line = "" if self._stopped else self._stream.readline()
            return line.rstrip("\n") if line and not self._stopped else None
        source = self._stream.fileno()
        while "\n" not in self._text and not self._ended and not self._stopped:
            ready, _, _ = select.select([source, self._wake[0]], [], [])
            if source in ready and not self._stopped:
                piece = os.read(source, _PIECE)
                self._ended = not piece
                self._text += self._decode(piece, final=not piece)
        if self._stopped or not self._text:
            return None
        line, _, self._text = self._text.partition("\n")
        return line
