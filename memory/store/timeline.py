"""Where a statement belongs in the history of one single-valued attribute.

Pure: times and facts in, a place out. The order is that of what was said, never that of writing, so that old
messages read late fall into their place. One surprise: a value repeated later holds until its last repetition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.records import Fact, FactState


@dataclass(frozen=True, slots=True)
class Place:
    """The neighbours of a statement in its slot's history."""

    earlier: Fact | None
    """The closed fact said last before it, which it takes some time from."""
    later: Fact | None
    """What was said after it; None when it is the news."""
    until: datetime | None
    """When it stopped being true, if anything was said after it."""


def first_said(fact: Fact) -> datetime:
    """Return when a fact was first said."""
    return fact.said_at or fact.valid_from or fact.recorded_at


def last_said(fact: Fact) -> datetime:
    """Return when a fact was last said."""
    first = first_said(fact)
    return first if fact.confirmed_at is None else max(first, fact.confirmed_at)


def starts_at(fact: Fact) -> datetime:
    """Return from when a fact holds in the world."""
    return fact.valid_from or first_said(fact)


def place(slot: Sequence[Fact], said: datetime, starts: datetime) -> Place:
    """Find the place of a statement among the facts of its slot, those of other branches apart."""
    known = sorted(
        (fact for fact in slot if fact.state is not FactState.SET_ASIDE),
        key=lambda fact: (first_said(fact), fact.id),
    )
    after = [fact for fact in known if last_said(fact) > said]
    if not after:
        return Place(None, None, None)
    later = min(after, key=lambda fact: (first_said(fact) <= said, first_said(fact), fact.id))
    follows = first_said(later) > said
    until = max(starts, starts_at(later) if follows else last_said(later))
    before = [
        fact
        for fact in known
        if fact.state is FactState.SUPERSEDED
        and first_said(fact) <= said
        and fact.superseded_by == later.id
        and fact.id != later.id
    ]
    return Place(before[-1] if before else None, later, until)


def may_start_earlier(fact: Fact, slot: Sequence[Fact], said: datetime) -> bool:
    """Tell whether a fact said again at an earlier time simply began then: nothing else came between."""
    began = first_said(fact)
    return said < began and not any(
        said <= first_said(other) < began for other in slot if other.id != fact.id
    )
