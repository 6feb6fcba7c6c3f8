"""Cuts long text into searchable parts at its own seams: paragraphs, list lines, sentences, words.

Pure. A fenced block of code stays whole while it is not far too long. One surprise: parts are slices, so
nothing is added and only white space at the seams is lost.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

PART_SIZE: Final = 800
FENCE_STRETCH: Final = 2
"""How many part sizes a fenced block may fill before it is cut at its lines."""

_FENCE: Final = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})")
_LIST_LINE: Final = re.compile(r"^[ \t]*(?:[-*+•‣]|\d{1,3}[.)])[ \t]")
_SENTENCE: Final = re.compile(r"[.!?…]+[\"'”’»)\]]*\s+|[。！？｡؟।॥]+[”’」』）]*\s*|\n+")
_WORD: Final = re.compile(r"\s+")


def cut(text: str, size: int = PART_SIZE) -> list[str]:
    """Return the parts of a text in order; none for blank text, one while it is short."""
    if len(text) <= size:
        short = text.strip()
        return [short] if short else []
    packed = _pack(_blocks(text, size), size)
    return [part for part in (piece.strip() for piece in packed) if part]


def _pack(pieces: Iterable[str], size: int) -> Iterator[str]:
    """Join neighbouring pieces while they fit together."""
    waiting: list[str] = []
    length = 0
    for piece in pieces:
        if waiting and length + len(piece) > size:
            yield "".join(waiting)
            waiting, length = [], 0
        waiting.append(piece)
        length += len(piece)
    if waiting:
        yield "".join(waiting)


def _blocks(text: str, size: int) -> Iterator[str]:
    """Slice a text into paragraphs, list lines and fenced blocks, each cut further when too long."""
    block: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if fence:
            block.append(line)
            if mark and mark[1].startswith(fence) and not line.strip(" \t\r\n`~"):
                yield from _fenced("".join(block), size)
                block, fence = [], ""
            continue
        starts_anew = mark is not None or _LIST_LINE.match(line) is not None
        if block and (starts_anew or not block[-1].strip()):
            yield from _shorter("".join(block), size)
            block = []
        block.append(line)
        fence = mark[1] if mark else ""
    rest = "".join(block)
    if rest:
        yield from _fenced(rest, size) if fence else _shorter(rest, size)


def _fenced(block: str, size: int) -> Iterator[str]:
    """Keep a fenced block whole, or cut it at its lines when it is far too long."""
    if len(block) <= FENCE_STRETCH * size:
        yield block
        return
    for lines in _pack(block.splitlines(keepends=True), size):
        yield from _shorter(lines, FENCE_STRETCH * size)


def _shorter(piece: str, size: int) -> Iterator[str]:
    """Cut a piece at sentences, then at words, then anywhere, until all of it fits."""
    if len(piece) <= size:
        yield piece
        return
    for sentence in _split_after(_SENTENCE, piece):
        if len(sentence) <= size:
            yield sentence
            continue
        for word in _pack(_split_after(_WORD, sentence), size):
            yield from _hard(word, size)


def _split_after(seam: re.Pattern[str], text: str) -> Iterator[str]:
    start = 0
    for found in seam.finditer(text):
        yield text[start : found.end()]
        start = found.end()
    if start < len(text):
        yield text[start:]


def _hard(text: str, size: int) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = min(start + size, len(text))
        # an accent stays with its letter
        while start + 1 < end < len(text) and unicodedata.combining(text[end]):
            end -= 1
        yield text[start:end]
        start = end
