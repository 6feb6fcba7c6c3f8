"""Whom a clause is about, and how its sentence names them.

Owns the way from the words of a match to a canonical subject and back to a word of the language. Refuses to
guess: a pronoun that nobody fits is nobody. One surprise: each of several pets is a subject of its own, told
apart by its name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from memory import policy
from memory.cues.binding import Known, bind_subject
from memory.cues.clauses import Clause
from memory.cues.reading import Reading
from memory.cues.speaker import is_about_another, is_name, is_plural, speaker
from memory.languages.pack import Slot
from memory.patterns import Reader
from memory.records import USER

_NEUTER = frozenset({"it", "es", "sie"})
"""Pronouns that open sentences about anything."""
_ONE = {"children": "child"}
_BIRTH = frozenset({"origin", "birthday"})
_BYGONE = re.compile(r"\b(?:lived|moved|resided|settled)\b", re.IGNORECASE)
"""Where somebody unheard of once lived is general knowledge, too."""


def subject_of(text: str, groups: Mapping[str, str], reading: Reading) -> tuple[str, Known | None] | None:
    """Return whom the clause is about, and the fact a pronoun was bound by; None when nobody is found."""
    pack = reading.reads.pack
    if who := groups.get("who"):
        canonical = pack.kin[who.casefold()]
        proper = groups.get("proper")
        return (f"{canonical} {proper}" if proper else canonical), None
    if thing := groups.get("thing"):
        if reading.reads.addressed.search(thing):
            return None
        return thing.strip().casefold(), None
    if lone := groups.get("lone"):
        named = not reading.is_puzzle and is_name(lone, reading.reads)
        return (lone, None) if named and not is_plural(lone, text, reading.reads) else None
    if pron := groups.get("pron"):
        bound = bind_subject(pron, reading.touched)
        return (bound.subject, bound) if bound else None
    return None if is_about_another(text, reading.reads) else (USER, None)


def subject_of_whole(clause: Clause, reading: Reading) -> str | None:
    """Return whose sentence it is; None when it opens with a pronoun that nobody fits."""
    first = re.split(r"[\s,'’]", clause.text.casefold(), maxsplit=1)[0]
    if first in _NEUTER or not re.fullmatch(reading.reads.pack.pronouns, first):
        return speaker(clause.text, reading.reads)
    bound = bind_subject(first, reading.touched)
    return bound.subject if bound else None


def named_subject(
    subject: str, item: str, count: int, groups: Mapping[str, str], slot: Slot, reading: Reading
) -> str:
    """Return the subject of a name: each of several pets is one of its own, told apart by its name."""
    if slot.attribute != "name" or groups.get("count") is None or " " in subject:
        return subject
    one = _ONE.get(subject, subject.removesuffix("s"))
    if count > 1 and one in reading.reads.pack.kin.values():
        subject = one
    others = [fact for fact in reading.heard_of() if fact.subject == subject and fact.attribute == "name"]
    apart = any(policy.normalise(fact.value) != policy.normalise(item) for fact in others)
    return f"{subject} {item}" if count > 1 or apart else subject


def is_a_stranger(
    attribute: str, subject: str, text: str, groups: Mapping[str, str], reading: Reading
) -> bool:
    """Tell whether a life's place or day is that of a name never heard before: general knowledge, most likely."""
    heard = {fact.subject for fact in reading.heard_of()}
    told = attribute in _BIRTH or (
        attribute == "home" and " " in subject and _BYGONE.search(text) is not None
    )
    return told and groups.get("lone") is not None and subject not in heard


def spoken(
    text: str, groups: Mapping[str, str], subject: str, pointed: Known | None, reading: Reading
) -> str:
    """Return the sentence with a pronoun replaced by what it stands for."""
    pron = groups.get("pron")
    if pointed is None or not pron:
        return text
    if reading.reads.pack.code == "en" and text.casefold().startswith(pron.casefold()):
        name = subject if subject[:1].isupper() else f"My {subject}"
        return name + text[len(pron) :]
    return f"{text} ({word_for(subject, reading.reads)})"


def word_for(subject: str, reads: Reader) -> str:
    """Return the language's own word for a canonical subject."""
    head, _, rest = subject.partition(" ")
    for word, canonical in reads.pack.kin.items():
        if canonical == subject:
            return word
    for word, canonical in reads.pack.kin.items():
        if canonical == head:
            return f"{word} {rest}"
    return subject
