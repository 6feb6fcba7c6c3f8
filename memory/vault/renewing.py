"""A new backup in the place of all others, so that none beside the store holds what was forgotten since.

Owns the order: the new one is whole before the first old one goes. One surprise: what lies there and does not say
what it is goes too, since it may hold a whole older store.
"""

from __future__ import annotations

from collections.abc import Callable

from memory.vault.backup import list_backups
from memory.vault.old_backups import list_unreadable, remove_backups
from memory.vault.vault import Vault


def renew_backups(vault: Vault, *, progress: Callable[[int, int], None] | None = None) -> int:
    """Copy the store as it is now, remove every other backup and say how many; ``progress`` may raise to stop."""
    card = vault.backup("daily", progress=progress)
    others = [one.name for one in list_backups(vault.folder) if one.path != card.path]
    doomed = (*others, *list_unreadable(vault.folder))
    remove_backups(vault.folder, doomed)
    return len(doomed)
