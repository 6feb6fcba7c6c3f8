"""Where words stand in the store: every text a person can see, read at once, for a search that SQL cannot do.

Reads only. One surprise: it returns whole texts, because case, plural and script are judged in Python. More than 300
lines: what holds words stands here once, statement by statement.
More than 300 lines: every kind of row that can hold words, beside each other.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memory.records import EVERY_PROFILE, Episode, Rule
from memory.store import rows
from memory.store.sql import Row, listed, select, texts
from memory.store.stored import QueuedCandidate

if TYPE_CHECKING:
    from sqlite_utils import Database

TEXTS = """
SELECT iif(role = 'assistant', 'answer', 'message') AS kind, id, conversation, '' AS subject, text, said_at AS at
FROM message WHERE profile = :profile
UNION ALL
SELECT 'fact', id, NULL, subject, text || char(10) || value || char(10) || quote, said_at
FROM fact WHERE profile = :profile
UNION ALL
SELECT 'episode', id, conversation, '', title || char(10) || goal || char(10) || summary || char(10) || detail, ended_at
FROM episode WHERE profile = :profile
UNION ALL
SELECT 'rule', id, NULL, '', text, recorded_at
FROM rule WHERE profile IN (:profile, :every)
UNION ALL
SELECT 'candidate', id, conversation, coalesce(json_extract(payload, '$.subject'), ''),
    text || char(10) || coalesce(json_extract(payload, '$.value'), '')
        || char(10) || coalesce(json_extract(payload, '$.quote'), ''), recorded_at
FROM candidate WHERE profile = :profile
UNION ALL
SELECT 'title', id, id, '', title, updated_at
FROM conversation WHERE profile = :profile
UNION ALL
SELECT 'summary', id, id, '', earlier, updated_at
FROM conversation WHERE profile = :profile AND earlier IS NOT NULL
UNION ALL
SELECT 'working', conversation, conversation, '', state, recorded_at
FROM working_state WHERE profile = :profile
UNION ALL
SELECT 'draft', id, conversation, '', text, recorded_at
FROM draft WHERE profile = :profile
UNION ALL
SELECT 'golden', id, NULL, '', question, recorded_at
FROM golden WHERE profile = :profile
UNION ALL
SELECT 'attachment', id, conversation, '', name || char(10) || text, recorded_at
FROM attachment WHERE profile = :profile
UNION ALL
SELECT 'persona', name, NULL, '', json_extract(value, '$'), ''
FROM setting WHERE profile = :profile AND name = 'persona'
ORDER BY kind, id
"""

SOURCES = """
SELECT derivation.child AS child, derivation.parent AS message, derivation.span_start AS start,
    derivation.span_end AS end, message.conversation AS conversation, message.said_at AS at
