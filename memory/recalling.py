"""Recall in one profile's memory, whoever asks: a turn, an incognito turn that is lent it, a question of the user's own.

Owns the request; ``retrieval`` owns the finding. Writes nothing. One surprise: what later facts have made untrue
is found all the same, and says so in a note.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory.asks import named_slots
from memory.core import Core
from memory.ports import CountTokens
from memory.records import Message, Recall
from memory.retrieval.recall import recall
from memory.retrieval.request import RecallRequest
from memory.store.settle import later_notes

LONGEST_QUESTION = 4000
"""Characters of a message that memory is searched with."""


def question(message: Message) -> str:
    """Return the part of a message that memory is searched with: of a long one, how it begins and ends."""
    text = message.safe_text
    return text if len(text) <= LONGEST_QUESTION else f"{text[:3000]}\n{text[-1000:]}"


def recall_from(
    core: Core,
    text: str,
    *,
    previous: Sequence[Message] = (),
    goal: str = "",
    exclude: frozenset[str] = frozenset(),
    count: CountTokens | None = None,
) -> Recall:
    """Find what this memory holds for the words; ``exclude`` are the messages and facts that need no finding."""
    request = RecallRequest(
        profile=core.profile,
        text=text,
        now=core.now(),
        previous=tuple(map(question, previous)),
        goal=goal,
        exclude_refs=exclude,
        slots=named_slots(text),
    )
    return recall(
        core.db,
        request,
        core.embedder,
        count,
        core.settings.recall,
        lambda idents: later_notes(core.db, core.profile, idents),
    )
