"""Takes an act back by writing what was before it, as an act of its own that can be taken back too.

Refuses what was forgotten (its versions are gone), what was undone already, and what later acts built upon.
One surprise: undoing the first writing of a fact removes the fact; its versions stay, so the undo can be
undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from memory.errors import CannotUndo
from memory.ports import NewId
from memory.records import Episode, Fact, FactState, JournalEntry, Message, Rule
from memory.store.act import Act
from memory.store.candidates import find_candidate
from memory.store.episodes import find_episode
from memory.store.facts import find_fact, find_open
from memory.store.journal import find_line, last_line, mark_undone, unmark_undone
from memory.store.messages import find_message
from memory.store.rules import find_rule, rule_versions
from memory.store.stored import Version
from memory.store.versions import Record, restore, same_state, snapshot, versions_with_ids

if TYPE_CHECKING:
    from sqlite_utils import Database

UNDO = "undo"
FORGET = "forget"


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo did."""

    journal: str
    """The line of the undo itself, by which it can be undone."""
    entry: JournalEntry
    """The act that was taken back."""
    restored: tuple[Record, ...]
    """The records as they are again."""
    removed: tuple[Record, ...]
    """The records that are gone again."""


def undo(
    db: Database,
    profile: str,
    journal: str | None = None,
    *,
    conversation: str | None = None,
    now: datetime,
    new_id: NewId,
) -> Undone:
    """Take back an act by its line, or the last one of the profile (or of a conversation)."""
    entry = _choose(db, profile, journal, conversation)
    versions = versions_with_ids(db, profile, entry.versions)
    if len(versions) < len(entry.versions) or not versions:
        raise CannotUndo("what this change wrote was forgotten since")
    steps = [_step(db, profile, version) for version in reversed(versions)]
    act = Act(db, profile, now, new_id, "user", entry.conversation, entry.message)
    for before, after in sorted(steps, key=lambda step: _opens(step[1])):
        _refuse_second_open(db, profile, after)
        act.write(before, after)
    line = act.close(UNDO, entry.kind, entry.ref)
    mark_undone(db, profile, entry.id, line)
    unmark_undone(db, profile, entry.id)
    return Undone(
        journal=line,
        entry=entry,
        restored=tuple(after for _, after in steps if after is not None),
        removed=tuple(before for before, after in steps if after is None and before is not None),
    )


def _choose(db: Database, profile: str, journal: str | None, conversation: str | None) -> JournalEntry:
    entry = last_line(db, profile, conversation) if journal is None else find_line(db, profile, journal)
    if entry is None:
        raise CannotUndo("there is no such change to undo")
    if entry.undone_by is not None:
        raise CannotUndo("this change was undone already")
    if entry.act == FORGET:
        raise CannotUndo("forgetting is final and cannot be undone")
    return entry


def _step(db: Database, profile: str, version: Version) -> tuple[Record | None, Record | None]:
    """Return a record as it is and as it was before; refuse when somebody built upon it."""
    current = _find(db, profile, version.kind, version.ref)
    now_is = None if current is None else snapshot(current)
    if not same_state(version.after, now_is):
        raise CannotUndo("something newer was built upon this change; undo that first")
    if version.before is None:
        return current, None
    return current, _with_use_of(current, restore(version.kind, version.before))


def _with_use_of(current: Record | None, before: Record) -> Record:
    """Keep the use counts as they have become."""
    match current, before:
        case Fact(), Fact():
            return replace(before, recalled=current.recalled, recalled_at=current.recalled_at)
        case Episode(), Episode():
            return replace(before, recalled=current.recalled, recalled_at=current.recalled_at)
        case _:
            return before


def _find(db: Database, profile: str, kind: str, ref: str) -> Record | None:
    match kind:
        case "fact":
            return find_fact(db, profile, ref)
        case "rule":
            return find_rule(db, profile, ref)
        case "episode":
            return find_episode(db, profile, ref)
        case "message":
            return find_message(db, profile, ref)
        case "candidate":
            return find_candidate(db, profile, ref)
        case _:
            raise CannotUndo(f"a change of a {kind} cannot be undone")


def _opens(record: Record | None) -> bool:
    """Tell whether a record is one that only one of may be open, so that it comes after what closes."""
    match record:
        case Fact():
            return record.state is FactState.ACTIVE
        case Rule():
            return record.state == "active"
        case Episode() | Message() | None:
            return False
        case _:
            return False


def _refuse_second_open(db: Database, profile: str, record: Record | None) -> None:
    """Raise CannotUndo when another fact or rule version has taken the place since."""
    taken: Sequence[Record] = ()
    match record:
        case Fact(state=FactState.ACTIVE, cardinality="single"):
            taken = [
                fact
                for fact in find_open(db, profile, record.subject, record.attribute)
                if fact.cardinality == "single"
            ]
        case Rule(state="active"):
            taken = [rule for rule in rule_versions(db, profile, record.lineage) if rule.state == "active"]
        case _:
            pass
    if any(other.id != record.id for other in taken if record is not None):
        raise CannotUndo("another value has taken this place since; undo that first")
