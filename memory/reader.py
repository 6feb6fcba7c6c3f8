"""The reading side of memory: what the inspector and the verbs show, of one profile.

Plain, short reads on a connection of its own; nothing here writes, ranks or decides. Ids may be shortened as
long as they name one thing. One surprise: a lookup by shortened id searches all kinds at once, because people
paste ids without saying of what. More than 300 lines: it is the one list of what can be looked at.
"""

# ruff: noqa: S608 - only names of tables are joined in

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Final

from memory.clock import to_text
from memory.errors import AmbiguousId, BadInput, NotFound
from memory.persona import find_persona
from memory.records import (
    EVERY_PROFILE,
    Conversation,
    Episode,
    Fact,
    FactState,
    JournalEntry,
    Message,
    Rule,
    Trace,
    WorkingState,
)
from memory.store import (
    candidates,
    conversations,
    drafts,
    episodes,
    facts,
    journal,
    messages,
    rows,
    rules,
    tombstones,
    traces,
    working_states,
)
from memory.store.sql import Row, listed, select
from memory.store.stored import Draft, QueuedCandidate, Tombstone

if TYPE_CHECKING:
    from sqlite_utils import Database

Anything = Fact | Rule | Episode | QueuedCandidate | Message

MOST_THREADS: Final = 3
THREADS_FROM: Final = 5
"""Episodes whose open threads are still of interest."""

_KINDS: Final = ("fact", "rule", "episode", "candidate", "message")


def _prefix_search(kinds: Sequence[str]) -> str:
    """Write the search of all kinds for ids that begin alike; a range, so that the index serves."""
    parts = [
        f"SELECT '{kind}' AS kind, id FROM {kind} WHERE id >= :prefix AND id < :end AND +profile IN (:profile, :every)"
        for kind in kinds
    ]
    return "\nUNION ALL\n".join(parts) + "\nORDER BY id, kind\nLIMIT :limit"


ANY_WITH_PREFIX: Final = _prefix_search(_KINDS)
CONVERSATION_WITH_PREFIX: Final = _prefix_search(["conversation"])

BELIEVED_AT = f"""
SELECT {rows.FACT}
FROM fact
WHERE profile = :profile
    AND recorded_at <= :at
    AND (superseded_at IS NULL OR superseded_at > :at)
    AND (expires_at IS NULL OR expires_at > :at)
    AND (:subject IS NULL OR subject = :subject)
    AND (:attribute IS NULL OR attribute = :attribute)
ORDER BY subject <> 'user', subject, attribute, coalesce(said_at, valid_from, recorded_at), key
"""

SOURCES = f"""
SELECT {rows.MESSAGE}
FROM derivation
JOIN message ON message.id = derivation.parent AND message.profile = :profile
WHERE derivation.child = :fact AND derivation.role = 'source'
ORDER BY message.said_at, message.key
"""

TEXTS_OF = """
SELECT id, text FROM fact WHERE +profile = :profile AND id IN (SELECT value FROM json_each(:ids))
UNION ALL
SELECT id, text FROM rule WHERE +profile IN (:profile, :every) AND id IN (SELECT value FROM json_each(:ids))
UNION ALL
SELECT id, title FROM episode WHERE +profile = :profile AND id IN (SELECT value FROM json_each(:ids))
UNION ALL
SELECT id, text FROM candidate WHERE +profile = :profile AND id IN (SELECT value FROM json_each(:ids))
ORDER BY id
"""

