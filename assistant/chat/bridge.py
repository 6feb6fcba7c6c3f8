"""One thread that owns the writing connection, and the way into it from an event loop.

Two kinds of work come in: commands (short, run at once, also between two chunks of an answer) and streams
(a turn; one at a time, in order). When there is neither, idle work runs and gives way as soon as something
comes. Nothing here knows what the work is.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
import weakref
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

_DONE = object()
LOOK_AGAIN_SECONDS = 60.0
"""Time alone gives idle work something to do, so after so much quiet it is asked again."""


def _fulfil(command: Callable[[], Any], future: concurrent.futures.Future[Any]) -> None:
    """Run a command and hand its outcome to whoever waits for it."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = command()
    except BaseException as error:  # noqa: BLE001 - the edge of the thread: the caller gets it
        future.set_exception(error)
    else:
        future.set_result(result)


async def _values(box: asyncio.Queue[Any], gone: threading.Event) -> AsyncIterator[Any]:
    """Yield what the thread puts into the box, and tell it when nobody listens any more."""
    try:
        while (value := await box.get()) is not _DONE:
            if isinstance(value, BaseException):
                raise value
            yield value
    finally:
        gone.set()


class SessionThread:
    """A thread that runs commands and streams in order, with idle work between them."""

    def __init__(self, idle: Callable[[threading.Event], bool] | None = None) -> None:
        """Prepare the thread; ``idle`` does a piece of work and says whether there may be more."""
        self._idle = idle
        self._commands: deque[tuple[Callable[[], Any], concurrent.futures.Future[Any]]] = deque()
        self._streams: deque[Callable[[], None]] = deque()
        self._wake = threading.Condition()
        self._busy_from_outside = threading.Event()
        self._closing = False
        self._idle_done = idle is None
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def submit(self, command: Callable[[], T]) -> concurrent.futures.Future[T]:
        """Queue a short command; it runs between two chunks when an answer is being made."""
        future: concurrent.futures.Future[T] = concurrent.futures.Future()
        with self._wake:
            if self._closing:
                raise RuntimeError("the session is closed")
            if self._failure is not None:
                failure, self._failure = self._failure, None
                raise failure
            self._commands.append((command, future))
            self._disturb()
        return future

    def submit_alone(self, command: Callable[[], T]) -> concurrent.futures.Future[T]:
        """Queue a command that must not run inside an answer: it waits until the one being made has ended."""
        future: concurrent.futures.Future[T] = concurrent.futures.Future()
        with self._wake:
            if self._closing:
                raise RuntimeError("the session is closed")
            self._streams.append(lambda: _fulfil(command, future))
            self._disturb()
        return future

    def run_waiting(self) -> None:
        """Run every queued command now; called by a stream where no transaction is open."""
        while True:
            with self._wake:
                if not self._commands:
                    return
                command, future = self._commands.popleft()
            _fulfil(command, future)

    def stream(self, make: Callable[[], Iterator[T]]) -> AsyncIterator[T]:
        """Run a generator on the thread, from now on, and yield its values here; the thread waits when we are slow.

        A consumer that leaves early, or never comes, does not cut the generator short: it runs to its end
        unseen, so that what it commits is committed. Ask it to stop by its own means.
        """
        loop = asyncio.get_running_loop()
        box: asyncio.Queue[Any] = asyncio.Queue(maxsize=64)
        gone = threading.Event()

        def put(value: object) -> None:
            if gone.is_set():
                return
            try:
                handed = asyncio.run_coroutine_threadsafe(box.put(value), loop)
            except RuntimeError:  # the loop has closed
                gone.set()
                return
            while not gone.is_set():
                try:
                    handed.result(timeout=0.05)
                except concurrent.futures.TimeoutError:
                    self.run_waiting()
                except concurrent.futures.CancelledError:  # the loop ends, and everything in it
                    gone.set()
                else:
                    return

        def pump() -> None:
            try:
                for value in make():
                    put(value)
            except BaseException as error:  # noqa: BLE001 - the edge of the thread: the consumer gets it
                put(error)
            put(_DONE)

        with self._wake:
            if self._closing:
                box.put_nowait(RuntimeError("the session is closed"))
            else:
                self._streams.append(pump)
                self._disturb()
        values: AsyncIterator[T] = _values(box, gone)
        weakref.finalize(values, gone.set)  # one that nobody asks for a value has no end of its own
        return values

    def close(self, timeout: float = 5.0) -> None:
        """Finish what runs and what waits, then end the thread."""
        with self._wake:
            self._closing = True
            self._disturb()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout)

    def wake_idle(self) -> None:
        """Say that there may be idle work again."""
        with self._wake:
            self._idle_done = self._idle is None
            self._wake.notify_all()

    def _disturb(self) -> None:
        self._busy_from_outside.set()
        self._idle_done = self._idle is None
        self._wake.notify_all()

    def _run(self) -> None:
        while True:
            self.run_waiting()
            with self._wake:
                pump = self._streams.popleft() if self._streams else None
                if pump is None and not self._commands:
                    if self._closing:
                        return
                    self._busy_from_outside.clear()
                    if self._idle_done:
                        if not self._wake.wait(LOOK_AGAIN_SECONDS):
                            self._idle_done = self._idle is None
                        continue
            if pump is not None:
                pump()
            elif self._idle is not None and not self._idle_done:
                self._idle_done = True  # before the work, so that a wake during it is not lost
                if self._do_idle(self._idle) or self._disturbed():
                    self._idle_done = False

    def _do_idle(self, idle: Callable[[threading.Event], bool]) -> bool:
        """Do a piece of idle work; what nobody foresaw ends idle work, not the thread that commits answers."""
        try:
            return idle(self._busy_from_outside)
        except Exception as error:  # noqa: BLE001 - the edge of the thread: the next command gets it
            self._idle, self._failure = None, error
            return False

    def _disturbed(self) -> bool:
        return self._busy_from_outside.is_set()
