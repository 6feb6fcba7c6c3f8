"""The lines inside an archive: a manifest, then one record a line; FORMAT.md says it in prose.

Owns the order of tables, the limits, the counts and the content hash. Knows nothing of encryption or of what
a record means. One surprise: forgotten things and earlier versions come before the records they speak of, so
that a reader who takes one record at a time already knows what must not come back.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from memory.store.registry import exported_tables
from memory.store.sql import canonical
from memory.transfer.errors import ArchiveNewer, ArchiveTooLarge, ContentRefused, NotAnArchive

FORMAT: Final = "locket-archive"
VERSION: Final = 1
MAX_LINE: Final = 128 << 20
MAX_RECORDS: Final = 20_000_000
FIRST: Final = ("tombstone", "version")
ORDER: Final = (*FIRST, *(table for table in exported_tables() if table not in FIRST))

What = Literal["all", "memory", "chats"]
Value = str | int | float | None
Record = tuple[str, dict[str, Value]]

CHATS: Final = frozenset({"conversation", "message", "attachment", "draft", "working_state", "trace"})
MEMORY: Final = frozenset({"episode", "fact", "rule", "candidate", "journal", "certificate", "golden"})
_OF_CHATS: Final = frozenset({"message", "answer", "working_state"})
"""Kinds of versions and of links' children that belong to what was said, not to what is remembered."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The first line: what the archive is and holds."""

    made_at: str
    what: What
    schema: int
    counts: Mapping[str, int]
    sha256: str
    """Over every byte after the manifest's line."""
    tombstone_keys: tuple[str, ...] = ()
    """The keys of the forgotten things' hashes, in hex; the writing store's own comes first."""
    masked: bool = False
    """Whether secrets were taken out, as in every copy in clear."""

    @property
    def total(self) -> int:
        """How many records follow."""
        return sum(self.counts.values())


def belongs(what: What, table: str, row: Mapping[str, Any]) -> bool:
    """Tell whether a row goes into an archive of this kind."""
    if what == "all" or table in {"profile", "setting", "tombstone"}:
        return True
    if table in {"version", "derivation"}:
        kind = row["kind"] if table == "version" else row["child_kind"]
        return (kind in _OF_CHATS) == (what == "chats")
    return table in (CHATS if what == "chats" else MEMORY)


def record_line(table: str, row: Mapping[str, Any]) -> bytes:
    """Write one record as its line."""
    line = canonical({"kind": table, "fields": dict(row)}).encode() + b"\n"
    if len(line) > MAX_LINE:
        raise ArchiveTooLarge(f"one {table} alone fills {len(line):,} bytes; {MAX_LINE:,} is the most")
    return line


def manifest_line(manifest: Manifest) -> bytes:
    """Write the first line."""
    value = {
        "format": FORMAT,
        "version": VERSION,
        "made_at": manifest.made_at,
        "what": manifest.what,
        "schema": manifest.schema,
        "counts": dict(manifest.counts),
        "sha256": manifest.sha256,
        "tombstone_keys": list(manifest.tombstone_keys),
        "masked": manifest.masked,
    }
    return canonical(value).encode() + b"\n"


def read_archive(pieces: Iterable[bytes]) -> tuple[Manifest, Iterator[Record]]:
    """Return the manifest and the records; counts and hash are known to be right once all were taken."""
    lines = _lines(pieces)
    first = next(lines, b"")
    manifest = _manifest(first)
    return manifest, _records(manifest, lines)


def _records(manifest: Manifest, lines: Iterator[bytes]) -> Iterator[Record]:
    digest = hashlib.sha256()
    counts = dict.fromkeys(ORDER, 0)
    at = 0
    for number, line in enumerate(lines, start=2):
        digest.update(line)
        value = _json(line, number)
        if not isinstance(value, dict) or set(value) != {"kind", "fields"} or value["kind"] not in counts:
            raise ContentRefused(f"line {number} is no record of this version")
        table, row = value["kind"], value["fields"]
        if not isinstance(row, dict) or not all(
            name and isinstance(cell, str | int | float | None) and not isinstance(cell, bool)
            for name, cell in row.items()
        ):
            raise ContentRefused(f"line {number} holds values that no record has")
        if ORDER.index(table) < at:
            raise ContentRefused(f"line {number} is out of order")
        at = ORDER.index(table)
        counts[table] += 1
        if counts[table] > manifest.counts.get(table, 0):
            raise ContentRefused(f"there are more records of kind {table} than the first line says")
        yield table, row
    if {table: found for table, found in counts.items() if found} != dict(manifest.counts):
        raise ContentRefused("there are fewer records than the first line says")
    if digest.hexdigest() != manifest.sha256:
        raise ContentRefused("the records are not the ones that the first line describes")


def _manifest(line: bytes) -> Manifest:
    try:
        value = _json(line, 1)
    except ContentRefused as error:
        raise NotAnArchive("what is inside is not an archive of Locket") from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise NotAnArchive("what is inside is not an archive of Locket")
    version = value.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ContentRefused("the archive does not say which version it has")
    if version > VERSION:
        raise ArchiveNewer(version, VERSION)
    try:
        manifest = Manifest(
            made_at=value["made_at"],
            what=value["what"],
            schema=value["schema"],
            counts=value["counts"],
            sha256=value["sha256"],
            tombstone_keys=tuple(value["tombstone_keys"]),
            masked=value["masked"],
        )
        is_spelled = manifest_line(manifest) == line
        keys = [bytes.fromhex(key) for key in manifest.tombstone_keys]
        is_sound = (
            all(0 < found <= MAX_RECORDS for found in manifest.counts.values())
            and set(manifest.counts) <= set(ORDER)
            and manifest.total <= MAX_RECORDS
            and all(len(key) == hashlib.sha256().digest_size for key in keys)
            and type(manifest.schema) is int
            and type(manifest.masked) is bool
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ContentRefused("the archive's first line lacks what it must say") from error
    if not is_spelled or not is_sound:
        raise ContentRefused("the archive's first line says what no writer would")
    return manifest


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Cut pieces into lines, each with its end; a last one without an end is refused."""
    waiting = bytearray()
    for piece in pieces:
        searched = len(waiting)
        waiting += piece
        start = 0
        while (end := waiting.find(b"\n", max(start, searched))) >= 0:
            _check_length(end + 1 - start)
            yield bytes(waiting[start : end + 1])
            start = end + 1
        del waiting[:start]
        _check_length(len(waiting))
    if waiting:
        raise ContentRefused("the last line has no end")


def _check_length(length: int) -> None:
    if length > MAX_LINE:
        raise ContentRefused(f"a line is longer than {MAX_LINE:,} bytes")


def _json(line: bytes, number: int) -> Any:
    try:
        return json.loads(line, parse_constant=_no_constant, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise ContentRefused(f"line {number} is not JSON as it is written here") from error


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no value")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name stands twice")
    return value
