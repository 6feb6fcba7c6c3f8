"""One statement that another program remembered, on its way into Review or, when it is trusted, among the facts.

Owns what makes it known already, forgotten here or unfit. Opens no transaction. One surprise: a reason never
quotes the statement, since it may hold the very secret it is refused for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Final, Literal

from memory import remembering
from memory.core import Core
from memory.languages import detect
from memory.languages.answering import ABOUT_ANSWERS
from memory.policy import decide, slot_hash
from memory.records import (
    USER,
    Add,
    Candidate,
    Cardinality,
    Confirm,
    Decision,
    Ignore,
    Kind,
    Merge,
    Origin,
    Review,
    Stability,
    Supersede,
)
from memory.remembering import UNSLOTTED
from memory.secrets import find_secrets
from memory.store import tombstones
from memory.store.apply import apply_decision
from memory.store.candidates import find_like
from memory.store.facts import find_by_value
from memory.transfer.mining import TRUSTED, heard
from memory.transfer.sources.shapes import SourceMemory

REASON: Final = "imported from {source}"
LONGEST: Final = 1000
"""Characters of one statement; longer text is no memory."""
CONFIDENCE: Final = 0.6
_MARKS: Final = re.compile(
    r"<\|[^<>|]{1,40}\|>|<｜[^<>｜]{1,40}｜>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|</?s>",
    re.IGNORECASE,
)
"""Marks by which models tell who is speaking."""
_COMMANDS: Final = re.compile(
    r"^\W*(?:(?:system|assistant|rules?|instructions?)\b\s*[:\-#]|(?:you\s+(?:are|must|should|will)|ignore|disregard"
    r"|pretend|act\s+as|from\s+now\s+on)\b)|\b(?:previous|prior|above)\s+instructions\b",
    re.IGNORECASE,
)
"""Words that command more than they state, beside those that the rules of every language hear."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a statement, and as what it is or would be kept."""

    became: Literal["added", "same", "refused"]
    kind: Literal["fact", "candidate"]


def take_memory(core: Core, source: str, piece: SourceMemory, *, trust: bool) -> list[Taken] | str:
    """Keep what a statement says unless it is known or was forgotten; return the reason when it cannot be kept."""
    text, value = (" ".join(storable(part).split()) for part in (piece.text, piece.value))
    if not value or max(len(text), len(value)) > LONGEST:
        return f"a memory has 1 to {LONGEST:,} characters"
    if secrets := find_secrets(text):
        return f"it holds a secret ({secrets[0].kind})"
    whole = _candidate(core, source, piece, text, value)
    if _was_forgotten(core, whole):
        return [Taken("refused", "fact")]
    if _commands(core, whole):
        return [_take(core, source, whole, piece, trust=False)]
    found = _slotted(core, whole) or [whole]
    return [_take(core, source, one, piece, trust=trust) for one in found]


def _commands(core: Core, whole: Candidate) -> bool:
    """Tell whether a note says how to answer, in any mood, or speaks to a model in its own marks: it waits for a yes."""
    said = {whole.value, whole.text}
    signs = (_MARKS, _COMMANDS, ABOUT_ANSWERS)
    if any(sign.search(part) for sign in signs for part in (whole.subject, *said)):
        return True
    when = whole.said_at or core.now()
    return any(one.kind is Kind.RULE for part in said for one in heard(part, core.profile, when))


def _slotted(core: Core, whole: Candidate) -> list[Candidate]:
    """Return what the rules hear in a note about the user, so that it finds its place among what is known."""
    if (whole.subject, whole.attribute) != (USER, UNSLOTTED) or whole.said_at is None:
        return []
    found = heard(whole.text, core.profile, whole.said_at)
    return [
        replace(one, confidence=CONFIDENCE, rule=whole.rule) for one in found if one.kind is not Kind.RULE
    ]


def _take(core: Core, source: str, candidate: Candidate, piece: SourceMemory, *, trust: bool) -> Taken:
    db, profile = core.db, core.profile
    if _was_forgotten(core, candidate):
        return Taken("refused", "fact")
    if find_by_value(db, profile, candidate.value, subject=candidate.subject, attribute=candidate.attribute):
        return Taken("same", "fact")
    answered = find_like(db, profile, candidate, "accepted", "rejected", "rejected_always", "set_aside")
    waiting = find_like(db, profile, candidate, "pending")
    if answered or (waiting and not trust):
        return Taken("same", "candidate")
    reason = REASON.format(source=source)
    decision = (
        _decision(core, candidate, reason, dated=piece.said_at is not None) if trust else Review(reason)
    )
    if isinstance(decision, Ignore | Confirm | Merge) or (waiting and isinstance(decision, Review)):
        return Taken("same", "candidate" if waiting else "fact")
    apply_decision(
        db,
        candidate,
        decision,
        profile=profile,
        conversation=None,
        message=None,
        now=core.now(),
        new_id=core.new_id,
        actor="import",
        accepted=waiting[0].id if waiting else None,
        source=source,
    )
    return Taken("added", "candidate" if isinstance(decision, Review) else "fact")


def _decision(core: Core, candidate: Candidate, reason: str, *, dated: bool) -> Decision:
    """Decide about a trusted statement; one without a date never ends what is known."""
    beside = remembering.neighbours(core, candidate, None, None)
    decision = decide(candidate, beside, TRUSTED)
    if isinstance(decision, Supersede) and not dated:
        return Review(reason)
    return Add(reason) if isinstance(decision, Add) else decision


def storable(text: str) -> str:
    """Return a text as the store can keep it: valid Unicode without NUL."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def _was_forgotten(core: Core, candidate: Candidate) -> bool:
    slot = (candidate.subject, candidate.attribute, candidate.value)
    keys = (core.tombstone_key, *tombstones.other_keys(core.db))
    hashes = [slot_hash(key, core.profile, *slot).hex() for key in keys]
    return any(tombstones.find_tombstones(core.db, core.profile, each) for each in hashes)


def _candidate(core: Core, source: str, piece: SourceMemory, text: str, value: str) -> Candidate:
    return Candidate(
        kind=Kind.FACT,
        subject=storable(piece.subject),
        attribute=piece.attribute,
        value=value,
        text=text,
        quote=text,
        start=0,
        end=len(text),
        language=detect(text),
        origin=Origin.IMPORTED,
        cardinality=Cardinality.MULTI,
        stability=Stability.STABLE,
        confidence=CONFIDENCE,
        said_at=piece.said_at or core.now().astimezone(UTC),
        rule=f"import:{source}",
    )
