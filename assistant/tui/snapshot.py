"""What the inspector shows, as one frozen value. The pane renders this and asks nobody anything.

A receipt is the same whether it comes from the prompt that was just sent or from a stored trace.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from memory.budget import BudgetSettings, reserve_of
from memory.records import (
    AssembledPrompt,
    Candidate,
    Episode,
    Fact,
    LeftOut,
    Rule,
    SectionUse,
    SentItem,
    Trace,
    Usage,
    WorkingState,
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """Why an answer said what it said, and what it cost."""

    sections: tuple[SectionUse, ...] = ()
    items: tuple[SentItem, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    tokens: int = 0
    window: int = 0
    """0 when the trace does not say."""
    reserve: int = 0
    usage: Usage | None = None
    question: str = ""
    """What memory was searched with; empty when it is not known."""

    @classmethod
    def of_prompt(cls, prompt: AssembledPrompt, question: str = "") -> Receipt:
        """Read it from a prompt that is about to be sent."""
        return cls(
            prompt.sections,
            prompt.items,
            prompt.left_out,
            prompt.tokens,
            prompt.window,
            prompt.reserve,
            question=question,
        )

    @classmethod
    def of_trace(cls, trace: Trace, window: int, question: str = "") -> Receipt:
        """Read it from what was stored with an answer."""
        tokens = trace.usage.prompt_tokens if trace.usage else sum(s.tokens for s in trace.sections)
        reserve = reserve_of(BudgetSettings(window)) if window else 0
        return cls(
            trace.sections, trace.items, trace.left_out, tokens, window, reserve, trace.usage, question
        )

    def with_usage(self, usage: Usage | None) -> Receipt:
        """Add what the turn cost once it is known."""
        return replace(self, usage=usage, tokens=usage.prompt_tokens if usage else self.tokens)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A candidate that waits in Review, with the id that answers it."""

    id: str
    candidate: Candidate
    reason: str = ""
    message: str | None = None
    """The message it came from."""


@dataclass(frozen=True, slots=True)
class Changed:
    """One act on memory, and whether it may be taken back."""

    journal: str
    act: str
    kind: str
    at: datetime
    text: str | None
    """What was changed, as it is now; None when it is gone."""
    can_be_undone: bool
    here: bool = False
    """Whether the conversation on the screen made it."""


@dataclass(frozen=True, slots=True)
class FactDetail:
    """One fact with where it came from and what it was before."""

    fact: Fact
    source: str = ""
    """The user's message, in their words; empty when it is not known."""
    later: tuple[Fact, ...] = ()
    """Other values of the same slot that came after it, newest first."""
    earlier: tuple[Fact, ...] = ()
    """Those that it came after, newest first."""


@dataclass(frozen=True, slots=True)
class InspectorSnapshot:
    """Everything the inspector shows at one moment."""

    receipt: Receipt | None = None
    facts: tuple[Fact, ...] = ()
    detail: FactDetail | None = None
    episodes: tuple[Episode, ...] = ()
    episode: Episode | None = None
    """The one that is shown in full."""
    rules: tuple[Rule, ...] = ()
    working: WorkingState | None = None
    review: tuple[Waiting, ...] = ()
    changes: tuple[Changed, ...] = ()
    """What was written to memory, the last act first."""
    fresh: frozenset[str] = frozenset()
    """Ids that this turn wrote or changed; shown marked."""
