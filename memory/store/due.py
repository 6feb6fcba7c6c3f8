"""What idle time has to do, found by one short question each: boundaries, reading, expiry, merging, archiving.

Changes no memory; the one write here ends jobs whose work is done. One surprise: what the user undid stays
undone, so every question leaves out what an undone act of the same name was about.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from memory.clock import to_text
from memory.records import Episode, Fact, Message
from memory.store import rows
from memory.store.sql import count, first, listed, run, select, texts

if TYPE_CHECKING:
    from sqlite_utils import Database

DISTIL: Final = "distil"

BOUNDARY = """
SELECT conversation.id AS id
FROM job
JOIN conversation ON conversation.id = json_extract(job.payload, '$.conversation')
WHERE job.state = 'pending' AND job.kind = 'distil' AND job.profile = :profile
    AND conversation.profile = :profile
    AND conversation.origin <> 'imported'
    AND conversation.episode_upto IS NOT conversation.leaf
    AND (:before IS NULL OR conversation.updated_at <= :before)
ORDER BY conversation.updated_at, conversation.key
LIMIT 1
"""

TO_READ = f"""
SELECT {rows.MESSAGE}
FROM job
JOIN message ON message.conversation = json_extract(job.payload, '$.conversation')
WHERE job.state = 'pending' AND job.kind = 'distil' AND job.profile = :profile
    AND message.profile = :profile
    AND message.role = 'user' AND message.origin = 'user_said' AND message.distilled_at IS NULL
    AND message.said_at <= :before
ORDER BY message.said_at, message.key
LIMIT 1
"""

FINISH = """
UPDATE job
SET state = 'done', changed_at = :now
WHERE state = 'pending' AND kind = 'distil' AND profile = :profile
    AND NOT EXISTS (
        SELECT 1
        FROM conversation
        WHERE conversation.id = json_extract(job.payload, '$.conversation')
            AND conversation.origin <> 'imported'
            AND conversation.episode_upto IS NOT conversation.leaf
    )
    AND NOT EXISTS (
        SELECT 1
        FROM message
        WHERE message.conversation = json_extract(job.payload, '$.conversation')
            AND message.role = 'user' AND message.origin = 'user_said' AND message.distilled_at IS NULL
    )
"""

REPLACED = f"""
SELECT {rows.FACT}
FROM fact
WHERE +profile = :profile AND superseded_by IN (SELECT value FROM json_each(:ids))
ORDER BY key
"""

_UNDONE = """
    AND NOT EXISTS (
        SELECT 1
        FROM journal
        WHERE journal.ref = {table}.id AND journal.act = '{act}' AND journal.undone_by IS NOT NULL
    )
"""

EXPIRED = f"""
SELECT {rows.FACT}
FROM fact
WHERE profile = :profile AND state = 'active' AND pinned = 0
    AND (
        expires_at <= :now
        OR (
            expires_at IS NULL AND confirmed_at IS NULL AND recorded_at <= :unconfirmed
            AND origin IN ('inferred', 'imported', 'document')
        )
    )
    {_UNDONE.format(table="fact", act="expire")}
ORDER BY key
LIMIT :limit
"""

DOUBTFUL = f"""
SELECT {rows.FACT}
FROM fact
WHERE profile = :profile AND state = 'active' AND stability = 'slow'
    AND coalesce(confirmed_at, valid_from, recorded_at) < :before
    AND NOT EXISTS (
        SELECT 1
        FROM derivation
        JOIN candidate ON candidate.id = derivation.child
        WHERE derivation.parent = fact.id AND derivation.role = 'source'
            AND candidate.recorded_at > coalesce(fact.confirmed_at, fact.valid_from, fact.recorded_at)
    )
ORDER BY importance DESC, key
LIMIT :limit
"""

COLD = f"""
SELECT {rows.EPISODE}
FROM episode
WHERE profile = :profile AND state = 'active'
    AND ended_at <= :before AND coalesce(recalled_at, ended_at) <= :before
    {_UNDONE.format(table="episode", act="archive")}
