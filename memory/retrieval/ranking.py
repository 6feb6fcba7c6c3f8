"""The ranking: candidates of both sides, measured, fused, scored and put in one order.

Owns the sequence of measurements; every rule is in the module it names. Reads only. One surprise: without
vectors, or while they are being made, the same ranking runs on words alone and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.ports import Embedder
from memory.records import USER, ItemKind
from memory.retrieval import lexical, links, lookups
from memory.retrieval.candidate import Candidate, Found, load_items, ordered
from memory.retrieval.embedders import EmbedderRow, find_embedder
from memory.retrieval.floats import mixed, normalised
from memory.retrieval.floor import Measured, passes
from memory.retrieval.fusion import fuse, spread
from memory.retrieval.intent import is_only_questions, says_nothing, states_preference
from memory.retrieval.query import Query, named_in, parse, without_names, words_asked
from memory.retrieval.request import RecallRequest, RecallSettings
from memory.retrieval.scoring import parts, relevance
from memory.retrieval.selection import Dropped, asked_words, asks_again
from memory.retrieval.stems import split
from memory.retrieval.vector import Comparison, Scope

if TYPE_CHECKING:
    from sqlite_utils import Database

NO_EMBEDDER = "searched by words only: there is no embedding model"
FILLING = "searched by words only: memories are still being prepared for the new embedding model"

AGAIN = "only asks the same"
KNOWN = "in the conversation already"

MOST_CANDIDATES = 200
COMMON_AMONG = 60
"""How many of the nearest tell what they have in common."""

SPOKEN = frozenset({ItemKind.MESSAGE, ItemKind.ANSWER})
MOST_OF_A_DAY = 120
LEADING = 30
"""How many of the best lift what was said right beside them."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Every candidate, best first."""

    query: Query
    candidates: tuple[Candidate, ...]
    apart: tuple[Dropped, ...] = ()
    """What is no answer however near it is, on a scale of its own: the question's own message is nearest of all."""
    notice: str = ""


def rank(
    db: Database, request: RecallRequest, embedder: Embedder | None, settings: RecallSettings
) -> Ranking:
    """Find, measure and order everything that may answer."""
    ranker = _Ranker(db, request, embedder, settings)
    candidates, apart = ranker.run()
    return Ranking(ranker.query, tuple(candidates), tuple(apart), ranker.notice)


