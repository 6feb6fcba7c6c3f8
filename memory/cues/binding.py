"""Whom a pronoun means: the subject last touched that fits it.

Owns gender and kind of canonical subjects. Refuses guesses between several: an unbound pronoun stays one.
One surprise: the languages' own grammatical gender is not used, only what is known of the canonical word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.attributes import attribute_named
from memory.policy import normalise
from memory.records import USER, Cardinality, Fact

_FEMALE = frozenset(
    re.findall(
        r"\S+",
        "mother sister wife girlfriend daughter grandmother aunt niece stepdaughter granddaughter "
        "stepmother landlady fiancée mother-in-law sister-in-law stepsister stepmom",
    )
)
_MALE = frozenset(
    re.findall(
        r"\S+",
        "father brother husband boyfriend son grandfather uncle nephew stepson grandson stepfather "
        "landlord father-in-law fiancé brother-in-law stepbrother stepdad",
    )
)
THINGS = frozenset(
    re.findall(
        r"\S+",
        "car bike boat van truck motorbike house flat company team project startup business band "
        "school university hometown village book novel blog podcast laptop phone computer",
    )
)
_HE = frozenset(["he", "er", "él", "il", "он", "वह", "他", "lui", "egli", "ele", "彼", "그", "그는"])
_SHE = frozenset(["she", "ella", "elle", "она", "她", "lei", "ela", "彼女", "그녀"])


@dataclass(frozen=True, slots=True)
class Known:
    """What a pronoun or an old value may point at."""

    subject: str
    attribute: str
    value: str
    text: str = ""
    word: str = ""
    """The user's own word for the subject."""


def known_facts(facts: Sequence[Fact]) -> list[Known]:
    """Return the current facts as things to point at, in the order given."""
    return [Known(fact.subject, fact.attribute, fact.value, fact.text) for fact in facts if fact.is_current]


def fits(pronoun: str, subject: str) -> bool:
    """Tell whether the pronoun can stand for the subject."""
    if subject == USER:
        return False
    word, said = subject.split(maxsplit=1)[0], pronoun.casefold()
    last = subject.rsplit(maxsplit=1)[-1]
    female, male = bool(_FEMALE & {word, last, subject}), bool(_MALE & {word, last, subject})
    if said in _HE:
        return not female and subject not in THINGS
    if said in _SHE:
        return not male and subject not in THINGS
    if said == "it":
        return not (female or male)
    return True


def bind_name(pronoun: str, attribute: str, touched: Sequence[Known], known: Sequence[Known]) -> Known | None:
    """Return the fact that "he's called …" is about: the last touched that fits, else the only one known."""
    for fact in touched:
        if fact.attribute == attribute and fits(pronoun, fact.subject):
            return fact
    for fact in touched:
        if fits(pronoun, fact.subject) and attribute == "name":
            return fact
    fitting = {
        fact.subject: fact for fact in known if fact.attribute == attribute and fits(pronoun, fact.subject)
    }
    return next(iter(fitting.values())) if len(fitting) == 1 else None


def bind_subject(pronoun: str, touched: Sequence[Known]) -> Known | None:
    """Return the last touched subject that the pronoun fits."""
    return next((fact for fact in touched if fits(pronoun, fact.subject)), None)


def bind_old(old: str, attribute: str, *groups: Sequence[Known]) -> Known | None:
    """Return the fact whose value a correction names as the wrong one."""
    named = normalise(old)
    for group in groups:
        for fact in group:
            if attribute in ("", fact.attribute) and _is_named(named, normalise(fact.value)):
                return fact
    return None


def bind_last(touched: Sequence[Known]) -> Known | None:
    """Return the last touched fact when it has one value at a time, so that "I meant …" can replace it."""
    if touched and attribute_named(touched[0].attribute).cardinality is Cardinality.SINGLE:
        return touched[0]
    return None


def _is_named(named: str, value: str) -> bool:
    a, b = set(named.split()), set(value.split())
    return bool(a) and bool(b) and (a <= b or b <= a)