ORDER BY key
LIMIT :limit
"""

LEAST_USED = f"""
SELECT {rows.FACT}
FROM fact
WHERE profile = :profile AND state = 'active' AND pinned = 0
    AND recorded_at <= :before AND coalesce(recalled_at, recorded_at) <= :before
    {_UNDONE.format(table="fact", act="archive")}
ORDER BY importance, recalled, coalesce(recalled_at, recorded_at), key
LIMIT :limit
"""

STANDING = """
SELECT
    (SELECT count(*) FROM fact WHERE profile = :profile AND state = 'active')
    + (SELECT count(*) FROM episode WHERE profile = :profile AND state = 'active')
"""

NEXT_FACT = f"""
SELECT {rows.FACT}
FROM fact
WHERE profile = :profile AND state = 'active' AND id > :after
    AND EXISTS (SELECT 1 FROM item WHERE item.ref = fact.id AND item.embedded_by = :embedder)
ORDER BY id
LIMIT 1
"""


EARLIER = """
SELECT other.id
FROM fact
JOIN fact AS other
    ON other.profile = fact.profile AND other.subject = fact.subject
    AND other.attribute = fact.attribute AND other.state = 'active'
WHERE fact.id = :id AND +fact.profile = :profile AND other.id < fact.id
ORDER BY other.id
"""


def boundary_due(db: Database, profile: str, before: datetime | None) -> str | None:
    """Find a conversation with words after its last episode, silent since an instant (None: any)."""
    row = first(db, BOUNDARY, profile=profile, before=None if before is None else to_text(before))
    return None if row is None else str(row["id"])


def next_to_read(db: Database, profile: str, before: datetime) -> Message | None:
    """Find the oldest words of the user that no model has read, said before an instant."""
    row = first(db, TO_READ, profile=profile, before=to_text(before))
    return None if row is None else rows.message(row)


def finish_distilling(db: Database, profile: str, now: datetime) -> int:
    """End the jobs of conversations with nothing left to read or to close; return how many."""
    return run(db, FINISH, profile=profile, now=to_text(now))


def replaced_by(db: Database, profile: str, idents: list[str]) -> list[Fact]:
    """List the facts that these took the place of."""
    return [rows.fact(row) for row in select(db, REPLACED, profile=profile, ids=listed(idents))]


def expired(db: Database, profile: str, now: datetime, unconfirmed: datetime, limit: int) -> list[Fact]:
    """List facts past their time, and those of others' word that nobody confirmed since an instant."""
    found = select(
        db, EXPIRED, profile=profile, now=to_text(now), unconfirmed=to_text(unconfirmed), limit=limit
    )
    return [rows.fact(row) for row in found]


def doubtful(db: Database, profile: str, before: datetime, limit: int) -> list[Fact]:
    """List slow-changing facts unconfirmed since an instant that the user was not asked about since."""
    return [
        rows.fact(row) for row in select(db, DOUBTFUL, profile=profile, before=to_text(before), limit=limit)
    ]


def cold(db: Database, profile: str, before: datetime, limit: int) -> list[Episode]:
    """List episodes that ended and were last used before an instant."""
    return [
        rows.episode(row) for row in select(db, COLD, profile=profile, before=to_text(before), limit=limit)
    ]


def least_used(db: Database, profile: str, before: datetime, limit: int) -> list[Fact]:
    """List facts unused since an instant, the least important first."""
    found = select(db, LEAST_USED, profile=profile, before=to_text(before), limit=limit)
    return [rows.fact(row) for row in found]


def count_standing(db: Database, profile: str) -> int:
    """Count the facts and episodes that may be recalled."""
    return count(db, STANDING, profile=profile)


def next_fact(db: Database, profile: str, after: str, embedder: int) -> Fact | None:
    """Find the current fact that follows an id and has a vector of this embedder."""
    row = first(db, NEXT_FACT, profile=profile, after=after, embedder=embedder)
    return None if row is None else rows.fact(row)


def earlier_in_slot(db: Database, profile: str, ident: str) -> list[str]:
    """List the current facts of a fact's subject and attribute that were written before it."""
    return texts(db, EARLIER, profile=profile, id=ident)
