"""The user's own questions about recall: what should be found, what should not, and whether it is so.

Asked through the recall that answers; nothing is written by asking. Runs inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.core import Core
from memory.errors import AmbiguousId, BadInput, NotFound
from memory.recalling import recall_from
from memory.records import ItemKind
from memory.retrieval import links
from memory.secrets import find_secrets
from memory.store import goldens
from memory.store.stored import Golden


@dataclass(frozen=True, slots=True)
class Checked:
    """A question and what came of it."""

    id: str
    question: str
    passed: bool
    should: bool
    expected: tuple[str, ...]
    """What it should, or should not, find."""
    missing: tuple[str, ...]
    """Ids that should have been found and were not."""
    unwanted: tuple[str, ...]
    """Ids that were found and should not have been."""


def add_golden(core: Core, question: str, expected: Sequence[str], *, should: bool) -> str:
    """Keep a question with the memories it should, or should not, find; return its id."""
    question = " ".join(question.split())
    if not question:
        raise BadInput("there is no question")
    if find_secrets(question):
        raise BadInput("the question holds a secret; it is not kept")
    golden = Golden(core.new_id(), core.profile, question, tuple(expected), should, core.now())
    goldens.insert_golden(core.db, golden)
    return golden.id


def drop_golden(core: Core, ident: str) -> str:
    """Drop the question that an id, or its beginning, names; return its id."""
    prefix = ident.strip().lower()
    found = [one.id for one in goldens.list_goldens(core.db, core.profile) if one.id.startswith(prefix)]
    if not prefix or not found:
        raise NotFound("question", ident)
    if len(found) > 1:
        raise AmbiguousId(ident, len(found))
    goldens.delete_goldens(core.db, core.profile, found)
    return found[0]


def ask_goldens(core: Core) -> tuple[Checked, ...]:
    """Ask every question and say which find what they should."""
    return tuple(_ask(core, golden) for golden in goldens.list_goldens(core.db, core.profile))


def _ask(core: Core, golden: Golden) -> Checked:
    found = recall_from(core, golden.question)
    refs = {hit.item.ref for hit in found.hits}
    rests_on = links.sources(core.db, [hit.item.ref for hit in found.hits if hit.item.kind is ItemKind.FACT])
    told = refs.union(*rests_on.values())  # a fact stands for the messages that said it
    missing = tuple(one for one in golden.expected if golden.should and one not in told)
    unwanted = tuple(one for one in golden.expected if not golden.should and one in refs)
    return Checked(
        id=golden.id,
        question=golden.question,
        passed=not missing and not unwanted,
        should=golden.should,
        expected=golden.expected,
        missing=missing,
        unwanted=unwanted,
    )
