"""What happens during one turn, in order, as values. Screens and verbs both read this stream.

TurnBegan → PromptAssembled → (ReadingPrompt | Thinking | TokenDelta | Notice)* → AnswerFinished, then
MemoryChanged when something was remembered. TurnFailed ends a turn whose answer could not be made; the
user's words are on disk by then.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.problems import Problem
from memory.records import AssembledPrompt, Decided, Message, Recall, Turn, Usage


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """The user's words are committed, with what the rules found in them."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class PromptAssembled:
    """The prompt is complete; comes before the first token."""

    prompt: AssembledPrompt
    recall: Recall


@dataclass(frozen=True, slots=True)
class ReadingPrompt:
    """The engine has evaluated ``done`` of ``total`` new prompt tokens."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Thinking:
    """Words of a thinking model that are not part of the answer and are not remembered."""

    text: str


@dataclass(frozen=True, slots=True)
class TokenDelta:
    """The next words of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Words for the user about this turn (a restart of the engine, a masked secret)."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerFinished:
    """The answer is committed."""

    message: Message
    stop_reason: str
    """"end", "length", "stopped" or "engine_died"."""
    usage: Usage | None


@dataclass(frozen=True, slots=True)
class MemoryChanged:
    """Something was remembered, changed or proposed because of this turn."""

    decided: tuple[Decided, ...]


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """No answer could be made; the user's words are safe."""

    problem: Problem
    error: Exception | None = None
    """What the problem is the words for."""


TurnEvent = (
    TurnBegan
    | PromptAssembled
    | ReadingPrompt
    | Thinking
    | TokenDelta
    | Notice
    | AnswerFinished
    | MemoryChanged
    | TurnFailed
)
