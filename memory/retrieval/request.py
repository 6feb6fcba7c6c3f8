"""What a recall is asked, and the numbers it works with.

Owns every tunable of recall as a named field with its reason. Refuses to know how they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memory.retrieval.floor import FloorNumbers

LaterNotes = Callable[[Sequence[str]], Mapping[str, str]]
"""Given message ids, the note each needs because a part of it is no longer true."""


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """One question to memory."""

    profile: str
    text: str
    now: datetime
    """In the user's own zone, where "yesterday" begins and ends."""
    previous: tuple[str, ...] = ()
    """Texts of the previous turn, used when the words lean on it ("and her birthday?")."""
    goal: str = ""
    """The working state's goal; steers the vector side only."""
    exclude_refs: frozenset[str] = frozenset()
    """Messages and facts that are in the window already or come from this very message."""
    slots: tuple[tuple[str, str], ...] = ()
    """Subjects and attributes the question names, looked up exactly before anything is searched."""
    token_budget: int | None = None
    """Tokens the hits may cost together; None for no limit."""
    max_items: int = 12


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """The numbers of recall."""

    candidates: int = 40
    """How many items each side may bring."""
    advice_candidates: int = 120
    """The same when advice is asked for: the right preference may look far, and earlier requests nearer."""
    keyword_weight: float = 1.5
    vector_weight: float = 1.0
    advice_keyword_weight: float = 0.5
    """When advice is asked for: what is liked is seldom in the words of the request."""
    goal_share: float = 0.2
    """How far the conversation's goal turns the vector of a question."""
    common: float = 0.0
    """Share of what the nearest items have in common that is taken off the question, for the order only."""
    advice_common: float = 0.5
    """The same when advice is asked for: all-purpose preferences would win every time."""
    beside: float = 0.3
    """Share of its relevance that an item gives to what was said right before and after it."""
    least_share: float = 0.3
    """An item with less than this share of the best one's relevance is noise beside it."""
    floor: FloorNumbers = field(default_factory=FloorNumbers)
    item_tokens: int = 120
    """What one item may cost at most; longer text is cut at a sentence."""
    left_out: int = 30
    """How many of the items left out are reported."""
    prefilter_rows: int = 30_000
    """From this many vectors on, a binary scan chooses which are compared exactly."""


def no_notes(messages: Sequence[str]) -> Mapping[str, str]:
    """Say that no message needs a note."""
    del messages
    return {}
