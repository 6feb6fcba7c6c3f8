"""Exact token counts from the chat model, asked once per text.

Counts are kept by a hash of the content, in memory only and bounded; they belong to one model.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from models.ports import ChatRuntime
from models.types import ChatMessage

KEPT = 4096


class TokenCounter:
    """Counts content and framing for one loaded model."""

    def __init__(self, engine: ChatRuntime) -> None:
        self._engine = engine
        self._counts: OrderedDict[int, tuple[int, int]] = OrderedDict()
        self._frame: int | None = None

    def __call__(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text."""
        missing = [text for text in texts if self._find(text) is None]
        if missing:
            for text, tokens in zip(missing, self._engine.count(missing), strict=True):
                self._counts[hash(text)] = (len(text), tokens)
        counts = [self._find(text) for text in texts]
        while len(self._counts) > KEPT:
            self._counts.popitem(last=False)
        return [count if count is not None else 0 for count in counts]

    def _find(self, text: str) -> int | None:
        kept = self._counts.get(hash(text))
        return kept[1] if kept is not None and kept[0] == len(text) else None

    @property
    def frame(self) -> int:
        """Tokens that the template puts around one message, at most, with what opens an answer."""
        if self._frame is None:
            roles = (ChatMessage("system", "a"), ChatMessage("user", "a"), ChatMessage("assistant", "a"))
            measured = self._engine.measure(roles)
            one = self([roles[0].text])[0]
            self._frame = max(tokens - one for tokens in measured.per_message) + measured.framing
        return self._frame
