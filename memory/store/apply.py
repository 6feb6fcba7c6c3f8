"""The one place where a decision becomes rows: fact, version, link to its words, item, journal line.

Decides nothing about meaning, but keeps the store true whatever it is told: event time orders a slot, a
single-valued attribute has one open fact, the same words of the same message count once. One surprise: the
decision that comes back may differ from the one that went in, and then says why. More than 300 lines: every
way a slot can change stands here side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, assert_never

from memory.attributes import related
from memory.policy import (
    REASON_HISTORY,
    REASON_RULE,
    closes_at,
    confirmed_confidence,
    normalise,
)
from memory.ports import NewId
from memory.records import (
    Add,
    Candidate,
    Cardinality,
    Confirm,
    Decided,
    Decision,
    Fact,
    FactState,
    Ignore,
    Kind,
    Merge,
    Origin,
    Review,
    Supersede,
)
from memory.store.act import Act, Actor
from memory.store.candidates import find_like, get_candidate
from memory.store.derivations import derive
from memory.store.facts import facts_with_ids, find_by_value, find_fact, find_slot
from memory.store.stored import Derivation, QueuedCandidate
from memory.store.timeline import (
    Place,
    first_said,
    last_said,
    may_start_earlier,
    place,
    starts_at,
)

if TYPE_CHECKING:
    from sqlite_utils import Database


REASON_KNOWN = "already known"
REASON_ANSWERED = "you decided about this before"
OWN_WORDS = frozenset({Origin.USER_SAID, Origin.USER_CONFIRMED})


def apply_decision(
    db: Database,
    candidate: Candidate,
    decision: Decision,
    *,
    profile: str,
    conversation: str | None,
    message: str | None,
    now: datetime,
    new_id: NewId,
    actor: Actor,
    accepted: str | None = None,
    source: str | None = None,
) -> Decided:
    """Carry out a decision and say what came of it; the caller owns the transaction.

    ``accepted`` is the row of the review queue that the user said yes to, ``source`` where an import had it
    from.
    """
    act = Act(db, profile, now, new_id, actor, conversation, message)
    case = _Case(act, candidate, candidate.said_at or now, source, accepted)
    if candidate.kind is Kind.RULE and not isinstance(decision, Ignore | Review):
        decision = Review(REASON_RULE)
    match decision:
        case Ignore():
            return Decided(candidate, decision)
        case Review():
            return _queue(case, decision)
        case Add():
            return _store(case, (), decision)
        case Supersede():
            return _store(case, facts_with_ids(db, profile, decision.facts), decision)
        case Confirm() | Merge():
            return _say_again(case, decision)
        case _:
            assert_never(decision)


@dataclass(frozen=True, slots=True)
class _Case:
    """A candidate on its way into the store."""

    act: Act
    candidate: Candidate
    said: datetime
    source: str | None
    accepted: str | None

    @property
    def starts(self) -> datetime:
        """Return from when the candidate holds in the world."""
        return self.candidate.valid_from or self.said

    def says(self, fact: Fact) -> bool:
        """Tell whether a fact has the candidate's value."""
        candidate = self.candidate
        return (fact.subject, fact.attribute, normalise(fact.value)) == (
            candidate.subject,
            candidate.attribute,
            normalise(candidate.value),
        )

    def close(self, name: str, kind: str, ref: str) -> str:
        """End the act; the row of the queue that led to it is settled with it."""
        if self.accepted is not None:
            _leave_queue(self.act, self.accepted, ref)
        return self.act.close(name, kind, ref)


def _store(case: _Case, named: Sequence[Fact], decision: Add | Supersede) -> Decided:
    """Store a statement as news or as history, or find that it is known."""
    single = case.candidate.cardinality is Cardinality.SINGLE
    slot = _slot(case) if single else _same_values(case, case.candidate.attribute)
    for fact in slot:
        if fact.state is FactState.ACTIVE and case.says(fact):
            # a value given up and taken again has two spells: the first is history, not this one
            again = not single or case.said >= first_said(fact)
            if again or may_start_earlier(fact, slot, case.said):
                return _refresh(case, fact, Confirm(fact.id, "said again"), slot)
    where = place(slot, case.said, case.starts) if single else _place_among_several(case)
    if where.later is not None and where.until is not None:
        return _store_as_history(case, slot, where, where.later, where.until)
    closing = {fact.id: fact for fact in named if _can_close(case, fact)}
    if single:
        closing |= {fact.id: fact for fact in slot if fact.state is FactState.ACTIVE}
    return _store_as_news(case, list(closing.values()), decision.reason)


