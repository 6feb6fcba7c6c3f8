"""The child's main: one thread reads requests, one does the work, one answers questions of size.

Owns the life of an engine process: its standard streams (what a native library prints must never reach the
line of frames), its limits, its end when the parent is gone. The main thread owns the model; the reading
thread only queues, cancels and answers signs of life, so it answers them in the middle of any native call.
"""

import ctypes
import faulthandler
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from threading import Lock, Thread
from typing import Any, BinaryIO, NoReturn

from models.engine import wire
from models.engine.inbox import Inbox, Job
from models.engine.protocol import VERSION, Frame, ProtocolBrokenError, encode, read_frame
from models.errors import ModelError, ModelMissing, ModelUnusable
from models.types import EngineSettings, Sampling, StopReason, StreamEvent, StreamFinished

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4


def main(arguments: list[str]) -> int:
    """Run an engine until its input ends."""
    if arguments[:1] == ["convert"]:
        from models.convert_minilm import main as convert  # noqa: PLC0415 (a role of its own)

        return convert(arguments[1:])
    return _serve()


def _serve() -> NoReturn:
    """Introduce ourselves and answer requests for ever."""
    incoming, outgoing = _own_streams()
    _restrict_process()
    server = Server(incoming, outgoing)
    server.send(Frame({"id": 0, "event": "hello", "protocol": VERSION, "pid": os.getpid()}))
    Thread(target=server.listen, name="reader", daemon=True).start()
    Thread(target=server.answer_questions, name="questions", daemon=True).start()
    server.work()