FROM derivation
JOIN message ON message.id = derivation.parent AND +message.profile = :profile
WHERE derivation.role = 'source' AND derivation.child IN (SELECT value FROM json_each(:ids))
UNION
SELECT fact.id, fact.message, fact.span_start, fact.span_end, message.conversation, message.said_at
FROM fact
JOIN message ON message.id = fact.message AND +message.profile = :profile
WHERE +fact.profile = :profile AND fact.id IN (SELECT value FROM json_each(:ids))
ORDER BY child, message
"""

CARRIED = """
SELECT derivation.parent AS ref, answer.id AS answer, answer.conversation AS conversation, answer.said_at AS at
FROM derivation
JOIN message AS answer ON answer.id = derivation.child AND +answer.profile = :profile
WHERE derivation.role = 'prompt' AND derivation.parent IN (SELECT value FROM json_each(:ids))
ORDER BY derivation.key
"""

# the receipts of the newest turns may not be linked yet, and what was left out never is
TRACES = """
SELECT id, conversation, message, block, items, left_out
FROM trace
WHERE +profile = :profile AND (
    conversation IN (SELECT value FROM json_each(:conversations))
    OR EXISTS (
        SELECT 1
        FROM json_each(trace.items) AS sent
        WHERE json_extract(sent.value, '$.id') IN (SELECT value FROM json_each(:ids))
    )
    OR EXISTS (
        SELECT 1
        FROM json_each(trace.left_out) AS left
        WHERE json_extract(left.value, '$.id') IN (SELECT value FROM json_each(:ids))
    )
)
ORDER BY key
"""

HEADS = """
SELECT id, head
FROM conversation
WHERE profile = :profile AND head IS NOT NULL
ORDER BY key
"""

SUCCESSORS = """
SELECT DISTINCT superseded_by
FROM fact
WHERE +profile = :profile AND superseded_by IS NOT NULL AND id IN (SELECT value FROM json_each(:ids))
ORDER BY superseded_by
"""

WITHIN = """
SELECT iif(role = 'assistant', 'answer', 'message') AS kind, id
FROM message
WHERE profile = :profile AND said_at >= :since AND said_at < :until
UNION ALL
SELECT 'fact', id FROM fact
WHERE profile = :profile AND coalesce(said_at, recorded_at) >= :since AND coalesce(said_at, recorded_at) < :until
UNION ALL
SELECT 'episode', id FROM episode
WHERE profile = :profile AND ended_at >= :since AND started_at < :until
ORDER BY kind, id
"""

FROM_SOURCE = """
SELECT 'conversation' AS kind, id FROM conversation
WHERE profile = :profile AND (source = :source OR source GLOB :below)
UNION ALL
SELECT iif(role = 'assistant', 'answer', 'message'), id FROM message
WHERE profile = :profile AND (source = :source OR source GLOB :below)
UNION ALL
SELECT 'fact', id FROM fact
WHERE profile = :profile AND (source = :source OR source GLOB :below)
ORDER BY kind, id
"""

IN_CONVERSATIONS = """
SELECT iif(role = 'assistant', 'answer', 'message') AS kind, id FROM message
WHERE +profile = :profile AND conversation IN (SELECT value FROM json_each(:conversations))
UNION ALL
SELECT 'attachment', id FROM attachment
WHERE +profile = :profile AND conversation IN (SELECT value FROM json_each(:conversations))
UNION ALL
SELECT 'episode', id FROM episode
WHERE +profile = :profile AND conversation IN (SELECT value FROM json_each(:conversations))
UNION ALL
SELECT 'candidate', id FROM candidate
WHERE +profile = :profile AND conversation IN (SELECT value FROM json_each(:conversations))
UNION ALL
SELECT 'draft', id FROM draft
WHERE +profile = :profile AND conversation IN (SELECT value FROM json_each(:conversations))
ORDER BY kind, id
"""

FACTS_MADE_OF = """
SELECT DISTINCT fact.id
FROM derivation
JOIN fact ON fact.id = derivation.child AND +fact.profile = :profile
WHERE derivation.role IN ('source', 'consolidated')
    AND derivation.parent IN (SELECT value FROM json_each(:ids))
UNION
SELECT id FROM fact
WHERE +profile = :profile AND message IN (SELECT value FROM json_each(:ids))
ORDER BY id
"""

EPISODES_MADE_OF = """
SELECT DISTINCT episode.id
FROM derivation
JOIN episode ON episode.id = derivation.child AND +episode.profile = :profile
WHERE derivation.role = 'source' AND derivation.parent IN (SELECT value FROM json_each(:ids))
ORDER BY episode.id
"""

GOLDENS_ABOUT = """
SELECT DISTINCT golden.id
FROM golden, json_each(golden.expected) AS wanted
WHERE golden.profile = :profile AND wanted.value IN (SELECT value FROM json_each(:ids))
ORDER BY golden.id
"""

EPISODES = f"""
SELECT {rows.EPISODE}
FROM episode
WHERE +profile = :profile AND id IN (SELECT value FROM json_each(:ids))
ORDER BY key
"""

RULES = f"""
SELECT {rows.RULE}
FROM rule
WHERE profile IN (:profile, :every) AND id IN (SELECT value FROM json_each(:ids))
ORDER BY key
"""

CANDIDATES = f"""
SELECT {rows.CANDIDATE}
FROM candidate
WHERE +profile = :profile AND id IN (SELECT value FROM json_each(:ids))
ORDER BY key
"""

FOLLOWING = """
SELECT
    (SELECT count(*) FROM item WHERE ref IN (SELECT value FROM json_each(:ids))) AS item,
    (SELECT count(*) FROM item
        WHERE embedded_by IS NOT NULL AND ref IN (SELECT value FROM json_each(:ids))) AS vector,
    (SELECT count(*) FROM version WHERE ref IN (SELECT value FROM json_each(:ids))) AS version