def _can_close(case: _Case, fact: Fact) -> bool:
    return fact.state is FactState.ACTIVE and last_said(fact) <= case.said


def _slot(case: _Case) -> list[Fact]:
    candidate, act = case.candidate, case.act
    return find_slot(act.db, act.profile, candidate.subject, candidate.attribute)


def _same_values(case: _Case, *attributes: str) -> list[Fact]:
    """Find the facts of these attributes that have the candidate's value, among however many others."""
    candidate, act = case.candidate, case.act
    return [
        fact
        for attribute in attributes
        for fact in find_by_value(
            act.db, act.profile, candidate.value, subject=candidate.subject, attribute=attribute
        )
    ]


def _place_among_several(case: _Case) -> Place:
    """Find a later statement that had already ended this one of several values (likes, then dislikes)."""
    candidate = case.candidate
    known = _same_values(case, *related(candidate.attribute))
    if candidate.is_correction or candidate.closes:
        known += [fact for fact in _slot(case) if not case.says(fact)]
    beside = [fact for fact in known if fact.state is FactState.ACTIVE]
    until = closes_at(replace(candidate, said_at=case.said), beside)
    if until is None:
        return Place(None, None, None)
    later = [fact for fact in beside if first_said(fact) > case.said]
    ender = next((fact for fact in later if starts_at(fact) == until), None)
    return Place(None, ender, until)


def _store_as_news(case: _Case, closing: list[Fact], reason: str) -> Decided:
    act, new = case.act, _new_fact(case)
    new = replace(new, pinned=any(fact.pinned for fact in closing))
    closed = tuple(
        replace(
            fact,
            state=FactState.SUPERSEDED,
            valid_to=max(starts_at(fact), starts_at(new)),
            superseded_at=act.now,
            superseded_by=new.id,
            pinned=False,
        )
        for fact in closing
    )
    # closed before the new one opens: the index allows one open fact at any moment
    for before, after in zip(closing, closed, strict=True):
        act.write(before, after)
    act.write(None, new)
    _link(case, new.id)
    outcome: Decision = Add(reason)
    if closed:
        outcome = Supersede(tuple(fact.id for fact in closed), reason)
    line = case.close("supersede" if closed else "add", "fact", new.id)
    return Decided(case.candidate, outcome, new.id, closed, line)


def _store_as_history(
    case: _Case, slot: Sequence[Fact], where: Place, later: Fact, until: datetime
) -> Decided:
    """Store what was said before the present value: closed from the start, and never news."""
    if where.earlier is not None and case.says(where.earlier):
        return _refresh(case, where.earlier, Confirm(where.earlier.id, "said again"), slot)
    if case.says(later) and may_start_earlier(later, slot, case.said):
        return _refresh(case, later, Confirm(later.id, "said again"), slot)
    act = case.act
    new = replace(
        _new_fact(case),
        state=FactState.SUPERSEDED,
        valid_to=until,
        superseded_at=act.now,
        superseded_by=later.id,
    )
    if where.earlier is not None:
        ends = max(starts_at(where.earlier), starts_at(new))
        shorter = replace(where.earlier, valid_to=ends, superseded_by=new.id)
        act.write(where.earlier, shorter)
    act.write(None, new)
    _link(case, new.id)
    line = case.close("add", "fact", new.id)
    return Decided(case.candidate, Add(REASON_HISTORY), new.id, (), line)


def _say_again(case: _Case, decision: Confirm | Merge) -> Decided:
    """Refresh a known fact, or store anew what is no longer believed in that form."""
    act = case.act
    fact = find_fact(act.db, act.profile, decision.fact)
    if fact is None or fact.state in (FactState.SUPERSEDED, FactState.SET_ASIDE):
        return _store(case, (), Add(decision.reason))
    slot = find_slot(act.db, act.profile, fact.subject, fact.attribute)
    if fact.state is not FactState.ACTIVE:
        taken = fact.cardinality is Cardinality.SINGLE and any(
            other.state is FactState.ACTIVE for other in slot
        )
        if taken or case.said < last_said(fact):
            return _store(case, (), Add(decision.reason))
    return _refresh(case, fact, decision, slot)


