"""The measures of recall. Pure: what was found against what should have been.

R@k is the share of a question's evidence among the first k found, averaged over questions; a note counts for
the turns it rests on. Questions that nothing answers are judged apart, by how often nothing was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

CUTS = (5, 10, 20)
"""How far down the list recall is measured."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one question brought."""

    question: str
    category: str
    evidence: frozenset[str]
    found: tuple[tuple[str, ...], ...]
    """For each item found, best first, the turns it answers for."""
    injected: tuple[tuple[str, ...], ...]
    """The same for the items that would have entered the prompt."""
    is_decoy: bool
    ms: float
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Measures:
    """The figures of a group of questions, shares from 0 to 1."""

    questions: int
    recall: tuple[float, ...]
    """In the order of ``CUTS``."""
    any_hit: float
    """Share of questions with at least one piece of evidence among the first ten."""
    reciprocal_rank: float
    injected_recall: float
    """Share of the evidence that would have entered the prompt."""
    injected_items: float
    tokens: float


def measure(outcomes: Sequence[Outcome]) -> Measures:
    """Average over questions that have evidence."""
    asked = [one for one in outcomes if one.evidence]
    if not asked:
        return Measures(0, tuple(0.0 for _ in CUTS), 0.0, 0.0, 0.0, 0.0, 0.0)
    return Measures(
        questions=len(asked),
        recall=tuple(_mean(share_found(one.evidence, one.found[:cut]) for one in asked) for cut in CUTS),
        any_hit=_mean(float(share_found(one.evidence, one.found[:10]) > 0) for one in asked),
        reciprocal_rank=_mean(reciprocal_rank(one.evidence, one.found) for one in asked),
        injected_recall=_mean(share_found(one.evidence, one.injected) for one in asked),
        injected_items=_mean(float(len(one.injected)) for one in asked),
        tokens=_mean(float(one.tokens) for one in asked),
    )


def share_found(evidence: frozenset[str], found: Iterable[Sequence[str]]) -> float:
    """Return the share of the evidence that these items answer for."""
    covered = {turn for covers in found for turn in covers}
    return len(evidence & covered) / len(evidence)


def reciprocal_rank(evidence: frozenset[str], found: Iterable[Sequence[str]]) -> float:
    """Return one over the place of the first item that answers for any evidence."""
    for place, covers in enumerate(found, 1):
        if not evidence.isdisjoint(covers):
            return 1.0 / place
    return 0.0


def abstained(outcomes: Sequence[Outcome]) -> float:
    """Return the share of questions for which nothing would have entered the prompt."""
    return _mean(float(not one.injected) for one in outcomes)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share of them lies."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
