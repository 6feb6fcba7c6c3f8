"""A vault with somebody talking in it, turn by turn as Locket does, and a look for words everywhere they could be."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fixed_clock import FixedClock

from memory.core import Core
from memory.ids import new_id_maker
from memory.memory import Memory
from memory.records import AssembledPrompt, Fact, Message, Recall, Turn
from memory.store import leftovers
from memory.store.migrations import SCHEMA_VERSION, migrate
from memory.vault.keys import Passphrase
from memory.vault.vault import Vault, open_vault
from models.scripted import HashEmbedder

PASSPHRASE = "correct horse battery staple"


def open_test_vault(folder: Path) -> Vault:
    """Open a vault of the test fixtures."""
    return open_vault(
        folder, Passphrase(PASSPHRASE), migrate=migrate, schema_version=SCHEMA_VERSION, allow_cheap=True
    )


def count(texts: Sequence[str]) -> list[int]:
    """Count tokens as words."""
    return [len(text.split()) + 1 for text in texts]


class Life:
    """A person and Locket in one vault."""

    def __init__(self, vault: Vault, *, embedder: bool = True, profile: str = "default") -> None:
        self.vault = vault
        self.clock = FixedClock()
        self.new_id = new_id_maker(self.clock, Random(7).getrandbits)
        self.core = Core(
            db=vault.db,
            profile=profile,
            clock=self.clock,
            new_id=self.new_id,
            tombstone_key=vault.key("tombstones"),
            vault=vault,
        )
        self.memory = Memory(self.core)
        self.prompts: list[AssembledPrompt] = []
        if embedder:
            maker = HashEmbedder()
            maker.open()
            self.memory.use_embedder(maker)

    def turn(
        self, text: str, answer: str = "All right.", *, conversation: str | None = None
    ) -> tuple[Turn, Message]:
        """Say something, have recall and prompt made, and get this answer."""
        self.clock.advance(minutes=1)
        turn = self.memory.begin_turn(text, conversation=conversation)
        prompt = self.memory.assemble(turn, self.recall(turn), count, 0, 8192)
        self.prompts.append(prompt)
        said = self.memory.finish_turn(turn, answer, "end", prompt, None)
        self.embed()
        return turn, said

    def recall(self, turn: Turn) -> Recall:
        """Find what belongs in a prompt."""
        return self.memory.recall(turn)

    def embed(self) -> None:
        """Make every vector that is missing."""
        while self.memory.embed_some():
            pass

    def fact(self, value: str) -> Fact:
        """Return the fact with this value."""
        (found,) = [fact for fact in self.memory.reader.list_facts(states=None) if fact.value == value]
        return found

    def held(self, *words: str) -> list[tuple[str, str]]:
        """Return table and column of every text that holds one of these, in whatever case."""
        forms = [form for word in words for form in {word, word.lower(), word.capitalize(), word.upper()}]
        found = [(one.table, one.column) for one in leftovers.texts_holding(self.core.db, forms)]
        return found + [("item_vocab", t) for t in leftovers.searchable_terms(self.core.db) if t in forms]

    def pages_with(self, *words: str) -> int:
        """Count places in the decrypted pages."""
        forms = [form.encode() for word in words for form in (word, word.lower(), word.capitalize())]
        with self.vault.pages() as reader:
            return len(reader.search(forms))


FACTS = """
INSERT INTO fact (id, profile, subject, attribute, value, value_norm, text, kind, cardinality, stability, origin,
    message, span_start, span_end, quote, said_at, confidence, importance, recorded_at)
SELECT 'fact' || printf('%08d', value), 'default', 'thing' || value, 'colour', 'shade' || value || 'x',
    'shade' || value || 'x', 'thing' || value || ' is shade' || value || 'x', 'fact', 'multi', 'stable', 'user_said',
    'said' || printf('%08d', value), 14, 30, 'is shade' || value || 'x', '2026-01-01T12:00:00.000000Z', 0.9, 0.5,
    '2026-01-01T12:00:00.000000Z'
FROM json_each(:numbers)
ORDER BY value
"""

MESSAGES = """
INSERT INTO message (id, profile, conversation, parent, role, text, said_at)
SELECT 'said' || printf('%08d', value), 'default', 'many', NULL, 'user', 'I noted that thing' || value || ' is shade'
    || value || 'x and that is all', '2026-01-01T12:00:00.000000Z'
FROM json_each(:numbers)
ORDER BY value
"""

LINKS = """
INSERT INTO derivation (child, child_kind, parent, parent_kind, role)
SELECT 'fact' || printf('%08d', value), 'fact', 'said' || printf('%08d', value), 'message', 'source'
FROM json_each(:numbers)
ORDER BY value
"""

VERSIONS = """
INSERT INTO version (id, profile, kind, ref, before, after, recorded_at)
SELECT 'version' || printf('%08d', value), 'default', 'fact', 'fact' || printf('%08d', value), NULL,
    json_object('value', 'shade' || value || 'x'), '2026-01-01T12:00:00.000000Z'
FROM json_each(:numbers)
ORDER BY value
"""

ITEMS = """
INSERT INTO item (id, kind, ref, profile, text, said_at)
SELECT id, 'fact', id, profile, text, said_at FROM fact WHERE id GLOB 'fact*'
UNION ALL
SELECT id, 'message', id, profile, text, said_at FROM message WHERE id GLOB 'said*'
ORDER BY 1
"""


def fill(life: Life, number: int) -> list[str]:
    """Put so many facts into the store, each with its message, version, link and items; return their ids."""
    numbers = json.dumps(list(range(number)))
    with life.core.atomic():
        life.core.db.execute(
            "INSERT INTO conversation (id, profile, title, created_at, updated_at) VALUES ('many', 'default', '',"
            " '2026-01-01T12:00:00.000000Z', '2026-01-01T12:00:00.000000Z')"
        )
        for statement in (FACTS, MESSAGES, LINKS, VERSIONS):
            life.core.db.execute(statement, {"numbers": numbers})
        life.core.db.execute(ITEMS)
    return [f"fact{n:08d}" for n in range(number)]


class Statements:
    """Counts the statements that a connection is given."""

    def __init__(self, life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        real = life.core.db.execute

        def counted(*arguments: Any) -> Any:
            self.count += 1
            return real(*arguments)

        monkeypatch.setattr(life.core.db, "execute", counted)
