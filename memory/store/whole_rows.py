"""Whole rows of whole tables, column by column: what an archive carries and an import puts back.

Owns which columns tell two rows of a table apart and what each row must be readable as. Knows nothing of
files. One surprise: the local integer key is never part of a row here; it only orders the reading, so that
rows come back in the order in which they were first written.
"""

# ruff: noqa: S608 - names of tables and columns are joined in, never values

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from memory.store import rows, traces
from memory.store.sql import Row, count, first, insert, run, select

if TYPE_CHECKING:
    from sqlite_utils import Database

LOCAL: Final = "key"
PAGE: Final = 32
"""Rows read at once: an attachment may be large, and no cursor stays open between two pages."""

IDENTITIES: Final[Mapping[str, tuple[str, ...]]] = {
    "setting": ("profile", "name"),
    "derivation": ("child", "parent", "role"),
    "working_state": ("conversation",),
}
"""What tells rows apart, where that is not ``id``."""

READERS: Final[Mapping[str, Callable[[Row], object]]] = {
    "profile": rows.profile,
    "conversation": rows.conversation,
    "message": rows.message,
    "attachment": rows.attachment,
    "draft": rows.draft,
    "working_state": rows.working_state,
    "episode": rows.episode,
    "fact": rows.fact,
    "rule": rows.rule,
    "candidate": rows.candidate,
    "derivation": rows.derivation,
    "version": rows.version,
    "trace": traces.trace_from,
    "journal": rows.journal_entry,
    "tombstone": rows.tombstone,
    "certificate": rows.certificate,
    "golden": rows.golden,
}


TYPES: Final[Mapping[str, tuple[type, ...]]] = {"TEXT": (str,), "INTEGER": (int,), "REAL": (int, float)}


@contextmanager
def snapshot(db: Database) -> Iterator[None]:
    """Let everything read inside see the store at one moment."""
    db.conn.execute("BEGIN")
    try:
        yield
    finally:
        db.conn.execute("ROLLBACK")


def columns(db: Database, table: str) -> tuple[str, ...]:
    """Return the columns of a table, the local key apart."""
    return tuple(column_types(db, table))


def column_types(db: Database, table: str) -> dict[str, tuple[type, ...]]:
    """Return what each column of a table takes besides nothing; SQLite would turn a number into text unasked."""
    found = db.conn.execute(f"PRAGMA table_info({table})").fetchall()
    return {str(row[1]): TYPES[row[2]] for row in found if row[1] != LOCAL}


def count_rows(db: Database, table: str) -> int:
    """Count the rows of a table."""
    return count(db, f"SELECT count(*) FROM {table}")


def iter_rows(db: Database, table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table in the order they were written."""
    names = ", ".join((LOCAL, *columns(db, table)))
    statement = f"SELECT {names} FROM {table} WHERE {LOCAL} > :after ORDER BY {LOCAL} LIMIT {PAGE}"
    after = 0
    while page := select(db, statement, after=after):
        for row in page:
            after = int(row[LOCAL])
            yield {name: value for name, value in row.items() if name != LOCAL}


def identity(table: str, row: Row) -> dict[str, Any]:
    """Return the part of a row that tells it apart."""
    return {name: row[name] for name in IDENTITIES.get(table, ("id",))}


def find_row(db: Database, table: str, row: Row) -> dict[str, Any] | None:
    """Find the row with the same identity."""
    same = identity(table, row)
    found = first(db, f"SELECT * FROM {table} WHERE {_where(same)} ORDER BY {LOCAL}", **same)
    return None if found is None else {name: value for name, value in found.items() if name != LOCAL}


def has_row(db: Database, table: str, column: str, value: str) -> bool:
    """Tell whether any row of a table has this value in a column."""
    return (
        first(db, f"SELECT 1 FROM {table} WHERE {column} = :value ORDER BY {LOCAL} LIMIT 1", value=value)
        is not None
    )


def insert_row(db: Database, table: str, row: Row) -> None:
    """Write a new row."""
    insert(db, table, row)


def replace_row(db: Database, table: str, row: Row) -> None:
    """Write every column of the row with the same identity."""
    same = identity(table, row)
    changes = ", ".join(f"{name} = :{name}" for name in row if name not in same)
    run(db, f"UPDATE {table} SET {changes} WHERE {_where(same)}", **row)


def delete_row(db: Database, table: str, same: Row) -> None:
    """Remove the row with this identity."""
    run(db, f"DELETE FROM {table} WHERE {_where(same)}", **same)


def is_readable(table: str, row: Row) -> bool:
    """Tell whether the program could read this row back as a record."""
    reader = READERS.get(table)
    if reader is None:
        return True
    try:
        reader(row)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False
    return True


def _where(same: Row) -> str:
    return " AND ".join(f"{name} = :{name}" for name in same)
