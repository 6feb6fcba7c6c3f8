"""Looks whether a store is whole: its pages, its tables, its search indexes.

Four questions, from the outside in: does every page authenticate, do pages and indexes fit together, do foreign
keys point somewhere, does each FTS5 index agree with its table. Answers are words and page numbers, never
content. An older page put back in its place authenticates, so it is not found here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlcipher3 import dbapi2

from memory.vault.driver_errors import find_vault_error
from memory.vault.errors import StoreDamaged
from memory.vault.pages import PageReader

if TYPE_CHECKING:
    from sqlite_utils import Database

_PAGE: Final = re.compile(r"\bpage (\d+)")
_FTS_TABLES: Final = """
SELECT name
FROM sqlite_master
WHERE type = 'table'
    AND sql LIKE '%USING fts5%'
    AND sql NOT LIKE '%USING fts5vocab%' -- a view of an index, which holds nothing of its own
ORDER BY name
"""
_MOST: Final = 20


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check found."""

    pages: tuple[int, ...]
    """Pages that do not authenticate."""
    problems: tuple[str, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing was found."""
        return not self.pages and not self.problems


def check_connection(db: Database) -> CheckReport:
    """Check a store through SQLite; on a read-only connection the search indexes are left out."""
    connection: Any = db.conn
    sealed = [str(row[0]) for row in _rows(connection, "PRAGMA cipher_integrity_check")]
    pages = tuple(sorted({int(found[1]) for text in sealed if (found := _PAGE.search(text))}))
    problems = [*sealed[:_MOST]]
    if not sealed:
        problems += _complaints(connection, f"PRAGMA integrity_check({_MOST})", "ok")
        problems += [
            f"a row of {table} points to {parent} and nothing is there"
            for table, _, parent, _ in _rows(connection, "PRAGMA foreign_key_check")[:_MOST]
        ]
        if not connection.execute("PRAGMA query_only").fetchone()[0]:
            problems += _broken_indexes(connection)
    return CheckReport(pages, tuple(problems))


def check_pages(reader: PageReader) -> CheckReport:
    """Check a store without SQLite: only whether its pages authenticate, but also when it no longer opens."""
    pages = reader.damaged_pages()
    problem = f"{len(pages)} of {reader.page_count} pages are damaged"
    return CheckReport(pages, (problem,) if pages else ())


def require_sound(report: CheckReport) -> None:
    """Raise StoreDamaged with the pages when a check found something."""
    if not report.sound:
        raise StoreDamaged("the store is damaged: " + "; ".join(report.problems[:3]), report.pages)


def _broken_indexes(connection: Any) -> list[str]:
    problems: list[str] = []
    for (name,) in _rows(connection, _FTS_TABLES):
        quoted = '"' + name.replace('"', '""') + '"'
        command = f"INSERT INTO {quoted} ({quoted}, rank) VALUES ('integrity-check', 1)"  # noqa: S608 - a name from the schema
        try:
            connection.execute(command)
        except dbapi2.DatabaseError as error:
            problems.append(f"the search index {name} does not agree with its table ({error})")
    return problems


def _complaints(connection: Any, pragma: str, fine: str) -> list[str]:
    return [str(row[0]) for row in _rows(connection, pragma) if row[0] != fine]


def _rows(connection: Any, statement: str) -> Sequence[Any]:
    try:
        return list(connection.execute(statement).fetchall())
    except dbapi2.DatabaseError as error:
        named = find_vault_error(error)
        if isinstance(named, StoreDamaged):
            return [(f"reading stopped: {error}", None, "", None)]
        raise
