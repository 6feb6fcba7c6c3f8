"""Words the full-text tokenizer cannot find by itself, written out for its ``grams`` column.

Scripts without spaces (Han, Kana, Hangul, Thai, Lao, Khmer, Burmese) come as one- and two-character pieces,
so that a query of a single character still finds its text. Compatibility forms (full-width letters, ß,
other digits) come in their plain form. Refuses to know about storage. One surprise: letters that touch such a
script ("iPhone手机") are repeated alone, since the tokenizer would keep the whole run as one word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from itertools import pairwise

UNSPACED: tuple[tuple[int, int], ...] = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1100, 0x11FF),  # Hangul parts
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # Han radicals
    (0x3005, 0x3007),  # Han iteration and zero
    (0x3040, 0x30FF),  # Kana
    (0x3100, 0x318F),  # Bopomofo, Hangul compatibility
    (0x31F0, 0x31FF),  # small Kana
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),  # Han
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),  # Hangul
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
"""Code points of scripts written without spaces (Hangul because its particles stick to the words)."""

COMMON = frozenset(
    "的了吗呢吧啊是我你他她它们什么怎哪谁几多少请问在有和与就都也还很这那个叫名字姓住为上下里不没会能想要去来说过给对把被"
)
"""Han characters that mostly hold other words together."""

_TOKEN_CATEGORIES = frozenset({"Co", "Mn", "Mc"})
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")


def is_unspaced(char: str) -> bool:
    """Say whether a character belongs to a script written without spaces."""
    code = ord(char)
    if code < UNSPACED[0][0]:
        return False
    return any(low <= code <= high for low, high in UNSPACED)


def words(text: str) -> list[str]:
    """Return the runs of characters that the full-text tokenizer keeps together."""
    if text.isascii():
        return _ASCII_WORD.findall(text)
    found = []
    run = ""
    for char in text:
        category = unicodedata.category(char)
        if category[0] in "LN" or category in _TOKEN_CATEGORIES:
            run += char
        elif run:
            found.append(run)
            run = ""
    return [*found, run] if run else found


def pieces(word: str) -> Iterator[tuple[bool, str]]:
    """Split one word where the kind of script changes, as pairs of unspaced flag and text."""
    run, unspaced = "", False
    for char in word:
        mark = unicodedata.category(char)[0] == "M"
        kind = unspaced if mark and run else is_unspaced(char)
        if run and kind is not unspaced:
            yield unspaced, run
            run = ""
        run, unspaced = run + char, kind
    if run:
        yield unspaced, run


def clusters(run: str) -> list[str]:
    """Cut a run into characters with the combining marks that belong to them."""
    found: list[str] = []
    for char in run:
        if found and unicodedata.category(char)[0] == "M":
            found[-1] += char
        else:
            found.append(char)
    return found


def plain(text: str) -> str:
    """Return compatibility forms, letter case and digits in their plainest spelling."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(str(unicodedata.digit(c)) if unicodedata.category(c) == "Nd" else c for c in folded)


def grams(text: str) -> str:
    """Return what the ``grams`` column of a text holds, space-joined; empty for most Latin text."""
    found: list[str] = []
    for word in words(unicodedata.normalize("NFKC", text)):
        folded = plain(word)
        parts = list(pieces(folded))
        mixed = len(parts) > 1
        for unspaced, run in parts:
            if unspaced:
                found.extend(_overlapping(clusters(run)))
            elif mixed:
                found.append(run)
        if not mixed and not parts[0][0] and folded != word.lower():
            found.append(folded)
    for word in words(text):
        if unicodedata.normalize("NFKC", word) != word and not is_unspaced(word[0]):
            found.extend(run for unspaced, run in pieces(plain(word)) if not unspaced)
    return " ".join(dict.fromkeys(found))


def query_grams(text: str) -> tuple[str, ...]:
    """Return the pieces a query looks for: pairs where there are pairs, single characters otherwise."""
    if text.isascii():
        return ()
    found: list[str] = []
    for word in words(unicodedata.normalize("NFKC", text)):
        for unspaced, run in pieces(plain(word)):
            if unspaced:
                parts = clusters(run)
                pairs = [a + b for a, b in pairwise(parts)]
                found.extend(pairs or parts)
    return tuple(dict.fromkeys(found))


def lone_characters(text: str, common: Collection[str] = COMMON) -> tuple[str, ...]:
    """Return Han characters that stand alone between common ones: words of one character ("狗" in "我的狗叫")."""
    if text.isascii():
        return ()
    found: list[str] = []
    for word in words(text):
        for unspaced, run in pieces(word):
            parts = ["", *clusters(run), ""] if unspaced else []
            for before, char, after in zip(parts, parts[1:], parts[2:], strict=False):
                alone = (not before or before in common) and (not after or after in common)
                if alone and char not in common and unicodedata.name(char[0], "").startswith("CJK"):
                    found.append(char)
    return tuple(dict.fromkeys(found))


def is_loose(piece: str) -> bool:
    """Tell whether a pair is held together by grammar: a common Han character or a Hiragana in it."""
    return len(piece) > 1 and any(char in COMMON or 0x3041 <= ord(char) <= 0x309F for char in piece)


def _overlapping(parts: list[str]) -> Iterator[str]:
    for index, part in enumerate(parts):
        yield part
        if index + 1 < len(parts):
            yield part + parts[index + 1]
