"""Records with only the fields that matter, and a small world to put them in: a store, a clock, ids."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlcipher3 import dbapi2

from memory.vault.connection import extension_path

# isort: split
from sqlite_utils import Database

from memory.ids import encode
from memory.records import (
    DEFAULT_PROFILE,
    Add,
    Candidate,
    Cardinality,
    Conversation,
    Decided,
    Decision,
    Episode,
    Fact,
    Kind,
    Message,
    Origin,
    Role,
    Rule,
)
from memory.store.apply import apply_decision
from memory.store.conversations import create_conversation, get_conversation, set_leaf
from memory.store.derivations import derive_answer
from memory.store.facts import find_open, get_fact
from memory.store.items import write_message_items
from memory.store.messages import find_message, insert_message
from memory.store.migrations import migrate
from memory.store.profiles import find_profile, insert_profile
from memory.store.stored import Profile

if TYPE_CHECKING:
    from memory.store.act import Actor

DAY_ZERO = datetime(2026, 1, 1, 12, tzinfo=UTC)
TEST_KEY = "5a" * 32


def day(number: float) -> datetime:
    """Return an instant so many days after the first day."""
    return DAY_ZERO + timedelta(days=number)


def open_memory_store() -> Database:
    """Open a fresh encrypted store in memory, with the vector extension and every table."""
    db = _connect()
    _template().conn.backup(db.conn)
    return db


@cache
def _template() -> Database:
    """Make the store that others are copied from; migrating each would cost twenty times as much."""
    db = _connect()
    migrate(db)
    return db


def _connect() -> Database:
    connection = dbapi2.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA key = \"x'{TEST_KEY}'\"")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.enable_load_extension(True)
    connection.load_extension(extension_path())
    connection.enable_load_extension(False)
    return Database(connection, execute_plugins=False)


def make_message(ident: str, text: str, **fields: Any) -> Message:
    """Make a message of the user."""
    values: dict[str, Any] = {
        "profile": DEFAULT_PROFILE,
        "conversation": "talk",
        "parent": None,
        "role": Role.USER,
        "said_at": DAY_ZERO,
    }
    return Message(id=ident, text=text, **values | fields)


def make_conversation(ident: str = "talk", **fields: Any) -> Conversation:
    """Make an empty conversation."""
    values: dict[str, Any] = {
        "profile": DEFAULT_PROFILE,
        "title": "",
        "created_at": DAY_ZERO,
        "updated_at": DAY_ZERO,
    }
    return Conversation(id=ident, **values | fields)


def make_fact(ident: str, subject: str, attribute: str, value: str, **fields: Any) -> Fact:
    """Make a current fact."""
    values: dict[str, Any] = {
        "profile": DEFAULT_PROFILE,
        "text": f"{subject} {attribute}: {value}",
        "kind": Kind.FACT,
        "origin": Origin.USER_SAID,
        "recorded_at": DAY_ZERO,
    }
    return Fact(id=ident, subject=subject, attribute=attribute, value=value, **values | fields)


def make_candidate(subject: str, attribute: str, value: str, **fields: Any) -> Candidate:
    """Make a candidate whose quote is its value."""
    values: dict[str, Any] = {
        "kind": Kind.FACT,
        "text": f"{subject} {attribute}: {value}",
        "quote": value,
        "start": 0,
        "end": len(value),
    }
    return Candidate(subject=subject, attribute=attribute, value=value, **values | fields)


def make_rule(ident: str, text: str, **fields: Any) -> Rule:
    """Make the first version of a rule."""
    values: dict[str, Any] = {
        "profile": DEFAULT_PROFILE,
        "lineage": ident,
        "version": 1,
        "recorded_at": DAY_ZERO,
    }
    return Rule(id=ident, text=text, **values | fields)


def make_episode(ident: str, title: str, **fields: Any) -> Episode:
    """Make an episode of one day."""
    values: dict[str, Any] = {
        "profile": DEFAULT_PROFILE,
        "conversation": "talk",
        "first_message": "first",
        "last_message": "last",
        "goal": "",
        "summary": f"About {title}.",
        "started_at": DAY_ZERO,
        "ended_at": DAY_ZERO,
        "recorded_at": DAY_ZERO,
    }
    return Episode(id=ident, title=title, **values | fields)


@dataclass(slots=True)
class World:
    """A store with somebody talking to it; time moves only when told."""

    db: Database = field(default_factory=open_memory_store)
    profile: str = DEFAULT_PROFILE
    now: datetime = DAY_ZERO
    _numbers: Iterable[int] = field(default_factory=lambda: itertools.count(1))

    def new_id(self) -> str:
        """Return the next id."""
        return encode(next(iter(self._numbers)))

    def say(self, text: str, *, conversation: str = "talk", role: Role = Role.USER, **fields: Any) -> Message:
        """Put a message at the end of a conversation, findable, and return it."""
        if find_profile(self.db, self.profile) is None:
            insert_profile(self.db, Profile(self.profile, self.profile, self.now))
        if not self.db.execute("SELECT 1 FROM conversation WHERE id = ?", [conversation]).fetchall():
            create_conversation(self.db, make_conversation(conversation, profile=self.profile))
        leaf = get_conversation(self.db, self.profile, conversation).leaf
        values: dict[str, Any] = {"parent": leaf, "said_at": self.now} | fields
        message = Message(
            id=self.new_id(),
            profile=self.profile,
            conversation=conversation,
            role=role,
            text=text,
            **values,
        )
        previous = None if leaf is None else find_message(self.db, self.profile, leaf)
        with self.db.atomic():
            insert_message(self.db, message)
            set_leaf(self.db, self.profile, conversation, message.id, self.now)
            write_message_items(self.db, message, previous)
        return message

    def answer(self, text: str, *used: str, conversation: str = "talk") -> Message:
        """Put an answer at the end of a conversation whose prompt carried these facts."""
        message = self.say(text, conversation=conversation, role=Role.ASSISTANT)
        with self.db.atomic():
            derive_answer(self.db, message.id, [("fact", ident) for ident in used])
        return message

    def decide(
        self,
        candidate: Candidate,
        decision: Decision | None = None,
        *,
        message: Message | None = None,
        actor: Actor = "auto",
        **options: Any,
    ) -> Decided:
        """Apply a decision, by default to add, in a transaction of its own."""
        with self.db.atomic():
            return apply_decision(
                self.db,
                candidate,
                Add("said so") if decision is None else decision,
                profile=self.profile,
                conversation=None if message is None else message.conversation,
                message=None if message is None else message.id,
                now=self.now,
                new_id=self.new_id,
                actor=actor,
                **options,
            )

    def tell(self, text: str, subject: str, attribute: str, value: str, **fields: Any) -> Fact:
        """Say something and have it remembered; return the fact as it is stored."""
        message = self.say(text)
        start = text.index(value)
        candidate = make_candidate(
            subject,
            attribute,
            value,
            text=text,
            start=start,
            end=start + len(value),
            **{"said_at": message.said_at} | fields,
        )
        decided = self.decide(candidate, message=message)
        assert decided.id is not None
        return get_fact(self.db, self.profile, decided.id)

    def believed(self, subject: str, attribute: str) -> list[str]:
        """Return the current values of a slot."""
        return [fact.value for fact in find_open(self.db, self.profile, subject, attribute)]

    def item_states(self, ref: str) -> list[str]:
        """Return the states of all items of something."""
        found = self.db.execute("SELECT state FROM item WHERE ref = ? ORDER BY part", [ref])
        return [row[0] for row in found.fetchall()]


def multi(subject: str, attribute: str, value: str, **fields: Any) -> Candidate:
    """Make a candidate of an attribute that may have several values."""
    return make_candidate(subject, attribute, value, **{"cardinality": Cardinality.MULTI} | fields)
