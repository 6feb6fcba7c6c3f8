"""Language files made into regular expressions, once.

Owns what the placeholders of the templates stand for. Refuses to decide anything. One surprise: a name must
be capitalised even though everything else ignores case, because that is all that tells "Rose" from "rose".
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from memory.languages import language
from memory.languages.answering import WISHES
from memory.languages.everyday import EVERYDAY
from memory.languages.forbidden import FORBIDDEN
from memory.languages.pack import Cue, Language, Slot

_GROUP = re.compile(r"\(\?P<(\w+)>")
_CAPITAL = r"A-ZÀ-ÖØ-ÞĀŁŚŻŽŠČĆĐĞİА-ЯЁ"
NAME = rf"(?-i:[{_CAPITAL}][\w’'-]*(?:[ \u00a0](?:(?:de|da|di|do|dos|del|della|van|von|der|den|la|le|el|bin|al|ibn)[ ])?[{_CAPITAL}][\w’'-]*){{0,3}})"
_LATIN_NAME = r"(?-i:[A-Z][A-Za-z0-9’'-]*(?: [A-Z][A-Za-z0-9’'-]*){0,3})"


@dataclass(frozen=True, slots=True)
class Reader:
    """The compiled patterns of one language."""

    pack: Language
    slots: tuple[tuple[Slot, re.Pattern[str]], ...]
    cues: tuple[tuple[Cue, re.Pattern[str], re.Pattern[str] | None, re.Pattern[str] | None], ...]
    amends: tuple[tuple[re.Pattern[str], str], ...]
    ends: tuple[tuple[re.Pattern[str], str], ...]
    turns: tuple[tuple[re.Pattern[str], str], ...]
    plain: tuple[tuple[re.Pattern[str], str], ...]
    as_first: tuple[tuple[re.Pattern[str], str], ...]
    at_hand: re.Pattern[str]
    crowd: re.Pattern[str]
    informs: re.Pattern[str]
    splits: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]
    puzzle: re.Pattern[str]
    mine: re.Pattern[str]
    kin: re.Pattern[str]
    """A relative, animal or thing, whoever's it is."""
    ellipsis: re.Pattern[str]
    asks: tuple[tuple[re.Pattern[str], str], ...]
    forget: tuple[re.Pattern[str], ...]
    rules: tuple[re.Pattern[str], ...]
    opener: re.Pattern[str]
    amend: re.Pattern[str]
    remember: re.Pattern[str]
    breaks: re.Pattern[str]
    cut: re.Pattern[str]
    now: re.Pattern[str]
    joins: re.Pattern[str]
    article: re.Pattern[str]
    empty: re.Pattern[str]
    question: re.Pattern[str]
    doubt: re.Pattern[str]
    fiction: re.Pattern[str]
    reported: re.Pattern[str]
    imperative: re.Pattern[str]
    listing: re.Pattern[str]
    me: re.Pattern[str]
    addressed: re.Pattern[str]
    todo: re.Pattern[str]
    open_threads: re.Pattern[str]
    lone: re.Pattern[str]
    no_name: re.Pattern[str]
    other: re.Pattern[str]
    preposition: re.Pattern[str]
    passing: re.Pattern[str]

    def size(self, text: str) -> float:
        """Return how many words a text has, two characters counting as one where words stand unspaced."""
        return len(text.split()) if self.pack.spaced else len(text) / 2


