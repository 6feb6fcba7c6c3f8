"""The journal: one line an act on memory, with ids of versions and never any text.

One surprise: a line is written after its versions, when the act is complete, so an act that fails leaves none.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.errors import NotFound
from memory.records import JournalEntry
from memory.store import rows
from memory.store.sql import first, insert, run, select

if TYPE_CHECKING:
    from sqlite_utils import Database

BY_ID = f"""
SELECT {rows.JOURNAL}
FROM journal
WHERE id = :id AND profile = :profile
ORDER BY key
"""

LIST = f"""
SELECT {rows.JOURNAL}
FROM journal
WHERE +profile = :profile
    AND (:conversation IS NULL OR conversation = :conversation)
    AND (:ref IS NULL OR ref = :ref)
ORDER BY key DESC
LIMIT :limit
"""

LAST = f"""
SELECT {rows.JOURNAL}
FROM journal
WHERE +profile = :profile
    AND act <> 'undo'
    AND undone_by IS NULL
    AND (:conversation IS NULL OR conversation = :conversation)
ORDER BY key DESC
LIMIT 1
"""

MARK = """
UPDATE journal
SET undone_by = :undone_by
WHERE id = :id AND profile = :profile
"""

UNMARK = """
UPDATE journal
SET undone_by = NULL
WHERE undone_by = :undone_by AND profile = :profile
"""


def write_line(db: Database, entry: JournalEntry) -> None:
    """Add a line."""
    insert(db, "journal", rows.journal_row(entry))


def find_line(db: Database, profile: str, ident: str) -> JournalEntry | None:
    """Find a line by its whole id."""
    row = first(db, BY_ID, profile=profile, id=ident)
    return None if row is None else rows.journal_entry(row)


def get_line(db: Database, profile: str, ident: str) -> JournalEntry:
    """Return a line by its whole id."""
    entry = find_line(db, profile, ident)
    if entry is None:
        raise NotFound("change", ident)
    return entry


def last_line(db: Database, profile: str, conversation: str | None = None) -> JournalEntry | None:
    """Find the last act that was not undone; undoing is itself no such act."""
    row = first(db, LAST, profile=profile, conversation=conversation)
    return None if row is None else rows.journal_entry(row)


def list_lines(
    db: Database,
    profile: str,
    *,
    conversation: str | None = None,
    ref: str | None = None,
    limit: int = -1,
) -> list[JournalEntry]:
    """List acts, the last one first."""
    found = select(db, LIST, profile=profile, conversation=conversation, ref=ref, limit=limit)
    return [rows.journal_entry(row) for row in found]


def mark_undone(db: Database, profile: str, ident: str, undone_by: str) -> None:
    """Note which act undid this one."""
    run(db, MARK, profile=profile, id=ident, undone_by=undone_by)


def unmark_undone(db: Database, profile: str, undone_by: str) -> None:
    """Note that the act which undid something was itself undone."""
    run(db, UNMARK, profile=profile, undone_by=undone_by)