COUNTS = """
SELECT 'fact' AS kind, state, count(*) AS number FROM fact WHERE profile = :profile GROUP BY state
UNION ALL
SELECT 'rule', state, count(*) FROM rule WHERE profile IN (:profile, :every) GROUP BY state
UNION ALL
SELECT 'episode', state, count(*) FROM episode WHERE profile = :profile GROUP BY state
UNION ALL
SELECT 'candidate', state, count(*) FROM candidate WHERE profile = :profile GROUP BY state
UNION ALL
SELECT 'message', role, count(*) FROM message WHERE profile = :profile GROUP BY role
UNION ALL
SELECT 'conversation', iif(archived, 'archived', 'active'), count(*)
FROM conversation WHERE profile = :profile GROUP BY archived
UNION ALL
SELECT 'item', state, count(*) FROM item WHERE profile = :profile GROUP BY state
UNION ALL
SELECT 'tombstone', 'kept', count(*) FROM tombstone WHERE profile = :profile HAVING count(*) > 0
ORDER BY kind, state
"""

SIZE = """
SELECT page_count * page_size AS bytes, freelist_count * page_size AS free
FROM pragma_page_count(), pragma_page_size(), pragma_freelist_count()
ORDER BY bytes
"""

UNEMBEDDED = """
SELECT count(*) AS number
FROM item
WHERE profile = :profile AND embedded_by IS NULL AND text <> ''
ORDER BY number
"""


