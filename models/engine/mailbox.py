"""Where the frames of one request wait for whoever asked.

Owns hand-over between the thread that reads the pipe and the thread that wants the answer, and the news
that no more will come. The reader never waits: what the engine may send ahead is limited by credit, and
more than that is a flood.
"""

from collections import deque
from threading import Condition

from models.engine.protocol import STREAM_CREDIT, Frame
from models.errors import ModelError

_ROOM = STREAM_CREDIT + 8
"""Credit bounds the events; a result or an error may still follow them."""


class Mailbox:
    """The frames of one request, in order."""

    def __init__(self) -> None:
        self._frames: deque[Frame] = deque()
        self._ended: ModelError | None = None
        self._changed = Condition()

    def put(self, frame: Frame) -> bool:
        """Add a frame; False when it is one more than was allowed."""
        with self._changed:
            if len(self._frames) >= _ROOM:
                return False
            self._frames.append(frame)
            self._changed.notify()
            return True

    def end(self, reason: ModelError) -> None:
        """Say that no further frame will come."""
        with self._changed:
            self._ended = reason
            self._changed.notify()

    def take(self, timeout: float) -> Frame | None:
        """Give the next frame, or None after the timeout; raise the reason once all are taken."""
        with self._changed:
            if not self._frames and self._ended is None:
                self._changed.wait(timeout)
            if self._frames:
                return self._frames.popleft()
            if self._ended is not None:
                raise self._ended
            return None