class _Ranker:
    """The measurements of one question; made, used once and dropped."""

    def __init__(
        self, db: Database, request: RecallRequest, embedder: Embedder | None, settings: RecallSettings
    ) -> None:
        self._db = db
        self._request = request
        self._profile = request.profile
        self._now = int(request.now.timestamp())
        self._settings = settings
        self._embedder = embedder
        self._row, self.notice = usable_embedder(db, embedder)
        self._known = lookups.subjects(db, request.profile, words_asked(request.text))
        self.query = parse(request.text, request.now, request.previous, self._known)
        self._asked = asked_words(request.text)
        self._names: frozenset[str] = frozenset()
        self._comparison: Comparison | None = None
        self._always: frozenset[int] = frozenset()

    def run(self) -> tuple[Sequence[Candidate], Sequence[Dropped]]:
        """Return all candidates, best first, and what is found but no answer."""
        exact = lookups.exact(self._db, self._profile, self._request.slots, self._now)
        if self.query.is_empty and not exact:
            return [], []
        wanted = self._settings.advice_candidates if self.query.wants_advice else self._settings.candidates
        limit = min(wanted + len(self._request.exclude_refs), MOST_CANDIDATES)
        weights = lexical.weigh(self._db, self.query.terms)
        found = lexical.search(self._db, self.query.terms, weights, self._profile, self._now, limit)
        self._names = self._named_subjects(found)
        if self.query.wants_advice:
            self._always = frozenset(lookups.minded(self._db, self._profile, self._now))
        self._load(
            found, [*self._near(limit), *exact, *sorted(self._always), *self._of_the_day(weights.size)]
        )
        spoken = frozenset(word for name in self._names for word in name.split())
        coverage = lexical.Coverage(self.query.terms, weights, spoken, self.query.time_words)
        measured = self._measured(found, coverage, weights, exact)
        outside, apart = self._set_apart(measured)
        fused = self._fused(outside)
        leading = sorted(fused, key=lambda key: (-fused[key], key))[:LEADING]
        pairs = links.beside(self._db, self._profile, self._now, leading)
        fresh: dict[int, Found] = {}
        self._load(fresh, [key for _, key in pairs if key not in found])
        outside |= self._set_apart(self._measured(fresh, coverage, weights, exact))[0]
        fused = spread(fused, [pair for pair in pairs if pair[1] in outside], self._settings.beside)
        return ordered(self._scored(outside, fused)), apart

    def _set_apart(self, measured: dict[int, Candidate]) -> tuple[dict[int, Candidate], list[Dropped]]:
        """Part what may answer from what cannot, which would only set the scale for the rest."""
        reasons = {key: reason for key, one in measured.items() if (reason := self._no_answer(one))}
        if not reasons:
            return measured, []
        apart = {key: measured[key] for key in reasons}
        dropped = [Dropped(one, reasons[one.item.key]) for one in self._scored(apart, self._fused(apart))]
        return {key: one for key, one in measured.items() if key not in reasons}, dropped

    def _no_answer(self, one: Candidate) -> str:
        if one.item.ref in self._request.exclude_refs:
            return KNOWN
        return AGAIN if one.item.kind in SPOKEN and asks_again(one.item.text, self._asked) else ""

    @property
    def _advice(self) -> bool:
        return self.query.wants_advice and not self._names

    def _of_the_day(self, size: int) -> list[int]:
        """List what was said on the day the question names: the words it asks for may not be in any of it."""
        period = self.query.period
        if period is None or not self.query.of_a_day or size > self._settings.prefilter_rows:
            return []
        return links.said_in(self._db, self._profile, self._now, period, MOST_OF_A_DAY)

    def _named_subjects(self, found: Mapping[int, Found]) -> frozenset[str]:
        """List the subjects that the question names."""
        subjects = {one.item.subject for one in found.values()} | set(self._known)
        return frozenset(
            name.lower() for name in subjects if name != USER and named_in(name, self.query.words)
        )

    def _near(self, limit: int) -> list[int]:
        """List the nearest in meaning, and remember what to compare others with."""
        if self._row is None or self._embedder is None or not self.query.embed:
            return []
        text = without_names(self.query.embed, self._names)
        vector, *goal = self._embedder.embed([text, self._request.goal] if self._request.goal else [text])
        if goal:
            vector = mixed(normalised(vector), normalised(goal[0]), self._settings.goal_share)
        comparison = Comparison(self._db, self._row, vector)
        keys = comparison.nearest(Scope(self._profile, self._now), limit, self._settings.prefilter_rows)
        share = self._settings.advice_common if self._advice else self._settings.common
        comparison.take_off_common(keys[:COMMON_AMONG], share)
        self._comparison = comparison
        return keys

    def _load(self, found: dict[int, Found], keys: Iterable[int]) -> None:
        wanted = [key for key in dict.fromkeys(keys) if key not in found]
        if wanted:
            items = load_items(self._db, self._profile, self._now, wanted)
            found |= {key: Found(item) for key, item in items.items()}

    def _measured(
        self,
        found: Mapping[int, Found],
        coverage: lexical.Coverage,
        weights: lexical.Weights,
        exact: Sequence[int],
    ) -> dict[int, Candidate]:
        if not found:
            return {}
        compared = {} if self._comparison is None else self._comparison.similarities(found)
        facts = [one.item.ref for one in found.values() if one.item.kind is ItemKind.FACT]
        rests_on = links.sources(self._db, facts) if facts else {}
        period, advice, rare_share = self.query.period, self._advice, self._settings.floor.rare_share
        measured = {}
        for key, one in found.items():
            item, near = one.item, compared.get(key)
            spoken = split(item.text)
            named = item.subject.lower() in self._names
            covered = coverage.of(
                f"{item.text}\n{item.context}",
                [*spoken, *split(item.context)] if item.context else spoken,
                named=named,
            )
            in_period = period is not None and period.holds(item.said_at)
            said = item.kind in SPOKEN
            measured[key] = Candidate(
                item=item,
                words=tuple(spoken),
                measured=Measured(
                    deviations=None if near is None else self._deviations(near.cosine),
                    coverage=covered.coverage,
                    rare=weights.is_rare(covered.rarest, rare_share),
                    held=covered.held,
                    identifier=covered.identifier,
                    named=named,
                    exact=key in exact,
                    minded=key in self._always,
                    important=item.kind is ItemKind.FACT and item.importance >= lookups.IMPORTANT,
                    preference=advice and states_preference(item.text),
                    of_the_day=in_period and self.query.of_a_day,
                    empty=said and says_nothing(item.text, spoken),
                ),
                keyword=None if one.keyword is None else covered.keyword(one.keyword, coverage.total),
                cosine=None if near is None else near.cosine,
                adjusted=None if near is None else near.adjusted,
                in_period=in_period,
                only_asks=said and is_only_questions(item.text),
                sources=rests_on.get(item.ref, ()),
            )
        return measured

    def _fused(self, measured: Mapping[int, Candidate]) -> dict[int, float]:
        keyword = {key: one.keyword for key, one in measured.items() if one.keyword is not None}
        vector = {key: one.adjusted for key, one in measured.items() if one.adjusted is not None}
        mute = {
            key for key, one in measured.items() if one.only_asks
        }  # words like the question's, and no answer
        if not vector:
            return fuse(keyword, {}, 1.0, 0.0, mute)
        trust = max((measured[key].measured.coverage for key in keyword if key not in mute), default=0.0)
        weight = self._settings.advice_keyword_weight if self._advice else self._settings.keyword_weight
        return fuse(keyword, vector, weight * trust, self._settings.vector_weight, mute)

    def _scored(self, measured: Mapping[int, Candidate], fused: Mapping[int, float]) -> Iterator[Candidate]:
        newness = _newness(measured.values()) if self.query.wants_latest else {}
        worth = {
            key: relevance(
                fused.get(key, 0.0),
                named=one.measured.named,
                in_period=one.in_period,
                only_asks=one.only_asks,
                newness=newness.get(key),
            )
            for key, one in measured.items()
        }
        best = max(worth.values(), default=0.0) or 1.0
        floor, advice = self._settings.floor, self._advice
        for key, one in measured.items():
            summed = parts(worth[key] / best, one.item.importance, one.item.origin)
            if one.measured.exact:
                summed["exact"] = 1.0
            yield one.scored(worth[key] / best, summed, passes(one.measured, floor, advice=advice))

    def _deviations(self, cosine: float) -> float | None:
        row = self._row
        return None if row is None else (cosine - row.background_mean) / row.background_sd


def usable_embedder(db: Database, embedder: Embedder | None) -> tuple[EmbedderRow | None, str]:
    """Return the row whose vectors can be searched, or why there is none."""
    if embedder is None:
        return None, NO_EMBEDDER
    row = find_embedder(db, embedder.identity)
    if row is None or row.state != "active":
        return None, FILLING
    return row, ""


def _newness(found: Iterable[Candidate]) -> dict[int, float]:
    said = {one.item.key: one.item.said_at for one in found if one.item.said_at is not None}
    times = sorted(set(said.values()))
    if len(times) < 2:
        return {}
    place = {instant: number / (len(times) - 1) for number, instant in enumerate(times)}
    return {key: place[instant] for key, instant in said.items()}
