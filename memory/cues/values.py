"""What of a clause is the value: cut to what it says, one thing of a list or a whole statement.

Owns the edges, articles, lists and the tests that a value must pass. Refuses to know whose value it is. One
surprise: a list with one long thing in it is no list, since its commas belong to what is said.
"""

from __future__ import annotations

import re

from memory.cues.clauses import EDGES, between
from memory.languages.pack import Slot
from memory.patterns import Reader

OF_TASTE = frozenset({"prefers", "likes", "dislikes"})
"""What the user likes about "you" is about the answer, not about the user."""
_CUT_WORDS = 16
"""Longer values are whole statements: their commas and reasons belong to them."""
_LIST_ITEM_WORDS = 3
_NATIONALITY = re.compile(r"\w+(?:ese|ian|ish|ean|ican|aqi|ani)|German|French|Dutch|Greek|Swiss|Thai|Czech")
_BELIEF = re.compile(
    r"Catholic|Christian|Muslim|Jewish|Hindu|Buddhist|Sikh|Atheist|OK|Sorry|Fine|Good|Done|Back|Ready|Here|Home|Online"
)


def clean(value: str, start: int, slot: Slot, reads: Reader) -> tuple[str, int]:
    """Cut a value down to what it says; return it with where it starts in the clause."""
    if slot.words <= _CUT_WORDS and not slot.many and not slot.proper:
        value = reads.cut.sub("", value)
    left = len(value) - len(value.lstrip(EDGES))
    value, start = value.strip(EDGES), start + left
    if slot.words <= _CUT_WORDS and (match := reads.article.match(value)) and match.end() < len(value):
        value, start = value[match.end() :], start + match.end()
    return value, start


def is_said(value: str, slot: Slot, reads: Reader) -> bool:
    """Tell whether a value is one: not empty, not too long, a name where a name is due."""
    if not value or reads.empty.search(value):
        return False
    if slot.attribute in OF_TASTE and (reads.addressed.search(value) or reads.at_hand.search(value)):
        return False
    if slot.attribute == "avoids" and reads.passing.search(value):
        return False
    if reads.size(value) > slot.words or (
        slot.attribute in ("name", "nickname") and re.search(r"\d{3}|[?=<>{}]", value)
    ):
        return False
    if slot.proper:
        named = reads.lone.match(value)
        if not named or named.end() != len(value) or value.casefold() in reads.pack.common:
            return False
        return (
            not (_NATIONALITY.fullmatch(value) or _BELIEF.fullmatch(value))
            and value.casefold() not in reads.pack.weekdays
        )
    return True


def items(value: str, start: int, reads: Reader) -> list[tuple[str, int]]:
    """Split a list into its things, each with its place; a long thing keeps the list whole."""
    head = reads.cut.sub("", value) if not reads.joins.search(value) else value
    parts, at = [], 0
    for first, last in between([*reads.joins.finditer(head)], len(head)):
        body = head[first:last]
        item = body.strip(EDGES)
        place = first + len(body) - len(body.lstrip(EDGES))
        if (match := reads.article.match(item)) and match.end() < len(item):
            item, place = item[match.end() :], place + match.end()
        if item:
            parts.append((item, start + place))
        at = last
    assert at <= len(value)
    if len(parts) > 1 and any(
        len(item.split()) > _LIST_ITEM_WORDS or reads.empty.search(item) for item, _ in parts
    ):
        whole = value if reads.joins.search(value) else reads.cut.sub("", value).strip(EDGES)
        return [(whole, start)] if whole and not reads.empty.search(whole) else []
    return parts


def alone(text: str, start: int, end: int, item: str, at: int, reads: Reader) -> str:
    """Return the clause with its list reduced to one thing, keeping the preposition that thing had."""
    before, own = text[:start], reads.preposition.search(text[:at])
    if own and at > start:
        before = reads.preposition.sub("", before) + own[0]
    return before + item + text[end:]
