"""Facts as rows: found by id, by slot (subject and attribute) and by value; listed in one total order.

Decides nothing: what closes what is settled in ``apply``. One surprise: a slot is a whole history, current
and closed facts alike, and only ``find_open`` leaves the closed ones out.
More than 300 lines: statements and the functions that run them stand together.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memory.clock import to_text
from memory.errors import NotFound
from memory.policy import normalise
from memory.records import Fact, FactState
from memory.store import rows
from memory.store.sql import count, first, insert, listed, run, select, update

if TYPE_CHECKING:
    from sqlite_utils import Database

BY_ID = f"""
SELECT {rows.FACT}
FROM fact
WHERE id = :id AND profile = :profile
ORDER BY key
"""

BY_IDS = f"""
SELECT {rows.FACT}
FROM fact
WHERE +profile = :profile AND id IN (SELECT value FROM json_each(:ids))
ORDER BY key
"""

SLOT = f"""
SELECT {rows.FACT}
FROM fact
WHERE profile = :profile AND subject = :subject AND attribute = :attribute
ORDER BY coalesce(said_at, valid_from, recorded_at), key
"""

OPEN = f"""
SELECT {rows.FACT}
FROM fact
WHERE profile = :profile AND subject = :subject AND attribute = :attribute AND state = 'active'
ORDER BY coalesce(said_at, valid_from, recorded_at), key
"""

BY_VALUE = f"""
SELECT {rows.FACT}
FROM fact
WHERE profile = :profile AND value_norm = :value AND (:subject IS NULL OR subject = :subject)
ORDER BY coalesce(said_at, valid_from, recorded_at), key
"""

SLOT_BY_VALUE = f"""
SELECT {rows.FACT}
FROM fact
WHERE profile = :profile AND subject = :subject AND attribute = :attribute AND value_norm = :value
ORDER BY coalesce(said_at, valid_from, recorded_at), key
"""

LIST = f"""
SELECT {rows.FACT}
FROM fact
WHERE profile = :profile
    AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
    AND (:subject IS NULL OR subject = :subject)
    AND (:attribute IS NULL OR attribute = :attribute)
    AND (:pinned IS NULL OR pinned = :pinned)
ORDER BY subject <> 'user', subject, attribute, coalesce(said_at, valid_from, recorded_at), key
LIMIT :limit
OFFSET :offset
"""

# what this conversation said itself stands in it already
MINDED = f"""
SELECT {rows.FACT}
FROM fact
WHERE profile = :profile AND subject = 'user' AND pinned = 0 AND state = 'active' AND valid_to IS NULL
    AND (expires_at IS NULL OR expires_at > :now)
    AND (kind = 'constraint' AND importance >= :constraint OR kind = 'preference' AND importance >= :preference)
    AND (message IS NULL OR message NOT IN (SELECT id FROM message WHERE conversation = :conversation))
