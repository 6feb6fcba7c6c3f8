"""What the screen needs from the rest of Locket: an opened Locket, and the doors that lead to one.

Owns shapes only. The doors are functions so that nothing behind them (store, cryptography, numbers) is
imported before the first picture is on the screen.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from assistant.settings import Settings

if TYPE_CHECKING:
    from assistant.carrying import Tell
    from assistant.chat.events import TurnEvent
    from memory.forget import Outcome, Selection
    from memory.incognito import Kept
    from memory.memory import Memory
    from memory.reader import Reader
    from memory.transfer.archive import Manifest, What
    from memory.transfer.report import ImportReport
    from memory.vault.keys import Secret

T = TypeVar("T")


class EngineStatus(Protocol):
    """What is known of the engines without asking them."""

    @property
    def model(self) -> str | None:
        """The chat model's name; None when there is none."""

    @property
    def notice(self) -> str:
        """What the user should know about the engines; empty when all is well."""

    @property
    def loading(self) -> bool:
        """Whether the chat model is still being loaded."""

    @property
    def window(self) -> int:
        """Tokens of the model's window."""

    @property
    def remote(self) -> bool:
        """Whether answers come from a server that is not this computer's own."""

    @property
    def reading(self) -> tuple[int, int] | None:
        """How far the open conversation is read ahead of time, in tokens; None when that is done."""


class LocketPort(Protocol):
    """An unlocked Locket."""

    @property
    def status(self) -> EngineStatus:
        """Describe the engines; cheap, asks nobody."""

    @property
    def notices(self) -> tuple[str, ...]:
        """What protects the store less than it should, in words; mostly nothing."""

    def turn(
        self,
        text: str,
        *,
        conversation: str | None,
        pasted: tuple[tuple[int, int], ...] = (),
        incognito: bool = False,
        instead_of: str | None = None,
    ) -> AsyncIterator[TurnEvent]:
        """Say something and hear the answer; None begins a conversation."""

    def regenerate(self, conversation: str, *, incognito: bool = False) -> AsyncIterator[TurnEvent]:
        """Answer the last user message again."""

    async def act_incognito(self, fn: Callable[[Memory], T]) -> T:
        """Change or read the incognito conversation."""

    async def keep_incognito(self, conversation: str) -> Kept:
        """Make the incognito conversation an ordinary one."""

    def end_incognito(self) -> None:
        """Forget the incognito conversation."""

    def open_conversation(self, conversation: str | None) -> None:
        """Have a conversation's prompt read in idle time; None is one not yet begun."""

    def stop(self) -> None:
        """End the answer that is being made, keeping what was said."""

    async def act(self, fn: Callable[[Memory], T]) -> T:
        """Change memory, also between two chunks of an answer."""

    async def read(self, fn: Callable[[Reader], T]) -> T:
        """Look into the store without disturbing the answer."""

    async def forget(self, selection: Selection, progress: Callable[[str, int, int], None]) -> Outcome:
        """Forget for good and prove it; an answer that is being made ends first."""

    def count_backups(self) -> int:
        """Return how many backups are beside the store."""

    async def renew_backups(self, tell: Tell) -> int:
        """Put a backup of now in the place of all others and say how many those were."""

    async def export_file(self, file: Path, passphrase: str, what: What, tell: Tell) -> Manifest:
        """Write an encrypted archive; raise CarryStopped when it was stopped."""

    async def import_file(
        self, file: Path, passphrase: str | None, tell: Tell, *, trust: bool, dry_run: bool
    ) -> ImportReport:
        """Take a file in, or only try; without a passphrase it is another program's export."""

    def stop_carrying(self) -> None:
        """End an export or import; nothing of it is left."""

    async def use_model(self, model: str) -> None:
        """Answer with another model from now on."""

    async def close(self) -> None:
        """End the engines and drop the keys."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model that the first run can offer."""

    value: str
    """What `use_model` takes."""
    title: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class RecoveryKey:
    """A recovery key that nothing opens with yet."""

    groups: str = field(repr=False)
    """As it is shown, on two lines."""
    is_confirmed_by: Callable[[str], bool]
    """Whether somebody typed its last group."""
    keep: Callable[[], None]
    """Lets it open the store from now on; blocks."""


@dataclass(frozen=True, slots=True)
class Doors:
    """The ways in; every one blocks and is called from a worker's thread."""

    store_exists: Callable[[Settings], bool]
    create_store: Callable[[Settings, str], None]
    open_locket: Callable[[Settings, str | Secret], LocketPort]
    list_models: Callable[[Settings], Sequence[ModelChoice]]
    new_recovery: Callable[[Settings, str], RecoveryKey] | None = None
    """Makes a recovery key for a new store; None offers none."""
    has_keyring: Callable[[Settings], bool] = lambda _: False
    """Whether a key slot is for a keyring; cheap."""
    ask_keyring: Callable[[Settings], Secret | None] = lambda _: None
    """Gets what unlocks the store out of the system's keyring, which may first ask the user about it."""
