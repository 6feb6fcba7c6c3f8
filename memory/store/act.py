"""One act on memory while it is being written: rows, versions, items, and at the end one journal line.

Whoever changes a fact, rule, episode, message or candidate does it through here, so that no change lacks its
version and every change can be undone. Opens no transaction. One surprise: messages and answers are settled
when the act closes, once for all facts it touched.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from memory.errors import BadInput
from memory.ports import NewId
from memory.records import Cardinality, Episode, Fact, FactState, JournalEntry, Message, Rule
from memory.store.candidates import delete_candidates, insert_candidate, update_candidate
from memory.store.episodes import delete_episodes, insert_episode, update_episode
from memory.store.facts import delete_facts, find_open, insert_fact, update_fact
from memory.store.items import (
    delete_items,
    write_episode_item,
    write_fact_item,
    write_message_items,
)
from memory.store.journal import write_line
from memory.store.messages import find_message, rewrite_message
from memory.store.rules import delete_rules, insert_rule, update_rule
from memory.store.settle import settle, settle_episodes
from memory.store.stored import QueuedCandidate
from memory.store.versions import Record, record_version

if TYPE_CHECKING:
    from sqlite_utils import Database

Actor = Literal["auto", "user", "import"]


@dataclass(slots=True)
class Act:
    """An act in progress; ``close`` ends it."""

    db: Database
    profile: str
    now: datetime
    new_id: NewId
    actor: Actor
    conversation: str | None = None
    message: str | None = None
    """The message that caused it."""
    versions: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    """Ids of the facts touched so far."""
    episodes: list[str] = field(default_factory=list)
    """Ids of the episodes written so far."""
    gone: list[str] = field(default_factory=list)
    """Values of facts that this act deletes."""

    def write(self, before: Record | None, after: Record | None) -> None:
        """Write one record's change with its version and item: made, changed or, with no ``after``, removed."""
        version = record_version(
            self.db,
            profile=self.profile,
            before=before,
            after=after,
            now=self.now,
            new_id=self.new_id,
        )
        self.versions.append(version.id)
        if after is None:
            self._remove(before)
        else:
            self._put(after, is_new=before is None)

    def close(self, act: str, kind: str, ref: str) -> str:
        """Settle what rests on the facts touched and write the journal line; return its id."""
        settle(self.db, self.profile, self.facts, self.gone)
        settle_episodes(self.db, self.profile, self.episodes)
        entry = JournalEntry(
            id=self.new_id(),
            profile=self.profile,
            act=act,
            kind=kind,
            ref=ref,
            versions=tuple(self.versions),
            actor=self.actor,
            recorded_at=self.now,
            conversation=self.conversation,
            message=self.message,
        )
        write_line(self.db, entry)
        return entry.id

    def _put(self, record: Record, *, is_new: bool) -> None:
        match record:
            case Fact():
                self._refuse_second_open(record)
                (insert_fact if is_new else update_fact)(self.db, record)
                write_fact_item(self.db, record)
                self.facts.append(record.id)
            case Episode():
                (insert_episode if is_new else update_episode)(self.db, record)
                write_episode_item(self.db, record)
                self.episodes.append(record.id)
            case Rule():
                (insert_rule if is_new else update_rule)(self.db, record)
            case QueuedCandidate():
                (insert_candidate if is_new else update_candidate)(self.db, record)
            case Message():
                self._rewrite(record)

    def _refuse_second_open(self, fact: Fact) -> None:
        """Raise BadInput before the index would, in words, when a slot with one value has another."""
        if fact.state is not FactState.ACTIVE or fact.cardinality is not Cardinality.SINGLE:
            return
        for other in find_open(self.db, self.profile, fact.subject, fact.attribute):
            if other.id != fact.id and other.cardinality is Cardinality.SINGLE:
                raise BadInput(f"{other.text!r} has taken this place; archive or forget that first")

    def _rewrite(self, message: Message) -> None:
        """Change a message's words; messages themselves come and go without versions."""
        rewrite_message(self.db, self.profile, message.id, message.text, message.masked, self.now)
        above = message.parent
        previous = None if above is None else find_message(self.db, self.profile, above)
        write_message_items(self.db, message, previous)

    def _remove(self, record: Record | None) -> None:
        match record:
            case Fact():
                delete_items(self.db, [record.id])
                delete_facts(self.db, self.profile, [record.id])
                self.facts.append(record.id)
                self.gone.append(record.value)
            case Episode():
                delete_items(self.db, [record.id])
                delete_episodes(self.db, self.profile, [record.id])
            case Rule():
                delete_rules(self.db, self.profile, [record.id])
            case QueuedCandidate():
                delete_candidates(self.db, self.profile, [record.id])
            case Message() | None:
                raise ValueError("a message is never removed by an act that can be undone")
