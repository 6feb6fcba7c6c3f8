"""mem0's export: a list of memories, each with an id and two times. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from memory.transfer.report import Skipped
from memory.transfer.sources.shapes import Piece, instant, memory_of, sequence, table, words


def is_mem0(value: object) -> bool:
    """Tell whether parsed JSON looks like this export."""
    return any("memory" in table(one) for one in _entries(value))


def walk(value: object) -> Iterator[Piece]:
    """Yield every memory."""
    for number, one in enumerate(_entries(value), start=1):
        found = table(one)
        text = " ".join(words(found.get("memory")).split())
        if not text:
            yield Skipped(f"memory {number}", "it has no text")
            continue
        yield memory_of(text, instant(found.get("updated_at")) or instant(found.get("created_at")))


def _entries(value: object) -> list[object]:
    return sequence(value) or sequence(table(value).get("results"))
