"""Rules: how the user wants things done, in versions that share a lineage.

The current version is the active one of its lineage; a profile also follows the rules of every profile. One
surprise: the store allows one active version a lineage, so the old one is replaced before the new is written.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memory.errors import NotFound
from memory.records import EVERY_PROFILE, Rule
from memory.store import rows
from memory.store.sql import first, insert, listed, run, select, update

if TYPE_CHECKING:
    from sqlite_utils import Database

CURRENT = f"""
SELECT {rows.RULE}
FROM rule
WHERE profile IN (:profile, :every) AND state = 'active'
ORDER BY lineage, key
"""

BY_ID = f"""
SELECT {rows.RULE}
FROM rule
WHERE id = :id AND profile IN (:profile, :every)
ORDER BY key
"""

LINEAGE = f"""
SELECT {rows.RULE}
FROM rule
WHERE lineage = :lineage AND profile IN (:profile, :every)
ORDER BY version, key
"""

DELETE = """
DELETE FROM rule
WHERE id IN (SELECT value FROM json_each(:ids)) AND profile IN (:profile, :every)
"""


def insert_rule(db: Database, rule: Rule) -> None:
    """Add a version of a rule."""
    insert(db, "rule", rows.rule_row(rule))


def update_rule(db: Database, rule: Rule) -> None:
    """Write a changed version of a rule."""
    if not update(db, "rule", rows.rule_row(rule)):
        raise NotFound("rule", rule.id)


def find_rule(db: Database, profile: str, ident: str) -> Rule | None:
    """Find a version of a rule by its whole id."""
    row = first(db, BY_ID, profile=profile, every=EVERY_PROFILE, id=ident)
    return None if row is None else rows.rule(row)


def get_rule(db: Database, profile: str, ident: str) -> Rule:
    """Return a version of a rule by its whole id."""
    rule = find_rule(db, profile, ident)
    if rule is None:
        raise NotFound("rule", ident)
    return rule


def current_rules(db: Database, profile: str) -> list[Rule]:
    """List the rules in force, oldest first."""
    return [rows.rule(row) for row in select(db, CURRENT, profile=profile, every=EVERY_PROFILE)]


def rule_versions(db: Database, profile: str, lineage: str) -> list[Rule]:
    """List every version of one rule, the first one first."""
    found = select(db, LINEAGE, profile=profile, every=EVERY_PROFILE, lineage=lineage)
    return [rows.rule(row) for row in found]


def delete_rules(db: Database, profile: str, idents: Iterable[str]) -> int:
    """Delete versions of rules."""
    return run(db, DELETE, profile=profile, every=EVERY_PROFILE, ids=listed(idents))
