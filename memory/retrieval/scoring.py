"""The score of a candidate, made of named parts that add up to it. Pure.

Relevance counts three quarters; importance and whose word it is share the rest. Age counts nothing, except
when two items tie or the question asks for how things are now.
"""

from __future__ import annotations

from collections.abc import Mapping

from memory.records import Origin

RELEVANCE, IMPORTANCE, ORIGIN = 0.75, 0.15, 0.10
"""The weights of the parts."""

NAMED = 2.0
"""Relevance of an item whose subject the question names, times this."""

IN_PERIOD = 1.3
"""Relevance of an item said in the time the question names, times this."""

ONLY_ASKS = 0.3
"""Relevance of a message that only asks, times this: it is nearest to a question and seldom answers one."""

LATEST = 0.5
"""How much the newest candidate gains when the question asks for the present; the oldest gains nothing."""

TRUST: Mapping[Origin, float] = {
    Origin.USER_SAID: 1.0,
    Origin.USER_CONFIRMED: 1.0,
    Origin.INFERRED: 0.6,
    Origin.IMPORTED: 0.4,
    Origin.DOCUMENT: 0.2,
}
"""How far each origin is trusted."""


def relevance(
    fused: float,
    *,
    named: bool = False,
    in_period: bool = False,
    only_asks: bool = False,
    newness: float | None = None,
) -> float:
    """Return the fused score with what the question says about person and time.

    ``newness`` goes from 0 (oldest) to 1 (newest); None when age does not matter.
    """
    value = fused
    if named:
        value *= NAMED
    if in_period:
        value *= IN_PERIOD
    if only_asks:
        value *= ONLY_ASKS
    if newness is not None:
        value *= 1.0 + LATEST * newness
    return value


def parts(share: float, importance: float, origin: Origin) -> dict[str, float]:
    """Return the weighted parts; ``share`` is the relevance as a share of the best one's."""
    return {
        "relevance": RELEVANCE * min(1.0, max(0.0, share)),
        "importance": IMPORTANCE * min(1.0, max(0.0, importance)),
        "origin": ORIGIN * TRUST[origin],
    }
