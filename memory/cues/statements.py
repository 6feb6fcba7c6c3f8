"""What a clause states of somebody: the first slot of its language that fits, in one of its word orders.

Owns the way from a slot's match to candidates, one for each thing named. Refuses to ask whether the clause is
meant as true: whoever hands it over does. One surprise: what is said of a sister is read as she would say it
herself, so that the slots of the first person serve for everybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from memory import policy
from memory.attributes import attribute_named
from memory.cues.binding import THINGS
from memory.cues.clauses import EDGES, Clause
from memory.cues.making import as_sentence, make
from memory.cues.reading import Reading
from memory.cues.rewording import as_first_person, split_up, word_orders
from memory.cues.subjects import is_a_stranger, named_subject, spoken, subject_of
from memory.cues.values import alone, clean, is_said, items
from memory.languages.pack import Slot
from memory.patterns import groups_of, keys_of
from memory.records import USER, Candidate, Stability

_YEARLY = re.compile(
    r"anniversar|aniversári|aniversario|anniversaire|jahrestag|hochzeitstag|name day|namenstag|годовщин|सालगिरह|纪念日|記念日|기념일",
    re.IGNORECASE,
)
"""Days that come again, so that they do not end with the next one."""
_HOUR = re.compile(
    r"(?:,? (?:at|um|gegen|à|vers|a las?|alle|às|в|को) (?:\d{1,2}(?:[:.h]\d{0,2})?(?: ?(?:uhr|h|am|pm|बजे))?)(?!\w))",
    re.IGNORECASE,
)
"""The hour that may follow a day."""
_OWN = frozenset({"name", "nickname"})
"""Attributes that others are given in their own ways only."""


def stated_somehow(clause: Clause, reading: Reading) -> list[Candidate]:
    """Read the clause in the first of its word orders that a slot fits, as the user's or somebody else's."""
    if parts := split_up(clause.text, reading.reads):
        told = [found for part in parts for found in stated_somehow(replace(clause, text=part), reading)]
        if told:
            return told
    for variant in orders(clause, reading):
        made = list(stated(variant, reading)) or list(_stated_of_another(variant, reading))
        if made:
            return made
    return []


def orders(clause: Clause, reading: Reading) -> Iterator[Clause]:
    """Yield the clause as it stands, then in the plain word orders the language allows."""
    yield clause
    dates = reading.dates(clause.text)
    if dates and dates[0].start == 0 and dates[0].end < len(clause.text):
        hour = _HOUR.match(clause.text, dates[0].end)
        end = hour.end() if hour else dates[0].end
        when, rest = clause.text[:end], clause.text[end:].strip(EDGES)
        yield replace(clause, text=f"{rest} {when[:1].lower()}{when[1:]}")
    for other in word_orders(clause.text, reading.reads):
        yield replace(clause, text=other)


def stated(clause: Clause, reading: Reading, closes: str | None = None) -> Iterator[Candidate]:
    """Read the clause by the first slot that fits it."""
    for slot, pattern in reading.reads.slots:
        match = pattern.fullmatch(clause.text)
        if match and (made := list(_from_slot(slot, match, clause, reading, closes))):
            yield from made
            return


def _stated_of_another(clause: Clause, reading: Reading) -> Iterator[Candidate]:
    """Read what is said of a relative or friend by the slots of the first person."""
    for said, first, rest, groups in as_first_person(clause.text, reading.reads):
        bound = subject_of(clause.text, groups, reading)
        if bound is None or bound[0] == USER or bound[0] in THINGS or reading.reads.me.search(rest):
            continue
        subject, pointed = bound
        found = False
        for candidate in stated(replace(clause, text=first + rest), reading):
            if candidate.subject != USER or candidate.attribute in _OWN:
                continue
            if is_a_stranger(candidate.attribute, subject, clause.text, groups, reading):
                continue
            found = True
            text = candidate.text
            if text.casefold().startswith(first.casefold()):
                text = as_sentence(said + text[len(first) :])
            yield replace(
                candidate,
                subject=subject,
                text=spoken(text, groups, subject, pointed, reading),
                pronoun=pointed is not None,
                confidence=policy.CONFIDENCE_BOUND if pointed else policy.CONFIDENCE_STATED,
            )
        if found:
            return


def _from_slot(
    slot: Slot, match: re.Match[str], clause: Clause, reading: Reading, closes: str | None
) -> Iterator[Candidate]:
    reads, groups = reading.reads, groups_of(match)
    if "value" not in groups or not _is_in_place(slot, reading):
        return
    start, end = match.span(keys_of(match)["value"])
    value, start = clean(clause.text[start:end], start, slot, reads)
    if not is_said(value, slot, reads):
        return
    bound = subject_of(clause.text, groups, reading)
    if bound is None or is_a_stranger(slot.attribute, bound[0], clause.text, groups, reading):
        return
    subject, pointed = bound
    if slot.attribute == "name" and subject == USER and reading.speaks_of_another(clause.text):
        return
    dates = reading.dates(clause.text)
    if slot.dated and not dates and not re.search(r"\d", value):
        return
    old = reads.cut.sub("", groups["old"]).strip(EDGES) if groups.get("old") else ""
    things = items(value, start, reads) if slot.many else [(value, start)]
    for item, at in things:
        text = clause.text
        if slot.attribute == "nickname" and reads.pack.goes_by:
            text = reads.pack.goes_by.replace("{value}", item)
        elif len(things) > 1:
            text = alone(clause.text, start, start + len(value), item, at, reads)
        yield make(
            clause,
            reading,
            subject=named_subject(subject, item, len(things), groups, slot, reading),
            attribute=slot.attribute,
            value=item,
            kind=slot.kind,
            text=spoken(text, groups, subject, pointed, reading),
            closes=closes or old or None,
            correction=slot.correction
            or bool(reads.now.search(clause.text) and attribute_named(slot.attribute).replaces_alone),
            pronoun=pointed is not None,
            dates=dates,
            stability=Stability.STABLE if _comes_again(slot, groups) else None,
            rule=slot.attribute,
        )
    if place := groups.get("place"):
        value, _ = clean(place, 0, slot, reads)
        if is_said(value, slot, reads):
            yield make(clause, reading, subject=subject, attribute="employer", value=value, rule="employer")


def _is_in_place(slot: Slot, reading: Reading) -> bool:
    """Tell whether a statement stands where alone it means this."""
    return (reading.greeted or not slot.greeted) and (not slot.instead or slot.attribute in reading.ended)


def _comes_again(slot: Slot, groups: Mapping[str, str]) -> bool:
    return slot.attribute == "date" and _YEARLY.search(groups.get("thing", "")) is not None
