"""The MCP memory server's file: entities with observations, and relations between them, one a line.

Pure. One surprise: an entity that means the user by one of the usual names becomes the subject ``user``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from memory.transfer.report import Skipped
from memory.transfer.sources.shapes import Piece, SourceMemory, sequence, table, words

USERS: Final = frozenset({"user", "the user", "default_user", "default user", "me"})


def is_mcp(text: str) -> bool:
    """Tell whether a text looks like this file."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return table(_parsed(first)).get("type") in ("entity", "relation")


def walk(text: str) -> Iterator[Piece]:
    """Yield a memory for every observation and every relation."""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        found = table(_parsed(line))
        match found.get("type"):
            case "entity":
                yield from _entity(found, number)
            case "relation":
                yield _relation(found, number)
            case _:
                yield Skipped(f"line {number}", "it is neither an entity nor a relation")


def _entity(found: Mapping[str, Any], number: int) -> Iterator[Piece]:
    name = words(found.get("name"))
    if not name:
        yield Skipped(f"line {number}", "the entity has no name")
        return
    for observation in sequence(found.get("observations")):
        said = " ".join(words(observation).split())
        if not said:
            yield Skipped(f"line {number}", "an observation is no text")
            continue
        text = said if _subject(name) == "user" else f"{name}: {said}"
        yield SourceMemory(text, said, subject=_subject(name))


def _relation(found: Mapping[str, Any], number: int) -> Piece:
    one, kind, other = (words(found.get(part)) for part in ("from", "relationType", "to"))
    if not (one and kind and other):
        return Skipped(f"line {number}", "the relation lacks an end or a name")
    said = f"{kind.replace('_', ' ')} {other}"
    return SourceMemory(f"{one} {said}", said, subject=_subject(one))


def _subject(name: str) -> str:
    return "user" if name.casefold() in USERS else name.casefold()


def _parsed(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
