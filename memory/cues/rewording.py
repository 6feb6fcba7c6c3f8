"""A clause said in a plainer way, so that one set of patterns reads many ways of speaking.

Owns word order, chatty and shortened forms, and what is said of others put into the first person. Refuses to
read values. One surprise: a reworded clause is only ever read; what is kept is what was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.patterns import Reader, groups_of

_SEVERAL = re.compile(
    r"[2-9२-९两二三四五六]|두 |세 |네 |\b(?:two|three|four|zwei|drei|vier)\b", re.IGNORECASE
)
"""A number before a word that has no plural of its own, or one that is spelled like its singular."""
_NAMED = re.compile(r"\\g<(\w+)>")


def plain(text: str, reads: Reader) -> str:
    """Return the clause with every rewording of its language done, one after the other."""
    for pattern, replacement in reads.plain:
        text = pattern.sub(replacement, text)
    return text


def word_orders(text: str, reads: Reader) -> Iterator[str]:
    """Yield the clause in the other word orders the language allows."""
    for pattern, replacement in reads.turns:
        other = pattern.sub(replacement, text)
        if other != text:
            yield other


def as_first_person(text: str, reads: Reader) -> Iterator[tuple[str, str, str, dict[str, str]]]:
    """Yield the clause as the one it is about would say it: opening as said, opening, rest, and who that is."""
    for pattern, replacement in reads.as_first:
        match = pattern.match(text)
        if match:
            yield match[0], match.expand(replacement), text[match.end() :], groups_of(match)


def split_up(text: str, reads: Reader) -> list[str]:
    """Return the statements that a clause packs together, each as a full one; none when it is one already."""
    for pattern, parts in reads.splits:
        if match := pattern.match(text):
            told = [match.expand(part) for part in parts if all(match[name] for name in _NAMED.findall(part))]
            return told if len(told) > 1 else []
    return []


def asks_a_puzzle(text: str, reads: Reader) -> bool:
    """Tell whether the text ends in a question that makes its people characters of a sum or riddle."""
    return reads.puzzle.search(text) is not None


def singled_out(value: str, reads: Reader) -> list[str]:
    """Return the one animal or person that a value names, none when it counts several."""
    found = [reads.pack.kin[match["who"].casefold()] for match in reads.kin.finditer(value)]
    return found if len(found) == 1 and not _SEVERAL.search(value) else []


def mentioned(text: str, reads: Reader) -> list[str]:
    """Return the relatives and pets of the user that a clause speaks of, the last first."""
    return [reads.pack.kin[match["who"].casefold()] for match in reads.mine.finditer(text)][::-1]
