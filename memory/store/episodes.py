"""Episodes as rows: the recent ones, those of a conversation, and the count of their use."""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from memory.clock import to_text
from memory.errors import NotFound
from memory.records import Episode
from memory.store import rows
from memory.store.sql import first, insert, listed, run, select, update

if TYPE_CHECKING:
    from sqlite_utils import Database

BY_ID = f"""
SELECT {rows.EPISODE}
FROM episode
WHERE id = :id AND profile = :profile
ORDER BY key
"""

RECENT = f"""
SELECT {rows.EPISODE}
FROM episode
WHERE profile = :profile
    AND (:every_state OR state = 'active')
    AND (:other_than IS NULL OR conversation <> :other_than)
ORDER BY ended_at DESC, key DESC
LIMIT :limit
"""

# one that tells what is no longer true is history: listed, but not sent
OPENING = f"""
SELECT {rows.EPISODE}
FROM episode
WHERE profile = :profile
    AND state = 'active'
    AND conversation <> :other_than
    AND NOT EXISTS (
        SELECT 1
        FROM item
        WHERE item.kind = 'episode' AND item.ref = episode.id AND item.state <> 'active'
    )
ORDER BY ended_at DESC, key DESC
LIMIT :limit
"""

OF_CONVERSATION = f"""
SELECT {rows.EPISODE}
FROM episode
WHERE +profile = :profile AND conversation = :conversation
ORDER BY started_at, key
"""

RESTING_ON = f"""
SELECT DISTINCT {rows.EPISODE}, episode.key
FROM episode
JOIN derivation ON derivation.child = episode.id AND derivation.role = 'source'
WHERE +episode.profile = :profile AND derivation.parent IN (SELECT value FROM json_each(:ids))
ORDER BY episode.key
"""

RECALLED = """
UPDATE episode
SET recalled = recalled + 1, recalled_at = :now
WHERE +profile = :profile AND id IN (SELECT value FROM json_each(:ids))
"""

DELETE = """
DELETE FROM episode
WHERE +profile = :profile AND id IN (SELECT value FROM json_each(:ids))
"""


def insert_episode(db: Database, episode: Episode) -> None:
    """Add an episode; its item and its links to messages are written apart from this."""
    insert(db, "episode", rows.episode_row(episode))


def update_episode(db: Database, episode: Episode) -> None:
    """Write a changed episode."""
    if not update(db, "episode", rows.episode_row(episode)):
        raise NotFound("episode", episode.id)


def find_episode(db: Database, profile: str, ident: str) -> Episode | None:
    """Find an episode by its whole id."""
    row = first(db, BY_ID, profile=profile, id=ident)
    return None if row is None else rows.episode(row)


def get_episode(db: Database, profile: str, ident: str) -> Episode:
    """Return an episode by its whole id."""
    episode = find_episode(db, profile, ident)
    if episode is None:
        raise NotFound("episode", ident)
    return episode


def list_episodes(
    db: Database,
    profile: str,
    *,
    limit: int = -1,
    every_state: bool = False,
    other_than: str | None = None,
) -> list[Episode]:
    """List episodes, the last one first; ``other_than`` leaves one conversation's own out."""
    found = select(
        db,
        RECENT,
        profile=profile,
        limit=limit,
        every_state=int(every_state),
        other_than=other_than,
    )
    return [rows.episode(row) for row in found]


def opening_episodes(db: Database, profile: str, other_than: str, limit: int) -> list[Episode]:
    """List the last episodes of other conversations that may open a prompt."""
    found = select(db, OPENING, profile=profile, other_than=other_than, limit=limit)
    return [rows.episode(row) for row in found]


def episodes_of(db: Database, profile: str, conversation: str) -> list[Episode]:
    """List a conversation's episodes in the order they happened."""
    found = select(db, OF_CONVERSATION, profile=profile, conversation=conversation)
    return [rows.episode(row) for row in found]


def episodes_resting_on(db: Database, profile: str, messages: Iterable[str]) -> list[Episode]:
    """List the episodes that have one of these messages among their sources."""
    found = select(db, RESTING_ON, profile=profile, ids=listed(messages))
    return [rows.episode(row) for row in found]


def record_episodes_recalled(db: Database, profile: str, idents: Iterable[str], now: datetime) -> None:
    """Count that these episodes were used."""
    run(db, RECALLED, profile=profile, ids=listed(idents), now=to_text(now))


def delete_episodes(db: Database, profile: str, idents: Iterable[str]) -> int:
    """Delete episodes; their items, versions and links are removed apart from this."""
    return run(db, DELETE, profile=profile, ids=listed(idents))
