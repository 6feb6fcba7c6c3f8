"""Marks for what has no slot to be known by: rules, episodes, drafts, test questions, attachments, notes, the persona.

Owns which kinds have one, and the id each is known by. One surprise: a note keeps its place when it loses words, so
it can be forgotten twice; the later mark then takes the earlier one's place, to say that it happened again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from memory.forgetting.selection import ForgetPlan
from memory.policy import row_hash

PERSONA: Final = "persona"
NOTES: Final = frozenset({"title", "summary", "working"})
"""Kinds whose row is the conversation's own."""
ROWS: Final = NOTES | {"conversation", "rule", "episode", "draft", "golden", "attachment", PERSONA}


def mark_of(key: bytes, profile: str, kind: str, ident: str) -> str:
    """Return the hash of the mark that a text of one of these kinds has once it was forgotten."""
    return row_hash(key, kind, profile if kind == PERSONA else ident).hex()


def iter_marks(plan: ForgetPlan, key: bytes, profile: str) -> Iterator[tuple[str, str]]:
    """Yield kind and hash for each text of a plan that is known by its id alone."""
    for target in plan.targets:
        if target.kind in ROWS:
            yield target.kind, mark_of(key, profile, target.kind, target.id)
