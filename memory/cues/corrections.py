"""What a clause takes back: "I no longer …", "Waffle, not Biscuit", "I meant Waffle".

Owns what ends, what is replaced and what a bare correction points at. Refuses to close anything itself: a
candidate only names the value it stands against. One surprise: a name for a pronoun that nobody fits is still
proposed, with so little confidence that the user is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memory import policy
from memory.cues.binding import Known, bind_last, bind_name, bind_old
from memory.cues.clauses import EDGES, Clause
from memory.cues.making import make
from memory.cues.reading import Reading
from memory.cues.statements import stated
from memory.cues.subjects import word_for
from memory.patterns import Reader, groups_of
from memory.records import USER, Candidate, Cardinality, Stability

ENDED = "no longer"
"""The rule of what a clause takes back."""
_BOUGHT = frozenset({"vehicle", "allergy", "avoids"})
"""What is sold, or not so, ends only when it was known; else it is an event, or nothing at all."""


def ended(clause: Clause, reading: Reading) -> Iterator[Candidate]:
    """Read "I no longer …" as the end of the statement it denies."""
    for pattern, replacement in reading.reads.ends:
        if not pattern.search(clause.text):
            continue
        turned = replace(clause, text=pattern.sub(replacement, clause.text))
        for candidate in stated(turned, reading):
            if not _is_known(candidate, reading) and _is_other(candidate, reading):
                continue
            if candidate.subject == USER or candidate.subject in reading.reads.pack.kin.values():
                yield make(
                    clause,
                    reading,
                    subject=candidate.subject,
                    attribute=candidate.attribute,
                    value=clause.text,
                    closes=candidate.value,
                    correction=True,
                    stability=Stability.VOLATILE,
                    rule=ENDED,
                )
                return


def contrasted(clause: Clause, reading: Reading) -> Iterator[Candidate]:
    """Read "my dog is called Waffle, not Biscuit": a statement that names the value it replaces."""
    for pattern, _ in reading.reads.amends:
        match = pattern.fullmatch(clause.text)
        if not match or "old" not in groups_of(match) or match.start("value") > match.start("old"):
            continue
        old = match["old"].strip(EDGES)
        head = clause.text[: match.end("value")]
        known = bind_old(old, "", reading.touched, reading.known)
        if not clause.amends and known is None:
            continue
        for candidate in stated(replace(clause, text=head), reading, closes=old):
            yield replace(
                candidate,
                quote=clause.quote,
                end=clause.end,
                is_correction=True,
                importance=policy.IMPORTANCE_CORRECTION,
            )
        return


def amended(clause: Clause, reading: Reading) -> Candidate | None:
    """Read a correction that only points: "he's called Waffle", "it's Waffle, not Biscuit", "I meant Waffle"."""
    reads = reading.reads
    for pattern, attribute in reads.amends:
        match = pattern.fullmatch(clause.text)
        if not match:
            continue
        groups = groups_of(match)
        value = reads.cut.sub("", groups["value"]).strip(EDGES)
        old = (groups.get("old", "")).strip(EDGES)
        if (
            not value
            or reads.empty.search(value)
            or len(value.split()) > 6
            or (reads.doubt.search(clause.text) and not old)
        ):
            continue
        bound = _bound(clause.text, attribute, old, reading)
        if bound is None and (attribute != "name" or reads.question.search(value)):
            continue
        if bound is None and _pronoun_of(clause.text, reads) in ("it", "that", "this") and not clause.amends:
            continue
        if bound is None:
            return _unbound(clause, value, reading)
        return make(
            clause,
            reading,
            subject=bound.subject,
            attribute=attribute or bound.attribute,
            value=value,
            text=_amended_text(bound, attribute or bound.attribute, value, reading),
            closes=old or None,
            correction=True,
            pronoun=True,
            dates=(),
            rule="correction",
        )
    return None


def _is_other(candidate: Candidate, reading: Reading) -> bool:
    """Tell whether what ends must be known to matter: it was bought, or something else holds in its only place."""
    single = candidate.cardinality is Cardinality.SINGLE
    held = any(
        fact.subject == candidate.subject and fact.attribute == candidate.attribute for fact in reading.known
    )
    return candidate.attribute in _BOUGHT or (single and held)


def _is_known(candidate: Candidate, reading: Reading) -> bool:
    """Tell whether something of the candidate's kind is known by its value."""
    value = policy.normalise(candidate.value)
    return any(
        fact.attribute == candidate.attribute and policy.normalise(fact.value) == value
        for fact in reading.heard_of()
    )


def _bound(text: str, attribute: str, old: str, reading: Reading) -> Known | None:
    if old:
        return bind_old(old, attribute, reading.touched, reading.known)
    if attribute:
        return bind_name(_pronoun_of(text, reading.reads), attribute, reading.touched, reading.known)
    return bind_last(reading.touched)


def _pronoun_of(text: str, reads: Reader) -> str:
    """Return the pronoun a correction opens with; possessives count as theirs."""
    head = re.split(r"['’\s]", text.casefold(), maxsplit=1)[0]
    possessive = {"his": "he", "her": "she", "its": "it", "their": "they"}
    if head in possessive:
        return possessive[head]
    match = re.match(reads.pack.pronouns, text, re.IGNORECASE)
    return match[0].casefold() if match else head


def _unbound(clause: Clause, value: str, reading: Reading) -> Candidate:
    made = make(
        clause,
        reading,
        subject=_pronoun_of(clause.text, reading.reads) or "?",
        attribute="name",
        value=value,
        correction=clause.amends,
        pronoun=True,
        rule="correction",
    )
    return replace(made, confidence=policy.CONFIDENCE_UNBOUND)


def _amended_text(bound: Known, attribute: str, value: str, reading: Reading) -> str:
    """Return the corrected sentence: the old one with its value replaced, or the plain saying of a name."""
    if bound.value and bound.value in bound.text and bound.text != bound.value:
        return bound.text.replace(bound.value, value)
    if attribute == "name" and bound.subject != USER and reading.reads.pack.called:
        word = word_for(bound.subject, reading.reads)
        return reading.reads.pack.called.replace("{who}", word).replace("{value}", value)
    return f"{bound.subject}: {value}"
