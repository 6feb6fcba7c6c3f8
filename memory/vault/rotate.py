"""A new data key for the store, in two phases that a kill cannot break.

First the key file holds the old and the new data key, then SQLCipher re-encrypts every page in one transaction,
then the key file drops the old one. Whatever opens the vault in between finds out which key the store has. It
revokes nothing in copies: an old backup, or an old key file with its passphrase and an old store, still opens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.vault import keyfile
from memory.vault.crashpoints import point
from memory.vault.driver_errors import store_errors
from memory.vault.errors import READ_BY_ANOTHER, StoreInUse, StoreUnwritable, WrongPassphrase
from memory.vault.exclusive import leave_log
from memory.vault.files import full_or_refused
from memory.vault.guard import off_guard
from memory.vault.kdf import DEFAULT, Argon2Params
from memory.vault.keys import Secret, kind_of, new_data_key, subkey
from memory.vault.keyslots import Slot, wrap
from memory.vault.slots import SlotCard, list_slots, require_lasting, settle
from memory.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class Rotation:
    """What a change of the data key did to the slots."""

    kept: tuple[SlotCard, ...]
    dropped: tuple[SlotCard, ...]
    """Slots whose secret was not presented: they open only older copies now."""


def rotate(vault: Vault, secrets: Sequence[Secret], *, params: Argon2Params = DEFAULT) -> Rotation:
    """Re-encrypt the store under a new data key that only the given secrets open.

    Every reader of the vault must be closed first. A failure during re-encryption locks the vault; opening it
    again finds whichever key the store has.
    """
    if not vault.writable:
        raise StoreUnwritable("the vault is open for reading only")
    require_lasting(kind_of(secret) for secret in secrets)
    with full_or_refused(vault.folder):
        return _rotate(vault, secrets, params)


def _rotate(vault: Vault, secrets: Sequence[Secret], params: Argon2Params) -> Rotation:
    settle(vault)
    before = vault.key_file
    old_key, new_key = vault.data_key, new_data_key()
    generation = before.generation + 1
    replaced = {slot.id: wrapped for slot, wrapped in _rewrapped(vault, secrets, new_key, generation, params)}
    if vault.slot_id not in replaced:
        raise WrongPassphrase("the secret that opened the vault must be among those that will open it")
    cards = list_slots(vault)
    new_slots = tuple(replaced.values())
    with store_errors():
        leave_log(vault.db)  # nobody else may have it open: they would read pages of a key they lack
        vault.db.conn.execute("PRAGMA journal_mode = WAL")
    both = keyfile.sealed(
        replace(before, slots=before.slots + new_slots), {before.generation: old_key, generation: new_key}
    )
    try:
        keyfile.save(both, vault.layout.key_file)
        point("rotate.both-keys")
        with store_errors(), off_guard(vault.db.conn):
            raw = subkey(new_key, "db", vault.file_id)
            vault.db.conn.execute(f"PRAGMA rekey = \"x'{raw.hex()}'\"")
        point("rotate.rekeyed")
        _empty_log(vault)  # until then the old key may still be needed
        point("rotate.checkpointed")
        after = keyfile.sealed(replace(before, slots=new_slots), {generation: new_key})
        keyfile.save(after, vault.layout.key_file)
        point("rotate.settled")
    except BaseException:
        vault.close()
        raise
    dropped = tuple(card for card in cards if card.id not in replaced)
    vault.adopt(after, new_key, replaced[vault.slot_id].id)
    return Rotation(list_slots(vault), dropped)


def _empty_log(vault: Vault) -> None:
    if not vault.checkpoint_truncate():
        raise StoreInUse(None, None, READ_BY_ANOTHER)


def _rewrapped(
    vault: Vault, secrets: Sequence[Secret], new_key: bytes, generation: int, params: Argon2Params
) -> list[tuple[Slot, Slot]]:
    pairs: list[tuple[Slot, Slot]] = []
    for secret in secrets:
        old = next(keyfile.iter_opened(vault.key_file, secret, allow_cheap=vault.allow_cheap)).slot
        new = wrap(
            new_key,
            secret,
            head=vault.key_file.head,
            label=old.label,
            created=old.created,
            generation=generation,
            params=params,
            allow_cheap=vault.allow_cheap,
        )
        pairs.append((old, new))
    return pairs
