"""The searchable units: written from messages, facts, episodes and attachments, never by anybody else.

Owns the rows of ``item`` and tells the vector tables what changed; the full-text index follows by trigger.
Secrets never come here: a message gives its masked text. One surprise: a first part has the id of what it
stands for and later parts add their number, so that ids stay the same however often items are made anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from memory.clock import to_epoch, to_text_or_none
from memory.records import (
    NEVER,
    USER,
    Episode,
    Fact,
    FactState,
    ItemKind,
    ItemState,
    Message,
    Origin,
    Role,
)
from memory.retrieval import vectors
from memory.retrieval.grams import grams
from memory.store.derivations import derive
from memory.store.parts import cut
from memory.store.sql import insert, listed, run, select
from memory.store.stored import Attachment, Derivation

if TYPE_CHECKING:
    from sqlite_utils import Database

RECALLABLE_ANSWER: Final = 400
"""Characters: a longer answer is found by the user's own search only."""

CONTEXT_LIMIT: Final = 400
"""Characters: the message before is context only while both are no longer."""

PARTS = """
SELECT key, text, context, state
FROM item
WHERE kind = :kind AND ref = :ref
ORDER BY part
"""

KEYS_OF = """
SELECT key, state
FROM item
WHERE ref IN (SELECT value FROM json_each(:refs))
ORDER BY key
"""

RELABEL = """
UPDATE item
SET subject = :subject, language = :language, origin = :origin, importance = :importance, state = :state,
    recallable = :recallable, said_at = :said_at, expires_at = :expires_at, conversation = :conversation
WHERE kind = :kind AND ref = :ref
"""

SET_STATE = """
UPDATE item
SET state = :state
WHERE key IN (SELECT value FROM json_each(:keys))
"""

DELETE = """
DELETE FROM item
WHERE key IN (SELECT value FROM json_each(:keys))
"""

CLEAR_CONTEXT = """
UPDATE item
SET context = ''
WHERE context <> '' AND ref IN (
    SELECT derivation.child
    FROM derivation
    WHERE derivation.role = 'context' AND derivation.parent IN (SELECT value FROM json_each(:messages))
)
"""

_FACT_STATES: Final = {
    FactState.ACTIVE: ItemState.ACTIVE,
    FactState.SUPERSEDED: ItemState.OUTDATED,
    FactState.EXPIRED: ItemState.OUTDATED,
    FactState.ARCHIVED: ItemState.ARCHIVED,
    FactState.SET_ASIDE: ItemState.SET_ASIDE,
}
_EPISODE_STATES: Final = {
    "active": ItemState.ACTIVE,
    "stale": ItemState.OUTDATED,
    "archived": ItemState.ARCHIVED,
    "set_aside": ItemState.SET_ASIDE,
}


@dataclass(frozen=True, slots=True)
class Searchable:
    """A text to be found, before it is cut into items."""

    kind: ItemKind
    ref: str
    profile: str
    text: str
    context: str = ""
    """Words that help to find the first part by keyword and are not shown."""
    subject: str = ""
    language: str = ""
    origin: Origin = Origin.USER_SAID
    importance: float = 0.5
    state: ItemState = ItemState.ACTIVE
    recallable: bool = True
    said_at: datetime | None = None
    expires_at: int = NEVER
    conversation: str | None = None


def write_item(db: Database, searchable: Searchable) -> list[int]:
    """Write the items of one text and return their keys; unchanged words keep their vectors."""
    known = select(db, PARTS, kind=searchable.kind.value, ref=searchable.ref)
    keys = [int(row["key"]) for row in known]
    parts = cut(searchable.text)
    contexts = [searchable.context] + [""] * (len(parts) - 1)
    if parts and [(row["text"], row["context"]) for row in known] == list(zip(parts, contexts, strict=True)):
        run(db, RELABEL, **_labels(searchable))
        vectors.set_state(db, keys, state=searchable.state.value, expires_at=searchable.expires_at)
        return keys
    _delete_keys(db, keys)
    for number, (part, context) in enumerate(zip(parts, contexts, strict=False)):
        row = _labels(searchable) | {
            "id": searchable.ref if number == 0 else f"{searchable.ref}.{number}",
            "part": number,
            "profile": searchable.profile,
            "text": part,
            "context": context,
            "grams": grams(part),
        }
        insert(db, "item", row)
    return [int(row["key"]) for row in select(db, PARTS, kind=searchable.kind.value, ref=searchable.ref)]


