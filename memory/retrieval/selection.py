"""From a ranked list to what is sent: no repetition, no crowding, and never over the budget.

Pure but for the token counter it is given. Fills in order and stops at the first item that does not fit, so
that a larger budget never drops what a smaller one held. One surprise: a long item is cut to the sentences
around its best match before it is weighed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from memory.ports import CountTokens
from memory.records import Item, ItemKind, LeftOut
from memory.retrieval.candidate import Candidate
from memory.retrieval.grams import is_unspaced, query_grams
from memory.retrieval.intent import asks, is_only_questions
from memory.retrieval.stems import split, stem
from memory.retrieval.stopwords import STOP_WORDS

PARTS_OF_ONE = 2
"""Passages of one message or attachment that may be recalled together."""

FILLERS = frozenset(
    [
        "a",
        "an",
        "the",
        "i",
        "my",
        "so",
        "well",
        "oh",
        "and",
        "really",
        "just",
        "very",
        "also",
        "too",
        "hey",
        "yes",
        "ok",
        "is",
        "der",
        "die",
        "das",
        "ein",
        "eine",
        "und",
        "ich",
        "ja",
        "la",
        "el",
        "los",
        "las",
        "un",
        "una",
        "y",
        "yo",
        "le",
        "les",
        "et",
        "je",
        "il",
        "lo",
        "e",
        "io",
        "и",
        "я",
    ]
)
"""Words that change nothing: texts that differ in these alone say the same. A "not" is none of them."""

FACT_ADVANTAGE = 0.85
"""A fact stands for its message when it has at least this share of the message's score."""

ANSWER_SHARE = 0.95
"""What Locket itself said is recalled beside a fact when it has at least this share of the fact's score."""

SAME_QUESTION = 0.7
"""Share of the words two questions must have in common to be the same one."""

CHARACTERS_PER_TOKEN = 3.5
"""Assumed when there is no counter; a character of an unspaced script is taken for a token."""

_SENTENCES = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？।])\s*|\n+")


@dataclass(frozen=True, slots=True)
class Dropped:
    """A candidate that is left out, and why."""

    candidate: Candidate
    reason: str


def distinct(ranked: Sequence[Candidate]) -> tuple[list[Candidate], list[Dropped]]:
    """Keep one of everything that says the same: facts with their messages, near-copies, parts of one text."""
    facts_of = _facts_by_message(ranked)
    kept: list[Candidate] = []
    dropped: list[Dropped] = []
    done: set[str] = set()
    said_by: dict[str, str] = {}
    twins: dict[frozenset[str], str] = {}
    parts: dict[str, int] = {}
    for ranked_one in ranked:
        one = ranked_one
        if one.item.id in done:
            continue
        fact = facts_of.get(one.item.ref)
        if fact is not None and fact.item.id not in done and _stands_for(fact, one):
            dropped.append(Dropped(one, f"said by {fact.item.ref}"))
            done.add(one.item.id)
            one = fact._replace(passed=fact.passed or one.passed, score=max(fact.score, one.score))
        gist = _gist(one.item.text, one.words)
        reason = _repetition(one, said_by, twins.get(gist), parts.get(one.item.ref, 0))
        done.add(one.item.id)
        if reason:
            dropped.append(Dropped(one, reason))
            continue
        kept.append(one)
        parts[one.item.ref] = parts.get(one.item.ref, 0) + 1
        twins.setdefault(gist, one.item.ref)
        for message in one.sources or (one.item.ref,):
            said_by.setdefault(message, one.item.ref)
    return kept, dropped


def own_words_behind(ranked: Sequence[Candidate]) -> frozenset[str]:
    """Return the items of Locket's own words that a fact outranks: the user said it better, and a model copies itself."""
    best = max((one.score for one in ranked if one.item.kind is ItemKind.FACT), default=0.0)
    return frozenset(
        one.item.id for one in ranked if one.item.kind is ItemKind.ANSWER and one.score < ANSWER_SHARE * best
    )


def _stands_for(fact: Candidate, message: Candidate) -> bool:
    """Tell whether a fact takes the place of its message: nearly as good, or near enough where that is not."""
    nearly = fact.score >= FACT_ADVANTAGE * message.score
    return nearly or (bool(fact.passed) and not message.passed)