ORDER BY kind <> 'constraint', recorded_at DESC, key DESC
LIMIT :most
"""

MINDED_CONSTRAINT = 0.7
MINDED_PREFERENCE = 0.8
"""Above what a preference has by itself: asked to be remembered, corrected, or often of use."""
MOST_MINDED = 5

RESTING_ON = f"""
SELECT DISTINCT {rows.FACT}, fact.key
FROM fact
JOIN derivation ON derivation.child = fact.id AND derivation.role = 'source'
WHERE +fact.profile = :profile AND derivation.parent IN (SELECT value FROM json_each(:ids))
ORDER BY fact.key
"""

REPLACED_SENT = f"""
SELECT DISTINCT {rows.FACT}, fact.key
FROM message
JOIN derivation ON derivation.child = message.id AND derivation.role = 'prompt'
JOIN fact ON fact.id = derivation.parent AND +fact.profile = :profile AND fact.state = 'superseded'
WHERE message.profile = :profile AND message.conversation = :conversation
ORDER BY fact.key
"""

# written or confirmed here, or carried by a prompt of this conversation
TOUCHED = f"""
SELECT {rows.FACT}, max(touch.at) AS touched
FROM (
    SELECT journal.ref AS fact, journal.recorded_at AS at
    FROM journal
    WHERE journal.profile = :profile AND journal.conversation = :conversation AND journal.kind = 'fact'
    UNION ALL
    SELECT derivation.parent, message.said_at
    FROM message
    JOIN derivation ON derivation.child = message.id AND derivation.role = 'prompt'
    WHERE message.profile = :profile AND message.conversation = :conversation
) AS touch
JOIN fact ON fact.id = touch.fact AND +fact.profile = :profile AND fact.state = 'active'
GROUP BY fact.key
ORDER BY touched DESC, fact.key DESC
LIMIT :limit
"""

RECALLED = """
UPDATE fact
SET recalled = recalled + 1, recalled_at = :now
WHERE +profile = :profile AND id IN (SELECT value FROM json_each(:ids))
"""

# only what is current rises; what was often sent in vain sinks, but never out of sight
WEIGH = """
UPDATE fact
SET importance = CASE
    WHEN id IN (SELECT value FROM json_each(:helped)) THEN max(importance, min(:top, importance + :gain))
    ELSE min(importance, max(:floor, importance - :loss))
END
WHERE +profile = :profile AND state = 'active'
    AND (
        id IN (SELECT value FROM json_each(:helped))
        OR (recalled >= :often AND id IN (SELECT value FROM json_each(:unused)))
    )
"""

WEIGH_ITEMS = """
UPDATE item
SET importance = (SELECT fact.importance FROM fact WHERE fact.id = item.ref)
WHERE kind = 'fact' AND +profile = :profile AND ref IN (SELECT id FROM fact WHERE id IN (SELECT value FROM json_each(:ids)))
"""

IMPORTANCE_GAIN = 0.02
IMPORTANCE_LOSS = 0.01
IMPORTANCE_TOP = 0.95
IMPORTANCE_FLOOR = 0.3
OFTEN = 10
"""A fact sent less often than this loses nothing by not being said."""

WRITES = """
SELECT count(*)
FROM journal
WHERE profile = :profile
    AND actor = 'auto'
    AND act IN ('add', 'supersede')
    AND recorded_at >= :since
    AND (:conversation IS NULL OR conversation = :conversation)
"""

DELETE = """
DELETE FROM fact
WHERE +profile = :profile AND id IN (SELECT value FROM json_each(:ids))
"""


def insert_fact(db: Database, fact: Fact) -> None:
    """Add a fact; its item, version and links are written apart from this."""
    insert(db, "fact", rows.fact_row(fact))


def update_fact(db: Database, fact: Fact) -> None:
    """Write a changed fact."""
    if not update(db, "fact", rows.fact_row(fact)):
        raise NotFound("fact", fact.id)


def find_fact(db: Database, profile: str, ident: str) -> Fact | None:
    """Find a fact by its whole id."""
    row = first(db, BY_ID, profile=profile, id=ident)
    return None if row is None else rows.fact(row)


def get_fact(db: Database, profile: str, ident: str) -> Fact:
    """Return a fact by its whole id."""
    fact = find_fact(db, profile, ident)
    if fact is None:
        raise NotFound("fact", ident)
    return fact


def facts_with_ids(db: Database, profile: str, idents: Iterable[str]) -> list[Fact]:
    """List the facts with these ids; absent ones are left out."""
    return [rows.fact(row) for row in select(db, BY_IDS, profile=profile, ids=listed(idents))]


def find_slot(db: Database, profile: str, subject: str, attribute: str) -> list[Fact]:
    """List everything ever known of a subject's attribute, in the order it was said."""
    found = select(db, SLOT, profile=profile, subject=subject, attribute=attribute)
    return [rows.fact(row) for row in found]


def find_open(db: Database, profile: str, subject: str, attribute: str) -> list[Fact]:
    """List what is now believed of a subject's attribute; one fact at most when single-valued."""
    found = select(db, OPEN, profile=profile, subject=subject, attribute=attribute)
    return [rows.fact(row) for row in found]


