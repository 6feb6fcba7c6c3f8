"""What every act of memory stands on: the store, whose memory it is, the clock, the ids and the settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from memory.budget import BudgetSettings
from memory.policy import Limits
from memory.ports import Clock, Embedder, NewId
from memory.retrieval.request import RecallSettings
from memory.vault.driver_errors import store_errors
from memory.vault.files import full_or_refused

if TYPE_CHECKING:
    from sqlite_utils import Database

    from memory.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """The settings that memory uses."""

    remember: bool = True
    """Whether anything said becomes a memory."""
    persona: str = ""
    budget: BudgetSettings = field(default_factory=BudgetSettings)
    recall: RecallSettings = field(default_factory=RecallSettings)
    limits: Limits = field(default_factory=Limits)
    model_memories: str = "auto"
    """What becomes of a model's checked proposals: "review", "keep", or "auto" (kept when it is large enough)."""


@dataclass(slots=True)
class Core:
    """One profile's memory in an open store."""

    db: Database
    profile: str
    clock: Clock
    new_id: NewId
    tombstone_key: bytes
    embedder: Embedder | None = None
    settings: MemorySettings = field(default_factory=MemorySettings)
    vault: Vault | None = None
    """The vault that the store is in; None for a store in memory, which nothing can be proved of."""

    def now(self) -> datetime:
        """Return the present instant."""
        return self.clock()

    def zone(self) -> str:
        """Return the user's UTC offset as "+hh:mm"."""
        offset = self.clock().strftime("%z") or "+0000"
        return f"{offset[:3]}:{offset[3:5]}"

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """Run everything inside as one commit, or not at all; what the disk refuses has the vault's own errors."""
        with ExitStack() as told:
            if self.vault is not None:
                told.enter_context(full_or_refused(self.vault.folder))
            told.enter_context(store_errors())
            told.enter_context(self.db.atomic())
            yield
