"""The user's own search: everything there is in every state, forgotten things excepted.

Owns its own wider statements: long answers, archived, outdated and expired items are found here and never
recalled. One surprise: what holds one of the words is always found, since the person looking can judge for
themselves, but what holds none has to be near in meaning; what holds no more comes last, what only asks late.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.ports import Embedder
from memory.records import Item, ItemKind, ItemState
from memory.retrieval import lexical, lookups
from memory.retrieval.candidate import COLUMNS, WIDTH, item_of
from memory.retrieval.fusion import fuse
from memory.retrieval.intent import is_only_questions
from memory.retrieval.query import Term, match_expression, search_terms, words_asked
from memory.retrieval.ranking import usable_embedder
from memory.retrieval.vector import Comparison, Scope
from memory.store.sql import listed, tuples

if TYPE_CHECKING:
    from sqlite_utils import Database

BEYOND = 4
"""How many times the wanted number each side brings, so that filters leave enough."""

PREFILTER_ROWS = 30_000
KEYWORD_WEIGHT, VECTOR_WEIGHT = 2.0, 1.0
"""A word typed into a search box is meant as a word."""

A_FACT = 0.55
"""What is remembered and holds a word gains this: it says in a sentence what many messages are about."""

ONLY_ASKS = 0.5
"""Score of a message that only asks, times this; it names things without saying anything of them."""

MEANT = 3.2
"""Standard deviations above the background from which a text without any of the words is meant all the same."""

SNIPPET_WORDS = 16

_FILTERS = """
    AND +item.profile = :profile
    AND (:kinds = '[]' OR item.kind IN (SELECT value FROM json_each(:kinds)))
    AND (:conversation IS NULL OR item.conversation = :conversation)"""

WORDS = f"""
SELECT {COLUMNS}, bm25(item_fts, {lexical.TEXT_WEIGHT}, 0.2, {lexical.GRAMS_WEIGHT}) AS rank,
    snippet(item_fts, 0, '«', '»', '…', {SNIPPET_WORDS}) AS snippet
FROM item_fts
JOIN item ON item.key = item_fts.rowid
WHERE item_fts MATCH :match{_FILTERS}
ORDER BY rank, item.key
LIMIT :limit
"""  # noqa: S608 - made of constants

BY_KEY = f"""
SELECT {COLUMNS}
FROM item
WHERE item.key IN (SELECT value FROM json_each(:keys)){_FILTERS}
ORDER BY item.key
"""  # noqa: S608 - made of constants


@dataclass(frozen=True, slots=True)
class Found:
    """One result of the user's own search."""

    item: Item
    snippet: str
    """A short passage around the best match, matched words between « and »."""
    score: float


def search(
    db: Database,
    profile: str,
    text: str,
    limit: int = 20,
    *,
    embedder: Embedder | None = None,
    kinds: tuple[str, ...] = (),
    conversation: str | None = None,
) -> list[Found]:
    """Search every item of a profile by words and meaning, best first."""
    terms = search_terms(text, lookups.subjects(db, profile, words_asked(text)))
    if not terms or limit < 1:
        return []
    filters = {"profile": profile, "kinds": listed(kinds), "conversation": conversation}
    rows = tuples(db, WORDS, match=match_expression(terms), limit=limit * BEYOND, **filters)
    items = {row[0]: item_of(row) for row in rows}
    snippets = {row[0]: row[WIDTH + 1] for row in rows}
    near = _near(db, profile, text, embedder, limit * BEYOND, items)
    wanted = [key for key in near if key not in items]
    if wanted:
        items |= {row[0]: item_of(row) for row in tuples(db, BY_KEY, keys=listed(wanted), **filters)}
    words = {row[0]: -row[WIDTH] for row in rows}
    meanings = {key: cosine for key, cosine in near.items() if key in items}
    fused = fuse(words, meanings, KEYWORD_WEIGHT, VECTOR_WEIGHT if meanings else 0.0)
    scores = {key: _worth(item, fused.get(key, 0.0), held=key in words) for key, item in items.items()}
    order = sorted(items, key=lambda key: (items[key].state is not ItemState.ACTIVE, -scores[key], key))
    return [
        Found(items[key], _snippet(items[key].text, snippets.get(key, ""), terms), scores[key])
        for key in order[:limit]
    ]


def _worth(item: Item, fused: float, *, held: bool) -> float:
    if item.kind is ItemKind.FACT:
        return fused + A_FACT if held else fused
    asks = item.kind is ItemKind.MESSAGE and is_only_questions(item.text)
    return fused * ONLY_ASKS if asks else fused


def _near(
    db: Database, profile: str, text: str, embedder: Embedder | None, limit: int, held: Collection[int]
) -> dict[int, float]:
    row, _ = usable_embedder(db, embedder)
    if row is None or embedder is None:
        return {}
    comparison = Comparison(db, row, embedder.embed([text])[0])
    keys = comparison.nearest(Scope(profile, now=0, any_state=True), limit, PREFILTER_ROWS)
    least = row.background_mean + MEANT * row.background_sd
    found = comparison.similarities(keys)
    return {key: near.cosine for key, near in found.items() if key in held or near.cosine >= least}


def _snippet(text: str, marked: str, terms: Sequence[Term]) -> str:
    """Return the index's passage, or one of our own where the index saw only pieces of words."""
    if "«" in marked:
        return " ".join(marked.split())
    lowered = text.lower()
    for term in terms:
        at = lowered.find(term.text)
        if at >= 0 and len(lowered) == len(text):
            start, end = max(0, at - 40), at + len(term.text)
            before, after = ("…" if start else "") + text[start:at], text[end : end + 60]
            return " ".join(f"{before}«{text[at:end]}»{after}".split()) + (
                "…" if end + 60 < len(text) else ""
            )
    return " ".join(text[:120].split()) + ("…" if len(text) > 120 else "")