def find_by_value(
    db: Database,
    profile: str,
    value: str,
    *,
    subject: str | None = None,
    attribute: str | None = None,
) -> list[Fact]:
    """List facts that say this value, however written, current and closed."""
    statement = BY_VALUE if subject is None or attribute is None else SLOT_BY_VALUE
    found = select(
        db, statement, profile=profile, value=normalise(value), subject=subject, attribute=attribute
    )
    facts = [rows.fact(row) for row in found]
    return facts if attribute is None else [fact for fact in facts if fact.attribute == attribute]


def list_facts(
    db: Database,
    profile: str,
    *,
    states: Sequence[FactState] | None = (FactState.ACTIVE,),
    subject: str | None = None,
    attribute: str | None = None,
    pinned: bool | None = None,
    limit: int = -1,
    offset: int = 0,
) -> list[Fact]:
    """List facts by subject, the user first; ``states=None`` lists every state."""
    found = select(
        db,
        LIST,
        profile=profile,
        states=None if states is None else listed(state.value for state in states),
        subject=subject,
        attribute=attribute,
        pinned=None if pinned is None else int(pinned),
        limit=limit,
        offset=offset,
    )
    return [rows.fact(row) for row in found]


def minded_facts(db: Database, profile: str, conversation: str, now: datetime) -> list[Fact]:
    """List the few constraints and important preferences of the user that a conversation opens with."""
    found = select(
        db,
        MINDED,
        profile=profile,
        conversation=conversation,
        now=to_text(now),
        constraint=MINDED_CONSTRAINT,
        preference=MINDED_PREFERENCE,
        most=MOST_MINDED,
    )
    return [rows.fact(row) for row in found]


def facts_resting_on(db: Database, profile: str, messages: Iterable[str]) -> list[Fact]:
    """List the facts that have one of these messages among their sources."""
    return [rows.fact(row) for row in select(db, RESTING_ON, profile=profile, ids=listed(messages))]


def replaced_facts_sent(db: Database, profile: str, conversation: str) -> list[Fact]:
    """List the facts that a prompt of this conversation carried and that a newer one has replaced since."""
    found = select(db, REPLACED_SENT, profile=profile, conversation=conversation)
    return [rows.fact(row) for row in found]


def facts_touched(db: Database, profile: str, conversation: str, limit: int = 20) -> list[Fact]:
    """List current facts written, confirmed or sent in a conversation, the last touched first."""
    found = select(db, TOUCHED, profile=profile, conversation=conversation, limit=limit)
    return [rows.fact(row) for row in found]


def record_recalled(db: Database, profile: str, idents: Iterable[str], now: datetime) -> None:
    """Count that these facts were used; called when a turn finishes, never while reading."""
    run(db, RECALLED, profile=profile, ids=listed(idents), now=to_text(now))


def record_use(db: Database, profile: str, helped: Iterable[str], unused: Iterable[str]) -> None:
    """Move the importance of facts that an answer said, or did not say; closed ones stay as they are."""
    said, silent = list(helped), list(unused)
    run(
        db,
        WEIGH,
        profile=profile,
        helped=listed(said),
        unused=listed(silent),
        gain=IMPORTANCE_GAIN,
        loss=IMPORTANCE_LOSS,
        top=IMPORTANCE_TOP,
        floor=IMPORTANCE_FLOOR,
        often=OFTEN,
    )
    run(db, WEIGH_ITEMS, profile=profile, ids=listed([*said, *silent]))


def count_writes(db: Database, profile: str, since: datetime, conversation: str | None = None) -> int:
    """Count facts written by themselves since an instant, for the limits on bursts."""
    return count(db, WRITES, profile=profile, since=to_text(since), conversation=conversation)


def delete_facts(db: Database, profile: str, idents: Iterable[str]) -> int:
    """Delete facts; their items, versions and links are removed apart from this."""
    return run(db, DELETE, profile=profile, ids=listed(idents))
