"""The names of everything inside a vault folder, in one place.

Knows names only: whether a file exists, and what it holds, is somebody else's question.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Layout:
    """Where each part of a vault lives below its folder."""

    folder: Path

    @property
    def key_file(self) -> Path:
        """The slots that wrap the data key."""
        return self.folder / "vault.key"

    @property
    def store(self) -> Path:
        """The encrypted database."""
        return self.folder / "vault.db"

    @property
    def new_store(self) -> Path:
        """A store being prepared; it counts only once renamed."""
        return self.folder / "vault.db.new"

    @property
    def lock(self) -> Path:
        """The writer lock."""
        return self.folder / "vault.lock"

    @property
    def backups(self) -> Path:
        """Copies, each in a folder of its own."""
        return self.folder / "backups"

    @property
    def restoring(self) -> Path:
        """A restore that was decided; whoever opens the vault next finishes it."""
        return self.folder / "restoring"


def sidecars(store: Path) -> tuple[Path, ...]:
    """Return the files SQLite keeps beside a store while it is open."""
    return tuple(store.with_name(store.name + suffix) for suffix in ("-wal", "-shm", "-journal"))
