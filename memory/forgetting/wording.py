"""Finds the words of what is forgotten in any text, and takes them out.

Pure. Owns how loosely a value is recognised: any case, any marks between its words, singular or plural. One
surprise: a text keeps its length when words are taken out, so that the places of other memories in it, and of
tombstones, stay true.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memory.records import USER
from memory.sentences import iter_sentences

MARK = "[…]"
"""What stands in place of words that were taken out; it has no letter, so no search finds it."""
ECHO_WORDS = 3
ECHO_SHARE = 2 / 3
"""A sentence of a derived answer repeats a statement when it has so many, and this share, of its longer words."""
_GAP = r"\s!-/:-@\[-`{-~…“”„«»‹›‘’–—。，、！？；：।॥·「」『』（）《》"
_TOKEN = re.compile(rf"[^{_GAP}]+")
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]"
)

_UNSPACED_RUN = re.compile(f"(?:{_UNSPACED.pattern})+")
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that is forgotten, as words to look for."""

    ref: str
    """The id of what is forgotten."""
    value: str = ""
    subject: str = USER
    phrases: tuple[str, ...] = ()
    """Whole wordings of it: the quote, the sentence."""
    everywhere: bool = False
    """Whether the value is to go wherever it stands, because the user named it."""


@dataclass(frozen=True, slots=True)
class Match:
    """A place where something that is forgotten is said."""

    start: int
    end: int
    said: Said
    whole: bool
    """Whether it is a whole wording, which says subject and value together."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One wording to look for, by the keys of its words."""

    said: Said
    whole: bool
    keys: tuple[str, ...]
    anchor: int
    """Which of the words it is looked up by: the longest, since thousands of sentences may begin with "I"."""


class Wordings:
    """Everything that is forgotten at once, ready to be found in texts."""

    def __init__(self, said: Iterable[Said]) -> None:
        self.said = tuple(said)
        self._spaced: dict[str, list[_Entry]] = {}
        self._unspaced: list[tuple[str, str, Said, bool]] = []
        self._patterns: dict[str, re.Pattern[str]] = {}  # not beyond this: they are made of forgotten words
        for one in self.said:
            for words, whole in ((one.value, False), *((phrase, True) for phrase in one.phrases)):
                self._add(words, one, whole=whole)

    def _add(self, words: str, said: Said, *, whole: bool) -> None:
        keys = tuple(map(_key, _TOKEN.findall(words)))
        if keys and not _UNSPACED.search(words):
            anchor = max(range(len(keys)), key=lambda n: len(keys[n]))
            self._spaced.setdefault(keys[anchor], []).append(_Entry(said, whole, keys, anchor))
        elif words.strip():
            runs = _UNSPACED_RUN.findall(words) or [words.strip()]
            self._unspaced.append((max(runs, key=len), words, said, whole))

    def matches(self, text: str) -> list[Match]:
        """Return every place where anything forgotten is said, in order."""
        found = []
        if self._spaced:
            tokens = list(_TOKEN.finditer(text))
            keys = [_key(token[0]) for token in tokens]
            for place, key in enumerate(keys):
                for entry in self._spaced.get(key, ()):
                    first = place - entry.anchor
                    last = first + len(entry.keys) - 1
                    if first >= 0 and tuple(keys[first : last + 1]) == entry.keys:
                        found.append(
                            Match(tokens[first].start(), tokens[last].end(), entry.said, entry.whole)
                        )
        for anchor, words, said, whole in self._unspaced:
            if anchor in text:
                places = self._pattern(words).finditer(text)
                found += [Match(at.start(), at.end(), said, whole) for at in places]
        return sorted(found, key=lambda match: (match.start, -match.end))

    def names_both(self, text: str, match: Match) -> bool:
        """Tell whether a text says what a value is about, beside the value found in it."""
        if match.whole or match.said.everywhere:
            return True
        subject = match.said.subject
        return subject != USER and bool(subject.strip()) and self._pattern(subject).search(text) is not None

    def _pattern(self, words: str) -> re.Pattern[str]:
        known = self._patterns.get(words)
        if known is None:
            known = self._patterns[words] = pattern(words)
        return known

    def spans(self, text: str) -> Spans:
        """Return the places of everything forgotten."""
        return tuple((match.start, match.end) for match in self.matches(text))

    def says(self, text: str) -> bool:
        """Tell whether a text says anything that is forgotten."""
        return bool(self.matches(text))

    def without(self, text: str) -> str:
        """Return a text with everything forgotten taken out."""
        return blot(text, self.spans(text))


