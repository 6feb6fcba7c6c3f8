"""Joins the keyword and the meaning side into one relevance. Pure: numbers in, numbers out.

Scores are brought to the same range and added, not ranked against each other. One surprise: how far the keyword
side is believed depends on how much of the question its best item covers, so that one shared everyday word
cannot outvote the meaning.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import TypeVar

STRETCH = 0.25

Key = TypeVar("Key", bound=Hashable)


def min_max(scores: Mapping[Key, float], mute: Collection[Key] = ()) -> dict[Key, float]:
    """Stretch scores over 0 to 1; fewer than two, or all alike, count as full.

    The stretch begins at a share of the best at the latest: of two that are nearly as good, none becomes nothing.
    ``mute`` have no part in the scale while others have: what lies beyond either end counts as that end.
    """
    if not scores:
        return {}
    told = [value for key, value in scores.items() if key not in mute] or list(scores.values())
    low, high = min(told), max(told)
    if high > 0:
        low = min(low, STRETCH * high)
    if high <= low or len(scores) < 2:
        return dict.fromkeys(scores, 1.0)
    return {key: (min(max(value, low), high) - low) / (high - low) for key, value in scores.items()}


def fuse(
    keyword: Mapping[Key, float],
    vector: Mapping[Key, float],
    keyword_weight: float,
    vector_weight: float,
    mute: Collection[Key] = (),
) -> dict[Key, float]:
    """Add both sides by weight; what one side does not have counts nothing there, and ``mute`` set no scale."""
    total = keyword_weight + vector_weight
    if total <= 0:
        return dict.fromkeys([*keyword, *vector], 0.0)
    first, second = min_max(keyword, mute), min_max(vector, mute)
    return {
        key: (keyword_weight * first.get(key, 0.0) + vector_weight * second.get(key, 0.0)) / total
        for key in dict.fromkeys([*keyword, *vector])
    }


def spread(fused: Mapping[Key, float], pairs: Iterable[tuple[Key, Key]], share: float) -> dict[Key, float]:
    """Give each item's neighbours a share of its relevance: an answer is often beside the words asked about.

    An item takes the best of its neighbours only, so that a long exchange does not lift itself.
    """
    best: dict[Key, float] = {}
    for key, neighbour in pairs:
        gained = share * fused.get(key, 0.0)
        if gained > best.get(neighbour, 0.0):
            best[neighbour] = gained
    return {key: fused.get(key, 0.0) + best.get(key, 0.0) for key in dict.fromkeys([*fused, *best])}
