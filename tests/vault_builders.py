"""Small vaults for tests, as cheap as keys can be made."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory.vault.driver_errors import store_errors
from memory.vault.kdf import CHEAPEST
from memory.vault.keys import Passphrase, Secret
from memory.vault.vault import Vault, create_vault, open_vault

WORDS = "correct horse battery staple"
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
CANARY = "canary-7f3a the heron nests in the attic"


def first_schema(db: Any) -> None:
    """Create the one table that these tests need, with its search index."""
    db.conn.execute("CREATE TABLE note (key INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
    db.conn.execute("CREATE VIRTUAL TABLE note_fts USING fts5(text, content='note', content_rowid='key')")
    db.conn.execute("INSERT INTO note_fts(note_fts, rank) VALUES('secure-delete', 1)")
    db.conn.execute(
        "CREATE TRIGGER note_ai AFTER INSERT ON note BEGIN"
        " INSERT INTO note_fts(rowid, text) VALUES (new.key, new.text); END"
    )
    db.conn.execute(
        "CREATE TRIGGER note_ad AFTER DELETE ON note BEGIN"
        " INSERT INTO note_fts(note_fts, rowid, text) VALUES ('delete', old.key, old.text); END"
    )


def make(folder: Path) -> Vault:
    """Return an open vault with the test schema: a copy of one made once, since making waits for the disk."""
    shutil.copytree(_template(), folder)
    return reopen(folder)


@functools.cache
def _template() -> Path:
    parent = Path(tempfile.mkdtemp(prefix="vault-template-"))
    atexit.register(shutil.rmtree, parent, ignore_errors=True)
    fresh(parent / "v").close()
    return parent / "v"


def fresh(folder: Path, words: str = WORDS, **more: Any) -> Vault:
    """Create a vault with the test schema and keys of its own."""
    settings: dict[str, Any] = {"migrate": first_schema, "schema_version": 1, "now": lambda: NOON, **more}
    return create_vault(folder, words, params=CHEAPEST, allow_cheap=True, **settings)


def reopen(folder: Path, secret: Secret | str = WORDS, **more: Any) -> Vault:
    """Open a vault that ``make`` or ``fresh`` created."""
    opener = Passphrase(secret) if isinstance(secret, str) else secret
    settings: dict[str, Any] = {"migrate": first_schema, "schema_version": 1, "now": lambda: NOON, **more}
    return open_vault(folder, opener, params=CHEAPEST, allow_cheap=True, **settings)


def say(vault: Vault, *texts: str) -> None:
    """Store texts, one transaction each."""
    for text in texts:
        with store_errors(), vault.db.atomic():
            vault.db.conn.execute("INSERT INTO note (text) VALUES (?)", (text,))


def said(vault: Vault) -> list[str]:
    """Return every stored text in order."""
    return [row[0] for row in vault.db.conn.execute("SELECT text FROM note ORDER BY key").fetchall()]


def picture(folder: Path) -> dict[str, bytes]:
    """Return the content of every file that matters, to compare before and after."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "vault.lock" and not path.name.endswith("-shm")
    }
