"""A chat that says what it is told, with exactly the shape of an engine; the hashing embedder stands beside it.

Owns no model and no process; used by tests and by a demonstration without a download. They keep the rules
the real ones keep: prompts are counted, a common beginning is re-used, a stop ends an answer at once.
"""

import hashlib
import json
import re
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from models.errors import ContextOverflow, EngineClosed, EngineUnavailable, Interrupted
from models.hash_embedder import HashEmbedder
from models.types import (
    ChatMessage,
    Chunk,
    Measured,
    ModelCard,
    Prefilled,
    PromptProgress,
    Sampling,
    StopReason,
    StreamEvent,
    StreamFinished,
    StreamStarted,
    Thinking,
)

__all__ = ["Answer", "HashEmbedder", "Script", "ScriptedChat", "echo"]

Answer = Callable[[Sequence[ChatMessage]], str]
_WORDS = re.compile(r"\w+|[^\w\s]|\s+")
_MEMORY = re.compile(r"<memory>(.*?)</memory>", re.DOTALL)
_BATCH = 128
_TICK_S = 0.02


@dataclass(frozen=True, slots=True)
class Script:
    """One scripted answer."""

    text: str | Answer
    thinking: str = ""
    delay_s: float = 0.0
    """Pause before every piece of the answer; `poll` keeps running in it."""
    read_delay_s: float = 0.0
    """Pause before every batch of the prompt."""
    dies_after: int | None = None
    """Pieces after which the engine dies; 0 is before the first word."""


def echo(messages: Sequence[ChatMessage]) -> str:
    """Say what the memory block of the last message holds, else the message's last line."""
    text = messages[-1].text
    found = _MEMORY.search(text)
    return found[1].strip() if found else f"You said: {text.strip().splitlines()[-1] if text.strip() else ''}"


