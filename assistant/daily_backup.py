"""One backup a day, made in an idle moment and given up at once when somebody wants something.

Owns when to try; what a backup is, and which old one goes, is the vault's. A backup that cannot be made is said
once and tried again the next time Locket opens.
"""

from __future__ import annotations

import logging
import threading
from datetime import date

from assistant.problems import to_problem
from memory.vault.errors import VaultError
from memory.vault.vault import Vault

log = logging.getLogger("locket.backup")


class _DisturbedError(Exception):
    """Somebody wants something; the half backup goes."""


class DailyBackup:
    """Makes the day's backup of an open vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._done_on: date | None = None
        self._failed = False

    def step(self, disturbed: threading.Event) -> None:
        """Make the day's backup unless there is one."""
        today = self._vault.now().date()
        if self._failed or self._done_on == today:
            return

        def between(_done: int, _total: int) -> None:
            if disturbed.is_set():
                raise _DisturbedError

        try:
            self._vault.backup_daily(progress=between)
        except _DisturbedError:
            return
        except VaultError as error:
            self._failed = True
            problem = to_problem(error)
            words = f"{problem.title}. {problem.detail}" if problem else type(error).__name__
            log.warning("no backup today: %s", type(error).__name__)
            self._vault.notices += (f"Today's backup could not be made: {words}",)
            return
        self._done_on = today
