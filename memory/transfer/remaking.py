"""Makes anew what an archive does not carry: items, and waiting work; vectors follow when the computer is idle.

Runs after all rows are there and before they are committed. One surprise: which message lends its words to
which is read from the links, not from the tree, so that an import makes the very items that the other store had.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory.ports import NewId
from memory.records import ItemState, Origin, Role
from memory.store import rows
from memory.store.branching import refs_with_items
from memory.store.conversations import get_conversation
from memory.store.derivations import list_parents
from memory.store.facts import facts_resting_on
from memory.store.items import (
    set_state,
    write_attachment_items,
    write_episode_item,
    write_fact_item,
    write_message_items,
)
from memory.store.jobs import enqueue
from memory.store.messages import all_messages, find_message, path
from memory.store.settle import settle, settle_answer
from memory.store.whole_rows import find_row

if TYPE_CHECKING:
    from sqlite_utils import Database

DISTIL = "distil"


def remake_items(db: Database, changed: Mapping[str, Sequence[str]]) -> None:
    """Write the items of everything that came or changed, then put them in or out of recall."""
    said: dict[str, list[str]] = {}
    for row in _rows(db, "message", changed):
        message = rows.message(row)
        said.setdefault(message.profile, []).append(message.id)
        lent = [link.parent for link in list_parents(db, [message.id]) if link.role == "context"]
        previous = find_message(db, message.profile, lent[0]) if lent else None
        write_message_items(db, message, previous)
        if message.origin is Origin.IMPORTED and _waits(db, message.conversation):
            set_state(db, [message.id], ItemState.REVIEW)
    for row in _rows(db, "attachment", changed):
        write_attachment_items(db, rows.attachment(row))
        if _waits(db, row["conversation"]):
            set_state(db, [row["id"]], ItemState.REVIEW)
    for row in _rows(db, "episode", changed):
        write_episode_item(db, rows.episode(row))
    facts: dict[str, list[str]] = {}
    for row in _rows(db, "fact", changed):
        fact = rows.fact(row)
        write_fact_item(db, fact)
        facts.setdefault(fact.profile, []).append(fact.id)
    for profile, messages in said.items():  # their facts may have come with an earlier archive
        resting = facts_resting_on(db, profile, messages)
        facts.setdefault(profile, []).extend(fact.id for fact in resting)
    for profile, idents in facts.items():
        settle(db, profile, idents)
    homes: dict[str, str] = {}
    for row in _rows(db, "message", changed):
        homes[row["conversation"]] = row["profile"]
        if row["role"] == Role.ASSISTANT.value:
            settle_answer(db, row["profile"], row["id"])
    for conversation, profile in homes.items():
        set_branches_aside(db, profile, conversation)


def set_branches_aside(db: Database, profile: str, conversation: str) -> None:
    """Take out of recall what was said on branches that are not the one talked in."""
    leaf = get_conversation(db, profile, conversation).leaf
    on = {message.id for message in path(db, profile, leaf)}
    off = [message.id for message in all_messages(db, profile, conversation) if message.id not in on]
    set_state(db, refs_with_items(db, off, "active", "outdated"), ItemState.SET_ASIDE)


def _waits(db: Database, conversation: str) -> bool:
    """Tell whether a conversation was once imported from another program and is not trusted."""
    home = find_row(db, "conversation", {"id": conversation})
    return home is not None and home["origin"] == Origin.IMPORTED.value and not home["remembering"]


def queue_work(db: Database, changed: Mapping[str, Sequence[str]], now: datetime, new_id: NewId) -> None:
    """Let idle work look at what was said and not yet looked at, as the other store would have."""
    waiting: dict[str, str] = {}
    for row in _rows(db, "message", changed):
        if row["role"] == Role.USER.value and row["distilled_at"] is None:
            waiting[row["conversation"]] = row["profile"]
    for conversation, profile in waiting.items():
        home = find_row(db, "conversation", {"id": conversation})
        if home is not None and home["remembering"]:
            enqueue(db, DISTIL, profile, {"conversation": conversation}, now=now, new_id=new_id)


def _rows(db: Database, table: str, changed: Mapping[str, Sequence[str]]) -> Iterator[dict[str, Any]]:
    for ident in changed.get(table, ()):
        row = find_row(db, table, {"id": ident})
        if row is not None:
            yield row
