"""Turns what the user said into what is looked for: terms, a safe match expression, a text to embed.

Pure. No text of the user ever reaches full-text syntax: the match expression is built from runs of letters and
digits in double quotes. One surprise: the names of known subjects are taken out of the text to embed, since a
name pulls every sentence about that person close, whatever the question is.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from memory.retrieval.forms import forms_of
from memory.retrieval.grams import is_loose, is_unspaced, lone_characters, plain, query_grams, words
from memory.retrieval.intent import asks_for_advice, asks_for_latest, leans_on_previous
from memory.retrieval.names import name_like
from memory.retrieval.period import Period, asks_of_a_day, find_period
from memory.retrieval.stems import split, stem
from memory.retrieval.stopwords import CHATTER, COMMANDS, NAMING, STOP_WORDS

MAX_TERMS = 48
"""A pasted page is searched by its first distinct words only."""

LOOSE = NAMING | COMMANDS

MAX_EMBEDDED = 1200
"""Characters of the query that are embedded."""

_IDENTIFIER = re.compile(r"(?<![^\s(\"'])[+#/~\\]?[^\W_]+(?:[-_./:@\\#+][^\W_]+)+|\+?\d[\d ()/-]{5,}\d")
_CODE_WORD = re.compile(r"[^\W\d_]+\d\w+|\d{5,}\w*")
"""One word that names a thing exactly: "e18", "a1234"; no year, no "3rd", no "5km"."""

_POSSESSIVE = re.compile(r"['’]s?$")
_CAPITALISED = re.compile(r"(?<![.!?…]\s)(?<!^)\b[A-ZÀ-ÖØ-ÞА-Я][\w’'-]+")


@dataclass(frozen=True, slots=True)
class Term:
    """One thing looked for: a word with its other forms, a pair of characters, or an identifier."""

    text: str
    phrases: tuple[tuple[str, ...], ...]
    """Each a run of index words; any of them is a match."""
    is_identifier: bool = False
    is_loose: bool = False
    """Whether it is worth a search but proves nothing: a piece that holds words together, a word like "called"."""

    @property
    def stems(self) -> tuple[frozenset[str], ...]:
        """The index terms of each phrase; a text that holds all of one matches."""
        return tuple(frozenset(map(stem, phrase)) for phrase in self.phrases)


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for."""

    text: str
    terms: tuple[Term, ...]
    embed: str
    """The text whose vector is compared; empty when there is nothing to compare."""
    words: frozenset[str] = frozenset()
    """Every word of the question, lower case, possessives taken off."""
    period: Period | None = None
    of_a_day: bool = False
    """Whether all of that time may be meant, for it is a day or two and asked about."""
    time_words: frozenset[str] = frozenset()
    """The words of the time expression: they say when, not what."""
    wants_latest: bool = False
    wants_advice: bool = False
    leans: bool = False
    identifiers: tuple[Term, ...] = field(default=())

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to look for."""
        return not self.terms and not self.of_a_day


def words_asked(text: str) -> frozenset[str]:
    """Return every word of a question, in lower case, possessives taken off."""
    spoken = (_POSSESSIVE.sub("", word) for word in re.split(r"[^\w’'-]+", text.lower()) if word)
    return frozenset((*spoken, *split(text)))


def parse(text: str, now: datetime, previous: tuple[str, ...] = (), known: Collection[str] = ()) -> Query:
    """Read a question; one that leans on the previous turn takes that turn's named things along.

    ``known`` are the subjects of the store that it names.
    """
    found = find_period(text, now)
    time_words = frozenset() if found is None else frozenset((*split(found[1]), *query_grams(found[1])))
    leans = bool(previous) and leans_on_previous(text)
    terms = list(_terms(text, name_like(text, known) - time_words))
    embed = text
    if leans:
        known = {term.text for term in terms}
        named = [term for line in previous for term in _named_terms(line) if term.text not in known]
        terms.extend({term.text: term for term in named}.values())
        embed = f"{previous[0]}\n{text}" if len(previous[0]) <= MAX_EMBEDDED // 2 else text
    return Query(
        text=text,
        terms=tuple(terms[:MAX_TERMS]),
        embed=embed[:MAX_EMBEDDED].strip() if terms else "",
        words=words_asked(text),
        period=None if found is None else found[0],
        of_a_day=found is not None and asks_of_a_day(text, found[0], now),
        time_words=time_words,
        wants_latest=asks_for_latest(text),
        wants_advice=asks_for_advice(text),
        leans=leans,
        identifiers=tuple(term for term in terms if term.is_identifier),
    )


def search_terms(text: str, known: Collection[str] = ()) -> tuple[Term, ...]:
    """List what the user's own search looks for: common words too where there are no others."""
    found = {term.text: term for term in _terms(text, name_like(text, known))}
    if not found:
        words_typed = [word for word in split(text) if stem(word) and not any(map(is_unspaced, word))]
        found = {word: Term(word, ((word,),)) for word in (*words_typed, *query_grams(text))}
    return tuple(found.values())[:MAX_TERMS]


