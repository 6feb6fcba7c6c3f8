"""Whose statement a sentence is: the user's, or that of somebody it opens with by name.

Owns telling a name from a capitalised first word. Refuses to guess: whatever is not clearly a name is the
user speaking. One surprise: German needs its own test, because there every noun looks like a name.
"""

from __future__ import annotations

import re

from memory.patterns import Reader
from memory.records import USER

_NO_NAMES = frozenset(
    re.findall(
        r"\S+",
        "non não nein nie nicht kein keine nunca jamais user said quick decision fact note the a i l il la o un una let here all glad life between off after before during since "
        "while with without at in on by for from despite although through when yesterday today tomorrow tonight everyone "
        "everything someone people keep stay take go come enjoy focus best love loved glad good great thanks congrats wow nice "
        "still same right never always ramadan christmas easter lent passover hanukkah diwali eid thanksgiving halloween",
    )
)
_CONTRACTED = re.compile(r"['’](?:ve|ll|re|d|m)$|(?:ing|ed)$|^[a-zà-ÿ]{1,4}['’]")
_UNCASED = frozenset({"ru", "hi", "zh", "ja", "ko"})
"""Languages in which a word of Latin letters stands out by itself."""
_DATIVE = frozenset({"es", "it"})
_TO_SOMEBODY = re.compile(r"^(?:A|a|Ad|ad) (?=[A-ZÀ-Þ]\w+ (?:le|les|gli|non|no|piace|piacciono)\b)")
"""Spanish and Italian name whom something pleases with "a"."""
_PLURAL = re.compile(
    r"\s+(?:are|were|have|do|don['’]t|hate|love|like|eat|drink|live|work|need|want|prefer|make|give|scare|drive|bore|annoy|stress|freak|creep|get)\b"
)
_GERMAN_NOUN = re.compile(r"(?:ung|ungen|heit|keit|schaft|tion|info)$")
_GERMAN_ADJECTIVE = re.compile(r"(?:e|er|es|en)$|-")


def speaker(text: str, reads: Reader) -> str:
    """Return the named third party a sentence opens with, else the user."""
    if reads.pack.code in _DATIVE:
        text = _TO_SOMEBODY.sub("", text)
    match = None if reads.me.search(text) else reads.lone.match(text)
    if match is None:
        return USER
    name = re.sub(r"['’]s?$", "", match[0])
    if not is_name(name, reads):
        return USER
    if is_plural(name, text, reads):
        return USER
    stands_out = " " in name or (name.isascii() and reads.pack.code in _UNCASED)
    return name if stands_out or re.match(r"(?:['’]s?)?\s+[a-zà-ÿ]", text[len(name) :]) else USER


def is_name(name: str, reads: Reader) -> bool:
    """Tell whether capitalised words can be somebody's or something's name."""
    first = name.split(maxsplit=1)[0].casefold()
    if first in reads.pack.common or first in _NO_NAMES or reads.no_name.fullmatch(first):
        return False
    if first in reads.pack.weekdays or first in reads.pack.months or _CONTRACTED.search(first):
        return False
    return not (reads.pack.code == "de" and _is_noun_phrase(name))


def is_plural(name: str, text: str, reads: Reader) -> bool:
    """Tell whether a clause opens with a name and goes on as only one about many does."""
    return reads.pack.code == "en" and text.startswith(name) and bool(_PLURAL.match(text[len(name) :]))


def is_about_another(text: str, reads: Reader) -> bool:
    """Tell whether a clause without "I" has a subject of its own, where the verb does not show it."""
    return reads.other.match(text) is not None


def _is_noun_phrase(name: str) -> bool:
    """Tell whether capitalised German words are more likely nouns than a name."""
    words = name.split()
    compound = len(words) > 1 and _GERMAN_ADJECTIVE.search(words[0])
    return bool(_GERMAN_NOUN.search(words[-1]) or compound or "-" in name)
