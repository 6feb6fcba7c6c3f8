"""Which parts of an edited text were pasted, kept exact through typing, deleting and undoing.

Pure: it sees a text before and after a change and works out the one range that differs. Text that comes
back (an undo) is pasted again when it was cut from something pasted.
"""

from __future__ import annotations

from collections.abc import Sequence

Span = tuple[int, int]

RECOGNISED = 16
"""Characters from which returning text is recognised as part of an earlier paste."""


def follow(
    spans: Sequence[Span], old: str, new: str, *, pasted: bool = False, pastes: Sequence[str] = ()
) -> tuple[Span, ...]:
    """Return the pasted spans of ``new``, given those of ``old``."""
    start, old_end, new_end = changed(old, new)
    moved = [
        piece
        for a, b in spans
        for piece in _without(a, b, start, old_end, new_end - old_end)
        if piece[0] < piece[1]
    ]
    fresh = new[start:new_end]
    if pasted or (len(fresh) >= RECOGNISED and any(fresh in text for text in pastes)):
        moved.append((start, new_end))
    return joined(moved)


def changed(old: str, new: str) -> tuple[int, int, int]:
    """Return (start, end in old, end in new) of the one range that differs."""
    start = _shared(old, new)
    tail = _shared(old[start:][::-1], new[start:][::-1])
    return start, len(old) - tail, len(new) - tail


def _shared(one: str, other: str) -> int:
    """Length of the common beginning, by halving: a long text is compared in a few slices."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def joined(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Sort spans, join those that touch, drop empty ones."""
    result: list[Span] = []
    for a, b in sorted(spans):
        if a >= b:
            continue
        if result and a <= result[-1][1]:
            result[-1] = (result[-1][0], max(b, result[-1][1]))
        else:
            result.append((a, b))
    return tuple(result)


def trimmed(text: str, spans: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """Strip the text's ends and move the spans along."""
    left = len(text) - len(text.lstrip())
    kept = text.strip()
    return kept, joined([(max(0, a - left), min(len(kept), b - left)) for a, b in spans])


def _without(a: int, b: int, start: int, end: int, shift: int) -> tuple[Span, ...]:
    """Take [start, end) out of one span and shift what comes after."""
    before = (a, min(b, start))
    after = (max(a, end) + shift, b + shift) if b > end else (0, 0)
    return (before, after)
