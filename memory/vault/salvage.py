"""Reads what a damaged store still holds into a new vault.

Works on decrypted pages, never through SQLite, whose first damaged page would stop it. Tables are walked from
their roots; leaf pages that nothing leads to any more are given to the one table whose columns they fit. Search
indexes are rebuilt, vectors are left to be embedded again, rows that break a rule of the new store are counted
and left out. The new vault is made in a folder of its own and takes its place when it is complete: one that looks
whole and lacks half of what was saved would be believed.
More than 300 lines: what is read and where it is put are one walk.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlcipher3 import dbapi2

from memory.vault import btree, keyfile
from memory.vault.btree import Value
from memory.vault.check import check_pages
from memory.vault.crashpoints import point
from memory.vault.driver_errors import store_errors
from memory.vault.errors import StoreDamaged, StoreExists
from memory.vault.exclusive import leave_log, put_in_place
from memory.vault.files import disk_errors, full_or_refused, make_private_folder
from memory.vault.identity import TABLE as IDENTITY_TABLE
from memory.vault.kdf import DEFAULT, Argon2Params
from memory.vault.keys import Secret, subkey
from memory.vault.layout import Layout
from memory.vault.lock import acquire
from memory.vault.migration import Migrate
from memory.vault.pages import PageReader
from memory.vault.vault import Vault, create_vault, utc_now

if TYPE_CHECKING:
    from sqlite_utils import Database

_TABLES: Final = """
SELECT name
FROM pragma_table_list
WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
ORDER BY name
"""
_TEMP: Final = ".salvaging.tmp"
_OWN: Final = frozenset({IDENTITY_TABLE, "_sqlite_migrations"})
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "INTEGER": (int,),
    "INT": (int,),
    "REAL": (float, int),
    "TEXT": (str,),
    "BLOB": (bytes,),
    "ANY": (int, float, str, bytes),
}


@dataclass(slots=True)
class Salvaged:
    """What a salvage saved and what it could not."""

    damaged: tuple[int, ...]
    """Pages that do not authenticate."""
    rows: dict[str, int] = field(default_factory=dict)
    """Table → rows saved."""
    refused: int = 0
    """Rows that could be read but break a rule of the new store."""
    unreadable: int = 0
    """Rows of which a part lies on a damaged page."""
    unplaced: int = 0
    """Rows that fit no table, or more than one."""
    seal_kept: bool = False
    """Whether tombstones and certificates stay valid in the new vault."""


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    types: tuple[type, ...]
    required: bool
    is_rowid: bool


@dataclass(frozen=True, slots=True)
class _Row:
    rowid: int
    values: list[Value]


def salvage(
    folder: Path,
    secret: Secret,
    destination: Path,
    passphrase: str,
    *,
    migrate: Migrate,
    schema_version: int,
    mend: Migrate | None = None,
    params: Argon2Params = DEFAULT,
    now: Callable[[], datetime] = utc_now,
    allow_cheap: bool = False,
) -> Salvaged:
    """Make a new vault in ``destination`` out of what can be read in a damaged one, which is left as it is.

    Stopped anywhere, there is no new vault or a complete one. ``mend`` is called last with the new store, to put right what only its owner understands.
    """
    layout = Layout(folder)
    key_file = keyfile.load(layout.key_file, allow_cheap=allow_cheap)
    with _best_reader(layout, key_file, secret, allow_cheap=allow_cheap) as reader:
        report = Salvaged(check_pages(reader).pages)
        source = _Source(reader, report)
        seal = source.find_seal()
        report.seal_kept = seal is not None
        with _made_whole(Layout(destination), now) as temp:
            with create_vault(
                temp,
                passphrase,
                params=params,
                migrate=migrate,
                schema_version=schema_version,
                now=now,
                allow_cheap=allow_cheap,
                lineage=(key_file.file_id, seal),
            ) as vault:
                _fill(vault, source, report)
                if mend is not None:
                    mend(vault.db)
                leave_log(vault.db)
            point("salvage.filled")
    return report


@contextmanager
def _made_whole(target: Layout, now: Callable[[], datetime]) -> Iterator[Path]:
    """Give a folder to make a vault in, and put that vault in its place afterwards, as a creation does."""
    make_private_folder(target.folder)
    temp = target.folder / _TEMP
    lock = acquire(target.lock, since=now().isoformat())
    try:
        if target.key_file.exists() or target.store.exists() or target.restoring.exists():
            raise StoreExists(f"there is a vault in {target.folder} already")
        shutil.rmtree(temp, ignore_errors=True)
        with full_or_refused(target.folder), store_errors():
            yield temp
        made = Layout(temp)
        with disk_errors(target.new_store.name):
            made.store.replace(target.new_store)
            point("salvage.moved")
            made.key_file.replace(target.key_file)
        put_in_place(target.new_store, target.store, named="salvage")
    finally:
        shutil.rmtree(temp, ignore_errors=True)
        lock.release()


class _Source:
    """The damaged store as tables and stray leaves."""

    def __init__(self, reader: PageReader, report: Salvaged) -> None:
        self._reader = reader
        self._report = report
        self._visited: set[int] = set()
        self.schema: dict[str, tuple[int, str]] = {}
        """Table → root page and CREATE statement, as far as the first pages tell."""
        for row in list(self._walk(1)):
            match row.values:
                case ["table", str(name), _, int(root), str(sql)] if root > 0:
                    self.schema[name] = (root, sql)
                case [_, _, _, int(root), *_] if root > 0:
                    self._visited.add(root)

    def find_seal(self) -> bytes | None:
        """Return the root of the keys that outlive a data key, if its row can be read."""
        for row in self.iter_table(IDENTITY_TABLE):
            match row.values:
                case [_, "seal", bytes(seal)] if len(seal) == 32:
                    return seal
        return None

    def iter_table(self, name: str) -> Iterator[_Row]:
        """Yield the rows that a table's root leads to."""
        if name in self.schema:
            yield from self._walk(self.schema[name][0])

    def iter_stray(self) -> Iterator[list[_Row]]:
        """Yield the rows of each leaf that no root leads to; call it after every table was walked."""
        for number in range(2, self._reader.page_count + 1):
            content = self._reader.read(number)
            if number in self._visited or content is None:
                continue
            if btree.page_kind(number, content) == btree.TABLE_LEAF:
                yield list(self._rows(number, content))

    def _walk(self, root: int) -> Iterator[_Row]:
        waiting = [root]
        while waiting:
            number = waiting.pop()
            if number in self._visited and number != root:
                continue
            self._visited.add(number)
            content = self._reader.read(number) if 0 < number <= self._reader.page_count else None
            if content is None:
                continue
            kind = btree.page_kind(number, content)
            if kind == btree.TABLE_LEAF:
                yield from self._rows(number, content)
            elif kind == btree.TABLE_INTERIOR:
                children = [cell.child for cell in btree.iter_cells(number, content)]
                waiting += [btree.rightmost_child(number, content), *reversed(children)]

    def _rows(self, number: int, content: bytes) -> Iterator[_Row]:
        for cell in btree.iter_cells(number, content):
            payload = self._reader.payload(cell)
            values = btree.read_record(payload) if payload is not None else None
            if values is None or cell.rowid is None:
                self._report.unreadable += 1
            else:
                yield _Row(cell.rowid, values)


