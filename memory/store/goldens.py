"""The user's own test questions: what recall should, or should not, find for them."""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memory.clock import to_text
from memory.store import rows
from memory.store.sql import canonical, insert, listed, run, select
from memory.store.stored import Golden

if TYPE_CHECKING:
    from sqlite_utils import Database

LIST = f"""
SELECT {rows.GOLDEN}
FROM golden
WHERE profile = :profile
ORDER BY recorded_at, key
"""

DELETE = """
DELETE FROM golden
WHERE profile = :profile AND id IN (SELECT value FROM json_each(:ids))
"""


def insert_golden(db: Database, golden: Golden) -> None:
    """Keep a question; ``expected`` are the ids it should, or should not, find."""
    row = {
        "id": golden.id,
        "profile": golden.profile,
        "question": golden.question,
        "expected": canonical(list(golden.expected)),
        "should": int(golden.should),
        "recorded_at": to_text(golden.recorded_at),
    }
    insert(db, "golden", row)


def list_goldens(db: Database, profile: str) -> list[Golden]:
    """List all questions, oldest first."""
    return [rows.golden(row) for row in select(db, LIST, profile=profile)]


def delete_goldens(db: Database, profile: str, idents: Iterable[str]) -> int:
    """Delete questions."""
    return run(db, DELETE, profile=profile, ids=listed(idents))
