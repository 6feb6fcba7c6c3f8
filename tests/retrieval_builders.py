"""A keyed in-memory store with every table, and items written straight into it, for tests of retrieval."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b

import sqlcipher3
from sqlcipher3 import dbapi2

sys.modules.setdefault("pysqlite3", sqlcipher3)
sys.modules.setdefault("pysqlite3.dbapi2", dbapi2)

from sqlite_utils import Database  # noqa: E402 - the driver above has to come first

from memory.records import DEFAULT_PROFILE, NEVER  # noqa: E402
from memory.retrieval.grams import grams, words  # noqa: E402
from memory.store.migrations import migrate  # noqa: E402

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)

INSERT_ITEM = """
INSERT INTO item (id, kind, ref, part, profile, conversation, text, context, grams, subject, language,
    origin, importance, state, recallable, said_at, expires_at)
VALUES (:id, :kind, :ref, :part, :profile, :conversation, :text, :context, :grams, :subject, :language,
    :origin, :importance, :state, :recallable, :said_at, :expires_at)
"""


def new_store(path: str = ":memory:") -> Database:
    """Open a fresh encrypted store with the vector extension and all tables."""
    connection = sqlcipher3.connect(path, check_same_thread=False)
    connection.execute(f"PRAGMA key = \"x'{'17' * 32}'\"")
    for pragma in ("journal_mode = WAL", "cache_size = -262144", "temp_store = MEMORY", "secure_delete = ON"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("PRAGMA foreign_keys = ON")
    found = importlib.util.find_spec("sqlite_vec")
    assert found is not None
    assert found.submodule_search_locations
    connection.enable_load_extension(True)
    connection.load_extension(f"{found.submodule_search_locations[0]}/vec0")
    connection.enable_load_extension(False)
    db = Database(connection)
    migrate(db)
    return db


def put_profile(db: Database, profile: str) -> None:
    """Make a profile unless it is there."""
    db.execute(
        "INSERT OR IGNORE INTO profile (id, name, created_at) VALUES (:id, :id, '2025-01-01T00:00:00.000000Z')",
        {"id": profile},
    )


def put_item(
    db: Database,
    text: str,
    *,
    kind: str = "message",
    ref: str = "",
    profile: str = DEFAULT_PROFILE,
    context: str = "",
    subject: str = "",
    origin: str = "user_said",
    importance: float = 0.5,
    state: str = "active",
    recallable: bool = True,
    said_at: datetime | None = None,
    expires_at: int = NEVER,
    conversation: str | None = None,
    part: int = 0,
) -> int:
    """Write one item and return its key."""
    put_profile(db, profile)
    number = int(db.execute("SELECT coalesce(max(key), 0) + 1 FROM item").fetchone()[0])
    values = {
        "id": f"i{number:06d}",
        "kind": kind,
        "ref": ref or f"r{number:06d}",
        "part": part,
        "profile": profile,
        "conversation": conversation,
        "text": text,
        "context": context,
        "grams": grams(f"{text}\n{context}"),
        "subject": subject,
        "language": "en",
        "origin": origin,
        "importance": importance,
        "state": state,
        "recallable": int(recallable),
        "said_at": None if said_at is None else said_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "expires_at": expires_at,
    }
    db.execute(INSERT_ITEM, values)
    return number


@dataclass(frozen=True, slots=True)
class FakeIdentity:
    """The identity of a fake model."""

    name: str = "fake"
    sha256: str = "f" * 64
    dims: int = 64
    normalised: bool = True


class BagEmbedder:
    """Hashes words into a vector: texts that share words are close. Records what it was asked."""

    def __init__(self, identity: FakeIdentity | None = None) -> None:
        self.identity = identity or FakeIdentity()
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return one vector per text."""
        self.asked.extend(texts)
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> bytes:
        from array import array

        values = [0.0] * self.identity.dims
        for word in words(text.lower()):
            digest = blake2b(word.encode(), digest_size=8).digest()
            values[int.from_bytes(digest[:4]) % self.identity.dims] += 1.0 if digest[4] % 2 else -1.0
        length = sum(value * value for value in values) ** 0.5 or 1.0
        return array("f", [value / length for value in values]).tobytes()


def count_words(texts: Sequence[str]) -> list[int]:
    """Count tokens as words."""
    return [len(text.split()) for text in texts]
