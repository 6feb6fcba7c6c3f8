"""The people, or sides of a person, whose memories are kept apart.

One surprise: the default profile comes with the schema, so there is always one.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.clock import to_text
from memory.errors import BadInput, NotFound
from memory.store import rows
from memory.store.sql import first, insert, run, select
from memory.store.stored import Profile

if TYPE_CHECKING:
    from sqlite_utils import Database

LIST = f"""
SELECT {rows.PROFILE}
FROM profile
ORDER BY created_at, key
"""

BY_NAME = f"""
SELECT {rows.PROFILE}
FROM profile
WHERE name = :name OR id = :name
ORDER BY name = :name DESC, key
"""

RENAME = """
UPDATE profile
SET name = :name
WHERE id = :id
"""


def insert_profile(db: Database, profile: Profile) -> None:
    """Add a profile; its name must be new."""
    if find_profile(db, profile.name) is not None:
        raise BadInput(f"there is a profile called {profile.name!r} already")
    row = {"id": profile.id, "name": profile.name, "created_at": to_text(profile.created_at)}
    insert(db, "profile", row)


def find_profile(db: Database, name: str) -> Profile | None:
    """Find a profile by its name or id."""
    row = first(db, BY_NAME, name=name)
    return None if row is None else rows.profile(row)


def get_profile(db: Database, name: str) -> Profile:
    """Return a profile by its name or id."""
    profile = find_profile(db, name)
    if profile is None:
        raise NotFound("profile", name)
    return profile


def list_profiles(db: Database) -> list[Profile]:
    """List all profiles, oldest first."""
    return [rows.profile(row) for row in select(db, LIST)]


def rename_profile(db: Database, ident: str, name: str) -> None:
    """Give a profile another name; its id, and so its memories, stay."""
    other = find_profile(db, name)
    if other is not None and other.id != ident:
        raise BadInput(f"there is a profile called {name!r} already")
    if run(db, RENAME, id=ident, name=name) == 0:
        raise NotFound("profile", ident)
