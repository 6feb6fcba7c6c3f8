"""What the screen reads from the store, each as one short function for the reading thread.

The only place of the screen that knows the reader's methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.tui.screens.search import Found
from assistant.tui.snapshot import Changed, FactDetail, InspectorSnapshot, Receipt, Waiting
from memory.errors import NotFound
from memory.records import Conversation, Fact, Message, Role, Rule

if TYPE_CHECKING:
    from memory.reader import Reader

LISTED = 300
READ_FACTS = 2000
FOUND = 20
REMEMBERED_LINES = 50
THREADS = 3


@dataclass(frozen=True, slots=True)
class Opened:
    """A conversation as it is put on the screen."""

    id: str | None = None
    title: str = ""
    remembering: bool = True
    messages: tuple[Message, ...] = ()
    unsent: str = ""
    """What was typed and not sent, waiting messages included."""
    queued: tuple[str, ...] = ()
    """Ids of drafts whose text is in ``unsent`` now."""
    threads: tuple[str, ...] = ()
    """What the user meant to do and has not come back to; only for a new conversation."""
    unfinished: tuple[str, ...] = ()
    """Titles of conversations in which something is not sent; only for a new conversation."""

    @property
    def said(self) -> list[Message]:
        """The user's last words, oldest first, for the prompt's history."""
        return [m for m in self.messages if m.role is Role.USER][-REMEMBERED_LINES:]


def opened(reader: Reader, ident: str | None) -> Opened:
    """Read one conversation along its current branch; None is a new one, which may have drafts too."""
    queued = reader.list_queued(ident)
    texts = [*(draft.text for draft in queued), reader.unsent_text(ident)]
    unsent = "\n\n".join(text for text in texts if text)
    ids = tuple(draft.id for draft in queued)
    if ident is None:
        threads = tuple(thread.text for thread in reader.open_threads()[:THREADS])
        unfinished = tuple(one.title for one in reader.unfinished())
        return Opened(unsent=unsent, queued=ids, threads=threads, unfinished=unfinished)
    conversation = reader.get_conversation(ident)
    messages = tuple(reader.messages(conversation.id))
    return Opened(conversation.id, conversation.title, conversation.remembering, messages, unsent, ids)


def conversations(reader: Reader, words: str) -> Sequence[Conversation]:
    """List conversations, newest first."""
    return reader.list_conversations(words, limit=LISTED)


def memories(reader: Reader, conversation: str | None) -> InspectorSnapshot:
    """Read what the inspector lists."""
    return InspectorSnapshot(
        facts=tuple(reader.list_facts(limit=READ_FACTS)),
        episodes=tuple(reader.list_episodes()),
        rules=tuple(reader.list_rules()),
        working=reader.working_state(conversation) if conversation else None,
        review=tuple(Waiting(row.id, row.candidate, row.reason, row.message) for row in reader.review_list()),
        changes=tuple(
            Changed(
                change.entry.id,
                change.entry.act,
                change.entry.kind,
                change.entry.recorded_at,
                change.text,
                change.can_be_undone,
                here=conversation is not None and change.entry.conversation == conversation,
            )
            for change in reader.changes()
        ),
    )


def receipt(reader: Reader, answer: str, window: int) -> Receipt | None:
    """Read why an answer said what it said."""
    trace = reader.find_trace(answer)
    if trace is None:
        return None
    asked = reader.get_any(trace.message)
    return Receipt.of_trace(trace, window, asked.safe_text if isinstance(asked, Message) else "")


def rule_versions(reader: Reader, ident: str) -> list[Rule]:
    """Read every version of a rule, the last first."""
    rule = reader.get_any(ident)
    if not isinstance(rule, Rule):
        raise NotFound("rule", ident)
    return sorted(reader.rule_versions(rule), key=lambda one: -one.version)


def fact_detail(reader: Reader, ident: str) -> FactDetail:
    """Read one fact with its source and its history."""
    fact = reader.get_any(ident)
    if not isinstance(fact, Fact):
        raise NotFound("fact", ident)
    found = reader.provenance(fact)
    slot = reader.history(fact.subject, fact.attribute)[::-1]
    at = next((place for place, one in enumerate(slot) if one.id == fact.id), 0)
    source = found.message.safe_text if found.message else ""
    return FactDetail(fact, source, later=tuple(slot[:at]), earlier=tuple(slot[at + 1 :]))


def titled(reader: Reader, words: str) -> list[Found]:
    """Find conversations by their title."""
    return [
        Found("conversation", one.id, one.title, one.id, one.updated_at)
        for one in reader.list_conversations(words, limit=FOUND)
    ]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message stands."""

    conversation: str
    leaf: str | None = None
    """The end of its branch, when that is not the current one."""


def place_of(reader: Reader, message: str) -> Place | None:
    """Find where a message stands; None for what is no message."""
    found = reader.get_any(message)
    if not isinstance(found, Message):
        return None
    if any(one.id == found.id for one in reader.messages(found.conversation)):
        return Place(found.conversation)
    return Place(found.conversation, reader.end_below(found.id))