def write_fact_item(db: Database, fact: Fact) -> list[int]:
    """Make a fact findable by its sentence, and by its subject and attribute as keywords."""
    slot = fact.attribute if fact.subject == USER else f"{fact.subject} {fact.attribute}"
    searchable = Searchable(
        kind=ItemKind.FACT,
        ref=fact.id,
        profile=fact.profile,
        text=fact.text,
        context=slot.replace("_", " "),
        subject=fact.subject,
        language=fact.language,
        origin=fact.origin,
        importance=fact.importance,
        state=_FACT_STATES[fact.state],
        said_at=fact.said_at or fact.valid_from or fact.recorded_at,
        expires_at=to_epoch(fact.expires_at),
    )
    return write_item(db, searchable)


def write_message_items(db: Database, message: Message, previous: Message | None = None) -> list[int]:
    """Make a message or an answer findable; the message before it helps while both are short."""
    text = message.safe_text
    context = ""
    if previous is not None and max(len(text), len(previous.safe_text)) <= CONTEXT_LIMIT:
        context = previous.safe_text
    is_answer = message.role is Role.ASSISTANT
    kind = ItemKind.ANSWER if is_answer else ItemKind.MESSAGE
    known = select(db, PARTS, kind=kind.value, ref=message.id)
    searchable = Searchable(
        kind=kind,
        ref=message.id,
        profile=message.profile,
        text=text,
        context=context,
        subject=message.speaker,
        origin=message.origin,
        state=ItemState(known[0]["state"]) if known else ItemState.ACTIVE,
        recallable=not is_answer or len(text) <= RECALLABLE_ANSWER,
        said_at=message.said_at,
        conversation=message.conversation,
    )
    if context and previous is not None:
        derive(db, Derivation(message.id, kind.value, previous.id, "message", "context"))
    return write_item(db, searchable)


def write_episode_item(db: Database, episode: Episode) -> list[int]:
    """Make an episode findable by its title and summary, and by its lists as keywords."""
    lists = (episode.topics, episode.decisions, episode.lessons, episode.open_threads)
    searchable = Searchable(
        kind=ItemKind.EPISODE,
        ref=episode.id,
        profile=episode.profile,
        text=f"{episode.title}\n{episode.summary}",
        context=" ".join(line for each in lists for line in each),
        origin=episode.origin,
        state=_EPISODE_STATES[episode.state],
        said_at=episode.ended_at,
        conversation=episode.conversation,
    )
    return write_item(db, searchable)


def write_attachment_items(db: Database, attachment: Attachment) -> list[int]:
    """Make an attached text findable by its passages."""
    searchable = Searchable(
        kind=ItemKind.ATTACHMENT,
        ref=attachment.id,
        profile=attachment.profile,
        text=attachment.text,
        context=attachment.name,
        origin=Origin.DOCUMENT,
        said_at=attachment.recorded_at,
        conversation=attachment.conversation,
    )
    return write_item(db, searchable)


def set_state(db: Database, refs: Iterable[str], state: ItemState) -> int:
    """Put all items of these into a state; return how many changed."""
    found = select(db, KEYS_OF, refs=listed(refs))
    keys = [int(row["key"]) for row in found if row["state"] != state.value]
    if keys:
        run(db, SET_STATE, state=state.value, keys=listed(keys))
        vectors.set_state(db, keys, state=state.value)
    return len(keys)


def delete_items(db: Database, refs: Iterable[str]) -> list[int]:
    """Remove all items of these with their postings and vectors; return their keys."""
    keys = [int(row["key"]) for row in select(db, KEYS_OF, refs=listed(refs))]
    _delete_keys(db, keys)
    return keys


def clear_context(db: Database, messages: Iterable[str]) -> int:
    """Take these messages' words out of the items of their neighbours; return how many changed."""
    return run(db, CLEAR_CONTEXT, messages=listed(messages))


def _delete_keys(db: Database, keys: list[int]) -> None:
    if keys:
        vectors.delete(db, keys)
        run(db, DELETE, keys=listed(keys))


def _labels(searchable: Searchable) -> dict[str, Any]:
    return {
        "kind": searchable.kind.value,
        "ref": searchable.ref,
        "subject": searchable.subject,
        "language": searchable.language,
        "origin": searchable.origin.value,
        "importance": searchable.importance,
        "state": searchable.state.value,
        "recallable": int(searchable.recallable),
        "said_at": to_text_or_none(searchable.said_at),
        "expires_at": searchable.expires_at,
        "conversation": searchable.conversation,
    }
