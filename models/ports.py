"""The two shapes every runtime of this package has: a chat and an embedder.

Owns the promise, not the machinery: an engine process, a remote server and the scripted stand-ins all
fit it, and one body of tests holds them to it. All calls block, and may come from any one thread at a time.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Event
from typing import Any, Protocol

from models.types import (
    ChatMessage,
    EmbedIdentity,
    Measured,
    ModelCard,
    Prefilled,
    Sampling,
    StreamEvent,
)


class ChatRuntime(Protocol):
    """Something that answers a conversation."""

    @property
    def card(self) -> ModelCard:
        """Describe the loaded model."""
        ...

    def open(self) -> ModelCard:
        """Load the model, if it is not loaded."""
        ...

    def close(self) -> None:
        """Let go of the model and everything it still holds of a conversation."""
        ...

    def count(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text, without any framing."""
        ...

    def measure(self, messages: Sequence[ChatMessage]) -> Measured:
        """Count a prompt exactly as it would be sent."""
        ...

    def stream(
        self,
        messages: Sequence[ChatMessage],
        sampling: Sampling,
        stop: Event,
        poll: Callable[[], None] | None = None,
    ) -> Iterator[StreamEvent]:
        """Answer, event by event; `poll` runs at least every 50 ms, between events."""
        ...

    def prefill(self, messages: Sequence[ChatMessage], stop: Event) -> Prefilled:
        """Evaluate a prompt ahead of time; the next message interrupts it."""
        ...

    def complete(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any], sampling: Sampling, stop: Event
    ) -> str:
        """Write one JSON text of the given shape, leaving the conversation's cache as it was."""
        ...

    def evict(self, start: int, end: int) -> bool:
        """Drop prompt tokens [start, end) from the cache; False when the runtime cannot."""
        ...

    def reset(self) -> None:
        """Forget every evaluated token, saved ones included."""
        ...


class EmbedRuntime(Protocol):
    """Something that turns texts into vectors."""

    @property
    def identity(self) -> EmbedIdentity:
        """Say which vectors these are."""
        ...

    @property
    def dims(self) -> int:
        """Give the number of dimensions."""
        ...

    def open(self) -> EmbedIdentity:
        """Load the model, if it is not loaded."""
        ...

    def close(self) -> None:
        """Let go of the model."""
        ...

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Give one vector a text: little-endian float32 of length one, end to end."""
        ...
