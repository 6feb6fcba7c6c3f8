"""The review queue: candidates that wait for the user's word, and what the user said.

Nothing in here is ever searched or sent. One surprise: a candidate rejected always keeps its row, because it
is what later proposals are compared with.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memory.errors import NotFound
from memory.policy import normalise
from memory.records import Candidate
from memory.store import rows
from memory.store.sql import count, first, insert, listed, run, select, update
from memory.store.stored import CandidateState, QueuedCandidate

if TYPE_CHECKING:
    from sqlite_utils import Database

BY_ID = f"""
SELECT {rows.CANDIDATE}
FROM candidate
WHERE id = :id AND profile = :profile
ORDER BY key
"""

PENDING = f"""
SELECT {rows.CANDIDATE}
FROM candidate
WHERE profile = :profile AND state = 'pending'
ORDER BY recorded_at, key
"""

EVERY = f"""
SELECT {rows.CANDIDATE}
FROM candidate
WHERE profile = :profile
ORDER BY recorded_at, key
"""

COUNT_PENDING = """
SELECT count(*)
FROM candidate
WHERE profile = :profile AND state = 'pending'
"""

SAME_SLOT = f"""
SELECT {rows.CANDIDATE}
FROM candidate
WHERE profile = :profile
    AND state IN (SELECT value FROM json_each(:states))
    AND json_extract(payload, '$.subject') = :subject
    AND json_extract(payload, '$.attribute') = :attribute
ORDER BY recorded_at, key
"""

WITH_RULE = f"""
SELECT {rows.CANDIDATE}
FROM candidate
WHERE profile = :profile AND json_extract(payload, '$.rule') = :rule
ORDER BY recorded_at, key
"""

DELETE = """
DELETE FROM candidate
WHERE +profile = :profile AND id IN (SELECT value FROM json_each(:ids))
"""


def insert_candidate(db: Database, queued: QueuedCandidate) -> None:
    """Put a candidate on the queue."""
    insert(db, "candidate", rows.candidate_row(queued))


def update_candidate(db: Database, queued: QueuedCandidate) -> None:
    """Write what the user decided, or changed, about a candidate."""
    if not update(db, "candidate", rows.candidate_row(queued)):
        raise NotFound("candidate", queued.id)


def find_candidate(db: Database, profile: str, ident: str) -> QueuedCandidate | None:
    """Find a candidate by its whole id."""
    row = first(db, BY_ID, profile=profile, id=ident)
    return None if row is None else rows.candidate(row)


def get_candidate(db: Database, profile: str, ident: str) -> QueuedCandidate:
    """Return a candidate by its whole id."""
    queued = find_candidate(db, profile, ident)
    if queued is None:
        raise NotFound("candidate", ident)
    return queued


def pending_candidates(db: Database, profile: str) -> list[QueuedCandidate]:
    """List what waits for the user's word, oldest first."""
    return [rows.candidate(row) for row in select(db, PENDING, profile=profile)]


def every_candidate(db: Database, profile: str) -> list[QueuedCandidate]:
    """List what waits for the user's word and what had it, oldest first."""
    return [rows.candidate(row) for row in select(db, EVERY, profile=profile)]


def count_candidates(db: Database, profile: str) -> int:
    """Count what waits for the user's word."""
    return count(db, COUNT_PENDING, profile=profile)


def find_like(
    db: Database, profile: str, candidate: Candidate, *states: CandidateState
) -> list[QueuedCandidate]:
    """List the candidates in these states that propose the same, oldest first."""
    value = normalise(candidate.value)
    found = select(
        db,
        SAME_SLOT,
        profile=profile,
        states=listed(states),
        subject=candidate.subject,
        attribute=candidate.attribute,
    )
    return [
        queued
        for queued in map(rows.candidate, found)
        if queued.candidate.kind is candidate.kind and normalise(queued.candidate.value) == value
    ]


def list_with_rule(db: Database, profile: str, rule: str) -> list[QueuedCandidate]:
    """List everything that one pattern or writer ever proposed, whatever became of it."""
    return [rows.candidate(row) for row in select(db, WITH_RULE, profile=profile, rule=rule)]


def is_rejected_always(db: Database, profile: str, candidate: Candidate) -> bool:
    """Tell whether the user once said never to propose this."""
    return bool(find_like(db, profile, candidate, "rejected_always"))


def delete_candidates(db: Database, profile: str, idents: Iterable[str]) -> int:
    """Delete candidates."""
    return run(db, DELETE, profile=profile, ids=listed(idents))