def echoes(text: str, said: Said) -> Spans:
    """Return the sentences that say much of a statement in other words."""
    wanted = {
        _key(word)
        for phrase in (said.value, *said.phrases)
        for word in _TOKEN.findall(phrase)
        if len(word) > 3
    }
    if len(wanted) < ECHO_WORDS:
        return ()
    found = []
    for sentence in iter_sentences(text):
        shared = wanted & {_key(word) for word in _TOKEN.findall(sentence.text)}
        if len(shared) >= max(ECHO_WORDS, ECHO_SHARE * len(wanted)):
            found.append((sentence.start, sentence.end))
    return tuple(found)


def blot(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Take the characters of these spans out of a text without changing its length."""
    parts, at = [], 0
    for start, end in _joined(spans, len(text)):
        length = end - start
        parts += [text[at:start], MARK.ljust(length) if length >= len(MARK) else "…" * length]
        at = end
    return "".join([*parts, text[at:]])


def has_words(text: str) -> bool:
    """Tell whether anything is left to be found in a text."""
    return any(character.isalnum() for character in text)


def pattern(words: str) -> re.Pattern[str]:
    """Return the expression that finds these words in a text."""
    tokens = _TOKEN.findall(words)
    if not tokens:
        return re.compile(re.escape(words.strip()))
    body = rf"[{_GAP}]+".join(_loose(token) for token in tokens)
    before = "" if _UNSPACED.match(tokens[0][0]) else rf"(?<![^{_GAP}])"
    after = "" if _UNSPACED.match(tokens[-1][-1]) else rf"(?![^{_GAP}])"
    return re.compile(before + body + after, re.IGNORECASE)


def _loose(token: str) -> str:
    """Write one word so that singular and plural are the same."""
    stem = _stem(token)
    if stem == token and not _may_have_plural(token):
        return re.escape(token)
    if token.endswith("ies") or (token.endswith("y") and len(token) > 4):
        return re.escape(token.removesuffix("ies").removesuffix("y")) + "(?:y|ies)"
    return re.escape(stem) + "s?"


def _key(token: str) -> str:
    folded = unicodedata.normalize("NFKC", token).casefold()
    if folded.endswith("ies") and len(folded) > 4:
        return folded[:-3] + "y"
    return _stem(folded)


def _stem(token: str) -> str:
    if _may_have_plural(token) and token.endswith("s") and not token.endswith(("ss", "us", "is")):
        return token[:-1]
    return token


def _may_have_plural(token: str) -> bool:
    return token.isascii() and token.isalpha() and len(token) >= 4


def _joined(spans: Iterable[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    """Yield spans in order, inside the text, with overlapping ones made one."""
    waiting: tuple[int, int] | None = None
    for start, end in sorted((max(0, s), min(e, length)) for s, e in spans):
        if start >= end:
            continue
        if waiting is not None and start <= waiting[1]:
            waiting = (waiting[0], max(waiting[1], end))
            continue
        if waiting is not None:
            yield waiting
        waiting = (start, end)
    if waiting is not None:
        yield waiting


def samples(text: str, length: int = 48, most: int = 40) -> list[str]:
    """Return pieces of a text that tell it from others: its sentences, cut short, evenly chosen."""
    pieces = [sentence.text.strip()[:length].strip() for sentence in iter_sentences(text)]
    pieces = [piece for piece in pieces if has_words(piece)]
    return evenly(pieces, most)


def evenly(values: Sequence[str], most: int) -> list[str]:
    """Return at most so many of the values, spread over all of them."""
    if len(values) <= most:
        return list(values)
    return [values[number * len(values) // most] for number in range(most)]
