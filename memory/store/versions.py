"""What each record was before and after every act, as the very rows that were written.

Knows one pair of functions a kind and nothing of what the acts mean. One surprise: use counts are part of a
snapshot but not of the comparison, because they change without anybody deciding it.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from memory.clock import to_text
from memory.ports import NewId
from memory.records import Episode, Fact, Message, Rule
from memory.store import rows
from memory.store.sql import canonical, insert, listed, run, select
from memory.store.stored import QueuedCandidate, Version

if TYPE_CHECKING:
    from sqlite_utils import Database

Record = Fact | Rule | Episode | Message | QueuedCandidate

BY_IDS = f"""
SELECT {rows.VERSION}
FROM version
WHERE profile = :profile AND id IN (SELECT value FROM json_each(:ids))
ORDER BY key
"""

OF_REF = f"""
SELECT {rows.VERSION}
FROM version
WHERE profile = :profile AND ref = :ref
ORDER BY key
"""

DELETE = """
DELETE FROM version
WHERE profile = :profile AND ref IN (SELECT value FROM json_each(:refs))
"""

_READERS: Final[dict[str, Callable[[Mapping[str, Any]], Record]]] = {
    "fact": rows.fact,
    "rule": rows.rule,
    "episode": rows.episode,
    "message": rows.message,
    "candidate": rows.candidate,
}

USE_COUNTS: Final = frozenset({"recalled", "recalled_at", "importance"})


def kind_of(record: Record) -> str:
    """Name the kind of a record as versions and the journal do."""
    match record:
        case Fact():
            return "fact"
        case Rule():
            return "rule"
        case Episode():
            return "episode"
        case Message():
            return "message"
        case QueuedCandidate():
            return "candidate"


def snapshot(record: Record) -> dict[str, Any]:
    """Write a record as its row."""
    match record:
        case Fact():
            return rows.fact_row(record)
        case Rule():
            return rows.rule_row(record)
        case Episode():
            return rows.episode_row(record)
        case Message():
            return rows.message_row(record)
        case QueuedCandidate():
            return rows.candidate_row(record)


def restore(kind: str, row: Mapping[str, Any]) -> Record:
    """Read a record back from its row."""
    return _READERS[kind](row)


def same_state(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> bool:
    """Tell whether two snapshots say the same, use counts apart."""
    if one is None or other is None:
        return one is other
    return all(one.get(name) == value for name, value in other.items() if name not in USE_COUNTS)


def record_version(
    db: Database,
    *,
    profile: str,
    before: Record | None,
    after: Record | None,
    now: datetime,
    new_id: NewId,
) -> Version:
    """Keep what a record was and became; one of the two may be missing."""
    subject = after if after is not None else before
    if subject is None:
        raise ValueError("a version needs what was, or what became")
    version = Version(
        id=new_id(),
        profile=profile,
        kind=kind_of(subject),
        ref=subject.id,
        before=None if before is None else snapshot(before),
        after=None if after is None else snapshot(after),
        recorded_at=now,
    )
    row = {
        "id": version.id,
        "profile": profile,
        "kind": version.kind,
        "ref": version.ref,
        "before": None if version.before is None else canonical(version.before),
        "after": None if version.after is None else canonical(version.after),
        "recorded_at": to_text(now),
    }
    insert(db, "version", row)
    return version


def versions_with_ids(db: Database, profile: str, idents: Iterable[str]) -> list[Version]:
    """List versions by id, in the order they were written; forgotten ones are left out."""
    return [rows.version(row) for row in select(db, BY_IDS, profile=profile, ids=listed(idents))]


def versions_of(db: Database, profile: str, ref: str) -> list[Version]:
    """List everything a record has been, oldest first."""
    return [rows.version(row) for row in select(db, OF_REF, profile=profile, ref=ref)]


def delete_versions(db: Database, profile: str, refs: Iterable[str]) -> int:
    """Delete all versions of these records, after which no undo reaches them."""
    return run(db, DELETE, profile=profile, refs=listed(refs))
