"""Takes rows and words out of the store in a number of statements that does not grow with their number.

Every statement takes a JSON list. Decides nothing and opens no transaction. One surprise: rows are rewritten
from values computed elsewhere, so that the same reading of a text decides preview and change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from memory.records import EVERY_PROFILE
from memory.retrieval import vectors
from memory.retrieval.grams import grams
from memory.store.parts import cut
from memory.store.sql import Row, listed, run, select

if TYPE_CHECKING:
    from sqlite_utils import Database

MESSAGES = """
UPDATE message
SET text = json_extract(new.value, '$.text'),
    masked = json_extract(new.value, '$.masked'),
    pasted = coalesce(json_extract(new.value, '$.pasted'), pasted),
    redacted_at = :now
FROM json_each(:rows) AS new
WHERE message.id = json_extract(new.value, '$.id') AND +message.profile = :profile
"""

EPISODES = """
UPDATE episode
SET title = json_extract(new.value, '$.title'),
    goal = json_extract(new.value, '$.goal'),
    summary = json_extract(new.value, '$.summary'),
    detail = json_extract(new.value, '$.detail'),
    state = 'stale'
FROM json_each(:rows) AS new
WHERE episode.id = json_extract(new.value, '$.id') AND +episode.profile = :profile
"""

CONVERSATIONS = """
UPDATE conversation
SET title = coalesce(json_extract(new.value, '$.title'), title),
    earlier = coalesce(json_extract(new.value, '$.earlier'), earlier)
FROM json_each(:rows) AS new
WHERE conversation.id = json_extract(new.value, '$.id') AND +conversation.profile = :profile
"""

HEADS = """
UPDATE conversation
SET head = NULL
WHERE +profile = :profile AND head IS NOT NULL AND id IN (SELECT value FROM json_each(:ids))
"""

WORKING = """
UPDATE working_state
SET state = json_extract(new.value, '$.state')
FROM json_each(:rows) AS new
WHERE working_state.conversation = json_extract(new.value, '$.id') AND +working_state.profile = :profile
"""

TRACES = """
UPDATE trace
SET block = json_extract(new.value, '$.block'),
    items = json_extract(new.value, '$.items'),
    left_out = json_extract(new.value, '$.left_out')
FROM json_each(:rows) AS new
WHERE trace.id = json_extract(new.value, '$.id') AND +trace.profile = :profile
"""

ITEMS_OF = """
SELECT kind, ref, profile, conversation, subject, language, origin, importance, state, recallable, said_at,
    expires_at, context
FROM item
WHERE part = 0 AND ref IN (SELECT value FROM json_each(:refs))
ORDER BY key
"""

KEYS_OF = """
SELECT key
FROM item
WHERE ref IN (SELECT value FROM json_each(:refs))
ORDER BY key
"""

DELETE_ITEMS = """
DELETE FROM item
WHERE key IN (SELECT value FROM json_each(:keys))
"""

_ITEM_COLUMNS: Final = (
    "id", "kind", "ref", "part", "profile", "conversation", "text", "context", "grams", "subject", "language",
    "origin", "importance", "state", "recallable", "said_at", "expires_at",
)  # fmt: skip

INSERT_ITEMS = f"""
INSERT INTO item ({", ".join(_ITEM_COLUMNS)})
SELECT {", ".join(f"json_extract(new.value, '$.{name}')" for name in _ITEM_COLUMNS)}
FROM json_each(:rows) AS new
"""  # noqa: S608 - names of columns

CONTEXTS = """
UPDATE item
SET context = coalesce(json_extract(new.value, '$.context'), '')
FROM json_each(:rows) AS new, derivation
WHERE derivation.parent = json_extract(new.value, '$.id')
    AND derivation.role = 'context'
    AND item.ref = derivation.child
    AND item.context <> ''
"""

RELINK = """
UPDATE fact
SET superseded_by = (
    SELECT gone.superseded_by
    FROM fact AS gone
    WHERE gone.id = fact.superseded_by
)
WHERE +profile = :profile
    AND superseded_by IN (SELECT value FROM json_each(:ids))
    AND id NOT IN (SELECT value FROM json_each(:ids))
"""

UPROOT = """
UPDATE fact
SET message = NULL, span_start = NULL, span_end = NULL
WHERE +profile = :profile AND message IN (SELECT value FROM json_each(:ids))
"""

DERIVATIONS = """
DELETE FROM derivation
WHERE key IN (
    SELECT key FROM derivation WHERE child IN (SELECT value FROM json_each(:ids))
    UNION
    SELECT key FROM derivation WHERE parent IN (SELECT value FROM json_each(:ids))
)
"""

VERSIONS = """
DELETE FROM version
WHERE +profile IN (:profile, :every) AND ref IN (SELECT value FROM json_each(:ids))
"""

JOBS = """
DELETE FROM job
WHERE profile = :profile AND state IN ('pending', 'failed') AND kind <> :kept AND EXISTS (
    SELECT 1
    FROM json_tree(job.payload) AS part
    WHERE part.value IN (SELECT value FROM json_each(:ids))
)
"""

JOB = """
DELETE FROM job
WHERE id = :id
"""

TOMBSTONES = """
INSERT INTO tombstone (id, profile, kind, hash, message, span_start, span_end, recorded_at)
SELECT json_extract(new.value, '$.id'), :profile, json_extract(new.value, '$.kind'),
    json_extract(new.value, '$.hash'), json_extract(new.value, '$.message'),
    json_extract(new.value, '$.start'), json_extract(new.value, '$.end'), :now