@cache
def reader(code: str) -> Reader:
    """Return the compiled patterns of a language."""
    pack, forbidden = language(code), FORBIDDEN[code]
    gap = r"[,!:.…\s，、：！。-]+"
    end = r"(?![\w'’])" if pack.code not in ("hi", "zh", "ko", "ja", "fr") else ""
    return Reader(
        pack=pack,
        slots=tuple(
            (slot, _whole(_fill(slot.pattern, pack) + pack.tail))
            for slot in (*forbidden.slots(), *pack.slots, *EVERYDAY[code])
        ),
        cues=tuple(
            (cue, _any(_fill(cue.pattern, pack)), _maybe(cue.unless), _maybe(cue.needs)) for cue in pack.cues
        ),
        amends=tuple(
            (_whole(_fill(pattern, pack) + pack.tail), attribute) for pattern, attribute in pack.amends
        ),
        ends=tuple((_any(pattern), replacement) for pattern, replacement in pack.ends),
        turns=tuple(
            (_any(pattern.replace("{kin}", _kin(pack))), replacement) for pattern, replacement in pack.turns
        ),
        plain=tuple((_any(pattern), replacement) for pattern, replacement in pack.plain),
        as_first=tuple(
            (_any("^" + _fill(pattern, pack)), replacement) for pattern, replacement in pack.as_first
        ),
        at_hand=_any(pack.at_hand),
        crowd=_any(rf"^(?:{pack.crowd})" if pack.crowd else ""),
        informs=_any(rf"^(?:{pack.informs})" if pack.informs else ""),
        splits=tuple((_any(pattern), parts) for pattern, parts in pack.splits),
        puzzle=_any(pack.puzzle),
        mine=_any(_mine(pack)),
        kin=_any(rf"(?<!\w)(?P<who>{_kin(pack)})(?!\w)" if pack.spaced else f"(?P<who>{_kin(pack)})"),
        ellipsis=_any(pack.ellipsis[0]),
        asks=tuple((_any(_fill(pattern, pack)), attribute) for pattern, attribute in pack.asks),
        forget=tuple(_whole(_fill(pattern, pack)) for pattern in pack.forget),
        rules=tuple(_any(pattern) for pattern in (*pack.rules, WISHES[code])),
        opener=_any(rf"^(?:{pack.lead}){gap}"),
        amend=_any(rf"^(?:{pack.amend}){gap if pack.spaced else gap[:-1] + '*'}"),
        remember=_any(rf"^(?:{pack.remember}){end}\s*"),
        breaks=_any(pack.breaks),
        cut=_any(pack.cut),
        now=_any(pack.now),
        joins=_any(pack.joins),
        article=_any(rf"^(?:{pack.articles})"),
        empty=_any(rf"^(?:{pack.empty})$"),
        question=_any(rf"^(?:{pack.question})"),
        doubt=_any(pack.doubt),
        fiction=_any(pack.fiction),
        reported=_any(rf"^{forbidden.reported(pack.reported)}"),
        imperative=_any(rf"^(?:{pack.imperative})"),
        listing=_any(pack.listing),
        me=_any(rf"^(?:{pack.me})"),
        addressed=_any(pack.addressed),
        todo=_any(rf"^(?:{pack.todo})" if pack.todo else ""),
        open_threads=_any(pack.open_threads),
        no_name=_any(pack.no_name),
        other=_any(rf"(?!{forbidden.doctor}){pack.other}" if pack.other else ""),
        preposition=_any(rf"(?:{pack.preposition})\s*$" if pack.preposition else ""),
        passing=_any(forbidden.passing),
        lone=re.compile(r"^" + _name_of(pack)),
    )


def _name_of(pack: Language) -> str:
    return NAME if pack.spaced and pack.code not in ("hi", "ko") else _LATIN_NAME


def _mine(pack: Language) -> str:
    space, end = (r"\s+", r"(?!\w)") if pack.spaced else (r"\s*", "")
    return rf"(?:{pack.my}){space}(?P<who>{_kin(pack)}){end}"


def _fill(pattern: str, pack: Language) -> str:
    space = r"\s+" if pack.spaced else r"\s*"
    who = f"(?P<who>{_kin(pack)})"
    mine = rf"(?:{pack.my}){space}{who}(?:,?{space}(?P<proper>{_name_of(pack)}),?)?"
    lone, pron = f"(?P<lone>{_name_of(pack)})", f"(?P<pron>{pack.pronouns})"
    for key, value in (
        ("{they}", f"(?:{mine}|{pron}|{lone})"),
        ("{my_who}", mine),
        ("{who}", who),
        ("{lone}", lone),
        ("{pron}", pron),
        ("{name}", _name_of(pack)),
        ("{value}", "(?P<value>.+?)"),
        ("{old}", "(?P<old>.+?)"),
    ):
        pattern = pattern.replace(key, value)
    return _distinct(pattern)


def _kin(pack: Language) -> str:
    return "|".join(sorted(map(re.escape, pack.kin), key=len, reverse=True))


def _distinct(pattern: str) -> str:
    """Number the repeats of a group name, because alternatives may not share one."""
    seen: Counter[str] = Counter()

    def numbered(match: re.Match[str]) -> str:
        seen[match[1]] += 1
        return match[0] if seen[match[1]] == 1 else f"(?P<{match[1]}__{seen[match[1]]}>"

    return _GROUP.sub(numbered, pattern)


def groups_of(match: re.Match[str]) -> dict[str, str]:
    """Return what each named group holds, the first of its repeats that took part; absent ones are left out."""
    return {name: match[key] for name, key in keys_of(match).items()}


def keys_of(match: re.Match[str]) -> dict[str, str]:
    """Return, for each group name, the repeat of it that took part in the match."""
    keys: dict[str, str] = {}
    for key, value in match.groupdict().items():
        if value is not None:
            keys.setdefault(key.partition("__")[0], key)
    return keys


def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{pattern})", re.IGNORECASE)


def _any(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern or r"(?!)", re.IGNORECASE)


def _maybe(pattern: str) -> re.Pattern[str] | None:
    return _any(pattern) if pattern else None
