"""Settings that belong in the vault: a JSON value for each name of a profile."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memory.store.sql import canonical, first, run, select

if TYPE_CHECKING:
    from sqlite_utils import Database

GET = """
SELECT value
FROM setting
WHERE profile = :profile AND name = :name
ORDER BY key
"""

LIST = """
SELECT name, value
FROM setting
WHERE profile = :profile
ORDER BY name, key
"""

PUT = """
INSERT INTO setting (profile, name, value)
VALUES (:profile, :name, :value)
ON CONFLICT (profile, name) DO UPDATE
SET value = excluded.value
"""

DELETE = """
DELETE FROM setting
WHERE profile = :profile AND name = :name
"""


def find_setting(db: Database, profile: str, name: str, default: Any = None) -> Any:
    """Return a setting's value, or the default when it was never set."""
    row = first(db, GET, profile=profile, name=name)
    return default if row is None else json.loads(row["value"])


def put_setting(db: Database, profile: str, name: str, value: Any) -> None:
    """Set a value that JSON can write."""
    run(db, PUT, profile=profile, name=name, value=canonical(value))


def list_settings(db: Database, profile: str) -> dict[str, Any]:
    """Return all settings of a profile by name."""
    return {row["name"]: json.loads(row["value"]) for row in select(db, LIST, profile=profile)}


def delete_setting(db: Database, profile: str, name: str) -> None:
    """Go back to the default."""
    run(db, DELETE, profile=profile, name=name)
