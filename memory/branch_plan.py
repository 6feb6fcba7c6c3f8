"""What becomes of facts when a branch is left or taken up again, worked out before anything is written.

Each fact is written once, with what it is in the end, so that the whole change can be undone. The surprise: a
fact that was closed by one that leaves is what it was before that, and closed again when the other returns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from memory.core import Core
from memory.records import Cardinality, Fact, FactState
from memory.store import facts
from memory.store.act import Act
from memory.store.branching import once_closed_by, set_aside_as
from memory.store.due import replaced_by
from memory.store.timeline import first_said, last_said, starts_at
from memory.store.versions import restore


class FactPlan:
    """The facts as they will be."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._before: dict[str, Fact] = {}
        self._after: dict[str, Fact] = {}

    def leave(self, leaving: Iterable[Fact]) -> None:
        """Set facts aside, the last said first, and undo what they closed."""
        for fact in sorted(leaving, key=_when, reverse=True):
            here = self._now(fact.id)
            if here is not None and here.state in (FactState.ACTIVE, FactState.SUPERSEDED):
                self._set_aside(here)

    def come_back(self, returning: Iterable[Fact]) -> None:
        """Take facts up again as they were, the first said first, and close again what they had closed."""
        for fact in sorted(returning, key=_when):
            here = self._now(fact.id)
            if here is not None and here.state is FactState.SET_ASIDE:
                self._return(here)

    def write(self, act: Act) -> list[str]:
        """Write what differs, what closes before what opens; return the ids."""
        changed = [fact for fact in self._after.values() if fact != self._before[fact.id]]
        for fact in sorted(changed, key=lambda one: (one.state is FactState.ACTIVE, _when(one))):
            act.write(self._before[fact.id], fact)
        return [fact.id for fact in changed]

    # one fact ------------------------------------------------------------------------------------------

    def _set_aside(self, fact: Fact) -> None:
        closed = self._closed_by(fact)
        self._put(replace(fact, state=FactState.SET_ASIDE))
        for old in closed:
            if fact.state is FactState.SUPERSEDED:
                self._put(replace(old, superseded_by=fact.superseded_by, valid_to=fact.valid_to))
                continue
            again = self._before_closed(old, fact.id)
            if not self._rivals(again):
                self._put(replace(again, pinned=again.pinned or fact.pinned))

    def _return(self, fact: Fact) -> None:
        version = set_aside_as(self._core.db, self._core.profile, fact.id)
        before = None if version is None or version.before is None else restore("fact", version.before)
        was = before if isinstance(before, Fact) else _reopened(fact)
        was = replace(was, recalled=fact.recalled, recalled_at=fact.recalled_at)
        if was.state is FactState.SUPERSEDED and not self._still_closes(was):
            was = _reopened(was)
        later = [rival for rival in self._rivals(was) if last_said(rival) > last_said(was)]
        if was.state is FactState.ACTIVE and later:
            was = _closed(was, later[0])
        self._put(was)
        if was.state is FactState.ACTIVE:
            for rival in self._rivals(was):
                self._put(_closed(rival, was))
        self._close_again(was)

    def _close_again(self, fact: Fact) -> None:
        """Close what this fact had closed, as it was then."""
        for version in once_closed_by(self._core.db, self._core.profile, fact.id):
            old = self._now(version.ref)
            closed = None if version.after is None else restore("fact", version.after)
            if old is None or not isinstance(closed, Fact) or closed.state is not FactState.SUPERSEDED:
                continue
            relinked = old.state is FactState.SUPERSEDED and old.superseded_by == fact.superseded_by
            if old.state is FactState.ACTIVE or relinked:
                self._put(
                    replace(
                        old,
                        state=FactState.SUPERSEDED,
                        valid_to=closed.valid_to,
                        superseded_at=closed.superseded_at,
                        superseded_by=fact.id,
                        pinned=False,
                    )
                )

    def _still_closes(self, fact: Fact) -> bool:
        closer = None if fact.superseded_by is None else self._now(fact.superseded_by)
        return closer is not None and closer.state is not FactState.SET_ASIDE

    def _before_closed(self, old: Fact, closer: str) -> Fact:
        """Return a fact as it was before another closed it."""
        changes = [v for v in once_closed_by(self._core.db, self._core.profile, closer) if v.ref == old.id]
        before = restore("fact", changes[-1].before) if changes and changes[-1].before else None
        if not isinstance(before, Fact) or before.state is not FactState.ACTIVE:
            return _reopened(old)
        return replace(
            old,
            state=FactState.ACTIVE,
            valid_to=before.valid_to,
            superseded_at=None,
            superseded_by=None,
            pinned=before.pinned,
        )

    # what is known ---------------------------------------------------------------------------------------

    def _now(self, ident: str) -> Fact | None:
        return self._after.get(ident) or facts.find_fact(self._core.db, self._core.profile, ident)

    def _put(self, fact: Fact) -> None:
        if fact.id not in self._before:
            self._before[fact.id] = facts.get_fact(self._core.db, self._core.profile, fact.id)
        self._after[fact.id] = fact

    def _with_plan(self, found: Iterable[Fact]) -> list[Fact]:
        ids = dict.fromkeys([*(fact.id for fact in found), *self._after])
        return [fact for ident in ids if (fact := self._now(ident)) is not None]

    def _closed_by(self, fact: Fact) -> list[Fact]:
        found = self._with_plan(replaced_by(self._core.db, self._core.profile, [fact.id]))
        closed = [old for old in found if old.superseded_by == fact.id and old.state is FactState.SUPERSEDED]
        return sorted(closed, key=_when, reverse=True)

    def _rivals(self, fact: Fact) -> list[Fact]:
        """Return the open facts of a slot that has room for one."""
        if fact.cardinality is not Cardinality.SINGLE:
            return []
        beside = facts.find_open(self._core.db, self._core.profile, fact.subject, fact.attribute)
        return [
            other
            for other in self._with_plan(beside)
            if other.id != fact.id
            and other.state is FactState.ACTIVE
            and other.cardinality is Cardinality.SINGLE
            and (other.subject, other.attribute) == (fact.subject, fact.attribute)
        ]


def _when(fact: Fact) -> tuple[object, str]:
    return first_said(fact), fact.id


def _reopened(fact: Fact) -> Fact:
    return replace(fact, state=FactState.ACTIVE, valid_to=None, superseded_at=None, superseded_by=None)


def _closed(fact: Fact, by: Fact) -> Fact:
    return replace(
        fact,
        state=FactState.SUPERSEDED,
        valid_to=max(starts_at(fact), starts_at(by)),
        superseded_at=by.recorded_at,
        superseded_by=by.id,
        pinned=False,
    )
