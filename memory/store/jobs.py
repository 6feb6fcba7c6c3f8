"""Work that waits for an idle moment and survives a crash; payloads hold ids, never text.

One surprise: the same work is queued once, so whoever notices that something is to be done just says so.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory.clock import to_text
from memory.errors import NotFound
from memory.ports import NewId
from memory.records import Job
from memory.store import rows
from memory.store.sql import canonical, count, first, insert, listed, run, select

if TYPE_CHECKING:
    from sqlite_utils import Database

ATTEMPTS: int = 5
"""After so many failures a job is left alone."""

SAME = f"""
SELECT {rows.JOB}
FROM job
WHERE kind = :kind AND profile = :profile AND payload = :payload AND state = 'pending'
ORDER BY key
"""

NEXT = f"""
SELECT {rows.JOB}
FROM job
WHERE state = 'pending'
    AND (:kinds IS NULL OR kind IN (SELECT value FROM json_each(:kinds)))
    AND (:profile IS NULL OR profile = :profile)
ORDER BY attempts, key
LIMIT 1
"""

WAITING = f"""
SELECT {rows.JOB}
FROM job
WHERE state = 'pending' AND kind = :kind AND profile = :profile
ORDER BY attempts, key
LIMIT 1
"""

LIST = f"""
SELECT {rows.JOB}
FROM job
WHERE (:state IS NULL OR state = :state)
ORDER BY key
"""

COUNT = """
SELECT count(*)
FROM job
WHERE state = 'pending' AND (:kind IS NULL OR kind = :kind)
"""

MOVE = """
UPDATE job
SET state = :state, attempts = attempts + :more, changed_at = :now
WHERE id = :id
"""

RECOVER = """
UPDATE job
SET state = 'pending', changed_at = :now
WHERE state = 'running'
"""

SWEEP = """
DELETE FROM job
WHERE state = 'done' AND changed_at < :before
"""


def enqueue(
    db: Database,
    kind: str,
    profile: str,
    payload: Mapping[str, Any],
    *,
    now: datetime,
    new_id: NewId,
) -> Job:
    """Queue work, or return the waiting job that is the same."""
    text = canonical(payload)
    found = first(db, SAME, kind=kind, profile=profile, payload=text)
    if found is not None:
        return rows.job(found)
    job = Job(new_id(), kind, profile, dict(payload), "pending", now)
    row = {
        "id": job.id,
        "kind": kind,
        "profile": profile,
        "payload": text,
        "state": job.state,
        "attempts": 0,
        "recorded_at": to_text(now),
        "changed_at": to_text(now),
    }
    insert(db, "job", row)
    return job


def claim(
    db: Database, *, now: datetime, kinds: Sequence[str] | None = None, profile: str | None = None
) -> Job | None:
    """Take the next job to work on, the least tried one first; None when there is none."""
    found = first(db, NEXT, kinds=None if kinds is None else listed(kinds), profile=profile)
    if found is None:
        return None
    _move(db, found["id"], "running", now, more=1)
    return rows.job({**found, "state": "running", "attempts": found["attempts"] + 1})


def next_waiting(db: Database, profile: str, kind: str) -> Job | None:
    """Look at the next job of a kind without taking it: for work whose end and result are one commit."""
    found = first(db, WAITING, profile=profile, kind=kind)
    return None if found is None else rows.job(found)


def done(db: Database, ident: str, now: datetime) -> None:
    """Note that a job is finished."""
    _move(db, ident, "done", now)


def put_back(db: Database, ident: str, now: datetime) -> None:
    """Give a job up for now, because the user wants something; this is no failure."""
    _move(db, ident, "pending", now, more=-1)


def failed(db: Database, job: Job, now: datetime) -> None:
    """Note that a job failed: it waits for another try until it has had too many."""
    _move(db, job.id, "failed" if job.attempts >= ATTEMPTS else "pending", now)


def recover(db: Database, now: datetime) -> int:
    """Make jobs that a crash interrupted wait again; return how many."""
    return run(db, RECOVER, now=to_text(now))


def sweep(db: Database, before: datetime) -> int:
    """Delete finished jobs that ended before an instant."""
    return run(db, SWEEP, before=to_text(before))


def list_jobs(db: Database, state: str | None = None) -> list[Job]:
    """List jobs in the order they were queued."""
    return [rows.job(row) for row in select(db, LIST, state=state)]


def count_waiting(db: Database, kind: str | None = None) -> int:
    """Count the jobs that wait."""
    return count(db, COUNT, kind=kind)


def _move(db: Database, ident: str, state: str, now: datetime, *, more: int = 0) -> None:
    if run(db, MOVE, id=ident, state=state, more=more, now=to_text(now)) == 0:
        raise NotFound("job", ident)
