"""Makes room where an arriving record would break a law of the store: one open value, one current rule, one name.

Owns who gives way: what was said earlier does, as history, through an act that can be undone. Writes nothing
of the arriving record itself. One surprise: both sides may have been told the same thing, and then the one that
stays rests on the words of both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory.policy import normalise
from memory.ports import NewId
from memory.records import Cardinality, Fact, FactState, Rule
from memory.store import rows
from memory.store.act import Act
from memory.store.derivations import derive
from memory.store.facts import find_by_value, find_open
from memory.store.profiles import find_profile
from memory.store.rules import rule_versions
from memory.store.stored import Derivation
from memory.store.versions import Record, record_version

if TYPE_CHECKING:
    from sqlite_utils import Database


def _nothing() -> None:
    """Do nothing more."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A row as it may be written, and what is left to do once it is."""

    row: Mapping[str, Any]
    afterwards: Callable[[], None] = _nothing


def place(db: Database, table: str, row: Mapping[str, Any], now: datetime, new_id: NewId) -> Placed:
    """Return the row as the store can take it, having moved aside what stood in its place."""
    match table:
        case "fact":
            return _place_fact(db, row, now, new_id)
        case "rule":
            return _place_rule(db, row, now, new_id)
        case "profile":
            return Placed({**row, "name": _free_name(db, row["id"], row["name"])})
        case _:
            return Placed(row)


def _place_fact(db: Database, row: Mapping[str, Any], now: datetime, new_id: NewId) -> Placed:
    fact = rows.fact(row)
    rival = _rival(db, fact)
    if rival is None:
        return Placed(row)
    act = Act(db, fact.profile, now, new_id, "import")
    if (_said(rival), rival.id) > (_said(fact), fact.id):  # at one moment both stores choose alike
        closed = _closed(fact, rival, now)
        return Placed(rows.fact_row(closed), lambda: _note(act, fact, closed, rival, fact))
    act.write(rival, _closed(rival, fact, now))

    def settle() -> None:
        _share_source(db, winner=fact, loser=rival)
        act.facts.append(fact.id)
        act.close("supersede", "fact", fact.id)

    return Placed(row, settle)


def _note(act: Act, before: Record, after: Record, winner: Fact | Rule, loser: Fact | Rule) -> None:
    """Record that the arriving record came in as history."""
    version = record_version(
        act.db, profile=act.profile, before=before, after=after, now=act.now, new_id=act.new_id
    )
    act.versions.append(version.id)
    if isinstance(winner, Fact) and isinstance(loser, Fact):
        _share_source(act.db, winner=winner, loser=loser)
        act.facts += [winner.id, loser.id]
    act.close("supersede", version.kind, loser.id)


def _rival(db: Database, fact: Fact) -> Fact | None:
    """Find the open fact that cannot stand beside this one."""
    if fact.state is not FactState.ACTIVE:
        return None
    slot = {"subject": fact.subject, "attribute": fact.attribute}
    beside = find_by_value(db, fact.profile, fact.value, **slot)
    if fact.cardinality is Cardinality.SINGLE:
        others = find_open(db, fact.profile, fact.subject, fact.attribute)
        beside += [other for other in others if other.cardinality is Cardinality.SINGLE]
    return next((one for one in beside if one.id != fact.id and one.state is FactState.ACTIVE), None)


def _said(fact: Fact) -> datetime:
    return fact.said_at or fact.valid_from or fact.recorded_at


def _closed(loser: Fact, winner: Fact, now: datetime) -> Fact:
    return replace(
        loser,
        state=FactState.SUPERSEDED,
        valid_to=_said(winner),
        superseded_at=now,
        superseded_by=winner.id,
        pinned=False,
    )


def _share_source(db: Database, *, winner: Fact, loser: Fact) -> None:
    if loser.message is not None and normalise(loser.value) == normalise(winner.value):
        derive(
            db,
            Derivation(winner.id, "fact", loser.message, "message", "source", loser.start, loser.end),
        )


def _place_rule(db: Database, row: Mapping[str, Any], now: datetime, new_id: NewId) -> Placed:
    rule = rows.rule(row)
    others = [one for one in rule_versions(db, rule.profile, rule.lineage) if one.id != rule.id]
    if any(one.version == rule.version for one in others):
        rule = replace(rule, version=max(one.version for one in others) + 1)
    current = [one for one in others if one.state == "active"]
    if rule.state != "active" or not current:
        return Placed(rows.rule_row(rule))
    (rival,) = current
    act = Act(db, rule.profile, now, new_id, "import")
    if (rival.recorded_at, rival.id) > (rule.recorded_at, rule.id):
        replaced = replace(rule, state="replaced")
        return Placed(rows.rule_row(replaced), lambda: _note(act, rule, replaced, rival, rule))
    act.write(rival, replace(rival, state="replaced"))
    return Placed(rows.rule_row(rule), lambda: _close(act, rule))


def _close(act: Act, rule: Rule) -> None:
    act.close("supersede", "rule", rule.id)


def _free_name(db: Database, ident: str, wanted: str) -> str:
    """Return a profile's name, numbered when somebody else has it."""
    name, number = wanted, 1
    while (other := find_profile(db, name)) is not None and other.id != ident:
        number += 1
        name = f"{wanted} {number}"
    return name
