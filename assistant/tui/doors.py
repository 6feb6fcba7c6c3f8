"""The real doors: each imports what it opens when it is called, in a worker's thread, never before."""

# ruff: noqa: PLC0415 - late imports are the point: the first picture must not wait for store and cryptography

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.paths import holds_store
from assistant.settings import Settings
from assistant.tui.ports import Doors, LocketPort, ModelChoice, RecoveryKey

if TYPE_CHECKING:
    from memory.vault.keys import Secret
    from models.registry import ListedModel


def store_exists(settings: Settings) -> bool:
    """Say whether there is a store."""
    return holds_store(settings.paths.vault)


def create_store(settings: Settings, passphrase: str) -> None:
    """Make a store."""
    from assistant import wiring

    wiring.create_store(settings, passphrase)


def open_locket(settings: Settings, secret: str | Secret) -> LocketPort:
    """Open the store and start the engines."""
    from assistant import wiring

    return wiring.open_locket(settings, secret)


def has_keyring(settings: Settings) -> bool:
    """Say whether the system's keyring may open the store."""
    from assistant import wiring

    return wiring.has_keyring_slot(settings)


def ask_keyring(settings: Settings) -> Secret | None:
    """Get the keyring's secret."""
    from assistant import wiring

    return wiring.find_keyring_secret(settings)


def new_recovery(settings: Settings, passphrase: str) -> RecoveryKey:
    """Make a recovery key for a store that was just made; it opens nothing before it is kept."""
    from assistant import wiring
    from memory.vault import recovery
    from memory.vault.slots import add_slot

    made = recovery.new_recovery()
    groups = recovery.recovery_groups(made)
    half = len(groups) // 2

    def keep() -> None:
        with wiring.open_store(settings, passphrase) as vault:
            add_slot(vault, made)

    return RecoveryKey(
        groups="-".join(groups[:half]) + "-\n" + "-".join(groups[half:]),
        is_confirmed_by=lambda typed: recovery.group_matches(made, len(groups) - 1, typed),
        keep=keep,
    )


def list_models(settings: Settings) -> Sequence[ModelChoice]:
    """List the chat models of this computer that can be used, the one Locket would choose first."""
    from models.errors import ModelError
    from models.registry import choose_chat
    from models.registry import list_models as listed

    folder = settings.paths.models
    usable = [model for model in listed(folder) if model.role == "chat" and not model.problem]
    try:
        best = choose_chat(folder, settings.model).path
    except ModelError:
        best = None
    usable.sort(key=lambda model: (model.path != best, model.name))
    return [_choice(model) for model in usable]


def _choice(model: ListedModel) -> ModelChoice:
    title = model.entry.title if model.entry else model.name
    size = f"{model.path.stat().st_size / 1e6:,.0f} MB"
    return ModelChoice(model.name if model.entry else str(model.path), title, size)


def real_doors() -> Doors:
    """Return the doors to the real store."""
    return Doors(store_exists, create_store, open_locket, list_models, new_recovery, has_keyring, ask_keyring)
