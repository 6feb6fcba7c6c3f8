"""What is known while one message is read.

Owns the state that the ways of reading share, and nothing outlives the message. Refuses to read anything
itself. One surprise: ``touched`` grows clause by clause, newest first, so a pronoun may mean what the same
sentence has just named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memory import policy
from memory.cues.binding import Known
from memory.dates import Dated, find_dates
from memory.patterns import Reader
from memory.records import USER, Candidate, Message
from memory.secrets import Secret


@dataclass(slots=True)
class Reading:
    """One message, how its words are read, and what was found so far."""

    message: Message
    reads: Reader
    """The patterns of the sentence at hand, which may be in another language than the message."""
    touched: list[Known]
    known: list[Known]
    foreign: Sequence[tuple[int, int]]
    """The spans of the message that are not the user's own words."""
    secrets: Sequence[Secret]
    is_puzzle: bool
    """Whether the people named are made up for a sum or riddle."""
    greeted: bool = False
    """Whether the message opens with a greeting, after which people say who they are."""
    found: list[Candidate] = field(default_factory=list)
    ended: frozenset[str] = frozenset()
    """The attributes that the clause before has ended, so that the next may say what holds instead."""
    spoken_of: str = USER
    """Whom the message spoke of last."""
    opinion: Candidate | None = None
    """The opinion of the sentence before, whose reason may follow."""

    def admits(self, candidate: Candidate) -> bool:
        """Tell whether the policy lets the candidate pass."""
        return policy.validate(candidate, self.message, self.foreign, self.secrets) is None

    def dates(self, text: str) -> tuple[Dated, ...]:
        """Return the dates that words of the message name, reckoned from when it was said."""
        return find_dates(text, self.message.said_at, self.message.zone, self.reads.pack)

    def speaks_of_another(self, text: str) -> bool:
        """Tell whether words without a first person go on about somebody whom the message has just named."""
        return self.spoken_of != USER and not self.reads.me.search(text)

    def heard_of(self) -> Iterator[Known]:
        """Yield all that may be pointed at: what was touched, then what is known."""
        yield from self.touched
        yield from self.known
