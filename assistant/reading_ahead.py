"""Reading a conversation's prompt before anybody speaks, in idle time, so that the first words come at once.

Owns which conversation is open and what of it has been read. The surprise: nothing here may cost a message anything,
so a top that is out of date replaces the old one only after the engine has read the new one to its end.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from assistant.chat.counter import TokenCounter
from assistant.chat.prefix import Prefix
from memory.errors import BudgetImpossible, NotFound
from memory.memory import Memory
from memory.standing import Standing
from models.errors import ModelError
from models.types import ModelCard

log = logging.getLogger("locket.reading")


@dataclass(frozen=True, slots=True)
class _Open:
    conversation: str | None


class ReadingAhead:
    """Keeps the open conversation's prompt evaluated."""

    def __init__(self, told: Callable[[tuple[int, int] | None], None]) -> None:
        """Tell ``told`` how many of how many tokens are read; None when there is nothing to tell."""
        self._told = told
        self._open: _Open | None = None
        self._read: Standing | None = None

    def open(self, conversation: str | None) -> None:
        """Read this conversation from now on; None is one not yet begun."""
        self._open, self._read = _Open(conversation), None

    def again(self) -> None:
        """Take nothing for read any more."""
        self._read = None

    def give_up(self) -> None:
        """Read nothing until a conversation is opened or spoken in."""
        self._open = None

    def step(
        self,
        memory: Memory,
        prefix: Prefix,
        count: TokenCounter,
        card: ModelCard,
        disturbed: threading.Event,
    ) -> None:
        """Read what is not read yet, until done or disturbed."""
        wish = self._open
        if wish is None or card.path is None:  # another's server is not kept busy ahead of time
            return
        try:
            standing = memory.standing(wish.conversation, count, card.n_ctx, model_sha256=card.sha256)
            if standing == self._read:
                return
            if prefix.read_ahead(standing, disturbed, self._progress):
                memory.keep_head(standing)
                self._read = memory.standing(wish.conversation, count, card.n_ctx, model_sha256=card.sha256)
        except (NotFound, BudgetImpossible, ModelError) as error:  # the next message says it in words
            log.warning("reading ahead ended: %s", type(error).__name__)
            self._open = None
        finally:
            self._told(None)

    def _progress(self, done: int, total: int) -> None:
        self._told((done, total) if done < total else None)
