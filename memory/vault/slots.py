"""Changes to the list of key slots: add, list, remove, a new passphrase, a higher cost.

Each change makes a new key file and replaces the old one atomically; the store is not touched. None of them
revokes anything for somebody who kept an old key file and its secret: only a new data key does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from memory.vault import keyfile
from memory.vault.crashpoints import point
from memory.vault.errors import READ_BY_ANOTHER, LastSlot, NoSuchSlot, StoreInUse, StoreUnwritable
from memory.vault.kdf import DEFAULT, Argon2Params
from memory.vault.keyfile import Opened
from memory.vault.keys import Passphrase, Secret, SlotKind
from memory.vault.keyslots import Slot, wrap
from memory.vault.opening import settled
from memory.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class SlotCard:
    """What may be shown about a slot."""

    id: str
    kind: SlotKind
    label: str
    created: str
    current: bool
    """Whether this slot opened the vault now."""


def list_slots(vault: Vault) -> tuple[SlotCard, ...]:
    """Return every key slot, in the order in which they were added."""
    return tuple(
        SlotCard(slot.id, slot.kind, slot.label, slot.created, slot.id == vault.slot_id)
        for slot in vault.key_file.slots
    )


def add_slot(vault: Vault, secret: Secret, *, label: str = "", params: Argon2Params = DEFAULT) -> str:
    """Let one more secret open the vault and return its slot's id."""
    settle(vault)
    slot = _wrapped(vault, secret, label=label, params=params)
    _store(vault, (*vault.key_file.slots, slot))
    return slot.id


def remove_slot(vault: Vault, slot_id: str) -> None:
    """Take a slot away; the last one stays, and the last one that does not need a keyring."""
    settle(vault)
    kept = tuple(slot for slot in vault.key_file.slots if slot.id != slot_id)
    if len(kept) == len(vault.key_file.slots):
        raise NoSuchSlot(f"there is no key slot {slot_id!r}")
    require_lasting(slot.kind for slot in kept)
    _store(vault, kept)


def require_lasting(kinds: Iterable[SlotKind]) -> None:
    """Raise LastSlot unless one of these opens the vault wherever it is: a keyring stays with its computer."""
    left = set(kinds)
    if not left:
        raise LastSlot("this is the only key slot: without it nothing opens the vault")
    if left == {"keyring"}:
        raise LastSlot(
            "without it only a keyring opens the vault, and a keyring can be lost with its computer"
        )


def change_passphrase(
    vault: Vault, new: str, *, slot_id: str | None = None, params: Argon2Params = DEFAULT
) -> str:
    """Give a passphrase slot (by default the one that opened the vault, else the only one) a new passphrase."""
    settle(vault)
    old = _passphrase_slot(vault, slot_id)
    slot = _wrapped(vault, Passphrase(new), label=old.label, params=params)
    point("rewrap.wrapped")
    _store(vault, tuple(slot if other.id == old.id else other for other in vault.key_file.slots))
    if vault.slot_id == old.id:
        vault.slot_id = slot.id
    return slot.id


def settle(vault: Vault) -> None:
    """Drop the other data key that an interrupted rotation left; raise StoreInUse while a reader holds its pages."""
    if not vault.key_file.rotating:
        return
    if not vault.checkpoint_truncate():
        raise StoreInUse(None, None, READ_BY_ANOTHER)
    slot = next(slot for slot in vault.key_file.slots if slot.id == vault.slot_id)
    vault.key_file = settled(vault.key_file, Opened(slot, vault.data_key))
    keyfile.save(vault.key_file, vault.layout.key_file)


def _passphrase_slot(vault: Vault, slot_id: str | None) -> Slot:
    choices = [slot for slot in vault.key_file.slots if slot.kind == "passphrase"]
    wanted = slot_id or (vault.slot_id if any(slot.id == vault.slot_id for slot in choices) else None)
    if wanted is not None:
        choices = [slot for slot in choices if slot.id == wanted]
    if len(choices) != 1:
        raise NoSuchSlot("say which passphrase slot to change: " + ", ".join(slot.id for slot in choices))
    return choices[0]


def _wrapped(vault: Vault, secret: Secret, *, label: str, params: Argon2Params) -> Slot:
    return wrap(
        vault.data_key,
        secret,
        head=vault.key_file.head,
        label=label,
        created=vault.now().isoformat(),
        generation=vault.key_file.generation,
        params=params,
        allow_cheap=vault.allow_cheap,
    )


def _store(vault: Vault, slots: tuple[Slot, ...]) -> None:
    if not vault.writable:
        raise StoreUnwritable("the vault is open for reading only")
    changed = keyfile.sealed(
        replace(vault.key_file, slots=slots), {vault.key_file.generation: vault.data_key}
    )
    keyfile.save(changed, vault.layout.key_file)
    vault.key_file = changed