class ScriptedChat:
    """A chat that answers from a script, and remembers what it was asked."""

    def __init__(self, answer: Answer = echo, *, n_ctx: int = 16_384) -> None:
        self.prompts: list[tuple[ChatMessage, ...]] = []
        self.resets = 0
        self.evicted: list[tuple[int, int]] = []
        self.is_open = False
        self._answer = answer
        self._scripts: deque[Script] = deque()
        self._held: list[str] = []
        self._card = ModelCard(
            name="scripted",
            path=Path("scripted"),
            sha256=hashlib.sha256(b"scripted").hexdigest(),
            architecture="scripted",
            n_params=0,
            n_ctx_train=n_ctx,
            n_ctx=n_ctx,
            template_kind="chatml",
            kv_bytes_per_token=0,
            quantisation="none",
            file_bytes=0,
        )

    @property
    def card(self) -> ModelCard:
        """Describe the stand-in."""
        return self._card

    @property
    def pid(self) -> int:
        """Give no process id: there is no process."""
        return 0

    @property
    def log_tail(self) -> str:
        """Give no last words."""
        return ""

    def enqueue(self, text: str | Answer, **how: Any) -> None:
        """Script the next answer; `how` are the other fields of a `Script`."""
        self._scripts.append(Script(text, **how))

    def open(self) -> ModelCard:
        """Start afresh."""
        self.is_open = True
        return self._card

    def close(self) -> None:
        """Forget what was read, and refuse further work."""
        self.is_open = False
        self._held.clear()

    def count(self, texts: Sequence[str]) -> list[int]:
        """Count words, marks and gaps."""
        self._check_open()
        return [len(_tokens(text)) for text in texts]

    def measure(self, messages: Sequence[ChatMessage]) -> Measured:
        """Count a prompt exactly as it would be read."""
        self._check_open()
        shares = tuple(len(_framed(message)) for message in messages)
        ids = _prompt(messages)
        return Measured(shares, len(ids) - sum(shares), len(ids), self._name(ids))

    def stream(
        self,
        messages: Sequence[ChatMessage],
        sampling: Sampling,
        stop: Event,
        poll: Callable[[], None] | None = None,
    ) -> Iterator[StreamEvent]:
        """Answer with the next script."""
        self._check_open()
        self.prompts.append(tuple(messages))
        script = self._scripts.popleft() if self._scripts else Script(self._answer)
        ids = _prompt(messages)
        if len(ids) >= self._card.n_ctx:
            raise ContextOverflow(f"The prompt has {len(ids)} tokens, the window holds {self._card.n_ctx}.")
        reused = min(_common(self._held, ids), len(ids) - 1)
        begun = time.monotonic()
        del self._held[reused:]
        for first in range(reused, len(ids), _BATCH):
            if _pause(script.read_delay_s, stop, poll):
                yield StreamFinished(StopReason.STOPPED, 0, 0.0, 0.0, len(self._held) - reused, reused)
                return
            self._held += ids[first : first + _BATCH]
            yield PromptProgress(len(self._held) - reused, len(ids) - reused)
        yield StreamStarted(len(ids), reused, len(ids) - reused, self._name(ids))
        yield from self._speak(script, messages, sampling, stop, poll, begun, len(ids) - reused, reused)

    def prefill(self, messages: Sequence[ChatMessage], stop: Event) -> Prefilled:
        """Read a prompt ahead of time."""
        self._check_open()
        ids = [token for message in messages for token in _framed(message)]
        reused = _common(self._held, ids)
        if stop.is_set():
            return Prefilled(finished=False, evaluated=0, reused=reused)
        self._held = ids
        return Prefilled(finished=True, evaluated=len(ids) - reused, reused=reused)

    def complete(
        self,
        messages: Sequence[ChatMessage],  # noqa: ARG002 (the shape of the engines)
        schema: Mapping[str, Any],
        sampling: Sampling,  # noqa: ARG002 (as above)
        stop: Event,
    ) -> str:
        """Give the emptiest JSON text that the shape allows."""
        self._check_open()
        if stop.is_set():
            raise Interrupted("The background work gave way.")
        return json.dumps(_emptiest(schema))

    def evict(self, start: int, end: int) -> bool:
        """Drop read tokens [start, end)."""
        self._check_open()
        if not 0 <= start < end <= len(self._held):
            return False
        self.evicted.append((start, end))
        del self._held[start:end]
        return True

    def reset(self) -> None:
        """Forget everything read."""
        self.resets += 1
        self._held.clear()

    def _speak(
        self,
        script: Script,
        messages: Sequence[ChatMessage],
        sampling: Sampling,
        stop: Event,
        poll: Callable[[], None] | None,
        begun: float,
        evaluated: int,
        reused: int,
    ) -> Iterator[StreamEvent]:
        text = script.text if isinstance(script.text, str) else script.text(messages)
        reason, first_ms, n = StopReason.END, 0.0, 0
        if script.thinking:
            yield Thinking(script.thinking)
        for n, piece in enumerate(_tokens(text.strip())):
            if script.dies_after == n:
                yield self._die(n, evaluated, reused)
                return
            if n >= sampling.max_tokens:
                reason = StopReason.LENGTH
                break
            if _pause(script.delay_s, stop, poll):
                reason = StopReason.STOPPED
                break
            first_ms = first_ms or (time.monotonic() - begun) * 1000
            self._held.append(piece)
            yield Chunk(piece, 1)
        else:
            n = len(_tokens(text.strip()))
        yield StreamFinished(reason, n, first_ms, 0.0, evaluated, reused)

    def _die(self, n_tokens: int, evaluated: int, reused: int) -> StreamFinished:
        """End like an engine that was killed: quietly after words, with an error before the first one."""
        self._held.clear()
        if n_tokens == 0:
            raise EngineUnavailable("The scripted engine kept ending.")
        return StreamFinished(StopReason.ENGINE_DIED, n_tokens, 0.0, 0.0, evaluated, reused)

    def _check_open(self) -> None:
        if not self.is_open:
            raise EngineClosed("The engine was closed.")

    def _name(self, ids: Sequence[str]) -> str:
        return hashlib.sha256("\x00".join([self._card.sha256, *ids]).encode("utf-8", "replace")).hexdigest()


def _tokens(text: str) -> list[str]:
    return _WORDS.findall(text)


def _framed(message: ChatMessage) -> list[str]:
    return [f"<{message.role}>", *_tokens(message.text.strip()), "</>"]


def _prompt(messages: Sequence[ChatMessage]) -> list[str]:
    return [*(token for message in messages for token in _framed(message)), "<assistant>"]


def _common(held: Sequence[str], ids: Sequence[str]) -> int:
    for index, (one, other) in enumerate(zip(held, ids, strict=False)):
        if one != other:
            return index
    return min(len(held), len(ids))


def _pause(seconds: float, stop: Event, poll: Callable[[], None] | None) -> bool:
    """Wait, polling meanwhile; True when told to stop."""
    deadline = time.monotonic() + seconds
    while True:
        if poll is not None:
            poll()
        left = deadline - time.monotonic()
        if stop.is_set() or left <= 0:
            return stop.is_set()
        stop.wait(min(left, _TICK_S))


def _emptiest(schema: Mapping[str, Any]) -> object:
    """Make the smallest value a schema allows."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: _emptiest(inner) for name, inner in schema.get("properties", {}).items()}
        case "array":
            return [_emptiest(schema["items"]) for _ in range(int(schema.get("minItems", 0)))]
        case "integer" | "number":
            return 0
        case "boolean":
            return False
        case _:
            return ""
