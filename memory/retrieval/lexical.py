"""The keyword side: which items hold the question's words, and how much of the question they cover.

Owns the full-text statement. Profile, state and validity are in it, before its limit. One surprise: in a
large store items with two of the words are searched first, since ranking every item with any word costs most.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import TYPE_CHECKING, NamedTuple

from memory.retrieval.candidate import COLUMNS, RECALLED, WIDTH, Found, item_of
from memory.retrieval.grams import is_unspaced, plain
from memory.retrieval.query import Term, match_expression
from memory.retrieval.stems import stem
from memory.store.sql import listed, select, tuples

if TYPE_CHECKING:
    from sqlite_utils import Database

TEXT_WEIGHT, CONTEXT_WEIGHT, GRAMS_WEIGHT = 1.0, 0.6, 1.0
"""How much a match counts in each column; the message before is a hint, not the thing itself."""

STEADY = 0.2
"""How much coverage counts beside the index's rank, which knows no rare words while there are few items."""

LARGE = 5000
"""Items from which two words together, then the rarest alone, are searched: ranking each match costs most."""

FEW = 4
"""A word in this many items tells them apart in the smallest store too: having asked about it repeats it."""

PAIRED = 6
ALONE = 100
"""Items that words may bring in a large store without a second one: a name or a number is often all there is."""

RANKED_AT_ONCE = 500

SEARCH = f"""
SELECT {COLUMNS}, best.rank AS rank
FROM (
    SELECT item.key AS key, bm25(item_fts, {TEXT_WEIGHT}, {CONTEXT_WEIGHT}, {GRAMS_WEIGHT}) AS rank
    FROM item_fts
    JOIN item ON item.key = item_fts.rowid
    WHERE item_fts MATCH :match{RECALLED}
    ORDER BY rank, item.key
    LIMIT :limit
) AS best
CROSS JOIN item ON item.key = best.key
ORDER BY best.rank, item.key
"""  # noqa: S608 - made of constants
"""Texts are read for the best only: sorting would carry them along for every match."""

FREQUENCIES = """
SELECT term, doc
FROM item_vocab
WHERE term IN (SELECT value FROM json_each(:terms))
ORDER BY term
"""

SIZE = """
SELECT coalesce(max(key), 0)
FROM item
"""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each term of a question says in this store."""

    of: Mapping[str, float]
    found_in: Mapping[str, int]
    size: int

    def is_rare(self, count: int | None, share: float) -> bool:
        """Tell whether a word held by this many items tells them apart from the rest."""
        return count is not None and count <= max(FEW, share * self.size)


def weigh(db: Database, terms: Sequence[Term]) -> Weights:
    """Look up how many items hold each term; a term nobody used weighs as much as one used once."""
    size = int(db.execute(SIZE).fetchone()[0])
    stems = sorted({one for term in terms for phrase in term.stems for one in phrase})
    rows = select(db, FREQUENCIES, terms=listed(stems)) if stems else []
    doc = {str(row["term"]): int(row["doc"]) for row in rows}
    found = {
        term.text: max(
            (min((doc.get(one, 0) for one in phrase), default=0) for phrase in term.stems), default=0
        )
        for term in terms
    }
    weights = {
        text: math.log(1.0 + (max(size - count, 0) + 0.5) / (max(count, 1) + 0.5))
        for text, count in found.items()
    }
    return Weights(weights, found, size)


def search(
    db: Database, terms: Sequence[Term], weights: Weights, profile: str, now: int, limit: int
) -> dict[int, Found]:
    """Find the items that hold any of the terms, best first, with their keyword score."""
    values = {"profile": profile, "now": now}
    if weights.size < LARGE:
        return _matching(db, match_expression(terms), limit, values)
    rarest = _by_rarity(terms, weights)
    few = match_expression(_up_to(rarest, weights, ALONE))
    found = _matching(db, " OR ".join(filter(None, (few, _pairs(rarest)))), limit, values)
    if len(found) < limit // 2:
        some = match_expression(_up_to(rarest, weights, RANKED_AT_ONCE) or rarest[:1])
        found = _matching(db, some, limit, values) | found
    return found


def _matching(db: Database, match: str, limit: int, values: Mapping[str, object]) -> dict[int, Found]:
    if not match:
        return {}
    rows = tuples(db, SEARCH, match=match, limit=limit, **values)
    return {row[0]: Found(item_of(row), -row[WIDTH]) for row in rows}


def _by_rarity(terms: Sequence[Term], weights: Weights) -> list[Term]:
    found = [term for term in terms if weights.found_in[term.text]]
    return sorted(found, key=lambda term: (weights.found_in[term.text], term.text))


def _pairs(rarest: Sequence[Term]) -> str:
    """Return the expression for items that hold two of the rarest terms: few in a large store, and the best."""
    sides = [match_expression([term]) for term in rarest[:PAIRED]]
    return " OR ".join(f"(({one}) AND ({other}))" for one, other in combinations(sides, 2))


def _up_to(rarest: Sequence[Term], weights: Weights, most: int) -> list[Term]:
    """Return the rarest terms that match no more items than so many together."""
    matches = accumulate(weights.found_in[term.text] for term in rarest)
    return [term for term, reached in zip(rarest, matches, strict=True) if reached <= most]


class Covered(NamedTuple):
    """How much of a question one text covers; a tuple, because every candidate of every question has one."""

    coverage: float
    rarest: int | None
    """How many items hold the rarest word that matched; None when no word matched."""
    held: int
    """How many of the words asked about matched."""
    identifier: bool
    """Whether an identifier of the question is in the text."""

    def keyword(self, ranked: float, total: float) -> float:
        """Return the keyword score: the index's own, steadied by coverage, which small stores need."""
        return self.coverage * (ranked + STEADY * self.coverage * total)


