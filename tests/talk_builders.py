"""Somebody talking to a memory that is in no file: quick to make, with vectors, clock and ids of its own."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from builders import open_memory_store
from fixed_clock import FixedClock

from memory.core import Core
from memory.ids import new_id_maker
from memory.memory import Memory
from memory.records import DEFAULT_PROFILE, Message, Recall, Turn
from models.scripted import HashEmbedder


def count(texts: Sequence[str]) -> list[int]:
    """Count tokens as words."""
    return [len(text.split()) + 1 for text in texts]


class Chat:
    """A person and their memory."""

    def __init__(self, profile: str = DEFAULT_PROFILE, beside: Chat | None = None, seed: int = 7) -> None:
        self.clock: FixedClock = beside.clock if beside else FixedClock()
        self.core: Core = Core(
            db=beside.core.db if beside else open_memory_store(),
            profile=profile,
            clock=self.clock,
            new_id=new_id_maker(self.clock, Random(seed).getrandbits),
            tombstone_key=b"k" * 32,
        )
        self.memory = Memory(self.core)
        self.embedder = HashEmbedder()
        self.embedder.open()
        self.memory.use_embedder(self.embedder)

    def turn(
        self,
        text: str,
        answer: str = "All right.",
        *,
        conversation: str | None = None,
        instead_of: str | None = None,
        parent: str | None = None,
    ) -> tuple[Turn, Message]:
        """Say something and get this answer."""
        self.clock.advance(minutes=1)
        turn = self.memory.begin_turn(text, conversation=conversation, instead_of=instead_of, parent=parent)
        return turn, self.answered(turn, answer)

    def answered(self, turn: Turn, answer: str) -> Message:
        """Answer a turn that has begun."""
        prompt = self.memory.assemble(turn, self.memory.recall(turn), count, 0, 8192)
        self.clock.advance(minutes=1)
        said = self.memory.finish_turn(turn, answer, "end", prompt, None)
        while self.memory.embed_some():
            pass
        return said

    def recall(self, text: str) -> Recall:
        """Recall in a conversation of its own, leaving nothing behind."""
        turn = self.memory.begin_turn(text)
        found = self.memory.recall(turn)
        self.core.db.execute("DELETE FROM item WHERE ref = ?", [turn.message.id])
        return found

    def values(self, subject: str, attribute: str) -> list[str]:
        """Return what is believed of a slot."""
        return sorted(
            fact.value
            for fact in self.memory.reader.list_facts()
            if (fact.subject, fact.attribute) == (subject, attribute)
        )

    def states(self, ref: str) -> set[str]:
        """Return the states of the items of something."""
        return {row[0] for row in self.core.db.execute("SELECT state FROM item WHERE ref = ?", [ref])}
