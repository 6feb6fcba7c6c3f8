"""Cutting a message into sentences with their places.

Owns terminators and the points that are none (abbreviations, initials, decimals, list numbers). Refuses to
know languages beyond that. One surprise: a line break ends a sentence, a colon never does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_END = re.compile(r"[.!?…;]+[)\"'”’»]*(?=\s|$|[A-ZА-ЯЁ])|[。！？；｡]+[」』”）]*|[।॥]+|\n+|[?!]+(?=\S)")
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:[A-ZА-ЯЁ]|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Mt|No|vs|etc|e\.g|i\.e|approx|Nr|Hr|Fr|bzw|z\.B|d\.h|usw|ca|Str|Sra|Dña|Ud|Uds|"
    r"M|Mme|Mlle|г|ул|т\.е|т\.д|им|р|Sig|Dott|Av|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)$"
)
_FACES = r"(?:[\u2190-\u2bff\u3030\u303d\u3297\u3299\ufe0f\u200d\U0001f000-\U0001faff]|(?<=\s)(?:[:;=8][-'’]?[)(DPp3*/|\\\]]+|<3+|\^_?\^|x[Dd]+)(?=\s|$))"
_OUTER_FACES = re.compile(rf"^(?:{_FACES}\s*)+|(?:\s*{_FACES})+\s*$")
"""Pictures and faces around a sentence, which say nothing in words."""
_ORDINAL = re.compile(r"(?:^|\s)\d{1,2}$")
_AFTER_ORDINAL = re.compile(
    r"[a-zà-ÿа-я]|Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Stock|Klasse|Jahrhundert|Geburtstag|Semester|Etage",
    re.UNICODE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters ``[start, end)`` of a text without the terminator, and how they ended."""

    start: int
    end: int
    text: str
    asks: bool = False
    """Whether the terminator is a question mark."""


def iter_sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of the text in order, blank ones left out."""
    at = 0
    for match in _END.finditer(text):
        if match[0].startswith(".") and len(match[0].strip()) == 1 and _is_no_end(text, at, match):
            continue
        yield from _trimmed(text, at, match.start(), asks="?" in match[0] or "？" in match[0])
        at = match.end()
    yield from _trimmed(text, at, len(text), asks=False)


def _is_no_end(text: str, at: int, match: re.Match[str]) -> bool:
    """Tell whether the point belongs to an abbreviation, an initial or a day's number."""
    rest = text[match.end() :].lstrip()
    if not rest:
        return False
    if _ORDINAL.search(text[at : match.start()]):
        return bool(_AFTER_ORDINAL.match(rest))
    return (
        bool(_ABBREVIATED.search(text[at : match.start()]))
        and "\n" not in text[match.end() : match.end() + 1]
    )


def _trimmed(text: str, start: int, end: int, *, asks: bool) -> Iterator[Sentence]:
    for face in [*_OUTER_FACES.finditer(text[start:end])]:
        start, end = (start + face.end(), end) if not face.start() else (start, start + face.start())
    body = text[start:end]
    lead = len(body) - len(body.lstrip(" \t\n-*•·–—"))
    trimmed = body.strip().lstrip(" \t\n-*•·–—")
    if any(c.isalnum() for c in trimmed):
        yield Sentence(start + lead, start + lead + len(trimmed), trimmed, asks)
