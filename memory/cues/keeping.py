"""What no pattern reads and is kept all the same: clauses that plainly last, and answers to what was asked.

Owns which of a sentence's clauses stay and in how many words. Refuses what asks, orders or supposes. One
surprise: an answer is never stored with the assistant's words; the question is looked up in a list of our own, and
where that has no words for it the user is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory import policy
from memory.cues.clauses import Clause, open_clause
from memory.cues.lasting import as_if_now, is_answer, is_lasting, is_void, question_about_user, statement_of
from memory.cues.making import make, planned
from memory.cues.reading import Reading
from memory.cues.rewording import plain
from memory.cues.statements import stated_somehow
from memory.records import USER, Candidate
from memory.secrets import find_secrets
from memory.sentences import Sentence, iter_sentences

_REPLY_WORDS = 20
_WHOLE_WORDS = 30
"""A longer sentence is kept by those of its clauses that last."""


def lasting(
    whole: Clause, unread: Sequence[Clause], sentence: Sentence, reading: Reading, *, alone: bool
) -> list[Candidate]:
    """Keep what is plainly said to last: the sentence when nothing else was read in it, else its clauses."""
    if is_void(sentence.text, reading.reads.pack.code):
        return []
    last = [clause for clause in unread if _lasts(clause, reading)]
    if not alone:  # what something has just taken the place of, and scraps, add nothing
        last = [c for c in last if not reading.reads.doubt.search(c.text) and c.quote.count(" ") >= 3]
    short = reading.reads.size(whole.text) <= _WHOLE_WORDS
    together = alone and not sentence.asks and short and not _is_aside(whole, reading)
    if last and together:
        cut = 0 if reading.reads.me.search(whole.text) else last[0].start - whole.start
        last = [replace(whole, start=whole.start + cut, text=whole.text[cut:], quote=whole.quote[cut:])]
    return [_kept(clause, reading) for clause in last]


def reply(own: str, asked: str, reading: Reading) -> list[Candidate]:
    """Keep a short answer to a question about the user: as a statement when we have words for it, else for Review.

    The question only chooses among our own words: it may have been shaped by a text somebody else wrote.
    """
    sentences, code = list(iter_sentences(own)), reading.reads.pack.code
    question = question_about_user(asked, code)
    if not question or len(sentences) != 1 or sentences[0].asks:
        return []
    answer = open_clause(sentences[0].start, sentences[0].text, reading.reads)
    aside = _is_aside(answer, reading) or reading.reads.fiction.search(own) or is_void(own, code)
    if aside or len(answer.text.split()) > _REPLY_WORDS or not is_answer(answer.text, code):
        return []
    if find_secrets(f"{question} {answer.text}"):
        return []
    if says := statement_of(question, answer.text, code):
        found = [one for one in stated_somehow(replace(answer, text=says), reading) if reading.admits(one)]
        note = make(
            answer,
            reading,
            subject=USER,
            attribute="note",
            value=answer.text,
            text=says,
            rule=policy.RULE_ANSWER,
        )
        return [replace(one, rule=policy.RULE_ANSWER) for one in found] or [note]
    bare = make(answer, reading, subject=USER, attribute="note", value=answer.text, rule=policy.RULE_ANSWER)
    return [replace(bare, confidence=policy.CONFIDENCE_UNBOUND)]


def _lasts(clause: Clause, reading: Reading) -> bool:
    reads = reading.reads
    ways, code = {clause.text: None, plain(clause.text, reads): None}, reads.pack.code
    said = any(reads.reported.search(way) or reads.crowd.search(way) for way in ways)
    return not said and not _is_aside(clause, reading) and any(is_lasting(way, code) for way in ways)


def _is_aside(clause: Clause, reading: Reading) -> bool:
    """Tell whether the clause asks, orders or is not meant as true."""
    reads = reading.reads
    text = as_if_now(clause.text, reads.pack.code)
    return any(
        pattern.search(text) for pattern in (reads.doubt, reads.question, reads.imperative, reads.addressed)
    )


def _kept(clause: Clause, reading: Reading) -> Candidate:
    """Return the clause as a note, or as a plan when it names a day to come and tells of no habit."""
    ahead = planned(clause.text, reading)
    return make(
        clause,
        reading,
        subject=USER,
        attribute="plan" if ahead else "note",
        value=clause.quote,
        dates=ahead,
        rule="lasting",
    )
