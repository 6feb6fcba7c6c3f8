"""Runs statements with named values and hands rows back by column name.

Owns the only text joined into SQL: table and column names written in this package. Values are always bound.
One surprise: rows are fetched whole, because an open cursor would keep the log from being truncated. Another:
``+profile`` in a statement keeps SQLite, which has no statistics, from walking a whole profile by its index
where an id already says which row is meant.
"""

# ruff: noqa: S608 - names of tables and columns are joined in, never values

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlite_utils import Database

Row = Mapping[str, Any]


def select(db: Database, statement: str, **values: Any) -> list[Row]:
    """Return all rows of a statement."""
    cursor = db.execute(statement, values)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def tuples(db: Database, statement: str, **values: Any) -> list[tuple[Any, ...]]:
    """Return all rows of a statement as they come, for where there are many."""
    found: list[tuple[Any, ...]] = db.execute(statement, values).fetchall()
    return found


def first(db: Database, statement: str, **values: Any) -> Row | None:
    """Return the first row of a statement, if there is one."""
    found = select(db, statement, **values)
    return found[0] if found else None


def texts(db: Database, statement: str, **values: Any) -> list[str]:
    """Return the first column of a statement as texts."""
    return [str(row[0]) for row in db.execute(statement, values).fetchall()]


def count(db: Database, statement: str, **values: Any) -> int:
    """Return the number that a counting statement gives."""
    return int(db.execute(statement, values).fetchall()[0][0])


def run(db: Database, statement: str, **values: Any) -> int:
    """Execute a statement that changes rows; return how many it changed."""
    return int(db.execute(statement, values).rowcount)


def insert(db: Database, table: str, row: Row, *, unless_there: bool = False) -> bool:
    """Write one row; return whether it was new (a row already there is an error unless allowed)."""
    verb = "INSERT OR IGNORE" if unless_there else "INSERT"
    names = ", ".join(row)
    values = ", ".join(f":{name}" for name in row)
    return db.execute(f"{verb} INTO {table} ({names}) VALUES ({values})", dict(row)).rowcount > 0


def update(db: Database, table: str, row: Row) -> bool:
    """Write all named columns of the row that has this id; return whether there is one."""
    changes = ", ".join(f"{name} = :{name}" for name in row if name != "id")
    return db.execute(f"UPDATE {table} SET {changes} WHERE id = :id", dict(row)).rowcount > 0


def listed(values: Iterable[Any]) -> str:
    """Write values as the JSON list that ``json_each`` takes, so that any number is one statement."""
    return json.dumps(list(values), ensure_ascii=False)


def canonical(value: Any) -> str:
    """Write JSON in one form, so that equal values are equal texts."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
