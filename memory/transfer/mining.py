"""What the rules hear in words that an import brought and the user trusts.

Owns how imported words are read: each at its own date, in the order they were said, and without the limits on writes,
since the user asked for all of it at once. The surprise: rules about how to answer still wait for a yes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final

from memory.core import Core
from memory.cues.message import candidates
from memory.policy import Limits, unsupported
from memory.records import Add, Candidate, Message, Origin, Review, Role, Supersede
from memory.remembering import judge, propose

TRUSTED: Final = Limits(writes_per_conversation=10**9, writes_per_day=10**9, keep_imported=True)
_OF_THE_USER: Final = (
    (re.compile(r"^(?:the\s+)?user['’]s\s+", re.IGNORECASE), "My "),
    (re.compile(r"^(?:the\s+)?user\s+(?:is|was)\s+", re.IGNORECASE), "I am "),
    (re.compile(r"^(?:the\s+)?user\s+has\s+", re.IGNORECASE), "I have "),
    (re.compile(r"^(?:the\s+)?user\s+(?:doesn['’]t|does\s+not)\s+", re.IGNORECASE), "I do not "),
    (re.compile(r"^(?:the\s+)?user\s+(\w+?)(?:(?<=[sxzh])e)?s\s+", re.IGNORECASE), r"I \1 "),
)
"""How other programs write of their user, and how the user would say it."""


def mine(core: Core, said: Iterable[Message]) -> Counter[str]:
    """Remember what imported messages state; return how many facts and candidates were made of them."""
    made: Counter[str] = Counter()
    for message in said:
        if message.role is not Role.USER or message.origin is not Origin.IMPORTED:
            continue
        for done in judge(core, message, propose(core, message), limits=TRUSTED, actor="import"):
            match done.decision:
                case Add() | Supersede() if done.id is not None:
                    made["fact"] += 1
                case Review() if done.id is not None:
                    made["candidate"] += 1
    return made


def heard(text: str, profile: str, said_at: datetime) -> tuple[Candidate, ...]:
    """Return what the rules hear in one statement that another program kept, in its own words."""
    for pattern, words in _OF_THE_USER:
        spoken, changed = pattern.subn(words, text)
        if changed:
            break
    else:
        spoken = text
    message = Message(
        id="",
        profile=profile,
        conversation="",
        parent=None,
        role=Role.USER,
        text=spoken,
        said_at=said_at,
        origin=Origin.IMPORTED,
    )
    found = [one for one in candidates(message) if not one.pronoun and not unsupported(one.value, text)]
    return tuple(
        replace(
            one,
            text=text if len(found) == 1 or spoken != text else one.text,
            quote=text,
            start=0,
            end=len(text),
        )
        for one in found
    )
