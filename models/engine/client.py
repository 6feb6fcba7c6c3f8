"""The parent's side: a chat and an embedder that live in processes of their own.

Owns the shape of the two runtimes and what happens when an engine dies under an answer: before the first
word the prompt is sent again by itself, after it the answer ends with `ENGINE_DIED`. Never imports a
native library. Calls block; one thread at a time streams, others may count or embed meanwhile.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from threading import Event
from typing import Any, ClassVar

from models.engine.host import EngineHost
from models.engine.wire import (
    pack_messages,
    pack_texts,
    read_card,
    read_counts,
    read_done,
    read_event,
    read_identity,
    read_measured,
    read_prefilled,
    read_text,
)
from models.errors import EngineClosed, EngineCrashed, EngineUnavailable, Interrupted, ModelMissing
from models.types import (
    ChatMessage,
    Chunk,
    EmbedIdentity,
    EngineSettings,
    Measured,
    ModelCard,
    Prefilled,
    Sampling,
    StopReason,
    StreamEvent,
    StreamFinished,
    StreamStarted,
    Thinking,
)

_EMBED_BATCH = 32
"""Texts a request: small enough that a question asked meanwhile waits for few of them."""


class _Engine:
    """A model in a process of its own, whatever it is for."""

    _role: ClassVar[str]

    def __init__(
        self,
        path: Path,
        settings: EngineSettings = EngineSettings(),  # noqa: B008 (frozen)
        *,
        sha256: str = "",
        name: str = "",
        log_file: Path | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        fields = {
            "role": self._role,
            "path": str(path),
            "name": name or path.stem,
            "sha256": sha256,
            "settings": asdict(settings),
        }
        self._host = EngineHost(
            self._role, path, fields, settings=settings, log_file=log_file, command=command
        )

    @property
    def pid(self) -> int:
        """Give the engine's process id; 0 when none runs."""
        return self._host.pid

    @property
    def log_tail(self) -> str:
        """Give the engine's last words, safe to show."""
        return self._host.log_tail

    def close(self) -> None:
        """End the engine, and with it everything it still held of a conversation."""
        self._host.close()


class ChatEngine(_Engine):
    """A chat model in its own process."""

    _role = "chat"
    _card: ModelCard | None = None

    @property
    def card(self) -> ModelCard:
        """Describe the loaded model."""
        if self._card is None:
            raise ModelMissing("No model is loaded.")
        return self._card

    def open(self) -> ModelCard:
        """Start the engine and load the model."""
        self._card = read_card(self._host.open())
        return self._card

    def count(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text, without any framing."""
        if not texts:
            return []
        return read_counts(self._host.ask("count", {}, pack_texts(texts), again=True), len(texts))

    def measure(self, messages: Sequence[ChatMessage]) -> Measured:
        """Count a prompt exactly as it would be sent."""
        return read_measured(self._host.ask("measure", {}, pack_messages(messages), again=True))

    def stream(
        self,
        messages: Sequence[ChatMessage],
        sampling: Sampling,
        stop: Event,
        poll: Callable[[], None] | None = None,
    ) -> Iterator[StreamEvent]:
        """Answer, event by event; `poll` runs at least every 50 ms, between events."""
        payload = pack_messages(messages)
        fields = {"sampling": asdict(sampling)}
        progress = _Progress()
        for attempt in (1, 2):
            try:
                for frame in self._host.exchange("stream", fields, payload, stop=stop, poll=poll):
                    event = read_event(frame)
                    progress.see(event)
                    if progress.finished:
                        self._host.worked()
                    yield event
            except Interrupted:  # stopped while it was being started
                yield progress.ended(StopReason.STOPPED)
            except EngineClosed:
                if not progress.spoke:
                    raise
                yield progress.ended(StopReason.STOPPED)
            except EngineCrashed as error:
                if stop.is_set():
                    yield progress.ended(StopReason.STOPPED)
                elif progress.spoke:
                    yield progress.ended(StopReason.ENGINE_DIED)
                elif attempt == 1:
                    continue
                else:
                    raise EngineUnavailable("The engine ended twice before its first word.") from error
            return

    def prefill(self, messages: Sequence[ChatMessage], stop: Event) -> Prefilled:
        """Evaluate a prompt ahead of time; the next message interrupts it."""
        try:
            return read_prefilled(self._host.ask("prefill", {}, pack_messages(messages), stop=stop))
        except Interrupted:  # while the engine was being started
            return Prefilled(finished=False, evaluated=0, reused=0)

    def complete(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any], sampling: Sampling, stop: Event
    ) -> str:
        """Write one JSON text of the given shape, leaving the conversation's cache as it was.

        Raises `Interrupted` when `stop` was set or a message came meanwhile.
        """
        fields = {"sampling": asdict(sampling), "schema": dict(schema)}
        reply = self._host.ask("complete", fields, pack_messages(messages), stop=stop)
        self._host.worked()
        return read_text(reply)

    def evict(self, start: int, end: int) -> bool:
        """Drop prompt tokens [start, end) from the cache; False when the runtime cannot."""
        return read_done(self._host.ask("evict", {"start": start, "end": end}))

    def reset(self) -> None:
        """Forget every evaluated token, saved ones included."""
        if self._host.pid:
            self._host.ask("reset", {})


class EmbedEngine(_Engine):
    """An embedding model in its own process."""

    _role = "embed"
    _identity: EmbedIdentity | None = None

    @property
    def identity(self) -> EmbedIdentity:
        """Say which vectors these are."""
        if self._identity is None:
            raise ModelMissing("No embedding model is loaded.")
        return self._identity

    @property
    def dims(self) -> int:
        """Give the number of dimensions."""
        return self.identity.dims

    def open(self) -> EmbedIdentity:
        """Start the engine and load the model."""
        self._identity = read_identity(self._host.open())
        return self._identity

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Give one vector a text: little-endian float32 of length one, end to end."""
        vectors: list[bytes] = []
        size = 4 * self.dims
        for first in range(0, len(texts), _EMBED_BATCH):
            batch = texts[first : first + _EMBED_BATCH]
            reply = self._host.ask("embed", {}, pack_texts(batch), again=True)
            if len(reply.payload) != size * len(batch):
                raise EngineCrashed("The engine returned vectors of another size.")
            vectors += [reply.payload[size * i : size * (i + 1)] for i in range(len(batch))]
        if vectors:
            self._host.worked()
        return vectors


class _Progress:
    """What has been seen of an answer, in case it must be ended from here."""

    def __init__(self) -> None:
        self.spoke = False
        self.finished = False
        self._n_tokens = 0
        self._evaluated = 0
        self._reused = 0

    def see(self, event: StreamEvent) -> None:
        match event:
            case StreamStarted():
                self._evaluated, self._reused = event.evaluated, event.reused
            case Chunk():
                self.spoke = True
                self._n_tokens += event.n_tokens
            case Thinking():
                self.spoke = True
            case StreamFinished():
                self.finished = True
            case _:
                pass

    def ended(self, reason: StopReason) -> StreamFinished:
        return StreamFinished(reason, self._n_tokens, 0.0, 0.0, self._evaluated, self._reused)
