"""From what a person asked to the rows it names, and to the words that are looked for elsewhere.

Reads only. One surprise: words ("about") choose nothing by id but every text that says them, so their choosing
happens while texts are weighed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from memory.clock import to_text
from memory.errors import NotFound
from memory.forgetting.selection import Selection
from memory.forgetting.wording import Said
from memory.records import Episode, Fact, Message, Rule
from memory.store import facts, holding, messages
from memory.store.stored import QueuedCandidate

if TYPE_CHECKING:
    from sqlite_utils import Database


class Seen(Protocol):
    """A store that is read, and whose memory in it."""

    @property
    def db(self) -> Database:
        """The connection."""

    @property
    def profile(self) -> str:
        """Whose memory."""


Record = Fact | Message | Episode | Rule | QueuedCandidate

SHORT = 400
"""Characters: a text up to here is looked for as a whole elsewhere."""
FIRST = datetime.min.replace(tzinfo=UTC)
LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(slots=True)
class Chosen:
    """Kind and id of everything that is named, in the order it was found, with the reason."""

    found: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, named: Iterable[tuple[str, str]], reason: str, leave: frozenset[str] = frozenset()) -> None:
        """Add what is not to stay."""
        for kind, ident in named:
            if kind not in leave and ident not in leave:
                self.found.setdefault((kind, ident), reason)

    def ids(self, *kinds: str) -> list[str]:
        """Return the ids of these kinds."""
        return [ident for kind, ident in self.found if kind in kinds]


def choose(seen: Seen, selection: Selection) -> Chosen:
    """Return what a selection names by id, time, conversation or source."""
    chosen, leave = Chosen(), selection.leave
    chosen.add(_kinds(seen, selection.ids), "chosen", leave)
    if selection.since or selection.until:
        since, until = to_text(selection.since or FIRST), to_text(selection.until or LAST)
        chosen.add(holding.within(seen.db, seen.profile, since, until), "said in this time", leave)
    if selection.source:
        chosen.add(
            holding.from_source(seen.db, seen.profile, selection.source), f"from {selection.source}", leave
        )
    if selection.conversation:
        chosen.add([("conversation", selection.conversation)], "chosen", leave)
    if inside := chosen.ids("conversation"):
        chosen.add(holding.in_conversations(seen.db, seen.profile, inside), "in this conversation", leave)
    return chosen


def _kinds(seen: Seen, idents: tuple[str, ...]) -> list[tuple[str, str]]:
    """Find out what each id names; in a number of statements that does not grow with theirs."""
    known: dict[str, str] = {}
    for record in load(seen, idents):
        known[record.id] = kind_of(record)
    if missing := [ident for ident in idents if ident not in known]:
        raise NotFound("memory", missing[0])
    return [(known[ident], ident) for ident in idents]


def kind_of(record: Record) -> str:
    """Name the kind of a record as plans do."""
    match record:
        case Fact():
            return "fact"
        case Message():
            return "answer" if record.role.value == "assistant" else "message"
        case Episode():
            return "episode"
        case Rule():
            return "rule"
        case QueuedCandidate():
            return "candidate"


def load(seen: Seen, idents: Iterable[str]) -> list[Record]:
    """Load facts, messages, episodes, rules and candidates by id."""
    wanted = list(dict.fromkeys(idents))
    if not wanted:
        return []
    db, profile = seen.db, seen.profile
    found: list[Record] = [*facts.facts_with_ids(db, profile, wanted)]
    found += messages.list_messages(db, profile, wanted)
    if rest := set(wanted) - {record.id for record in found}:
        found += holding.episodes_with_ids(db, profile, rest)
        found += holding.candidates_with_ids(db, profile, rest)
        found += holding.rules_with_ids(db, profile, rest)
    return found


def said_by(record: Record) -> Said:
    """Return the words by which a record is recognised in other texts."""
    match record:
        case Fact():
            return Said(record.id, record.value, record.subject, _phrases(record.quote, record.text))
        case QueuedCandidate():
            what = record.candidate
            return Said(record.id, what.value, what.subject, _phrases(what.quote, what.text))
        case Message() | Rule():
            return Said(record.id, phrases=_phrases(record.text))
        case Episode():
            return Said(record.id, phrases=_phrases(record.summary))


def _phrases(*texts: str) -> tuple[str, ...]:
    """Keep wordings that are more than a bare value: two words at least."""
    kept = [text for text in texts if len(text) <= SHORT and (len(text.split()) > 1 or len(text) > 12)]
    return tuple(dict.fromkeys(kept))
