"""The write path over a list instead of a store: rules, validation and decisions, nothing else.

Owns what the floors need: reading one utterance after another and keeping what the policy keeps. One
surprise: the last facts said count as touched, as they would in a conversation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memory import policy
from memory.attributes import related
from memory.cues.message import candidates
from memory.records import (
    Add,
    Candidate,
    Confirm,
    Decision,
    Fact,
    FactState,
    Ignore,
    Merge,
    Message,
    Review,
    Role,
    Supersede,
)

HERE = Path(__file__).parent
NOON = datetime(2026, 3, 11, 12, 0, tzinfo=UTC)
"""A Wednesday."""


def rows(name: str) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a corpus beside this file; a text in parts is put together here.

    What looks like a real key to every scanner of repositories stands in parts.
    """
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield {**row, "text": "".join(row["parts"])} if "parts" in row else row


def message(text: str, *, said_at: datetime = NOON, pasted: tuple[tuple[int, int], ...] = ()) -> Message:
    """Return a user's message with only the fields that matter."""
    return Message(
        id="m",
        profile="default",
        conversation="c",
        parent=None,
        role=Role.USER,
        text=text,
        said_at=said_at,
        pasted=pasted,
    )


@dataclass(slots=True)
class Ledger:
    """Facts kept so far, newest first."""

    facts: list[Fact] = field(default_factory=list)
    reviews: list[Candidate] = field(default_factory=list)
    turns: int = 0

    def say(
        self, text: str, *, pasted: tuple[tuple[int, int], ...] = (), asked: str = ""
    ) -> list[tuple[Candidate, Decision]]:
        """Read one utterance, perhaps the answer to what was asked, and apply what is decided."""
        self.turns += 1
        said = message(text, said_at=self.now, pasted=pasted)
        current = self.current
        return [
            (candidate, self.apply(candidate))
            for candidate in candidates(said, touched=current, known=current, asked=asked)
        ]

    @property
    def now(self) -> datetime:
        """When the last utterance was said."""
        return NOON + timedelta(minutes=self.turns)

    @property
    def current(self) -> list[Fact]:
        """The facts that are believed now."""
        return [fact for fact in self.facts if fact.is_current]

    def neighbours(self, candidate: Candidate) -> policy.Neighbours:
        """Return what is known around the candidate."""
        value = policy.normalise(candidate.value)
        mine = [fact for fact in self.facts if fact.subject == candidate.subject]
        same = [
            fact
            for fact in mine
            if fact.attribute == candidate.attribute and policy.normalise(fact.value) == value
        ]
        slot = [fact for fact in mine if fact.is_current and fact.attribute in related(candidate.attribute)]
        return policy.Neighbours(same=tuple(same), slot=tuple(slot))

    def apply(self, candidate: Candidate, limits: policy.Limits | None = None) -> Decision:
        """Decide on one candidate and do it."""
        decision = policy.decide(candidate, self.neighbours(candidate), limits)
        match decision:
            case Add():
                self._keep(candidate)
            case Supersede(facts=closed):
                now = candidate.said_at
                self.facts = [
                    replace(fact, state=FactState.SUPERSEDED, valid_to=now) if fact.id in closed else fact
                    for fact in self.facts
                ]
                self._keep(candidate)
            case Review():
                self.reviews.append(candidate)
            case Confirm() | Merge() | Ignore():
                pass
        return decision

    def _keep(self, candidate: Candidate) -> None:
        at = candidate.said_at or NOON
        fact = Fact(
            id=f"f{len(self.facts)}",
            profile="default",
            subject=candidate.subject,
            attribute=candidate.attribute,
            value=candidate.value,
            text=candidate.text,
            kind=candidate.kind,
            origin=candidate.origin,
            recorded_at=at,
            valid_from=at,
            said_at=at,
            cardinality=candidate.cardinality,
            stability=candidate.stability,
        )
        self.facts.insert(0, fact)
