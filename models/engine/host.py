"""Keeps one model running: starts its engine when needed, restarts it after a crash, gives up in the end.

Owns the count of crashes and the check that the file is still the one that was opened. Two crashes with no
finished work between them are enough: from then on everything is `EngineUnavailable` until `open()`.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event, RLock
from typing import Any

from models.engine.launch import child_command, current_environment
from models.engine.link import EngineLink
from models.engine.log import BoundedLog
from models.engine.protocol import Frame
from models.engine.wire import read_error
from models.errors import (
    EngineClosed,
    EngineCrashed,
    EngineUnavailable,
    Interrupted,
    ModelChanged,
    ModelMissing,
    ModelUnusable,
)
from models.types import EngineSettings

MAX_CRASHES = 2
_DAMAGE = ("SIGABRT", "SIGSEGV", "SIGBUS", "SIGFPE")
"""Ends that a model file causes; others are the machine's or the user's doing."""


class EngineHost:
    """The one place that decides whether there is an engine to talk to."""

    def __init__(
        self,
        role: str,
        path: Path,
        fields: Mapping[str, Any],
        *,
        settings: EngineSettings,
        log_file: Path | None,
        command: Sequence[str] | None,
    ) -> None:
        self._path = path
        self._fields = dict(fields)
        self._settings = settings
        self._log = BoundedLog(log_file)
        self._command = list(command) if command is not None else child_command(role)
        self._lock = RLock()
        self._link: EngineLink | None = None
        self._loaded: Frame | None = None
        self._stamp: tuple[int, int, int] | None = None
        self._crashes = 0
        self._closed = False
        self._starting = False

    @property
    def pid(self) -> int:
        """Give the engine's process id; 0 when none runs."""
        link = self._link
        return link.pid if link is not None and link.alive else 0

    @property
    def log_tail(self) -> str:
        """Give the engine's last words."""
        return self._log.tail()

    def open(self) -> Frame:
        """Start afresh after a close or after giving up, and load the model."""
        with self._lock:
            self._closed = False
            self._crashes = 0
            return self.loaded()

    def loaded(self, poll: Callable[[], None] | None = None, stop: Event | None = None) -> Frame:
        """Give what the engine said on loading, starting it first when none runs; `stop` ends such a start."""
        with self._lock:
            if self._closed:
                raise EngineClosed("The engine was closed.")
            if self._starting:  # asked by the poll of that very start
                raise EngineCrashed("The engine is just being started.")
            if self._link is not None and self._link.alive and self._loaded is not None:
                return self._loaded
            self._note_death()
            if self._crashes >= MAX_CRASHES:
                raise EngineUnavailable(
                    f"The engine kept ending with {self._path.name}; it is not tried again."
                )
            self._check_file()
            self._starting = True
            try:
                self._loaded = self._start(_polling(poll, stop))
            finally:
                self._starting = False
            return self._loaded

    def exchange(
        self,
        op: str,
        fields: Mapping[str, Any],
        payload: bytes = b"",
        *,
        stop: Event | None = None,
        poll: Callable[[], None] | None = None,
    ) -> Iterator[Frame]:
        """Send one request to a running engine and give its frames; an error frame is raised."""
        self.loaded(poll, stop)
        with self._lock:
            link = self._link
        if link is None:
            raise EngineClosed("The engine was closed.")
        for frame in link.exchange(op, fields, payload, stop=stop, poll=poll):
            if frame.header.get("event") == "error":
                raise read_error(frame)
            yield frame

    def ask(
        self,
        op: str,
        fields: Mapping[str, Any],
        payload: bytes = b"",
        *,
        stop: Event | None = None,
        again: bool = False,
    ) -> Frame:
        """Send one request with one reply; `again` repeats it once after a crash."""
        try:
            reply = self._only(self.exchange(op, fields, payload, stop=stop))
        except EngineCrashed:
            if not again:
                raise
            reply = self._only(self.exchange(op, fields, payload, stop=stop))
        return reply

    def worked(self) -> None:
        """Note that real work was finished, so that earlier crashes no longer count."""
        self._crashes = 0

    def close(self) -> None:
        """End the engine within a second, even one that is still loading: hence without the lock."""
        self._closed = True
        link = self._link
        if link is not None:
            link.close()

    @staticmethod
    def _only(frames: Iterator[Frame]) -> Frame:
        """Give the one frame that answers a question."""
        for frame in frames:
            if frame.header.get("event") in {"result", "error"}:
                return frame
            raise EngineCrashed("The engine answered a question with something else.")
        raise EngineCrashed("The engine did not answer.")

    def _note_death(self) -> None:
        """Count the end of the last engine, once."""
        if self._link is not None and not self._link.alive:
            if isinstance(self._link.death, EngineCrashed):
                self._crashes += 1
            self._link, self._loaded = None, None

    def _check_file(self) -> None:
        """Refuse to load again what is no longer the file that was opened."""
        try:
            found = os.stat(self._path)  # noqa: PTH116 (the plain call: a link, a folder, anything)
        except OSError as error:
            raise ModelMissing(f"The file {self._path.name} is not there any more.") from error
        stamp = (found.st_ino, found.st_size, found.st_mtime_ns)
        if self._stamp is not None and stamp != self._stamp:
            raise ModelChanged(f"The file {self._path.name} was changed while it was in use.")
        self._stamp = stamp

    def _start(self, poll: Callable[[], None]) -> Frame:
        link = EngineLink(
            self._command,
            current_environment(),
            self._log,
            heartbeat_s=self._settings.heartbeat_s,
            stall_s=self._settings.stall_s,
        )
        self._link = link  # known at once, so that `close` can end a start
        try:
            reply = self._load(link, poll)
        except BaseException as error:
            if isinstance(error, Interrupted):
                link.kill("was stopped while it was starting")
            link.close()
            self._link = None
            if isinstance(error, EngineCrashed):
                if any(name in error.detail for name in _DAMAGE):
                    damaged = f"{self._path.name} is damaged: loading it ended the engine."
                    raise ModelUnusable(damaged) from error
                self._crashes += 1
            raise
        if self._closed:
            link.close()
            raise EngineClosed("The engine was closed.")
        return reply

    def _load(self, link: EngineLink, poll: Callable[[], None]) -> Frame:
        link.start(poll)
        reply = self._only(link.exchange("open", self._fields, poll=poll))
        if reply.header.get("event") == "error":
            raise read_error(reply)
        return reply


def _polling(poll: Callable[[], None] | None, stop: Event | None) -> Callable[[], None]:
    """Join what is to be done while an engine starts with what may end that."""

    def look() -> None:
        if stop is not None and stop.is_set():
            raise Interrupted("The start of the model was stopped.")
        if poll is not None:
            poll()

    return look