def _best_reader(
    layout: Layout, key_file: keyfile.KeyFile, secret: Secret, *, allow_cheap: bool
) -> PageReader:
    best: tuple[int, bytes] | None = None
    for opened in keyfile.iter_opened(key_file, secret, allow_cheap=allow_cheap):
        key = subkey(opened.data_key, "db", key_file.file_id)
        with PageReader(layout.store, key) as reader:
            readable = reader.page_count - len(reader.damaged_pages())
        if readable and (best is None or readable > best[0]):
            best = (readable, key)
    if best is None:
        raise StoreDamaged("not one page of the store opens with this key")
    return PageReader(layout.store, best[1])


def _fill(vault: Vault, source: _Source, report: Salvaged) -> None:
    db = vault.db
    present = {name: _columns(db.conn, name) for (name,) in db.conn.execute(_TABLES).fetchall()}
    wanted = {name: columns for name, columns in present.items() if name not in _OWN and columns}
    db.conn.execute("PRAGMA foreign_keys = OFF")
    try:
        for name in source.schema:
            rows = source.iter_table(name)
            if name not in wanted:
                for _ in rows:
                    pass  # its leaves are known now, and not mistaken for stray ones
                continue
            columns = _columns_of(source.schema[name][1], name) or wanted[name]
            _insert(db, name, columns, wanted[name], rows, report)
        for rows_of_leaf in source.iter_stray():
            fitting = [
                name for name, columns in present.items() if all(_fits(row, columns) for row in rows_of_leaf)
            ]
            if len(fitting) == 1 and fitting[0] in wanted:
                columns = wanted[fitting[0]]
                _insert(db, fitting[0], columns, columns, iter(rows_of_leaf), report)
            elif not fitting or fitting[0] in wanted:
                report.unplaced += len(rows_of_leaf)
    finally:
        db.conn.execute("PRAGMA foreign_keys = ON")


def _insert(
    db: Database,
    name: str,
    columns: list[_Column],
    wanted: list[_Column],
    rows: Iterator[_Row],
    report: Salvaged,
) -> None:
    known = {column.name for column in wanted}
    taken = [place for place, column in enumerate(columns) if column.name in known]
    names = ", ".join(_quoted(columns[place].name) for place in taken)
    marks = ", ".join("?" for _ in taken)
    statement = f"INSERT OR REPLACE INTO {_quoted(name)} ({names}) VALUES ({marks})"  # noqa: S608 - names from the schema
    with db.atomic():
        for row in rows:
            values = [*row.values, *([None] * (len(columns) - len(row.values)))]
            given = [row.rowid if columns[place].is_rowid else values[place] for place in taken]
            try:
                db.conn.execute(statement, given)
            except dbapi2.IntegrityError:
                report.refused += 1
            else:
                report.rows[name] = report.rows.get(name, 0) + 1


def _columns(connection: Any, table: str) -> list[_Column]:
    found = connection.execute(f"PRAGMA table_info({_quoted(table)})").fetchall()
    keys = sum(1 for *_, key in found if key)
    return [
        _Column(
            name=name,
            types=_TYPES.get(kind.upper(), _TYPES["ANY"]),
            required=bool(required),
            is_rowid=bool(key) and keys == 1 and kind.upper() == "INTEGER",
        )
        for _, name, kind, required, _, key in found
    ]


def _columns_of(statement: str, table: str) -> list[_Column]:
    """Return the columns a table had in the damaged store, asked of an empty database in memory."""
    scratch = dbapi2.connect(":memory:")
    try:
        scratch.execute(statement)
        return _columns(scratch, table)
    except dbapi2.Error:
        return []
    finally:
        scratch.close()


def _fits(row: _Row, columns: list[_Column]) -> bool:
    if len(row.values) != len(columns):
        return False
    for value, column in zip(row.values, columns, strict=True):
        if column.is_rowid or value is None:
            if column.required and not column.is_rowid:
                return False
        elif not isinstance(value, column.types):
            return False
    return True


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
