"""What memory needs from the outside, as small as the need.

Satisfied by shape: nothing here imports an implementation, and no implementation imports this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from memory.records import PromptMessage

Clock = Callable[[], datetime]
"""The present instant, timezone-aware; its offset is the user's own zone."""

NewId = Callable[[], str]
"""A fresh text id; later ids sort after earlier ones."""

CountTokens = Callable[[Sequence[str]], list[int]]
"""Exact token counts of plain content strings, by the chat model's own tokenizer."""


class EmbedderIdentity(Protocol):
    """What makes two embeddings comparable."""

    @property
    def name(self) -> str:
        """The model's name."""

    @property
    def sha256(self) -> str:
        """The hash of the model's weights."""

    @property
    def dims(self) -> int:
        """Components of one vector."""

    @property
    def normalised(self) -> bool:
        """Whether vectors have length one."""


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def identity(self) -> EmbedderIdentity:
        """Which model makes the vectors."""

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return one vector per text, ``dims`` little-endian float32 each."""


class Distiller(Protocol):
    """A model that fills a fixed JSON schema from a prompt; never trusted, always checked in code."""

    @property
    def parameters(self) -> int | None:
        """How large the model is; None when nobody knows."""

    def complete(self, messages: Sequence[PromptMessage], schema: Mapping[str, Any]) -> str | None:
        """Return JSON text of the schema's shape; None when it gave way to somebody, or failed."""
