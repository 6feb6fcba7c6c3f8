"""What a person asks to forget, and the plan that answers: every row it reaches, nothing yet done.

Owns shapes only. One surprise: leaving something out of a plan is asking again with a narrower selection, so
that what depends on it is weighed anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from memory.forgetting.wording import Said

Act = Literal["remove", "redact", "empty"]
"""The row goes; the words leave it; its text goes and the row stays, so that the conversation stays whole."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What is to be forgotten."""

    ids: tuple[str, ...] = ()
    """Whole ids of facts, messages, episodes, rules or candidates."""
    about: str = ""
    """Words that are to go wherever they stand."""
    words: tuple[str, ...] = ()
    """Exact words, each to go wherever it stands."""
    since: datetime | None = None
    until: datetime | None = None
    conversation: str | None = None
    source: str | None = None
    """Everything an import brought from there."""
    whole: bool = False
    """Whether a source message goes as a whole, and not only the words that said it."""
    leave: frozenset[str] = frozenset()
    """Ids, or kinds of things, that are to stay."""
    include: frozenset[str] = frozenset()
    """Ids that would only be listed and are to go too."""

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing was asked."""
        return not (
            self.ids
            or self.about.strip()
            or self.words
            or self.since
            or self.until
            or self.conversation
            or self.source
        )

    def leaving(self, *names: str) -> Selection:
        """Return the same without these ids or kinds."""
        return replace(self, leave=self.leave | set(names), include=self.include - set(names))

    def including(self, *names: str) -> Selection:
        """Return the same with these ids, which were only listed."""
        return replace(self, include=self.include | set(names), leave=self.leave - set(names))


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that a plan reaches."""

    kind: str
    """"fact", "message", "answer", "episode", "rule", "candidate", "conversation", "title", "summary", "working",
    "draft", "golden", "attachment", "persona" or "trace"."""
    id: str
    text: str
    act: Act
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ForgetPlan:
    """Everything that a forget would touch, and what it would leave alone."""

    selection: Selection
    chosen: tuple[Target, ...]
    ticked: tuple[Target, ...]
    """What was made of the chosen, or says subject and value."""
    listed: tuple[Target, ...]
    """What merely holds the same words; it stays unless included."""
    said: tuple[Said, ...]
    follows: Mapping[str, int] = field(default_factory=dict)
    """How many rows without a decision of their own go along: items, vectors, versions, receipts."""

    @property
    def targets(self) -> tuple[Target, ...]:
        """Return all that will be changed."""
        return self.chosen + self.ticked

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to forget."""
        return not self.targets

    @property
    def counts(self) -> dict[str, int]:
        """Return how many of each kind will be changed."""
        return dict(Counter(target.kind for target in self.targets))

    def ids(self, *kinds: str, act: Act | None = None) -> list[str]:
        """Return the ids of the targets of these kinds, once each."""
        found = (t.id for t in self.targets if t.kind in kinds and (act is None or t.act == act))
        return list(dict.fromkeys(found))