NOTHING_COVERED = Covered(0.0, None, 0, identifier=False)


class Coverage:
    """Measures which part of a question a text covers, with the index's own idea of a word.

    For an item about a subject that the question names, the name itself does not count: who is meant is judged
    apart from what is asked. Words that only say when, and pieces that only hold others together, never count.
    """

    def __init__(
        self, terms: Sequence[Term], weights: Weights, names: frozenset[str], spare: frozenset[str]
    ) -> None:
        counted = [term for term in terms if not term.is_loose and term.text not in spare] or list(terms)
        self._weights = weights
        self._all = [(term, term.stems) for term in counted]
        self._unnamed = [pair for pair in self._all if pair[0].text not in names] or self._all
        # one word without further forms, as most are: it is held when its stem is there
        self._plain = {
            term.text: next(iter(stems[0]))
            for term, stems in self._all
            if len(term.phrases) == len(term.phrases[0]) == len(stems[0]) == 1
            and not is_unspaced(term.phrases[0][0][0])
        }
        self._wanted = {one for _, stems in self._all for phrase in stems for one in phrase}
        # a stemmer changes ends of words: others need not be stemmed at all
        self._starts = {one[:2] for one in self._wanted}
        self._seen: set[str] = set()
        self._stems: dict[str, str] = {}
        """The wanted stems of the words seen in any text; what other words have is none of the question's."""
        self._known: dict[tuple[frozenset[str], bool], Covered] = {}
        self._unspaced = any(is_unspaced(term.text[0]) for term in counted)
        self._phrases = any(len(phrase) > 1 for term in counted for phrase in term.phrases)
        self.total = self._weight(self._all)
        self._unnamed_total = self._weight(self._unnamed)

    def of(self, text: str, found: Sequence[str], *, named: bool) -> Covered:
        """Measure one text with its words."""
        spoken = set(found)
        if new := spoken - self._seen:
            self._learn(new)
        stems = frozenset([self._stems[word] for word in spoken & self._stems.keys()])
        if self._unspaced or self._phrases:
            flat = plain(text) if self._unspaced else ""
            run = f" {' '.join(found)} " if self._phrases else ""
            return self._covered(stems, flat, run, named=named)
        known = self._known.get((stems, named))
        if known is None:
            known = self._known[stems, named] = self._covered(stems, "", "", named=named)
        return known

    def _learn(self, new: set[str]) -> None:
        for word in new:
            if (word[:2] in self._starts or not word.isascii()) and (found := stem(word)) in self._wanted:
                self._stems[word] = found
        self._seen |= new

    def _covered(self, stems: frozenset[str], flat: str, run: str, *, named: bool) -> Covered:
        asked, total = (self._unnamed, self._unnamed_total) if named else (self._all, self.total)
        simple = self._plain
        held = [
            term
            for term, wanted in asked
            if (simple[term.text] in stems if term.text in simple else _holds(term, wanted, stems, flat, run))
        ]
        if not held:
            return NOTHING_COVERED
        weight = sum(self._weights.of[term.text] for term in held)
        return Covered(
            coverage=min(1.0, weight / total),
            rarest=min((self._weights.found_in[term.text] for term in held), default=None),
            held=len(held),
            identifier=any(term.is_identifier for term in held),
        )

    def _weight(self, asked: Sequence[tuple[Term, object]]) -> float:
        return sum(self._weights.of[term.text] for term, _ in asked) or 1.0


def _holds(
    term: Term, wanted: tuple[frozenset[str], ...], stems: frozenset[str], flat: str, run: str
) -> bool:
    for phrase, needed in zip(term.phrases, wanted, strict=True):
        if len(phrase) > 1:
            if run and f" {' '.join(phrase)} " in run:
                return True
        elif is_unspaced(phrase[0][0]):
            if phrase[0] in flat:
                return True
        elif needed <= stems:
            return True
    return False
