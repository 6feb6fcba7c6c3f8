"""One message read in order: its sentences, and the clauses of each.

Owns that order and which way of reading is tried before which. Refuses to decide what is stored, and never
reads pasted or quoted text. One surprise: what an earlier clause touched is what a later pronoun means, and a
clause that borrows the subject of a doubtful one is as doubtful.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memory import policy
from memory.cues.binding import Known, known_facts
from memory.cues.clauses import Clause, is_asked, iter_clauses, open_clause
from memory.cues.corrections import ENDED, amended, contrasted, ended
from memory.cues.keeping import lasting, reply
from memory.cues.lasting import as_if_now
from memory.cues.making import as_said
from memory.cues.notes import note, noticed, standing_rule, with_reason
from memory.cues.reading import Reading
from memory.cues.rewording import asks_a_puzzle, mentioned, plain, singled_out
from memory.cues.statements import orders, stated_somehow
from memory.languages import detect
from memory.languages.everyday import GREETING
from memory.patterns import reader
from memory.provenance import foreign_spans, own_text
from memory.records import Candidate, Fact, Kind, Message, Role
from memory.secret_answers import secrets_of
from memory.sentences import Sentence, iter_sentences

_BRINGS = frozenset({"pet", "child"})
"""Attributes of the user whose value somebody else may be spoken of by."""
_SAME_LANGUAGE = 1.5
"""How much better another language must fit a sentence than that of its message."""


def candidates(
    message: Message, *, touched: Sequence[Fact] = (), known: Sequence[Fact] = (), asked: str = ""
) -> tuple[Candidate, ...]:
    """Return what the message states, in the order it was said; ``asked`` is what it may be an answer to."""
    if message.role is not Role.USER:
        return ()
    foreign = foreign_spans(message.text, message.pasted)
    own = own_text(message.text, foreign)
    tongue = detect(own)
    reads = reader(tongue)
    reading = Reading(
        message,
        reads,
        touched=known_facts(touched),
        known=known_facts(known),
        foreign=foreign,
        secrets=secrets_of(message),
        is_puzzle=asks_a_puzzle(own, reads),
        greeted=GREETING.match(own) is not None,
    )
    for sentence in iter_sentences(own):
        reading.reads = reader(detect(sentence.text, tongue, _SAME_LANGUAGE))
        if reading.reads.fiction.search(sentence.text):
            break
        _read_sentence(sentence, reading)
    if asked and not any(_is_sure(one) and one.attribute != "note" for one in reading.found):
        reading.reads = reader(
            detect(own, detect(asked, tongue), _SAME_LANGUAGE)
        )  # a bare name is of no language
        answers = [one for one in reply(own, asked, reading) if reading.admits(one)]
        if not reading.found or any(_is_sure(one) for one in answers):
            reading.found = answers
    return tuple(reading.found)


def _is_sure(candidate: Candidate) -> bool:
    return candidate.confidence >= policy.CONFIDENCE_FLOOR


def _read_sentence(sentence: Sentence, reading: Reading) -> None:
    whole = open_clause(sentence.start, sentence.text, reading.reads)
    if reading.reads.reported.search(whole.text) and not whole.remembers:
        return
    if not sentence.asks and (rule := standing_rule(whole, reading)):
        fresh = [rule]
    else:
        read, unread = _read_clauses(sentence, reading)
        fresh = [one for one in read if reading.admits(one)]
        if not fresh and not sentence.asks and (found := noticed(whole, sentence, reading)):
            fresh, unread = [found], []
        fresh += lasting(whole, unread, sentence, reading, alone=not fresh)
    if not fresh and reading.opinion:
        reasoned = with_reason(reading.opinion, whole, sentence, reading)
        if reading.admits(reasoned):
            reading.found[-1] = reasoned
    reading.opinion = None
    for candidate in fresh:
        if reading.admits(candidate) and candidate not in reading.found:
            reading.found.append(candidate)
            reading.opinion = candidate if candidate.kind is Kind.OPINION else None


def _read_clauses(sentence: Sentence, reading: Reading) -> tuple[list[Candidate], list[Clause]]:
    """Read the clauses in order; return what they say, and those that no pattern reads though meant as true."""
    reads, doubted = reading.reads, False
    found: list[Candidate] = []
    unread: list[Clause] = []
    for clause in iter_clauses(sentence, reads):
        borrows = clause.text != clause.quote and not reads.now.search(clause.text)
        doubted = bool(reads.doubt.search(clause.text)) or (doubted and borrows)
        read = []
        if not is_asked(clause, sentence, reads) and not (doubted and borrows):
            read = list(_read_clause(clause, sentence, reading))
        found += read
        reading.ended = frozenset(one.attribute for one in read if one.rule.endswith(ENDED))
        _notice_whom(clause, read, reading)
        if not read:
            unsure = doubted and (borrows or reads.doubt.search(as_if_now(clause.text, reads.pack.code)))
            if not unsure and not is_asked(clause, sentence, reads):
                unread.append(clause)
    return found, unread


def _notice_whom(clause: Clause, read: Sequence[Candidate], reading: Reading) -> None:
    """Let what comes next point at what the clause says, and at the animal or person that it brings up."""
    reads = reading.reads
    reading.touched[:0] = [Known(c.subject, c.attribute, c.value, c.text) for c in reversed(read)]
    brought = [
        Known(named, "", "") for c in read if c.attribute in _BRINGS for named in singled_out(c.value, reads)
    ]
    brought = brought or (
        [] if read else [Known(subject, "", "") for subject in mentioned(clause.text, reads)]
    )
    reading.touched[:0] = brought
    if read or brought:
        reading.spoken_of = (brought[0] if brought else reading.touched[0]).subject


def _read_clause(clause: Clause, sentence: Sentence, reading: Reading) -> Iterator[Candidate]:
    """Read one clause by the first way that fits: what it ends, replaces, states, corrects, or asks to note."""
    reads = reading.reads
    if (reads.reported.search(clause.text) or reads.crowd.search(clause.text)) and not clause.remembers:
        return
    reworded = replace(clause, text=plain(clause.text, reads))
    taken_back = list(ended(clause, reading)) or [
        replace(as_said(one, reworded.text, clause.text), value=clause.text)
        for one in ended(reworded, reading)
    ]
    taken_back = taken_back or list(contrasted(clause, reading))
    if taken_back:
        yield from taken_back
        return
    if not reads.doubt.search(clause.text):
        if stated := stated_somehow(clause, reading):
            yield from stated
            return
        if reworded.text != clause.text and not reads.doubt.search(reworded.text):
            stated = stated_somehow(reworded, reading)
            yield from (as_said(candidate, reworded.text, clause.text) for candidate in stated)
            if stated:
                return
    for variant in orders(clause, reading):
        if found := amended(variant, reading):
            yield found
            return
    if clause.remembers and not (sentence.asks and not clause.told) and (found := note(clause, reading)):
        yield found