class Server:
    """Answers requests with whichever model it was told to open."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._writing = Lock()
        self._inbox = Inbox()
        self._chat: Any = None
        self._embed: Any = None

    def send(self, frame: Frame) -> None:
        """Write a frame; a parent that no longer listens ends this process."""
        try:
            with self._writing:
                self._outgoing.write(encode(frame))
                self._outgoing.flush()
        except OSError:
            _leave()

    # ---- the reading thread ---------------------------------------------------------------------

    def listen(self) -> None:
        """Take requests until the line ends, and then end this process."""
        with suppress(ProtocolBrokenError, OSError, KeyError, TypeError, ValueError):
            while (frame := read_frame(self._incoming)) is not None:
                self._take(frame)
        _leave()

    def _take(self, frame: Frame) -> None:
        match frame.header["op"]:
            case "ping":
                still_s, quick_s = round(self._inbox.still_s(), 3), round(self._inbox.quick_s(), 3)
                self.send(Frame({"id": 0, "event": "pong", "still_s": still_s, "quick_s": quick_s}))
            case "cancel":
                self._inbox.cancel(int(frame.header["id"]))
            case "credit":
                self._inbox.give_credit(int(frame.header["id"]), int(frame.header["n"]))
            case _:
                self._inbox.add(frame)

    # ---- the working thread ---------------------------------------------------------------------

    def work(self) -> NoReturn:
        """Do one job after the other."""
        while True:
            self._do(self._inbox.next())

    def answer_questions(self) -> NoReturn:
        """Answer questions of size, which the native tokenizer allows beside an evaluation."""
        while True:
            self._do(self._inbox.next_quick())

    def step(self) -> None:
        """Note that the running job got on."""
        self._inbox.step()

    def _do(self, job: Job) -> None:
        """Do a job and answer it, whatever happens."""
        try:
            self._handlers()[str(job.frame.header["op"])](job)
        except ModelError as error:
            self.send(wire.error_frame(job.number, error))
        except Exception as error:  # noqa: BLE001 (the edge of the worker)
            _print_without_values(error)
            broken = ModelUnusable(f"The engine failed in an unexpected way ({type(error).__name__}).")
            self.send(wire.error_frame(job.number, broken))

    def _handlers(self) -> dict[str, Callable[[Job], None]]:
        return {
            "open": self._open,
            "count": self._count,
            "measure": self._measure,
            "stream": self._stream,
            "prefill": self._prefill,
            "complete": self._complete,
            "evict": self._evict,
            "reset": self._reset,
            "embed": self._embed_texts,
        }

    def _open(self, job: Job) -> None:
        header = job.frame.header
        path, settings = Path(header["path"]), EngineSettings(**header["settings"])
        name, sha256 = str(header["name"]), str(header["sha256"])
        if header["role"] == "chat":
            from models.llama_chat import LlamaChat  # noqa: PLC0415 (native code, only when asked for)

            self._chat = LlamaChat(path, settings, name=name, sha256=sha256)
            self._result(job, card=wire.card_fields(self._chat.card))
            return
        if header["role"] == "tokens":
            from models.llama_tokens import LlamaTokens  # noqa: PLC0415 (native code, only when asked for)

            self._chat = LlamaTokens(path, settings, sha256=sha256)
            self._result(job)
            return
        if path.is_dir():
            from models.sentence_embed import SentenceEmbed  # noqa: PLC0415 (torch, only when asked for)

            self._embed = SentenceEmbed(path, settings, name=name, sha256=sha256)
        else:
            from models.llama_embed import LlamaEmbed  # noqa: PLC0415 (native code, only when asked for)

            self._embed = LlamaEmbed(path, settings, name=name, sha256=sha256)
        self._result(job, identity=asdict(self._embed.identity))

    def _count(self, job: Job) -> None:
        self._reply(job, self._loaded_chat().count(wire.unpack_texts(job.frame.payload)))

    def _measure(self, job: Job) -> None:
        measured = self._loaded_chat().measure(wire.unpack_messages(job.frame.payload))
        self._reply(job, wire.plain(measured))

    def _stream(self, job: Job) -> None:
        chat = self._loaded_chat()
        sampling = Sampling(**job.frame.header["sampling"])
        events = chat.stream(wire.unpack_messages(job.frame.payload), sampling, _Control(self, job))
        self._send_events(job, events)

    def _send_events(self, job: Job, events: Iterator[StreamEvent]) -> None:
        """Send events as far as the other end allows; the last one always."""
        for event in events:
            if isinstance(event, StreamFinished):
                self.send(wire.event_frame(job.number, event))
                return
            self._inbox.wait_for_credit(job)
            if job.credit > 0:
                job.credit -= 1
                self.send(wire.event_frame(job.number, event))
        gone = StreamFinished(StopReason.STOPPED, 0, 0.0, 0.0, 0, 0)
        self.send(wire.event_frame(job.number, gone))

    def _prefill(self, job: Job) -> None:
        done = self._loaded_chat().prefill(wire.unpack_messages(job.frame.payload), _Control(self, job))
        self._reply(job, wire.plain(done))

    def _complete(self, job: Job) -> None:
        header = job.frame.header
        text = self._loaded_chat().complete(
            wire.unpack_messages(job.frame.payload),
            header["schema"],
            Sampling(**header["sampling"]),
            _Control(self, job),
        )
        self.send(Frame({"id": job.number, "event": "result"}, text.encode("utf-8", "replace")))

    def _evict(self, job: Job) -> None:
        done = self._loaded_chat().evict(int(job.frame.header["start"]), int(job.frame.header["end"]))
        self._result(job, done=done)

    def _reset(self, job: Job) -> None:
        self._loaded_chat().reset()
        self._result(job)

    def _embed_texts(self, job: Job) -> None:
        if self._embed is None:
            raise ModelMissing("No embedding model is open.")
        vectors = self._embed.embed(wire.unpack_texts(job.frame.payload))
        self.send(Frame({"id": job.number, "event": "result"}, vectors))

    def _loaded_chat(self) -> Any:
        if self._chat is None:
            raise ModelMissing("No chat model is open.")
        return self._chat

    def _reply(self, job: Job, answer: object) -> None:
        self.send(wire.reply_frame(job.number, answer))

    def _result(self, job: Job, **fields: object) -> None:
        self.send(Frame({"id": job.number, "event": "result", **fields}))


class _Control:
    """Lets a running job be stopped, and tells that it gets on."""

    def __init__(self, server: Server, job: Job) -> None:
        self._server = server
        self._job = job

    @property
    def stopped(self) -> bool:
        """Tell whether the work should end."""
        return self._job.stopped

    def step(self) -> None:
        """Note that the work got on."""
        self._server.step()


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """Take the two pipes for ourselves, and point the usual streams where no harm is done."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb")


def _restrict_process() -> None:
    """Make this process die with its parent and leave no image of its memory behind."""
    faulthandler.enable()
    if os.name != "posix":
        return
    import resource  # noqa: PLC0415 (not on every system)

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _leave() -> NoReturn:
    """End at once, native threads and all."""
    os._exit(0)


def _print_without_values(error: BaseException) -> None:
    """Print where an error came from, and nothing that it may have had in hand."""
    for place in traceback.extract_tb(error.__traceback__):
        sys.stderr.write(f"{Path(place.filename).name}:{place.lineno} in {place.name}\n")
    sys.stderr.write(f"{type(error).__name__}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
