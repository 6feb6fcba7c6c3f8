"""One engine process and the line to it, from its start to its end.

Owns the pipes, three threads (one reads, one writes, one empties the engine's log) and the judgement that
an engine is dead or deaf; knows no operation by meaning. The surprise: the process is started by the
reading thread, because Linux ties "die with your parent" to the thread that started the child.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any

from models.engine.log import BoundedLog
from models.engine.mailbox import Mailbox
from models.engine.protocol import (
    STREAM_CREDIT,
    VERSION,
    Frame,
    ProtocolBrokenError,
    Readable,
    encode,
    read_frame,
)
from models.errors import EngineClosed, EngineCrashed, ModelError, RuntimeMissing

HELLO = 0
"""Request number of what an engine says unasked."""
TICK_S = 0.02
_START_S = 60.0
_CLOSE_S = 0.8
_FINAL = frozenset({"finished", "result", "error"})


class EngineLink:
    """A running engine, spoken to by request number."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        log: BoundedLog,
        *,
        heartbeat_s: float,
        stall_s: float,
    ) -> None:
        self._command = list(command)
        self._environment = dict(environment)
        self._log = log
        self._heartbeat_s = heartbeat_s
        self._stall_s = stall_s
        self._numbers = count(HELLO + 1)
        self._outgoing: SimpleQueue[bytes | None] = SimpleQueue()
        self._boxes: dict[int, Mailbox] = {HELLO: Mailbox()}
        self._lock = Lock()
        self._death: ModelError | None = None
        self._verdict = ""
        self._closing = Event()
        self._gone = Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._pinged = 0.0
        self._unanswered = 0.0
        self._still_s = 0.0
        self._quick_s = 0.0

    @property
    def pid(self) -> int:
        """Give the engine's process id."""
        return 0 if self._process is None else self._process.pid

    @property
    def alive(self) -> bool:
        """Tell whether requests can still be answered."""
        return self._process is not None and self._death is None

    @property
    def death(self) -> ModelError | None:
        """Give the reason of the end, once there is one."""
        return self._death

    def start(self, poll: Callable[[], None] | None = None) -> None:
        """Start the process and wait until it has introduced itself."""
        Thread(target=self._live, name="engine-reader", daemon=True).start()
        deadline = time.monotonic() + _START_S
        while (hello := self._boxes[HELLO].take(TICK_S)) is None:
            if poll is not None:
                poll()
            if time.monotonic() > deadline:
                self.kill("did not start in time")
        if hello.header.get("event") != "hello" or hello.header.get("protocol") != VERSION:
            self.kill("speaks another protocol than this program")
            self._gone.wait(_CLOSE_S)
            raise self._death or EngineCrashed("The engine speaks another protocol than this program.")

    def exchange(
        self,
        op: str,
        fields: Mapping[str, Any],
        payload: bytes = b"",
        *,
        stop: Event | None = None,
        poll: Callable[[], None] | None = None,
    ) -> Iterator[Frame]:
        """Send a request and give its frames, the last one included; closing the iterator cancels it."""
        number, box = self._open_box()
        over = False
        cancelled_at = 0.0
        taken = 0
        try:
            self._send(Frame({**fields, "op": op, "id": number}, payload))
            while not over:
                if stop is not None and stop.is_set() and not cancelled_at:
                    cancelled_at = time.monotonic()
                    self._send(Frame({"op": "cancel", "id": number}))
                frame = box.take(TICK_S)
                if poll is not None:
                    poll()
                if frame is None:
                    self._watch(cancelled_at)
                    continue
                over = frame.header.get("event") in _FINAL
                taken += 1
                if taken == STREAM_CREDIT // 2:
                    self._send(Frame({"op": "credit", "id": number, "n": taken}))
                    taken = 0
                yield frame
        finally:
            self._close_box(number)
            if not over and self.alive:
                self._send(Frame({"op": "cancel", "id": number}))

    def kill(self, verdict: str) -> None:
        """End the process at once; `verdict` completes the sentence "The engine …"."""
        self._verdict = self._verdict or verdict
        process = self._process
        if process is not None and process.poll() is None:
            with suppress(ProcessLookupError):
                process.kill()

    def close(self) -> None:
        """End the process: kindly by closing its input, and within a second in any case."""
        self._closing.set()
        self._outgoing.put(None)
        if self._process is None:
            return
        if not self._gone.wait(_CLOSE_S):
            self.kill("was closed")
            self._gone.wait(_CLOSE_S)

    # ---- requests ---------------------------------------------------------------------------------

    def _open_box(self) -> tuple[int, Mailbox]:
        with self._lock:
            if self._death is not None:
                raise self._death
            number = next(self._numbers)
            box = self._boxes[number] = Mailbox()
        return number, box

    def _close_box(self, number: int) -> None:
        with self._lock:
            self._boxes.pop(number, None)

    def _send(self, frame: Frame) -> None:
        self._outgoing.put(encode(frame))

    def _watch(self, cancelled_at: float) -> None:
        """Look for signs of life, and end an engine that shows none."""
        now = time.monotonic()
        if now - self._pinged > self._heartbeat_s / 4:
            self._pinged = now
            self._unanswered = self._unanswered or now
            self._send(Frame({"op": "ping", "id": HELLO}))
        if self._unanswered and now - self._unanswered > self._heartbeat_s:
            self.kill("stopped responding")
        elif self._still_s > self._stall_s:
            self.kill("was stuck in one step")
        elif self._quick_s > self._heartbeat_s:
            self.kill("was stuck on a question of size")
        elif cancelled_at and now - cancelled_at > self._heartbeat_s / 2:
            self.kill("did not stop when asked")

    # ---- the threads ------------------------------------------------------------------------------

    def _live(self) -> None:
        """Start the process, read it to its end, and say why it ended."""
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self._environment,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            self._die(EngineCrashed(f"The engine could not be started: {error.strerror}."))
            return
        self._process = process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        drain = Thread(target=self._drain, args=(process.stderr,), name="engine-log", daemon=True)
        drain.start()
        Thread(target=self._write, args=(process.stdin,), name="engine-writer", daemon=True).start()
        with process.stdout:
            self._read(process.stdout)
        self._outgoing.put(None)
        try:
            code = process.wait(_CLOSE_S)
        except subprocess.TimeoutExpired:
            self.kill("closed its line but did not end")
            code = process.wait()
        drain.join(_CLOSE_S)
        self._die(self._reason(code))

    def _read(self, stdout: Readable) -> None:
        """Hand frames to their requests until the line ends or is no longer to be trusted."""
        try:
            while (frame := read_frame(stdout)) is not None:
                number, event = frame.header.get("id"), frame.header.get("event")
                if not isinstance(number, int) or not isinstance(event, str):
                    raise ProtocolBrokenError("a frame belongs to no request")  # noqa: TRY301
                self._unanswered = 0.0
                if event == "pong":
                    self._still_s = float(frame.header.get("still_s", 0.0))
                    self._quick_s = float(frame.header.get("quick_s", 0.0))
                    continue
                with self._lock:
                    box = self._boxes.get(number)
                if box is not None and not box.put(frame):
                    self.kill("sent more than it was asked for")
                    return
        except (ProtocolBrokenError, OSError, TypeError, ValueError):
            self.kill("sent something unreadable")

    def _write(self, stdin: Any) -> None:
        """Send what is queued; a broken pipe is noticed by the reader, not here."""
        with suppress(OSError):
            while (block := self._outgoing.get()) is not None:
                view = memoryview(block)
                while view:
                    view = view[stdin.write(view) :]
        with suppress(OSError):
            stdin.close()

    def _drain(self, stderr: Any) -> None:
        with stderr:
            while block := stderr.read(16 * 1024):
                self._log.write(block)

    def _die(self, reason: ModelError) -> None:
        with self._lock:
            self._death = reason
            boxes = list(self._boxes.values())
        for box in boxes:
            box.end(reason)
        self._gone.set()

    def _reason(self, code: int) -> ModelError:
        """Put the end into words."""
        if self._closing.is_set():
            return EngineClosed("The engine was closed.")
        if self._verdict:
            return EngineCrashed(f"The engine {self._verdict}.", self._log.tail())
        if os.name == "posix" and code == -signal.SIGILL:
            return RuntimeMissing("The installed llama.cpp was built for another processor.")
        if code < 0:
            return EngineCrashed(f"The engine died ({_signal_name(-code)}).", self._log.tail())
        return EngineCrashed(f"The engine ended by itself (exit code {code}).", self._log.tail())


def _signal_name(number: int) -> str:
    """Name a signal; some have numbers only."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
