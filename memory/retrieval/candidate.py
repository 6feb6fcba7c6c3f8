"""One item on its way through recall, and the rows it is read from.

Owns the single place where a row of ``item`` becomes an Item. A candidate is frozen: each step makes new ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from memory.clock import from_text
from memory.records import Item, ItemKind, ItemState, Origin
from memory.retrieval.floor import Measured
from memory.store.sql import listed, tuples

if TYPE_CHECKING:
    from sqlite_utils import Database

RECALLED = """
    AND +item.profile = :profile
    AND item.state = 'active'
    AND item.recallable = 1
    AND item.expires_at > :now"""
"""What an item must be to be recalled; part of every statement that finds candidates.

The plus keeps SQLite from walking the whole profile by its index where a key already says which items are meant.
"""

COLUMNS = """item.key, item.id, item.kind, item.ref, item.profile, item.text, item.context, item.subject,
    item.language, item.state, item.said_at, item.expires_at, item.origin, item.importance, item.conversation"""
WIDTH = COLUMNS.count(",") + 1

BY_KEY = f"""
SELECT {COLUMNS}
FROM item
WHERE item.key IN (SELECT value FROM json_each(:keys)){RECALLED}
ORDER BY item.key
"""  # noqa: S608 - made of constants

NOTHING_MEASURED = Measured(None, 0.0, rare=False)

# looked up for every row of every recall, which is quicker than asking an enumeration
_KINDS = {one.value: one for one in ItemKind}
_STATES = {one.value: one for one in ItemState}
_ORIGINS = {one.value: one for one in Origin}


class Found(NamedTuple):
    """An item as the keyword side or a link brought it."""

    item: Item
    keyword: float | None = None
    """The keyword score, larger is better; None when no word matched."""


class Candidate(NamedTuple):
    """An item with everything measured about it; a tuple, because there are many for every question."""

    item: Item
    words: tuple[str, ...] = ()
    """The words of its text as the index splits them."""
    measured: Measured = NOTHING_MEASURED
    """What the floor looks at."""
    keyword: float | None = None
    """The keyword score after coverage was taken into account."""
    cosine: float | None = None
    adjusted: float | None = None
    """The cosine after what all candidates have in common was taken off; only for the order."""
    in_period: bool = False
    only_asks: bool = False
    sources: tuple[str, ...] = ()
    """Messages that a fact rests on."""
    fused: float = 0.0
    """The relevance as a share of the best one's."""
    score: float = 0.0
    summed: Mapping[str, float] = MappingProxyType({})
    """The named parts that add up to the score."""
    passed: str = ""
    """Why it is over the floor; empty when it is not."""

    @property
    def parts(self) -> Mapping[str, float]:
        """The parts of the score, and the measures behind them as they were before anything was stretched."""
        raw = {
            "raw_keyword": self.keyword,
            "raw_cosine": self.cosine,
            "raw_coverage": self.measured.coverage,
            "raw_deviations": self.measured.deviations,
        }
        return {**self.summed, **{name: round(value, 4) for name, value in raw.items() if value is not None}}

    def scored(self, fused: float, summed: Mapping[str, float], passed: str) -> Candidate:
        """Return it with its score."""
        return Candidate._make((*self[:_MEASURED], fused, sum(summed.values()), summed, passed))


_MEASURED = Candidate._fields.index("fused")
"""How many fields a candidate has before it is scored."""


def load_items(db: Database, profile: str, now: int, keys: Iterable[int]) -> dict[int, Item]:
    """Read the items that may be recalled, by key."""
    rows = tuples(db, BY_KEY, keys=listed(keys), profile=profile, now=now)
    return {row[0]: item_of(row) for row in rows}


def item_of(row: Sequence[Any]) -> Item:
    """Make an Item of a row that begins with ``COLUMNS``, which have the types of the fields."""
    key, ident, kind, ref, profile, text, context, subject, language, state = row[:10]
    said_at, expires_at, origin, importance, conversation = row[10:WIDTH]
    return Item(
        key,
        ident,
        _KINDS[kind],
        ref,
        profile,
        text,
        context,
        subject,
        language,
        _STATES[state],
        None if said_at is None else from_text(said_at),
        expires_at,
        _ORIGINS[origin],
        importance,
        conversation,
    )


def ordered(candidates: Iterable[Candidate]) -> Sequence[Candidate]:
    """Sort best first, newer first where scores tie, in one total order."""
    return sorted(candidates, key=_place)


def _place(one: Candidate) -> tuple[float, float, str]:
    said_at = one.item.said_at
    return -round(one.score, 9), 0.0 if said_at is None else -said_at.timestamp(), one.item.id
