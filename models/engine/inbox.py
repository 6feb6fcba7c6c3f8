"""What an engine has been asked and not yet done, most urgent first.

Owns the order (the conversation, then background work; questions of size beside both) and the flags that
stop a job; knows nothing of models. The surprise: a request of the conversation makes a running background
job give way.
"""

import time
from collections import deque
from threading import Condition

from models.engine.protocol import STREAM_CREDIT, Frame

QUICK, CHAT, BACKGROUND = 0, 1, 2
RANKS = {
    "count": QUICK,
    "measure": QUICK,
    "open": CHAT,
    "stream": CHAT,
    "evict": CHAT,
    "reset": CHAT,
    "embed": CHAT,
    "prefill": BACKGROUND,
    "complete": BACKGROUND,
}


class Job:
    """One request under way."""

    def __init__(self, frame: Frame, rank: int) -> None:
        self.frame = frame
        self.rank = rank
        self.number = int(frame.header["id"])
        self.stopped = False
        """Set by another thread; the work looks at it all the time."""
        self.credit = STREAM_CREDIT


class Inbox:
    """Jobs, handed from the thread that reads to the thread that works."""

    def __init__(self) -> None:
        self._waiting: tuple[deque[Job], ...] = (deque(), deque(), deque())
        self._changed = Condition()
        self._running: Job | None = None
        self._stepped = time.monotonic()
        self._asked: float | None = None
        """Since when a question of size is being answered."""

    def add(self, frame: Frame) -> None:
        """Queue a request; background work under way gives way to the conversation."""
        job = Job(frame, RANKS.get(str(frame.header.get("op")), CHAT))
        with self._changed:
            self._waiting[job.rank].append(job)
            running = self._running
            if job.rank == CHAT and running is not None and running.rank == BACKGROUND:
                running.stopped = True
            self._changed.notify_all()

    def cancel(self, number: int) -> None:
        """Stop the job of that number, running or not."""
        with self._changed:
            for job in self._all():
                if job.number == number:
                    job.stopped = True
            self._changed.notify_all()

    def give_credit(self, number: int, n: int) -> None:
        """Allow a running answer `n` more events."""
        with self._changed:
            if self._running is not None and self._running.number == number:
                self._running.credit += n
            self._changed.notify_all()

    def next(self) -> Job:
        """Wait for work, the conversation's first, and mark it as running."""
        with self._changed:
            self._running = None
            self._changed.wait_for(lambda: any(self._waiting[CHAT:]))
            self._running = next(queue for queue in self._waiting[CHAT:] if queue).popleft()
            self._stepped = time.monotonic()
            return self._running

    def next_quick(self) -> Job:
        """Wait for a question that needs no evaluation; it never waits for other work."""
        with self._changed:
            self._asked = None
            self._changed.wait_for(lambda: bool(self._waiting[QUICK]))
            self._asked = time.monotonic()
            return self._waiting[QUICK].popleft()

    def step(self) -> None:
        """Note that the running job got on."""
        with self._changed:
            self._stepped = time.monotonic()

    def wait_for_credit(self, job: Job) -> None:
        """Wait until the reader has caught up, or the job is to stop."""
        with self._changed:
            self._changed.wait_for(lambda: job.credit > 0 or job.stopped)
            self._stepped = time.monotonic()

    def still_s(self) -> float:
        """Tell how long the running job has been in its present step; 0 when none runs."""
        with self._changed:
            waits = self._running is None or self._running.credit <= 0
            return 0.0 if waits else time.monotonic() - self._stepped

    def quick_s(self) -> float:
        """Tell how long a question of size has been worked on; 0 when none is."""
        with self._changed:
            return 0.0 if self._asked is None else time.monotonic() - self._asked

    def _all(self) -> list[Job]:
        running = [] if self._running is None else [self._running]
        return [*running, *(job for queue in self._waiting for job in queue)]