def asks_again(text: str, question: frozenset[str]) -> bool:
    """Tell whether a text puts (nearly) the question of these words and says no more: asking before is no answer."""
    if not asks(text):
        return False
    words = asked_words(text)
    if not is_only_questions(text):
        return words == question
    return len(words & question) >= SAME_QUESTION * len(words | question)


def asked_words(text: str) -> frozenset[str]:
    """Return what tells a question from others: its words but for the commonest."""
    found = {stem(word) for word in split(text) if word not in STOP_WORDS} | set(query_grams(text))
    return frozenset(found - {""}) or _gist(text, split(text))


def _repetition(one: Candidate, said_by: Mapping[str, str], twin: str | None, parts: int) -> str:
    """Return why a candidate adds nothing to what is kept, or nothing."""
    sources = one.sources or (one.item.ref,)
    teller = said_by.get(sources[0])
    if teller is not None and teller != one.item.ref and all(message in said_by for message in sources):
        return f"said by {teller}"
    if twin is not None:
        return f"says the same as {twin}"
    return "enough of this text is recalled" if parts >= PARTS_OF_ONE else ""


def shorten(item: Item, wanted: frozenset[str], count: CountTokens | None, limit: int) -> tuple[Item, int]:
    """Cut an item to the sentences around its best match, within so many tokens; return it with its cost."""
    cost = tokens_of([item.text], count)[0]
    if cost <= limit:
        return item, cost
    sentences = [part for part in _SENTENCES.split(item.text) if part.strip()]
    best = max(range(len(sentences)), key=lambda at: (len(wanted & _stems(sentences[at])), -at))
    first = last = best
    text = _joined(sentences, first, last)
    while True:
        wider = [(first, last + 1)] if last + 1 < len(sentences) else []
        wider += [(first - 1, last)] if first else []
        for low, high in wider:
            longer = _joined(sentences, low, high)
            if tokens_of([longer], count)[0] <= limit:
                first, last, text = low, high, longer
                break
        else:
            break
    while tokens_of([text], count)[0] > limit and len(text) > 1:
        text = text[: max(1, len(text) * 3 // 4)].rstrip() + "…" if len(text) > 4 else text[:1]
    return replace(item, text=text), tokens_of([text], count)[0]


def fill(costs: Sequence[int], budget: int | None, max_items: int) -> int:
    """Return how many items are sent: the first ones, up to the first that does not fit."""
    left = budget
    for number, cost in enumerate(costs[:max_items]):
        if left is not None:
            if cost > left:
                return number
            left -= cost
    return min(len(costs), max_items)


def tokens_of(texts: Sequence[str], count: CountTokens | None) -> list[int]:
    """Count tokens, or estimate them without a counter."""
    if not texts:
        return []
    if count is not None:
        return count(texts)
    return [_estimated(text) for text in texts]


def _estimated(text: str) -> int:
    unspaced = 0 if text.isascii() else sum(map(is_unspaced, text))
    return max(1, round(unspaced + (len(text) - unspaced) / CHARACTERS_PER_TOKEN))


def report(dropped: Iterable[Dropped], costs: Sequence[int]) -> tuple[LeftOut, ...]:
    """Say of each item left out what it was and why."""
    return tuple(
        LeftOut(
            id=one.candidate.item.ref,
            kind=one.candidate.item.kind.value,
            text=one.candidate.item.text,
            reason=one.reason,
            score=one.candidate.score,
            parts=one.candidate.parts,
            tokens=cost,
        )
        for one, cost in zip(dropped, costs, strict=True)
    )


def _facts_by_message(ranked: Sequence[Candidate]) -> dict[str, Candidate]:
    found: dict[str, Candidate] = {}
    for one in ranked:
        for message in one.sources:
            found.setdefault(message, one)
    return found


def _gist(text: str, spoken: Sequence[str]) -> frozenset[str]:
    found = frozenset(spoken)
    return found - FILLERS or found or frozenset({text})


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, split(text)))


def _joined(sentences: Sequence[str], first: int, last: int) -> str:
    text = " ".join(part.strip() for part in sentences[first : last + 1])
    return ("… " if first else "") + text + (" …" if last + 1 < len(sentences) else "")