@dataclass(frozen=True, slots=True)
class SubjectListing:
    """Everything current that is known of one subject."""

    subject: str
    facts: tuple[Fact, ...]

    @property
    def count(self) -> int:
        """Return how many facts there are."""
        return len(self.facts)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a fact comes from."""

    fact: Fact
    message: Message | None
    """The message it was first taken from; None when there is none, or none any more."""
    quote: str
    """The exact words, as they stand in that message now."""
    also: tuple[Message, ...]
    """Other messages that said it again."""


@dataclass(frozen=True, slots=True)
class OpenThread:
    """Something the user wanted to do, in the user's words."""

    text: str
    episode: str
    conversation: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the journal with words for people."""

    entry: JournalEntry
    text: str | None
    """What was changed, as it is now; None when it is gone."""

    @property
    def can_be_undone(self) -> bool:
        """Tell whether undo may be offered; building upon it can still prevent it."""
        return self.entry.undone_by is None and bool(self.entry.versions)


@dataclass(frozen=True, slots=True)
class Stats:
    """How much is remembered."""

    counts: dict[str, dict[str, int]]
    """Numbers by kind and state; messages by role."""
    bytes: int
    free_bytes: int
    unembedded: int
    """Items that no vector stands for yet."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads one profile's memory."""

    db: Database
    profile: str

    def list_conversations(
        self, query: str = "", *, archived: bool = False, limit: int = 50, offset: int = 0
    ) -> list[Conversation]:
        """List conversations, the last used first; ``query`` is part of a title."""
        return conversations.list_conversations(
            self.db, self.profile, query=query, archived=archived, limit=limit, offset=offset
        )

    def get_conversation(self, ident: str) -> Conversation:
        """Return a conversation by its id or the beginning of it."""
        _, whole = self._one(CONVERSATION_WITH_PREFIX, "conversation", ident)
        return conversations.get_conversation(self.db, self.profile, whole)

    def messages(self, conversation: str) -> list[Message]:
        """List the messages of a conversation's current path."""
        return messages.path(self.db, self.profile, self.get_conversation(conversation).leaf)

    def every_message(self, conversation: str) -> list[Message]:
        """List the messages of every branch of a conversation, in the order they were said."""
        return messages.all_messages(self.db, self.profile, self.get_conversation(conversation).id)

    def branches(self, message: str) -> list[Message]:
        """List a message with the other ones that stand at its place."""
        return messages.branches(self.db, self.profile, message)

    def next_branch(self, message: str) -> str | None:
        """Return where to talk on from a message: the end of the next branch at its place, else the message itself.

        From a message that is the end already it is back down to what was said last; None when that is nowhere.
        """
        beside = [one.id for one in messages.branches(self.db, self.profile, message)]
        if len(beside) > 1:
            following = beside[(beside.index(message) + 1) % len(beside)]
            return messages.newest_leaf(self.db, self.profile, following)
        found = messages.find_message(self.db, self.profile, message)
        home = None if found is None else self.get_conversation(found.conversation)
        if home is None or home.leaf != message:
            return message
        below = messages.newest_leaf(self.db, self.profile, message)
        return None if below == message else below

    def end_below(self, message: str) -> str:
        """Return the end of the branch below a message that was spoken in last."""
        return messages.newest_leaf(self.db, self.profile, message)

    def working_state(self, conversation: str) -> WorkingState:
        """Return what is true of a conversation now."""
        ident = self.get_conversation(conversation).id
        return working_states.get_working_state(self.db, self.profile, ident)

    def full_id(self, ident: str) -> str:
        """Return the whole id of a fact, rule, episode, candidate or message from the beginning of it."""
        return self._one(ANY_WITH_PREFIX, "memory", ident)[1]

    def get_any(self, ident: str) -> Anything:
        """Return a fact, rule, episode, candidate or message by its id or the beginning of it."""
        kind, whole = self._one(ANY_WITH_PREFIX, "memory", ident)
        match kind:
            case "fact":
                return facts.get_fact(self.db, self.profile, whole)
            case "rule":
                return rules.get_rule(self.db, self.profile, whole)
            case "episode":
                return episodes.get_episode(self.db, self.profile, whole)
            case "candidate":
                return candidates.get_candidate(self.db, self.profile, whole)
            case _:
                return messages.get_message(self.db, self.profile, whole)

    def persona(self) -> str:
        """Return how Locket should be, as the profile keeps it; empty when it keeps nothing of that."""
        return find_persona(self.db, self.profile)

    def list_facts(
        self,
        *,
        states: Sequence[FactState] | None = (FactState.ACTIVE,),
        subject: str | None = None,
        attribute: str | None = None,
        pinned: bool | None = None,
        limit: int = -1,
        offset: int = 0,
    ) -> list[Fact]:
        """List facts by subject, the user first; ``states=None`` lists every state."""
        return facts.list_facts(
            self.db,
            self.profile,
            states=states,
            subject=subject,
            attribute=attribute,
            pinned=pinned,
            limit=limit,
            offset=offset,
        )

    def listing_by_subject(self) -> list[SubjectListing]:
        """List everything current, complete, by subject with the user first."""
        current = self.list_facts()
        return [
            SubjectListing(subject, tuple(of_subject))
            for subject, of_subject in groupby(current, key=lambda fact: fact.subject)
        ]

    def list_rules(self) -> list[Rule]:
        """List the rules in force."""
        return rules.current_rules(self.db, self.profile)

    def rule_versions(self, rule: Rule) -> list[Rule]:
        """List every version of a rule, the first one first."""
        return rules.rule_versions(self.db, self.profile, rule.lineage)

    def list_episodes(self, *, limit: int = 50, every_state: bool = False) -> list[Episode]:
        """List episodes, the last one first."""
        return episodes.list_episodes(self.db, self.profile, limit=limit, every_state=every_state)

    def open_threads(self) -> list[OpenThread]:
        """List what the user meant to do and has not come back to, the last said first."""
        told = episodes.list_episodes(self.db, self.profile, limit=THREADS_FROM)
        found = [
            OpenThread(text, episode.id, episode.conversation, episode.ended_at)
            for episode in told
            for text in reversed(episode.open_threads)
        ]
        return list({thread.text.casefold(): thread for thread in reversed(found)}.values())[::-1][
            :MOST_THREADS
        ]

    def review_list(self) -> list[QueuedCandidate]:
        """List what waits for the user's word, oldest first."""
        return candidates.pending_candidates(self.db, self.profile)

    def provenance(self, fact: Fact) -> Provenance:
        """Return the message a fact came from, the quoted words and who said it again."""
        found = select(self.db, SOURCES, profile=self.profile, fact=fact.id)
        sources = [rows.message(row) for row in found]
        own = next((source for source in sources if source.id == fact.message), None)
        quote = fact.quote
        if own is not None and fact.start is not None and fact.end is not None:
            quote = own.text[fact.start : fact.end]
        also = tuple(source for source in sources if source.id != fact.message)
        return Provenance(fact, own, quote, also)

    def find_trace(self, message: str) -> Trace | None:
        """Find the receipt of a turn by its user message or its answer."""
        return traces.find_trace(self.db, self.profile, message)

    def trace_for(self, message: str) -> Trace:
        """Return the receipt of a turn by its user message or its answer, in full or shortened."""
        found = self.find_trace(message)
        if found is not None:
            return found
        record = self.get_any(message)
        return traces.trace_for(self.db, self.profile, record.id)

    def history(self, subject: str, attribute: str | None = None) -> list[Fact]:
        """List everything ever known of a subject, by attribute and in the order it was said."""
        return self.list_facts(states=None, subject=subject, attribute=attribute)

    def believed_at(
        self, at: datetime, subject: str | None = None, attribute: str | None = None
    ) -> list[Fact]:
        """List what was believed at an instant of our time, whatever was learned since."""
        found = select(
            self.db,
            BELIEVED_AT,
            profile=self.profile,
            at=to_text(at),
            subject=subject,
            attribute=attribute,
        )
        return [rows.fact(row) for row in found]

    def changes(self, conversation: str | None = None, limit: int = 100) -> list[Change]:
        """List what was written to memory, the last act first, with words where they still exist."""
        lines = journal.list_lines(self.db, self.profile, conversation=conversation, limit=limit)
        found = select(
            self.db,
            TEXTS_OF,
            profile=self.profile,
            every=EVERY_PROFILE,
            ids=listed({line.ref for line in lines}),
        )
        words: dict[str, str] = {row["id"]: row["text"] for row in found}
        return [Change(line, words.get(line.ref)) for line in lines]

    def unsent_text(self, conversation: str | None) -> str:
        """Return what stood in the input line of a conversation; of a new one for None."""
        return drafts.unsent_text(self.db, self.profile, conversation)

    def unfinished(self, limit: int = MOST_THREADS) -> list[Conversation]:
        """List conversations in which something was typed and not sent, the last one first."""
        waiting = drafts.conversations_waiting(self.db, self.profile, limit)
        return [conversations.get_conversation(self.db, self.profile, ident) for ident in waiting]

    def list_queued(self, conversation: str | None) -> list[Draft]:
        """List messages that were waiting to be sent."""
        return drafts.list_queued(self.db, self.profile, conversation)

    def tombstones(self) -> list[Tombstone]:
        """List the marks of what was forgotten, oldest first."""
        return tombstones.list_tombstones(self.db, self.profile)

    def stats(self) -> Stats:
        """Count what is remembered, and how much room it takes."""
        counts: dict[str, dict[str, int]] = {}
        for row in select(self.db, COUNTS, profile=self.profile, every=EVERY_PROFILE):
            counts.setdefault(row["kind"], {})[row["state"]] = row["number"]
        size = select(self.db, SIZE)[0]
        waiting = select(self.db, UNEMBEDDED, profile=self.profile)[0]
        return Stats(counts, size["bytes"], size["free"], waiting["number"])

    def _one(self, statement: str, what: str, ident: str) -> tuple[str, str]:
        """Return kind and whole id of the one thing that an id, or its beginning, names."""
        prefix = ident.strip().lower()
        if not prefix:
            raise BadInput("an id is needed")
        matches = self._with_prefix(statement, prefix)
        exact = [row for row in matches if row["id"] == prefix]
        if exact:
            return exact[0]["kind"], exact[0]["id"]
        if not matches:
            raise NotFound(what, ident)
        if len(matches) > 1:
            raise AmbiguousId(ident, len(matches))
        return matches[0]["kind"], matches[0]["id"]

    def _with_prefix(self, statement: str, prefix: str) -> list[Row]:
        return select(
            self.db,
            statement,
            profile=self.profile,
            every=EVERY_PROFILE,
            prefix=prefix,
            end=prefix + "\U0010ffff",
            limit=100,
        )
