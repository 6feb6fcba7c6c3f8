"""Cutting a sentence into clauses and taking off what only opens them.

Owns openers ("well,", "actually,", "remember that"), subjects that are not repeated and word order. Refuses to
read values. One surprise: a clause is read in a plain form that may differ from its quote, and only the quote
is ever shown as the user's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memory.cues.rewording import plain, split_up
from memory.patterns import Reader
from memory.sentences import Sentence

EDGES = " \t\n,;:.!…。！，、；：\"'“”«»„“()-–—"
"""What is taken off around a value."""
_CLAUSE_EDGES = " \t\n,;:.!…。！，、；：-–—"
_TOLD = re.compile(r"(?:\b(?:that|dass|das|que|che|что)|कि|qu['’]|[:：,，–—-])\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause without its openers, and what the openers said."""

    start: int
    text: str
    """The clause as it is read: a subject not repeated is put back."""
    quote: str
    """The same as it stands in the message."""
    amends: bool = False
    remembers: bool = False
    told: bool = False
    """Whether "that" or a colon followed the request to remember, so that it covers the next clauses too."""

    @property
    def end(self) -> int:
        """Where the clause ends in the message."""
        return self.start + len(self.quote)


def iter_clauses(sentence: Sentence, reads: Reader) -> Iterator[Clause]:
    """Yield the clauses of the sentence in order, each with what was opened before it."""
    whole = open_clause(sentence.start, sentence.text, reads)
    carried, amends, mine, told = whole.remembers, whole.amends, False, whole.told
    for start, end, shares in _pieces(whole.text, reads):
        body = whole.text[start:end]
        left = len(body) - len(body.lstrip(_CLAUSE_EDGES))
        trimmed = body.strip(_CLAUSE_EDGES)
        clause = open_clause(whole.start + start + left, trimmed, reads)
        if reads.amend.fullmatch(f"{clause.text}, "):
            amends = True
            continue
        if not trimmed or (shares and not mine):  # what "she" or "Ada" also did is not the user's
            continue
        if shares and mine:
            clause = replace(clause, text=f"{reads.pack.ellipsis[1]}{clause.quote}")
        said = plain(clause.text, reads)
        mine = bool(reads.me.search(said)) and not reads.mine.match(said)
        remembers, told = clause.remembers or carried, clause.told or told
        carried = remembers and told
        yield replace(clause, remembers=remembers, told=told, amends=clause.amends or amends)
        amends = False


def open_clause(start: int, text: str, reads: Reader) -> Clause:
    """Take the openers off a clause and note what they said."""
    amends = remembers = told = False
    while True:
        for pattern in (reads.remember, reads.amend, reads.opener):
            match = pattern.match(text)
            if match and match.end() and match.end() < len(text):
                break
        else:
            return Clause(start, text, text, amends, remembers, told)
        if pattern is reads.remember:
            remembers = True
            told = not reads.pack.spaced or bool(_TOLD.search(match[0]))
        amends = amends or pattern is reads.amend
        start, text = start + match.end(), text[match.end() :]


def is_asked(clause: Clause, sentence: Sentence, reads: Reader) -> bool:
    """Tell whether the clause asks instead of stating."""
    if clause.remembers:
        return bool(reads.question.search(clause.text))
    last = clause.end >= sentence.end - 2
    return (sentence.asks and last) or bool(reads.question.search(clause.text))


def between(marks: Sequence[re.Match[str]], size: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches between the marks."""
    at = 0
    for mark in marks:
        yield at, mark.start()
        at = mark.end()
    yield at, size


def _pieces(text: str, reads: Reader) -> Iterator[tuple[int, int, bool]]:
    """Yield where pieces lie, and whether a piece shares the subject of the one before."""
    begun: int | None = None
    for cut, end in between([*reads.breaks.finditer(text)], len(text)):
        start, begun = (cut if begun is None else begun), None
        if end < len(text) and reads.mine.fullmatch(open_clause(0, text[start:end].strip(), reads).text):
            begun = start  # "my husband and I …" is one subject
            continue
        shares, said = False, open_clause(0, text[start:end].strip(), reads).text
        if reads.mine.match(said) and split_up(said, reads):
            yield start, end, False  # "my wife … and …" says both of her
            continue
        for first, last in between([*reads.ellipsis.finditer(text[start:end])], end - start):
            yield start + first, start + last, shares
            shares = True
