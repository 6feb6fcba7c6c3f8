"""Whole sentences kept for a sign in them: standing rules, what the user asked to note, decisions, opinions.

Owns the signs' order and what speaks against each. Refuses to take such a sentence apart. One surprise: an
opinion takes the sentence after it along when that one only gives the reason.
"""

from __future__ import annotations

import re
from dataclasses import replace

from memory import policy
from memory.cues.clauses import Clause
from memory.cues.making import as_said, as_sentence, make, planned
from memory.cues.reading import Reading
from memory.cues.rewording import plain
from memory.cues.speaker import is_about_another
from memory.cues.subjects import subject_of_whole
from memory.cues.values import OF_TASTE
from memory.records import USER, Candidate, Kind
from memory.sentences import Sentence

_NOTE_CHARACTERS = 400
_REASON_WORDS = 6


def standing_rule(clause: Clause, reading: Reading) -> Candidate | None:
    """Read a standing order to the assistant."""
    if not any(rule.search(clause.text) for rule in reading.reads.rules):
        return None
    return make(clause, reading, subject="assistant", attribute="rule", value=clause.text, rule="rule")


def note(clause: Clause, reading: Reading) -> Candidate | None:
    """Keep what the user asked to remember when no finer pattern reads it."""
    reads, text = reading.reads, clause.text
    if reads.size(text) < 2 or reads.question.search(text) or len(text) > _NOTE_CHARACTERS:
        return None
    if rule := standing_rule(clause, reading):
        return rule
    if reads.addressed.search(text):
        return None
    todo = reads.todo.search(text)
    return make(
        clause,
        reading,
        subject=USER,
        attribute="commitment" if todo else "note",
        value=text,
        dates=reading.dates(text),
        rule="todo" if todo else "note",
    )


def noticed(whole: Clause, sentence: Sentence, reading: Reading) -> Candidate | None:
    """Keep a sentence that a cue marks, in its own words or in plainer ones, or that is told to be known."""
    informed = reading.reads.informs.match(sentence.text) and reading.reads.me.search(whole.text)
    found = _noticed(whole, reading) or _noticed_plainly(whole, reading)
    return found or (note(whole, reading) if informed else None)


def with_reason(opinion: Candidate, whole: Clause, sentence: Sentence, reading: Reading) -> Candidate:
    """Return the opinion, with the sentence after it when that carries it and both are short enough for one fact."""
    if not _is_reason(whole, sentence, reading) or whole.end - opinion.start > policy.VALUE_LENGTH:
        return opinion
    quote = reading.message.text[opinion.start : whole.end]
    return replace(opinion, quote=quote, end=whole.end, value=quote, text=as_sentence(quote))


def _noticed(clause: Clause, reading: Reading) -> Candidate | None:
    """Keep a whole sentence that decides, promises, prefers, judges or reports something lasting."""
    reads, text = reading.reads, clause.text
    if reads.question.search(text) or len(text) > _NOTE_CHARACTERS:
        return None
    if re.match(r"\W*(?:" + reads.doubt.pattern + ")", text, re.IGNORECASE) and not reads.me.search(text):
        return None
    if reads.crowd.search(text):
        return None
    size = reads.size(text)
    for cue, pattern, unless, needs in reads.cues:
        if size < cue.least or not pattern.search(text):
            continue
        if cue.attribute in OF_TASTE and (reads.addressed.search(text) or reads.at_hand.search(text)):
            continue
        if cue.attribute == "appointment" and reads.doubt.search(text):
            continue
        if cue.attribute == "event" and is_about_another(text, reads):
            continue
        if (unless and unless.search(text)) or (needs and not needs.search(text)):
            continue
        if reads.imperative.search(text) and not pattern.match(text):
            continue
        subject = subject_of_whole(clause, reading)
        if subject is None:
            return None
        ahead = planned(text, reading) if cue.attribute == "note" else ()
        return make(
            clause,
            reading,
            subject=subject,
            attribute="plan" if ahead else cue.attribute,
            value=text,
            kind=Kind.PLAN if ahead else cue.kind,
            dates=ahead or reading.dates(text),
            rule=cue.attribute,
        )
    return None


def _noticed_plainly(clause: Clause, reading: Reading) -> Candidate | None:
    """Notice a sentence that only its plain wording shows to be one, and keep it as it was said."""
    reworded = plain(clause.text, reading.reads)
    found = _noticed(replace(clause, text=reworded), reading) if reworded != clause.text else None
    if found is None:
        return None
    value = found.value.replace(reworded, clause.text)
    return replace(as_said(found, reworded, clause.text), value=value)


def _is_reason(whole: Clause, sentence: Sentence, reading: Reading) -> bool:
    """Tell whether a sentence without a statement of its own carries the opinion before it."""
    reads, text = reading.reads, whole.text
    mine = reads.me.search(text) and reads.pack.code in ("en", "de", "fr", "ru", "hi", "zh", "ko")
    aside = reads.question.search(text) or reads.addressed.search(text) or reads.imperative.search(text)
    return reads.size(text) >= _REASON_WORDS and not sentence.asks and not mine and not aside
