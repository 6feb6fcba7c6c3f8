"""Finds what another program's export is, in a file, a ZIP or a folder, and walks it.

Owns the limits on what strangers' archives may ask for and the guess at a format. Nothing is unpacked onto the
disk. One surprise: a file's name says little (Claude's ZIP may come without an ending), so its content decides.
"""

from __future__ import annotations

import json
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal

from memory.transfer.errors import SourceUnreadable
from memory.transfer.report import Skipped
from memory.transfer.sources import chatgpt, claude, lines, markdown, mcp, mem0
from memory.transfer.sources.shapes import Piece

Kind = Literal["chatgpt", "claude", "mem0", "mcp", "markdown", "lines"]
KINDS: Final[tuple[Kind, ...]] = ("chatgpt", "claude", "mem0", "mcp", "markdown", "lines")
MAX_FILE: Final = 1 << 30
MAX_TOTAL: Final = 4 << 30
MAX_MEMBERS: Final = 100_000
MAX_RATIO: Final = 200
RATIO_FROM: Final = 1 << 20
"""Bytes from which on members that shrink too well, taken together, are a bomb."""
_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
)
"""What the library raises for an archive that is damaged, encrypted or packed in ways it does not know."""

_TELLING: Final = re.compile(r"conversations(?:-\d+)?\.json|memories\.json")


@dataclass(frozen=True, slots=True)
class Part:
    """One text of an export."""

    name: str
    text: str


def walk_source(path: Path, kind: Kind | None = None) -> tuple[Kind, Iterator[Piece]]:
    """Return which program's export this is and its pieces; raise SourceUnreadable when it is none."""
    parts = _parts(path)
    found = kind or _guess(parts)
    if found is None:
        raise SourceUnreadable(f"the export {path.name} looks like none that is known here")
    return found, _walk(parts, found)


def _walk(parts: list[Part], kind: Kind) -> Iterator[Piece]:
    readable = 0
    for part in parts:
        match kind:
            case "lines":
                pieces = lines.walk(part.text)
            case "mcp":
                pieces = mcp.walk(part.text)
            case "markdown":
                pieces = markdown.walk(part.text, part.name)
            case "chatgpt" | "claude" | "mem0":
                value = _json(part.text)
                if value is None:
                    yield Skipped(part.name, "it is not JSON, or cut off")
                    continue
                walk = {"chatgpt": chatgpt.walk, "claude": claude.walk, "mem0": mem0.walk}[kind]
                pieces = walk(value)
        readable += 1
        yield from pieces
    if not readable:
        raise SourceUnreadable("nothing of this export can be read")


def _guess(parts: list[Part]) -> Kind | None:
    for part in parts:
        value = _json(part.text) if part.text.lstrip()[:1] in ("[", "{") else None
        if value is not None:
            if chatgpt.is_chatgpt(value):
                return "chatgpt"
            if claude.is_claude(value):
                return "claude"
            if mem0.is_mem0(value):
                return "mem0"
        if mcp.is_mcp(part.text):
            return "mcp"
        if lines.is_lines(part.text):
            return "lines"
        if markdown.is_markdown(part.text):
            return "markdown"
    return None


def _json(text: str) -> object | None:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def _parts(path: Path) -> list[Part]:
    try:
        if path.is_dir():
            return _from_folder(path)
        if path.exists() and not path.is_file():
            raise SourceUnreadable(f"the export {path.name} is neither a file nor a folder")
        if zipfile.is_zipfile(path):
            return _from_zip(path)
        return [
            Part(path.name, _text(path.read_bytes() if path.stat().st_size <= MAX_FILE else None, path.name))
        ]
    except OSError as error:
        raise SourceUnreadable(f"the export {path.name} cannot be read: {error.strerror or error}") from error


def _from_folder(path: Path) -> list[Part]:
    files = sorted(one for one in path.rglob("*") if one.is_file() and not one.is_symlink())
    if len(files) > MAX_MEMBERS:
        raise SourceUnreadable(f"the export {path.name} holds more than {MAX_MEMBERS:,} files")
    chosen = [one for one in files if _is_wanted(one.name)]
    if sum(one.stat().st_size for one in chosen) > MAX_TOTAL:
        raise SourceUnreadable(f"the export {path.name} is larger than {MAX_TOTAL:,} bytes")
    return _chosen([(str(one.relative_to(path)), one) for one in chosen], lambda one: one.read_bytes())


def _from_zip(path: Path) -> list[Part]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if len(members) > MAX_MEMBERS:
                raise SourceUnreadable(f"the export {path.name} holds more than {MAX_MEMBERS:,} files")
            wanted = [
                one for one in members if not one.is_dir() and _is_wanted(PurePosixPath(one.filename).name)
            ]
            _check_sizes(path, wanted)
            return _chosen([(one.filename, one) for one in wanted], lambda one: _member(archive, one))
    except _BROKEN as error:
        raise SourceUnreadable(f"the export {path.name} is a ZIP file that cannot be read") from error


def _check_sizes(path: Path, members: list[zipfile.ZipInfo]) -> None:
    total = sum(one.file_size for one in members)
    if total > MAX_TOTAL:
        raise SourceUnreadable(f"the export {path.name} unpacks to more than {MAX_TOTAL:,} bytes")
    swollen = sum(one.file_size for one in members if one.file_size > MAX_RATIO * max(one.compress_size, 1))
    if swollen > RATIO_FROM or total > max(MAX_RATIO * path.stat().st_size, RATIO_FROM):
        raise SourceUnreadable(
            f"the export {path.name} unpacks to {max(swollen, total):,} bytes from far too few"
        )


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Unpack a member into memory, never more of it than it said it has."""
    with archive.open(member) as stream:
        content = stream.read(min(member.file_size, MAX_FILE) + 1)
    if len(content) > min(member.file_size, MAX_FILE):
        raise SourceUnreadable(f"the file {member.filename} is larger than it says, or than can be read")
    return content


def _is_wanted(name: str) -> bool:
    return not name.startswith(".") and name.lower().endswith((".json", ".jsonl", ".md", ".markdown", ".txt"))


def _chosen(found: list[tuple[str, Any]], read: Callable[[Any], bytes]) -> list[Part]:
    """Take the files that hold conversations or memories where there are any, else every text."""
    telling = [(name, one) for name, one in found if _TELLING.fullmatch(PurePosixPath(name).name)]
    chosen = telling or found
    if not chosen:
        raise SourceUnreadable("there is nothing in it that could be read")
    return [Part(name, _text(read(one), name)) for name, one in sorted(chosen, key=lambda pair: pair[0])]


def _text(content: bytes | None, name: str) -> str:
    if content is None:
        raise SourceUnreadable(f"the file {name} is larger than {MAX_FILE:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceUnreadable(f"the file {name} is not text in UTF-8") from error
