"""Puts right what a store lacks after it was pieced together from damaged pages.

Owns what must be there for the rest to be reached: a profile and a conversation for every message, an item for
every text, no row that points to nothing. Vectors are made again by whoever embeds next.
"""

# ruff: noqa: S608 - names of tables are joined in, which the schema gives

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.store import facts, messages, profiles
from memory.store.items import write_fact_item, write_message_items
from memory.store.sql import run, select, texts

if TYPE_CHECKING:
    from sqlite_utils import Database

TITLE = "Found again"

LOST_PROFILES = """
INSERT INTO profile (id, name, created_at)
SELECT lost.profile, lost.profile, min(lost.at)
FROM (
    SELECT profile, said_at AS at
    FROM message
    UNION ALL
    SELECT profile, recorded_at
    FROM fact
) AS lost
WHERE lost.profile NOT IN (SELECT id FROM profile)
    AND lost.profile NOT IN (SELECT name FROM profile)
GROUP BY lost.profile
"""

LOST_CONVERSATIONS = """
INSERT INTO conversation (id, profile, title, created_at, updated_at)
SELECT conversation, min(profile), :title, min(said_at), max(said_at)
FROM message
WHERE conversation NOT IN (SELECT id FROM conversation)
GROUP BY conversation
"""

LEAVES = """
UPDATE conversation
SET leaf = (
    SELECT id
    FROM message
    WHERE message.conversation = conversation.id
    ORDER BY said_at DESC, key DESC
    LIMIT 1
)
WHERE leaf IS NULL OR leaf NOT IN (SELECT id FROM message)
"""

TOPS = """
UPDATE conversation
SET head = NULL
WHERE head IS NOT NULL
"""

NO_VECTORS = """
UPDATE item
SET embedded_by = NULL
WHERE embedded_by IS NOT NULL
"""

NO_EMBEDDERS = """
DELETE FROM embedder
"""

UNFOUND = """
SELECT id
FROM {table}
WHERE profile = :profile AND id NOT IN (SELECT ref FROM item)
ORDER BY key
"""

VIOLATIONS = """
SELECT "table", rowid
FROM pragma_foreign_key_check
ORDER BY "table", rowid
"""


def mend(db: Database) -> None:
    """Make a store whole whose rows were saved one by one."""
    with db.atomic():
        run(db, LOST_PROFILES)
        run(db, LOST_CONVERSATIONS, title=TITLE)
        _drop_loose_rows(db)
        run(db, LEAVES)
        run(db, TOPS)
        run(db, NO_VECTORS)
        run(db, NO_EMBEDDERS)
        for profile in profiles.list_profiles(db):
            _make_findable(db, profile.id)


def _drop_loose_rows(db: Database) -> None:
    """Delete rows whose owner is lost, until none is left."""
    while loose := select(db, VIOLATIONS):
        for row in loose:
            run(db, f'DELETE FROM "{row["table"]}" WHERE rowid = :key', key=row["rowid"])


def _make_findable(db: Database, profile: str) -> None:
    lost = texts(db, UNFOUND.format(table="message"), profile=profile)
    for message in messages.list_messages(db, profile, lost):
        write_message_items(db, message)
    lost = texts(db, UNFOUND.format(table="fact"), profile=profile)
    for fact in facts.facts_with_ids(db, profile, lost):
        write_fact_item(db, fact)
