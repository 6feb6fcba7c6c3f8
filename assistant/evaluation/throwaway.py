"""A store that lives for one measurement: encrypted like any other, filled through the same doors, then gone.

Owns the making of it. Refuses to touch the user's own vault.
"""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.evaluation.dataset import DatasetItem, Dialogue
from memory.ports import Embedder
from memory.records import (
    DEFAULT_PROFILE,
    Cardinality,
    Conversation,
    Episode,
    Fact,
    Kind,
    Message,
    Origin,
    Role,
)
from memory.retrieval import vectors
from memory.store import conversations, derivations, episodes, facts, items, messages
from memory.store.migrations import SCHEMA_VERSION, migrate
from memory.store.stored import Derivation
from memory.vault.kdf import CHEAPEST
from memory.vault.vault import create_vault

if TYPE_CHECKING:
    from sqlite_utils import Database

EMBED_AT_ONCE = 256
ASSISTANTS = frozenset({"assistant", "bot", "ai", "model", "chatbot"})
"""Speakers that are not people."""

Progress = Callable[[str, int, int], None]
"""What is being done, how much of it, out of how much."""


@contextmanager
def throwaway_store(now: datetime) -> Iterator[Database]:
    """Open a fresh store in a private folder of the system's temporary place; remove it afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="locket-eval-"))
    try:
        vault = create_vault(
            folder / "vault",
            secrets.token_hex(16),
            params=CHEAPEST,  # nobody keeps this passphrase, so nobody can guess it either
            allow_cheap=True,
            migrate=migrate,
            schema_version=SCHEMA_VERSION,
            now=lambda: now,
        )
        try:
            yield vault.db
        finally:
            vault.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fill(
    db: Database,
    dialogue: Dialogue,
    kinds: frozenset[str],
    embedder: Embedder | None,
    progress: Progress,
    stop: Callable[[], bool],
) -> dict[str, DatasetItem]:
    """Write a dialogue's items and their vectors; return the items by the id they got here."""
    wanted = [item for item in dialogue.items if item.kind in kinds]
    turns = {item.id for item in wanted if item.kind == "turn"}
    sessions: dict[str, Message] = {}
    with db.atomic():
        for item in wanted:
            if item.kind == "turn":
                _write_turn(db, item, sessions)
            elif item.kind == "observation":
                _write_observation(db, item, turns)
            else:
                _write_summary(db, item)
    if embedder is not None:
        _embed(db, embedder, dialogue, len(wanted), progress, stop)
    return {item.id: item for item in wanted}


def _write_turn(db: Database, item: DatasetItem, sessions: dict[str, Message]) -> None:
    conversation = f"session-{item.session}"
    previous = sessions.get(conversation)
    if previous is None:
        conversations.create_conversation(
            db,
            Conversation(
                conversation, DEFAULT_PROFILE, "", item.said_at, item.said_at, origin=Origin.USER_SAID
            ),
        )
    message = Message(
        id=item.id,
        profile=DEFAULT_PROFILE,
        conversation=conversation,
        parent=None if previous is None else previous.id,
        role=Role.ASSISTANT if item.speaker.lower() in ASSISTANTS else Role.USER,
        text=item.text,
        said_at=item.said_at,
        speaker="" if item.speaker.lower() == "user" else item.speaker,
    )
    messages.insert_message(db, message)
    items.write_message_items(db, message, previous)
    sessions[conversation] = message


def _write_observation(db: Database, item: DatasetItem, turns: set[str]) -> None:
    fact = Fact(
        id=item.id,
        profile=DEFAULT_PROFILE,
        subject=item.speaker or "user",
        attribute="note",
        value=item.text,
        text=item.text,
        kind=Kind.FACT,
        origin=Origin.USER_SAID,
        cardinality=Cardinality.MULTI,
        recorded_at=item.said_at,
        valid_from=item.said_at,
        message=next((ref for ref in item.refs if ref in turns), None),
    )
    facts.insert_fact(db, fact)
    for ref in item.refs:
        if ref in turns:
            derivations.derive(db, Derivation(item.id, "fact", ref, "message", "source"))
    items.write_fact_item(db, fact)


def _write_summary(db: Database, item: DatasetItem) -> None:
    episode = Episode(
        id=item.id,
        profile=DEFAULT_PROFILE,
        conversation=f"session-{item.session}",
        first_message=item.refs[0] if item.refs else item.id,
        last_message=item.refs[-1] if item.refs else item.id,
        title="",
        goal="",
        summary=item.text,
        started_at=item.said_at,
        ended_at=item.said_at,
        recorded_at=item.said_at,
    )
    episodes.insert_episode(db, episode)
    items.write_episode_item(db, episode)


def _embed(
    db: Database,
    embedder: Embedder,
    dialogue: Dialogue,
    total: int,
    progress: Progress,
    stop: Callable[[], bool],
) -> None:
    with db.atomic():
        vectors.ensure_embedder(db, embedder.identity, dialogue.now)
    done = 0
    while not stop():
        with db.atomic():
            made = vectors.embed_pending(db, embedder, EMBED_AT_ONCE, stop)
        if not made:
            break
        done += made
        progress(f"embedding {dialogue.id}", done, max(total, done))