ORDER BY item
"""


@dataclass(frozen=True, slots=True)
class Held:
    """One text of the store."""

    kind: str
    id: str
    conversation: str | None
    subject: str
    text: str
    at: str
    """When it was said, as the store writes instants."""


def all_texts(db: Database, profile: str) -> list[Held]:
    """Return every text of a profile that a person can come upon."""
    return [
        Held(row["kind"], row["id"], row["conversation"], row["subject"], row["text"], row["at"] or "")
        for row in select(db, TEXTS, profile=profile, every=EVERY_PROFILE)
    ]


def sources_of(db: Database, profile: str, idents: Iterable[str]) -> list[Row]:
    """Return the messages that facts were taken from, with the characters."""
    return select(db, SOURCES, profile=profile, ids=listed(idents))


def carried(db: Database, profile: str, idents: Iterable[str]) -> list[Row]:
    """Return the answers whose prompt carried one of these."""
    return select(db, CARRIED, profile=profile, ids=listed(idents))


def traces_holding(
    db: Database, profile: str, idents: Iterable[str], conversations: Iterable[str]
) -> list[Row]:
    """Return the receipts of these conversations, and those that name one of these ids."""
    return select(db, TRACES, profile=profile, ids=listed(idents), conversations=listed(conversations))


def heads(db: Database, profile: str) -> list[Row]:
    """Return the stored tops of prompts."""
    return select(db, HEADS, profile=profile)


def successors(db: Database, profile: str, idents: Iterable[str]) -> list[str]:
    """Return the facts that took the place of these; their update lines may name the old value."""
    return texts(db, SUCCESSORS, profile=profile, ids=listed(idents))


def within(db: Database, profile: str, since: str, until: str) -> list[tuple[str, str]]:
    """Return kind and id of what was said or happened in a time."""
    return _named(select(db, WITHIN, profile=profile, since=since, until=until))


def from_source(db: Database, profile: str, source: str) -> list[tuple[str, str]]:
    """Return kind and id of what an import brought."""
    escaped = "".join(f"[{c}]" if c in "*?[" else c for c in source)
    return _named(select(db, FROM_SOURCE, profile=profile, source=source, below=f"{escaped}[:/]*"))


def in_conversations(db: Database, profile: str, conversations: Iterable[str]) -> list[tuple[str, str]]:
    """Return kind and id of everything that belongs to conversations."""
    return _named(select(db, IN_CONVERSATIONS, profile=profile, conversations=listed(conversations)))


def facts_made_of(db: Database, profile: str, idents: Iterable[str]) -> list[str]:
    """Return the facts that rest on these messages, or were consolidated from these."""
    return texts(db, FACTS_MADE_OF, profile=profile, ids=listed(idents))


def episodes_made_of(db: Database, profile: str, messages: Iterable[str]) -> list[str]:
    """Return the episodes that rest on these messages."""
    return texts(db, EPISODES_MADE_OF, profile=profile, ids=listed(messages))


def goldens_about(db: Database, profile: str, idents: Iterable[str]) -> list[str]:
    """Return the test questions that expect one of these."""
    return texts(db, GOLDENS_ABOUT, profile=profile, ids=listed(idents))


def episodes_with_ids(db: Database, profile: str, idents: Iterable[str]) -> list[Episode]:
    """Return the episodes among these ids."""
    return [rows.episode(row) for row in select(db, EPISODES, profile=profile, ids=listed(idents))]


def rules_with_ids(db: Database, profile: str, idents: Iterable[str]) -> list[Rule]:
    """Return the versions of rules among these ids."""
    found = select(db, RULES, profile=profile, every=EVERY_PROFILE, ids=listed(idents))
    return [rows.rule(row) for row in found]


def candidates_with_ids(db: Database, profile: str, idents: Iterable[str]) -> list[QueuedCandidate]:
    """Return the candidates among these ids."""
    return [rows.candidate(row) for row in select(db, CANDIDATES, profile=profile, ids=listed(idents))]


def following(db: Database, idents: Iterable[str]) -> dict[str, int]:
    """Count the rows that go along with these without a decision of their own."""
    row: dict[str, Any] = dict(select(db, FOLLOWING, ids=listed(idents))[0])
    return {name: int(number) for name, number in row.items()}


def _named(found: list[Row]) -> list[tuple[str, str]]:
    return [(row["kind"], row["id"]) for row in found]
