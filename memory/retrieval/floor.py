"""What is near enough to be worth a place in the prompt at all. Pure.

Judged on raw measures, before anything is stretched: the best hit for "hello" is still not an answer. Says why
an item passed. One surprise: what counts as similar is measured against sentences that have nothing to do with
the user, since the user's own sentences are all a little alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class FloorNumbers:
    """Where the floor is; similarities in standard deviations above the background."""

    similar: float = 5.0
    """This similar is enough with any word in common."""
    similar_alone: float = 5.5
    """This similar is enough by itself."""
    similar_empty: float = 6.5
    """What is asked of a text that only asks, greets or admires, and ``close_empty`` with it."""
    close_empty: float = 0.4
    similar_advice: float = 3.0
    """Enough for a preference when advice is asked for: it is rarely worded like the request it matters to."""
    similar_important: float = 3.5
    """Enough for what must not be missed: an allergy, a rule of diet, something asked to be remembered."""
    close: float = 3.0
    """Enough with two words in common, or about the named subject."""
    close_coverage: float = 0.3
    close_one: float = 4.0
    """Enough with one word in common."""
    weak: float = 2.2
    """Enough with most words in common, one of them rare."""
    coverage: float = 0.5
    coverage_alone: float = 0.4
    """Enough instead of ``coverage`` where there are no vectors to ask."""
    most: float = 0.8
    """Covering this much with two words or more needs no rare one."""
    rare_share: float = 0.05
    """A word in at most this share of the items is rare."""
    named_coverage: float = 0.3
    """This share of the question's words is enough about the named subject."""


class Measured(NamedTuple):
    """The raw measures of one candidate; a tuple, because every candidate of every question has them."""

    deviations: float | None
    """Similarity above the background in standard deviations; None when it has no vector."""
    coverage: float
    rare: bool
    held: int = 1
    """How many words of the question it holds."""
    identifier: bool = False
    named: bool = False
    exact: bool = False
    minded: bool = False
    """Whether any advice has to mind it, however far it is from the words."""
    important: bool = False
    preference: bool = False
    of_the_day: bool = False
    """Whether it was said on the very day or days the question names."""
    empty: bool = False
    """Whether it is the text of a message that tells nothing."""


def passes(one: Measured, floor: FloorNumbers, *, advice: bool) -> str:
    """Return why a candidate is over the floor, or nothing."""
    if one.exact:
        return "asked for by name"
    if one.identifier:
        return "holds the identifier"
    if one.minded:
        return "advice has to mind it"
    near = one.deviations
    if one.empty:
        told = near is None or near >= floor.similar_empty
        return "similar in meaning" if told and one.coverage >= floor.close_empty else ""
    if near is not None:
        enough = floor.similar if one.coverage else floor.similar_alone
        if one.important:
            enough = floor.similar_important
        if advice and one.preference:
            enough = min(enough, floor.similar_advice)
        if near >= enough:
            return "similar in meaning"
        if near >= floor.close and one.named:
            return "about the one named"
        if one.coverage >= floor.close_coverage and near >= (
            floor.close if one.held > 1 else floor.close_one
        ):
            return "similar, with words in common"
    if one.of_the_day:
        return "said at that time"
    if one.named and one.coverage >= floor.named_coverage:
        return "about the one named, with words in common"
    if near is None or near >= floor.weak:
        if one.rare and one.coverage >= (floor.coverage_alone if near is None else floor.coverage):
            return "holds the rare words"
        if one.held > 1 and one.coverage >= floor.most:
            return "holds the words"
    return ""
