"""The languages the rules can read, and telling them apart.

Owns the list and the choice by script and frequent words. Refuses statistics beyond counting. One surprise:
a text that fits no language is read as the caller's default, so a lone name stays where it was said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module

from memory.languages.pack import Language

CODES = ("en", "de", "es", "fr", "it", "pt", "ru", "hi", "zh", "ko", "ja")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SCRIPTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("ko", re.compile(r"[\uac00-\ud7af\u1100-\u11ff]")),
    ("ja", re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u30fc]")),
    ("zh", re.compile(r"[\u3400-\u9fff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
)
_HINTS: dict[str, re.Pattern[str]] = {
    "en": re.compile(r"(?-i:\bI\b)|\bth|[^aeiou]ing\b|ght|wh|['’](?:s|m|ve|ll|re|t)\b", re.IGNORECASE),
    "de": re.compile(r"[äöüß]|sch|ung\b|\b(?:ge|ver|be)\w{4,}t\b|heit\b|lich", re.IGNORECASE),
    "es": re.compile(r"[ñ¿¡]|ción\b|\w(?:amos|emos|imos)\b|ll|ez\b|\b\w+[óé]\b", re.IGNORECASE),
    "fr": re.compile(
        r"[œêèâîôûçë]|\b(?:j|l|d|qu|c|n|s|m)['’]|eau|eux\b|\w{3}é(?:e|s|es)?\b|ai[st]\b|onne|eil",
        re.IGNORECASE,
    ),
    "it": re.compile(
        r"[ìòù]|\b(?:l|un|dell|all|nell|c|d)['’]|zione\b|gli|cch|zz|tt[oaie]\b|ll[oaie]\b|\w(?:iamo|ere|are)\b",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r"[ãõ]|ção\b|ções\b|\bvocê|lh|nh|\w(?:amos|emos|imos)\b|\w(?:eira|eiro|or|ar|er|ir)\b", re.IGNORECASE
    ),
}
"""Spellings that are common in one language and rare in the others."""
_LATIN = ("en", "de", "es", "fr", "it", "pt")


@cache
def language(code: str) -> Language:
    """Return the patterns of one language, loaded on first use."""
    pack = import_module(f"memory.languages.{code}").LANGUAGE
    assert isinstance(pack, Language)
    return pack


def detect(text: str, default: str = "en", margin: float = 0.0) -> str:
    """Return the code of the language the text is most likely in; another than the default needs the margin."""
    for code, script in _SCRIPTS:
        found = len(script.findall(text))
        if (
            found >= 2
            and found * (3 if code in ("zh", "ko", "ja") else 1) >= len(re.findall(r"[A-Za-z]", text)) * 0.25
        ):
            return code
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
    scores = {code: _score(words, code) for code in _LATIN}
    for code in _HINTS.keys() & scores.keys():
        scores[code] += 0.4 * min(4, len(_HINTS[code].findall(text)))
    best = max(scores.values(), default=0)
    if default in scores and scores[default] + margin >= best:
        return default
    return max(scores, key=lambda code: (scores[code], code == "en")) if best else default


def _score(words: Sequence[str], code: str) -> float:
    common = language(code).common
    return sum(1.0 + (len(word) > 3) * 0.3 for word in words if word in common)
