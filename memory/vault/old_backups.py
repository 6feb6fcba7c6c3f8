"""Backups that somebody lets go by hand: by their names, or all but the newest that is whole.

Owns which folders count as backups of this vault, damaged ones included. The surprise: the store that a restore put
aside is never the one that stays, since it may be what was damaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memory.vault.backup import is_whole, list_backups, remove_backup
from memory.vault.errors import BackupUnusable
from memory.vault.layout import Layout


def list_unreadable(folder: Path) -> tuple[str, ...]:
    """Return the names of folders among the backups that do not say what they are; one may be half rotten."""
    backups = Layout(folder).backups
    if not backups.is_dir():
        return ()
    known = {card.name for card in list_backups(folder)}
    found = (entry for entry in backups.iterdir() if entry.is_dir() and not entry.name.startswith("."))
    return tuple(sorted(entry.name for entry in found if entry.name not in known))


def list_all_but_newest(folder: Path) -> tuple[str, ...]:
    """Return every backup's name but the newest whole one's; raise BackupUnusable when none is whole."""
    cards = list_backups(folder)
    for card in reversed(cards):
        if card.reason != "replaced" and is_whole(card):
            others = tuple(other.name for other in cards if other.path != card.path)
            return (*others, *list_unreadable(folder))
    raise BackupUnusable("no backup here is whole, so none is taken away: make a new one first")


def remove_backups(folder: Path, names: Sequence[str]) -> None:
    """Delete backups for good, after a look that each name is one."""
    known = {*(card.name for card in list_backups(folder)), *list_unreadable(folder)}
    for name in names:
        if name not in known:
            raise BackupUnusable(f"there is no backup {name!r} here")
    for name in dict.fromkeys(names):
        remove_backup(Layout(folder).backups / name)