def match_expression(terms: Collection[Term]) -> str:
    """Return the full-text expression that finds any of the terms; empty for none."""
    phrases = dict.fromkeys(phrase for term in terms for phrase in term.phrases)
    return " OR ".join('"' + " ".join(phrase) + '"' for phrase in phrases)


def without_names(text: str, names: Collection[str]) -> str:
    """Take the names of subjects out of a text to embed, unless nothing else is left."""
    lowered = {name.lower() for name in names}
    kept = [
        word
        for word in text.split()
        if _POSSESSIVE.sub("", word.strip("?!.,;:()\"'“”").lower()) not in lowered
    ]
    rest = " ".join(kept)
    return rest if split(rest) else text


def named_in(subject: str, asked: frozenset[str]) -> bool:
    """Tell whether every word of a subject is among the words of a question."""
    parts = split(subject)
    return bool(parts) and all(part in asked for part in parts)


def _terms(text: str, names: Collection[str] = ()) -> tuple[Term, ...]:
    """List what to look for: content words, and common ones that are names here; nothing for small talk."""
    plain_words = [word for word in split(text) if not any(map(is_unspaced, word))]
    content = [word for word in plain_words if (word not in STOP_WORDS or word in names) and stem(word)]
    pieces = [piece for piece in (*lone_characters(text), *query_grams(text)) if piece not in STOP_WORDS]
    found: dict[str, Term] = {}
    for match in _IDENTIFIER.finditer(text):
        run = tuple(words(match[0].lower()))
        if len(run) > 1 and (any(c.isdigit() for c in match[0]) or re.search(r"[_/@\\#]", match[0])):
            found[" ".join(run)] = Term(" ".join(run), (run,), is_identifier=True)
    if (
        not found
        and all(word in CHATTER and word not in names for word in content)
        and (not pieces or _is_chatter(text))
    ):
        return ()
    for word in content:
        folded = plain(word)
        spellings = forms_of(word) if folded == word else (word, folded)
        term = Term(
            word,
            tuple((form,) for form in spellings),
            is_identifier=_CODE_WORD.fullmatch(word) is not None,
            is_loose=word in LOOSE,
        )
        found.setdefault(word, term)
    for piece in pieces:
        found.setdefault(piece, Term(piece, ((piece,),), is_loose=is_loose(piece) or piece in LOOSE))
    return tuple(found.values())


def _is_chatter(text: str) -> bool:
    return all(word in CHATTER for word in split(text))


def _named_terms(text: str) -> tuple[Term, ...]:
    """List the named things of an earlier text: capitalised words, or its few content words."""
    common = CHATTER - name_like(text)
    names = [word for run in _CAPITALISED.findall(text) for word in split(run)]
    names = [word for word in names if word not in common]
    if not names:
        return _terms(text)[:4]
    return tuple(Term(name, ((name,),)) for name in dict.fromkeys(names))[:6]
