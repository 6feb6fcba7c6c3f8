"""The paste format: one memory a line, each with the day it was saved, ``[2026-01-31] - text``. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memory.transfer.report import Skipped
from memory.transfer.sources.shapes import Piece, instant, memory_of

_LINE: Final = re.compile(r"^\s*(?:[-*•]\s*)?\[(?P<when>[^\]\n]{1,40})\]\s*[-–—:]\s*(?P<text>\S.*)")


def is_lines(text: str) -> bool:
    """Tell whether a text looks like this format."""
    return any(_LINE.match(line) for line in text.splitlines()[:50])


def walk(text: str) -> Iterator[Piece]:
    """Yield the memory of every line; a line that is none is named by its number."""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.strip().startswith("```"):
            continue
        found = _LINE.match(line)
        if found is None:
            yield Skipped(f"line {number}", "it is not written as [date] - text")
            continue
        when = found["when"].strip()
        said_at = instant(when)
        if said_at is None and when.casefold() != "unknown":
            yield Skipped(f"line {number}", f"{when!r} is no date")
            continue
        yield memory_of(found["text"].rstrip(), said_at)
