"""From a question to the few items that belong in its prompt, with a reason for every one looked at.

Owns the order of the steps: rank, floor, repetition, budget; each is a module of its own. Reads only: use
counts are written when the turn finishes. One surprise: an empty outcome is the normal one for small talk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memory.clock import from_text
from memory.ports import CountTokens, Embedder
from memory.records import Hit, Item, ItemKind, Recall
from memory.retrieval.candidate import Candidate
from memory.retrieval.query import Query
from memory.retrieval.ranking import rank
from memory.retrieval.request import LaterNotes, RecallRequest, RecallSettings, no_notes
from memory.retrieval.scoring import TRUST
from memory.retrieval.selection import (
    Dropped,
    distinct,
    fill,
    own_words_behind,
    report,
    shorten,
    tokens_of,
)
from memory.retrieval.stems import stem
from memory.store.sql import listed, select

if TYPE_CHECKING:
    from sqlite_utils import Database

__all__ = ["LaterNotes", "RecallRequest", "RecallSettings", "explain", "recall"]

NO_ROOM = "no room left in the budget"
ENOUGH = "enough is recalled already"
TOO_FAR = "not near enough to the question"
WEAK = "much weaker than the best"
BEHIND = "Locket's own words, behind yours"

FEW = 3
"""Things said on the day a question names; with fewer that fit its words, the whole day is meant."""

TENTATIVE = timedelta(days=180)
"""A slow-changing fact that was not confirmed for so long is marked."""

DATES = """
SELECT id, stability, valid_from, confirmed_at, recorded_at
FROM fact
WHERE id IN (SELECT value FROM json_each(:facts))
ORDER BY id
"""


def recall(
    db: Database,
    request: RecallRequest,
    embedder: Embedder | None = None,
    count: CountTokens | None = None,
    settings: RecallSettings | None = None,
    notes: LaterNotes = no_notes,
) -> Recall:
    """Find what memory holds for these words, best first."""
    return explain(db, request, embedder, count, settings, notes)[0]


def explain(
    db: Database,
    request: RecallRequest,
    embedder: Embedder | None = None,
    count: CountTokens | None = None,
    settings: RecallSettings | None = None,
    notes: LaterNotes = no_notes,
) -> tuple[Recall, list[Candidate]]:
    """Recall, and tell the whole order of distinct candidates before the floor; for measuring."""
    chosen = settings or RecallSettings()
    ranking = rank(db, request, embedder, chosen)
    order, repeated = distinct(ranking.candidates)
    passed = [one for one in order if one.passed]
    behind = own_words_behind(passed)
    near = [one for one in passed if one.item.id not in behind]
    strong = _strong(near, chosen.least_share, ranking.query)
    kept = _users_word_first([one for one in near if one.item.id in strong])
    kept = _minded_in_time(kept, request.max_items)
    wanted = frozenset(
        stem(word) for term in ranking.query.terms for phrase in term.phrases for word in phrase
    )
    first = [one.item for one in kept[: request.max_items]]
    costs = tokens_of([item.text for item in first], count)
    cut = [
        (item, cost) if cost <= chosen.item_tokens else shorten(item, wanted, count, chosen.item_tokens)
        for item, cost in zip(first, costs, strict=True)
    ]
    sent = fill([cost for _, cost in cut], request.token_budget, request.max_items)
    late = [Dropped(one, NO_ROOM) for one in kept[sent : request.max_items]]
    late += [Dropped(one, ENOUGH) for one in kept[request.max_items :]]
    late += [Dropped(one, WEAK) for one in near if one.item.id not in strong]
    late += [Dropped(one, BEHIND) for one in passed if one.item.id in behind]
    late += [Dropped(one, TOO_FAR) for one in order if not one.passed]
    left = sorted(
        [*late, *repeated, *ranking.apart], key=lambda one: (-one.candidate.score, one.candidate.item.id)
    )
    left = left[: chosen.left_out]
    hits = [(one, item) for one, (item, _) in zip(kept[:sent], cut[:sent], strict=True)]
    answer = Recall(
        query=request.text,
        hits=_hits(db, request.now, hits, notes),
        left_out=report(left, tokens_of([one.candidate.item.text for one in left], count)),
        notice=ranking.notice,
    )
    return answer, order


def _strong(near: Sequence[Candidate], least: float, query: Query) -> frozenset[str]:
    """Choose what is not mere noise beside the best: all of a day asked about when hardly any of it stands out."""
    strong = {one.item.id for one in near if one.measured.exact or one.measured.minded or one.fused >= least}
    if query.of_a_day:
        of_the_day = {one.item.id for one in near if one.in_period}
        strong |= of_the_day if len(of_the_day & strong) < FEW else set()
    return frozenset(strong)


def _users_word_first(kept: Sequence[Candidate]) -> list[Candidate]:
    """Let the user's own word come first when something imported or read would outrank it."""
    own = next((at for at, one in enumerate(kept) if TRUST[one.item.origin] == 1.0), None)
    if not own:
        return list(kept)
    return [kept[own], *kept[:own], *kept[own + 1 :]]


def _minded_in_time(kept: Sequence[Candidate], most: int) -> list[Candidate]:
    """Move what any advice has to mind ahead of the items it would be crowded out by."""
    late = [one for one in kept[most:] if one.measured.minded]
    early = max(1, most - len(late))
    rest = [one for one in kept[early:] if one not in late]
    return [*kept[:early], *late, *rest] if late else list(kept)


@dataclass(frozen=True, slots=True)
class _Dates:
    as_of: datetime | None
    tentative: bool


def _hits(
    db: Database, now: datetime, sent: Sequence[tuple[Candidate, Item]], notes: LaterNotes
) -> tuple[Hit, ...]:
    facts = [item.ref for _, item in sent if item.kind is ItemKind.FACT]
    others = [item.ref for _, item in sent if item.kind in (ItemKind.MESSAGE, ItemKind.ANSWER)]
    dates = _dates(db, facts, now) if facts else {}
    said = notes(others) if others else {}
    return tuple(
        Hit(
            item=item,
            score=one.score,
            parts=one.parts,
            as_of=dates[item.ref].as_of if item.ref in dates else item.said_at,
            tentative=item.ref in dates and dates[item.ref].tentative,
            note=said.get(item.ref, ""),
        )
        for one, item in sent
    )


def _dates(db: Database, facts: Sequence[str], now: datetime) -> dict[str, _Dates]:
    found = {}
    for row in select(db, DATES, facts=listed(facts)):
        instants = [
            from_text(row[name]) for name in ("confirmed_at", "valid_from", "recorded_at") if row[name]
        ]
        last = instants[0]
        as_of = from_text(row["valid_from"]) if row["valid_from"] else last
        found[str(row["id"])] = _Dates(as_of, row["stability"] == "slow" and now - last > TENTATIVE)
    return found
