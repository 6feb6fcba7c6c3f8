"""Writes everything that may leave as one archive, from a store that stays open for others.

Owns the two readings (one to count and hash, one to write) and the file that appears whole or not at all.
Knows no cipher: it writes into whatever takes bytes. One surprise: a copy in clear is for eyes only; secrets
are masked in it, the keys of forgotten things stay behind, and no import takes it back.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from memory.clock import to_text
from memory.secrets import mask
from memory.store.migrations import SCHEMA_VERSION
from memory.store.registry import tables_with_words
from memory.store.sql import canonical
from memory.store.tombstones import KEYS_SETTING, other_keys
from memory.store.whole_rows import iter_rows, snapshot
from memory.transfer.age import COST, Encryptor
from memory.transfer.archive import ORDER, Manifest, What, belongs, manifest_line, record_line
from memory.vault.crashpoints import point
from memory.vault.errors import StoreUnwritable
from memory.vault.files import FILE_MODE, disk_errors, sync_folder

if TYPE_CHECKING:
    from sqlite_utils import Database

Progress = Callable[[int, int], None]
WORDS: Final = tables_with_words()
EVERY: Final = 50
"""Records between two reports of progress."""


def export_file(
    db: Database,
    path: Path,
    passphrase: str | None,
    *,
    what: What = "all",
    tombstone_key: bytes,
    now: datetime,
    cost: int = COST,
    allow_cheap: bool = False,
    progress: Progress | None = None,
) -> Manifest:
    """Write an archive to a path; without a passphrase it is a masked copy in clear."""
    with snapshot(db), _whole_file(path) as sink:
        if passphrase is None:
            manifest = write_archive(
                db, sink.write, what=what, keys=(), now=now, masked=True, progress=progress
            )
        else:
            writer = Encryptor(sink, passphrase, cost=cost, allow_cheap=allow_cheap)
            keys = (tombstone_key.hex(), *(key.hex() for key in other_keys(db)))
            manifest = write_archive(db, writer.write, what=what, keys=keys, now=now, progress=progress)
            writer.finish()
    return manifest


def write_encrypted(
    path: Path, content: bytes, passphrase: str, *, cost: int = COST, allow_cheap: bool = False
) -> None:
    """Write something that is no archive into an encrypted file, whole or not at all."""
    with _whole_file(path) as sink:
        writer = Encryptor(sink, passphrase, cost=cost, allow_cheap=allow_cheap)
        writer.write(content)
        writer.finish()


def write_clear(path: Path, content: bytes) -> None:
    """Write a file that anybody can read, whole or not at all."""
    with _whole_file(path) as sink:
        sink.write(content)


def write_archive(
    db: Database,
    write: Callable[[bytes], object],
    *,
    what: What,
    keys: Sequence[str],
    now: datetime,
    masked: bool = False,
    progress: Progress | None = None,
) -> Manifest:
    """Write the archive's lines; the caller holds the store still."""
    digest = hashlib.sha256()
    counts: dict[str, int] = {}
    for table, line in _lines(db, what, masked=masked):
        digest.update(line)
        counts[table] = counts.get(table, 0) + 1
    manifest = Manifest(
        made_at=to_text(now),
        what=what,
        schema=SCHEMA_VERSION,
        counts=counts,
        sha256=digest.hexdigest(),
        tombstone_keys=tuple(keys),
        masked=masked,
    )
    write(manifest_line(manifest))
    for number, (_, line) in enumerate(_lines(db, what, masked=masked), start=1):
        write(line)
        if progress is not None and (number % EVERY == 0 or number == manifest.total):
            progress(number, manifest.total)
    return manifest


def _lines(db: Database, what: What, *, masked: bool) -> Iterator[tuple[str, bytes]]:
    for table in ORDER:
        for row in iter_rows(db, table):
            if table == "setting" and row["name"] == KEYS_SETTING:
                continue  # these travel in the manifest, and only encrypted
            if belongs(what, table, row):
                yield table, record_line(table, _masked(table, row) if masked else row)


def _masked(table: str, row: dict[str, Any]) -> dict[str, Any]:
    """Take the secrets out of every column that may hold somebody's words."""
    shown = dict(row)
    if table == "message" and row["masked"] is not None:
        shown |= {"text": row["masked"], "masked": None}
    for column in WORDS.get(table, ()):
        if isinstance(shown[column], str):
            shown[column] = _masked_text(shown[column])
    return shown


def _masked_text(text: str) -> str:
    if text[:1] in ("{", "["):
        try:
            return canonical(_masked_value(json.loads(text)))
        except ValueError:
            pass  # it only begins like JSON
    return mask(text) or text


def _masked_value(value: Any) -> Any:
    match value:
        case str():
            return mask(value) or value
        case list():
            return [_masked_value(one) for one in value]
        case dict():
            shown = {name: _masked_value(one) for name, one in value.items()}
            if isinstance(shown.get("masked"), str) and "text" in shown:
                shown |= {"text": shown["masked"], "masked": None}  # a version of a message
            return shown
        case _:
            return value


def _opened(temp: Path, path: Path) -> int:
    """Open a new file for writing; a folder that takes none is said in words."""
    try:
        return os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StoreUnwritable(f"could not write {path}: its folder takes no files") from error


@contextmanager
def _whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file beside the path that takes its place only when everything was written."""
    temp = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    if path.exists() and not path.is_file():
        raise StoreUnwritable(f"{path} is no file that could be written over")
    with disk_errors(path.name):
        try:
            descriptor = _opened(temp, path)
            with os.fdopen(descriptor, "wb") as sink:
                yield sink
                sink.flush()
                os.fsync(sink.fileno())
            point("export.written")
            temp.replace(path)
        except BaseException:
            temp.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
