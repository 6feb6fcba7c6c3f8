"""Which rows of the store, of any table, still hold certain characters; and what may be searched by word.

Reads only. Goes by the registry, so a new table or column is looked into without a change here.
"""

# ruff: noqa: S608 - names of tables and columns are joined in, which the registry lists

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memory.store.registry import ENTRIES, TableEntry
from memory.store.sql import listed, select

if TYPE_CHECKING:
    from sqlite_utils import Database

_OWNERS: Final = {"version": "ref", "item": "ref", "working_state": "conversation", "derivation": "child"}
"""Which column says whose words a row holds, where it is not the row's own id."""
_NO_PROFILE: Final = frozenset({"vault_meta", "_sqlite_migrations", "profile", "derivation", "embedder"})
_NOT_READ: Final = frozenset({"item_vocab", "sqlite_sequence"})
"""Shown through other tables, or made by SQLite."""
_ABSENT_IDS: Final = {
    "vault_meta": "name",
    "_sqlite_migrations": "name",
    "setting": "name",
    "embedder": "name",
}

STILL_THERE: Final = """
SELECT (SELECT count(*) FROM fact WHERE id IN (SELECT value FROM json_each(:ids)))
    + (SELECT count(*) FROM rule WHERE id IN (SELECT value FROM json_each(:ids)))
    + (SELECT count(*) FROM episode WHERE id IN (SELECT value FROM json_each(:ids)))
    + (SELECT count(*) FROM candidate WHERE id IN (SELECT value FROM json_each(:ids)))
    + (SELECT count(*) FROM draft WHERE id IN (SELECT value FROM json_each(:ids)))
    + (SELECT count(*) FROM golden WHERE id IN (SELECT value FROM json_each(:ids)))
    + (SELECT count(*) FROM attachment WHERE id IN (SELECT value FROM json_each(:ids)))
    + (SELECT count(*) FROM message WHERE id IN (SELECT value FROM json_each(:ids)))
    + (SELECT count(*) FROM conversation WHERE id IN (SELECT value FROM json_each(:ids)))
    + (SELECT count(*) FROM item WHERE ref IN (SELECT value FROM json_each(:ids)))
    + (SELECT count(*) FROM version WHERE ref IN (SELECT value FROM json_each(:ids)))
    + (SELECT count(*) FROM derivation WHERE child IN (SELECT value FROM json_each(:ids)))
    + (SELECT count(*) FROM derivation WHERE parent IN (SELECT value FROM json_each(:ids)))
    AS number
ORDER BY number
"""

TREES: Final = """
SELECT rootpage
FROM sqlite_master
WHERE rootpage > 0 AND tbl_name GLOB :family
ORDER BY rootpage
"""

SCHEMA: Final = """
SELECT name, sql
FROM sqlite_master
ORDER BY name
"""

TERMS: Final = """
SELECT term
FROM item_vocab
ORDER BY term
"""


@dataclass(frozen=True, slots=True)
class Stored:
    """One text of one row."""

    table: str
    owner: str
    profile: str
    """Empty when the row belongs to none."""
    column: str
    text: str
    is_words: bool
    """Whether the column may hold what somebody said."""


def count_still_there(db: Database, idents: Iterable[str]) -> int:
    """Count what is left of things that were removed, links and versions included."""
    return int(select(db, STILL_THERE, ids=listed(idents))[0]["number"])


def texts_holding(db: Database, needles: Sequence[str]) -> list[Stored]:
    """Return every text of every row that holds one of these, in one statement a table."""
    found: list[Stored] = []
    wanted = listed(needles)
    schema = select(db, SCHEMA)
    there = {row["name"] for row in schema}
    for entry in ENTRIES:
        if entry.is_family or entry.name in _NOT_READ or entry.name not in there:
            continue
        found += _of_table(db, entry, wanted, needles)
    for row in schema:
        for column in ("name", "sql"):
            text = row[column] or ""
            if any(needle in text for needle in needles):
                found.append(Stored("sqlite_master", "", "", column, text, is_words=False))
    return found


def _of_table(db: Database, entry: TableEntry, wanted: str, needles: Sequence[str]) -> list[Stored]:
    columns = [*entry.words, *entry.plain]
    owner = _OWNERS.get(entry.name) or _ABSENT_IDS.get(entry.name, "id")
    profile = "''" if entry.name in _NO_PROFILE else "profile"
    holds = " OR ".join(f"instr(cast({column} AS TEXT), needle.value) > 0" for column in columns)
    statement = f"""
SELECT {owner} AS the_owner, {profile} AS the_profile, {", ".join(columns)}
FROM {entry.name}
WHERE EXISTS (SELECT 1 FROM json_each(:needles) AS needle WHERE {holds})
ORDER BY rowid
"""
    found = []
    for row in select(db, statement, needles=wanted):
        for column in columns:
            text = row[column]
            if isinstance(text, str) and any(needle in text for needle in needles):
                found.append(
                    Stored(
                        entry.name,
                        str(row["the_owner"]),
                        str(row["the_profile"] or ""),
                        column,
                        text,
                        is_words=column in entry.words,
                    )
                )
    return found


def roots_of(db: Database, family: str) -> list[int]:
    """Return the first page of every tree of tables whose name begins so."""
    return [int(row["rootpage"]) for row in select(db, TREES, family=f"{family}*")]


def searchable_terms(db: Database) -> list[str]:
    """Return every word that the full-text index knows."""
    return [str(row["term"]) for row in select(db, TERMS)]


def check_index(db: Database) -> None:
    """Raise the driver's error unless the full-text index holds exactly the words of the items."""
    db.execute("INSERT INTO item_fts (item_fts, rank) VALUES ('integrity-check', 1)")