def _refresh(case: _Case, fact: Fact, decision: Confirm | Merge, slot: Sequence[Fact]) -> Decided:
    """Note that a fact was said again; the same words of the same message are noted once."""
    act, candidate = case.act, case.candidate
    if not _link(case, fact.id) and act.message is not None:
        line = None if case.accepted is None else case.close("accept", "fact", fact.id)
        return Decided(candidate, decision, fact.id, (), line)
    after = replace(
        fact,
        confidence=max(fact.confidence, min(confirmed_confidence(fact.confidence), 1.0)),
        importance=max(fact.importance, candidate.importance),
        confirmed_at=max(last_said(fact), case.said),
        expires_at=_later_expiry(fact, candidate),
    )
    if candidate.origin in OWN_WORDS and fact.origin not in OWN_WORDS:
        after = replace(after, origin=Origin.USER_CONFIRMED)
    is_hidden = fact.state in (FactState.EXPIRED, FactState.ARCHIVED)
    if is_hidden and case.said >= last_said(fact):
        after = replace(after, state=FactState.ACTIVE, valid_to=None)
    if may_start_earlier(fact, slot, case.said):
        starts = min(starts_at(fact), case.starts)
        after = replace(after, said_at=case.said, valid_from=starts)
    act.write(fact, after)
    name = "confirm" if isinstance(decision, Confirm) else "merge"
    return Decided(candidate, decision, fact.id, (), case.close(name, "fact", fact.id))


def _later_expiry(fact: Fact, candidate: Candidate) -> datetime | None:
    """Return when a fact said again expires: never earlier than before, and not at all once confirmed."""
    trusted_now = candidate.origin in OWN_WORDS and fact.origin not in OWN_WORDS
    if trusted_now or fact.state is FactState.EXPIRED:
        return candidate.expires_at
    if fact.expires_at is None or candidate.expires_at is None:
        return None
    return max(fact.expires_at, candidate.expires_at)


def _queue(case: _Case, decision: Review) -> Decided:
    """Ask the user: once, not about what is believed, and not again of the same words."""
    act, candidate = case.act, case.candidate
    for waiting in find_like(act.db, act.profile, candidate, "pending"):
        _link_candidate(case, waiting.id)
        return Decided(candidate, decision, waiting.id)
    for fact in _same_values(case, candidate.attribute):
        if fact.state is FactState.ACTIVE:
            return Decided(candidate, Ignore(REASON_KNOWN), fact.id)
    for answered in find_like(act.db, act.profile, candidate, "accepted", "rejected"):
        if answered.message == act.message:
            return Decided(candidate, Ignore(REASON_ANSWERED), answered.id)
    queued = QueuedCandidate(
        id=act.new_id(),
        profile=act.profile,
        conversation=act.conversation,
        message=act.message,
        candidate=replace(candidate, said_at=case.said),
        reason=decision.reason,
        recorded_at=act.now,
    )
    act.write(None, queued)
    _link_candidate(case, queued.id)
    return Decided(candidate, decision, queued.id, (), case.close("review", "candidate", queued.id))


def _leave_queue(act: Act, accepted: str, result: str) -> None:
    """Note, as part of the same act, that the user said yes and what came of it."""
    queued = get_candidate(act.db, act.profile, accepted)
    act.write(queued, replace(queued, state="accepted", result=result, decided_at=act.now))
    derive(act.db, Derivation(result, "fact", accepted, "candidate", "accepted"))


def _new_fact(case: _Case) -> Fact:
    candidate, act = case.candidate, case.act
    spoken = act.message is not None
    own = candidate.origin in OWN_WORDS
    return Fact(
        id=act.new_id(),
        profile=act.profile,
        subject=candidate.subject,
        attribute=candidate.attribute,
        value=candidate.value,
        text=candidate.text,
        kind=candidate.kind,
        origin=candidate.origin,
        recorded_at=act.now,
        cardinality=candidate.cardinality,
        stability=candidate.stability,
        language=candidate.language,
        message=act.message,
        start=candidate.start if spoken else None,
        end=candidate.end if spoken else None,
        quote=candidate.quote if spoken else "",
        confidence=candidate.confidence,
        importance=candidate.importance,
        valid_from=case.starts,
        expires_at=candidate.expires_at,
        confirmed_at=case.said if own else None,
        source=case.source,
        said_at=case.said,
    )


def _link(case: _Case, fact: str) -> bool:
    """Tie a fact to the words it came from; return whether the tie is new."""
    message, candidate = case.act.message, case.candidate
    if message is None:
        return False
    tie = Derivation(fact, "fact", message, "message", "source", candidate.start, candidate.end)
    return derive(case.act.db, tie)


def _link_candidate(case: _Case, queued: str) -> None:
    message, candidate = case.act.message, case.candidate
    if message is not None:
        tie = Derivation(queued, "candidate", message, "message", "source", candidate.start, candidate.end)
        derive(case.act.db, tie)
