"""What was forgotten here and must not come back with an archive.

Owns the marks that stood in the store before the import, looked up with every key they may have been made
with. One surprise: a mark that the archive itself carries guards against nothing in it, because the store it
was written from lived with both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.forgetting.marking import mark_of
from memory.policy import slot_hash
from memory.store.profiles import list_profiles
from memory.store.tombstones import list_tombstones, other_keys

if TYPE_CHECKING:
    from sqlite_utils import Database

    from memory.store.stored import Tombstone


@dataclass(frozen=True, slots=True)
class Guard:
    """Marks to be held against what arrives."""

    keys: tuple[bytes, ...]
    hashes: frozenset[str]
    places: dict[str, tuple[tuple[int | None, int | None], ...]]
    """Message → the characters of it that were forgotten; None for all."""

    def covers_slot(self, profile: str, subject: str, attribute: str, value: str) -> bool:
        """Tell whether this statement was forgotten."""
        return bool(self.hashes) and any(
            slot_hash(key, profile, subject, attribute, value).hex() in self.hashes for key in self.keys
        )

    def covers_row(self, kind: str, ident: str, profile: str) -> bool:
        """Tell whether this text, known by its id alone, was forgotten."""
        return bool(self.hashes) and any(
            mark_of(key, profile, kind, ident) in self.hashes for key in self.keys
        )

    def covers_message(self, message: str | None) -> bool:
        """Tell whether anything of this message was forgotten."""
        return message in self.places

    def covers_place(self, message: str | None, start: int | None, end: int | None) -> bool:
        """Tell whether any of these characters of a message were forgotten."""
        if message is None or start is None or end is None:
            return False
        return any(
            first is None or last is None or (first < end and last > start)
            for first, last in self.places.get(message, ())
        )


def standing_marks(db: Database) -> list[Tombstone]:
    """List the marks of every profile."""
    return [mark for profile in list_profiles(db) for mark in list_tombstones(db, profile.id)]


def make_guard(db: Database, own_key: bytes, marks: Iterable[Tombstone], shared: Sequence[str]) -> Guard:
    """Return the guard of these marks, without the ones that the archive has too."""
    known = set(shared)
    standing = [mark for mark in marks if mark.id not in known]
    places: dict[str, tuple[tuple[int | None, int | None], ...]] = {}
    for mark in standing:
        if mark.message is not None:
            places[mark.message] = (*places.get(mark.message, ()), (mark.start, mark.end))
    hashes = frozenset(mark.hash for mark in standing)
    return Guard((own_key, *other_keys(db)), hashes, places)