FROM json_each(:rows) AS new
WHERE NOT EXISTS (
    SELECT 1
    FROM tombstone AS known
    WHERE known.profile = :profile
        AND known.hash = json_extract(new.value, '$.hash')
        AND known.message IS json_extract(new.value, '$.message')
        AND known.span_start IS json_extract(new.value, '$.start')
        AND known.span_end IS json_extract(new.value, '$.end')
)
"""

_DELETES: Final = {
    table: f"""
DELETE FROM {table}
WHERE +profile IN (:profile, :every) AND id IN (SELECT value FROM json_each(:ids))
"""  # noqa: S608 - names of tables
    for table in (
        "fact", "rule", "episode", "candidate", "draft", "golden", "attachment", "message", "conversation",
    )
}  # fmt: skip

_REWRITES: Final = {
    "message": MESSAGES,
    "episode": EPISODES,
    "conversation": CONVERSATIONS,
    "working_state": WORKING,
    "trace": TRACES,
}


def rewrite(db: Database, profile: str, table: str, rows: Sequence[Row], now: str) -> int:
    """Write new words into rows of a table; return how many changed."""
    if not rows:
        return 0
    values = {"profile": profile, "rows": listed(rows)}
    if table == "message":
        values["now"] = now
    return run(db, _REWRITES[table], **values)


def remove(db: Database, profile: str, table: str, idents: Sequence[str]) -> int:
    """Delete rows of a table; a rule may belong to every profile."""
    if not idents:
        return 0
    every = EVERY_PROFILE if table == "rule" else profile
    return run(db, _DELETES[table], profile=profile, every=every, ids=listed(idents))


def reset_heads(db: Database, profile: str, conversations: Iterable[str]) -> int:
    """Have the tops of these conversations' prompts made anew."""
    return run(db, HEADS, profile=profile, ids=listed(conversations))


def item_keys(db: Database, refs: Iterable[str]) -> list[int]:
    """Return the keys of all items of these."""
    return [int(row["key"]) for row in select(db, KEYS_OF, refs=listed(refs))]


def remove_items(db: Database, refs: Iterable[str]) -> list[int]:
    """Delete all items of these, with postings and vectors; return their keys."""
    keys = item_keys(db, refs)
    if keys:
        vectors.delete(db, keys)
        run(db, DELETE_ITEMS, keys=listed(keys))
    return keys


def rewrite_items(
    db: Database, words: dict[str, tuple[str, str | None]], outdated: Iterable[str] = ()
) -> int:
    """Make the items of these anew from new text and context; without words there is none.

    A context of None is kept. What stands in ``outdated`` leaves recall.
    """
    old = select(db, ITEMS_OF, refs=listed(words))
    stale = set(outdated)
    remove_items(db, words)
    rows: list[dict[str, Any]] = []
    for row in old:
        text, context = words[row["ref"]]
        for number, part in enumerate(cut(text) if any(c.isalnum() for c in text) else ()):
            around = (row["context"] if context is None else context) if number == 0 else ""
            ident = row["ref"] if number == 0 else f"{row['ref']}.{number}"
            state = "outdated" if row["ref"] in stale else row["state"]
            new = {"id": ident, "part": number, "text": part, "context": around, "grams": grams(part)}
            rows.append({**row, **new, "state": state})
    if rows:
        run(db, INSERT_ITEMS, rows=listed(rows))
    return len(rows)


def rewrite_contexts(db: Database, words: dict[str, str]) -> int:
    """Put the new words of messages, or none, beside the items of their neighbours."""
    if not words:
        return 0
    return run(db, CONTEXTS, rows=listed({"id": ident, "context": text} for ident, text in words.items()))


def relink_facts(db: Database, profile: str, idents: Sequence[str]) -> None:
    """Have facts that these superseded name whatever superseded these."""
    if idents:
        run(db, RELINK, profile=profile, ids=listed(idents))


def uproot_facts(db: Database, profile: str, messages: Sequence[str]) -> None:
    """Let facts stay whose message goes."""
    if messages:
        run(db, UPROOT, profile=profile, ids=listed(messages))


def remove_links(db: Database, idents: Sequence[str]) -> int:
    """Delete every derivation from or to these."""
    return run(db, DERIVATIONS, ids=listed(idents)) if idents else 0


def remove_versions(db: Database, profile: str, refs: Sequence[str]) -> int:
    """Delete everything that these have been."""
    return run(db, VERSIONS, profile=profile, every=EVERY_PROFILE, ids=listed(refs)) if refs else 0


def remove_jobs(db: Database, profile: str, idents: Sequence[str], kept: str) -> int:
    """Delete waiting work on these; work of the kind ``kept`` stays."""
    return run(db, JOBS, profile=profile, ids=listed(idents), kept=kept) if idents else 0


def remove_job(db: Database, ident: str) -> None:
    """Delete a finished job with what it noted."""
    run(db, JOB, id=ident)


def set_tombstones(db: Database, profile: str, rows: Sequence[Row], now: str) -> int:
    """Set marks, each once a place."""
    return run(db, TOMBSTONES, profile=profile, rows=listed(rows), now=now) if rows else 0
