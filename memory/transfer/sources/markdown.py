"""Notes in Markdown: front matter that is set aside, and ``- [category] text #tag`` lines that are memories.

Pure. One surprise: only such lines are taken; running text around them is the note, not a memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from memory.transfer.report import Skipped
from memory.transfer.sources.shapes import Piece, instant, memory_of

_LINE: Final = re.compile(r"^\s*[-*+]\s+\[(?P<category>[^\]\n]{2,40})\]\s+(?P<text>\S.*)")
_TAG: Final = re.compile(r"(?<!\s)\s+#[\w/-]+")
_FRONT: Final = re.compile(r"\A---[ \t]*\n(?P<front>.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_DATED: Final = re.compile(r"^(?:created|created_at|date|updated)[ \t]*:(.*)$", re.MULTILINE)
_DATE_LENGTHS: Final = range(8, 41)


def is_markdown(text: str) -> bool:
    """Tell whether a text holds lines of this kind."""
    return any(_LINE.match(line) for line in text.splitlines())


def walk(text: str, name: str) -> Iterator[Piece]:
    """Yield the memories of one note."""
    front = _FRONT.match(text)
    said_at = _date(front["front"]) if front else None
    body = text[front.end() :] if front else text
    found = False
    for line in body.splitlines():
        match = _LINE.match(line)
        if match is not None and (said := _TAG.sub("", match["text"]).strip()):
            found = True
            yield memory_of(said, said_at)
    if not found:
        yield Skipped(name, "it holds no line of the form - [category] text")


def _date(front: str) -> datetime | None:
    written = (match[1].strip().strip("\"'") for match in _DATED.finditer(front))
    found = next((one for one in written if len(one) in _DATE_LENGTHS), None)
    return None if found is None else instant(found)
