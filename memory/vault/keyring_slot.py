"""A key slot whose secret the system's keyring keeps, and when it opens the vault.

The keyring holds 32 random bytes made for this slot, never the passphrase or the data key. An empty or foreign
answer is "not this computer's slot", so that a person is asked instead. The surprise: a vault without such a slot
never asks, and so never loads, any keyring.
"""

from __future__ import annotations

import base64
import binascii
import os
from contextlib import suppress
from typing import Final

from memory.vault import keyfile
from memory.vault.errors import KeyringUnavailable, WrongPassphrase
from memory.vault.keyfile import KeyFile
from memory.vault.keys import KeyringSecret
from memory.vault.slots import add_slot, remove_slot
from memory.vault.system_keyring import Keyring, system_keyring
from memory.vault.vault import Vault

_SECRET_BYTES: Final = 32
_MISSING: Final = "it holds nothing that opens this store: another computer's keyring does, or it was emptied"


def add_keyring_slot(vault: Vault, *, label: str = "this computer", keyring: Keyring | None = None) -> str:
    """Let the system's keyring open the vault and return the new slot's id; it takes the place of an earlier one.

    Stopped anywhere, the keyring opens the vault as it did before, or does by the new slot.
    """
    keyring = keyring or system_keyring()
    before = _opened_by(vault.key_file, _kept_secret(keyring, vault.file_id), allow_cheap=vault.allow_cheap)
    secret = KeyringSecret(os.urandom(_SECRET_BYTES))
    slot = add_slot(vault, secret, label=label)
    try:
        keyring.keep(vault.file_id.hex(), base64.b64encode(secret.secret).decode())
    except KeyringUnavailable:
        remove_slot(vault, slot)
        raise
    if before is not None:
        remove_slot(vault, before)
        if vault.slot_id == before:
            vault.slot_id = slot
    return slot


def find_keyring_secret(
    key_file: KeyFile, *, keyring: Keyring | None = None, allow_cheap: bool = False
) -> KeyringSecret | None:
    """Return what this computer's keyring opens the vault with, None when no slot is for a keyring.

    Raises KeyringUnavailable when there is such a slot and this keyring does not open it.
    """
    if key_file.rotating or not any(slot.kind == "keyring" for slot in key_file.slots):
        return None  # in the middle of a rotation nobody knows which slots stay: a person has to say
    secret = _kept_secret(keyring or system_keyring(), key_file.file_id)
    if secret is None or _opened_by(key_file, secret, allow_cheap=allow_cheap) is None:
        raise KeyringUnavailable(_MISSING)
    return secret


def remove_keyring_slot(vault: Vault, slot_id: str, *, keyring: Keyring | None = None) -> None:
    """Take a keyring slot away, and its secret out of this computer's keyring if it is there.

    Raises KeyringUnavailable when the slot is gone and nobody could look for the secret, which opens nothing more.
    """
    found: KeyringUnavailable | None = None
    mine = False
    try:
        keyring = keyring or system_keyring()
        secret = _kept_secret(keyring, vault.file_id)
        mine = _opened_by(vault.key_file, secret, allow_cheap=vault.allow_cheap) == slot_id
    except KeyringUnavailable as error:
        found = error
    remove_slot(vault, slot_id)
    if found is not None:
        raise found
    if mine and keyring is not None:
        keyring.drop(vault.file_id.hex())


def _kept_secret(keyring: Keyring, file_id: bytes) -> KeyringSecret | None:
    try:
        secret = base64.b64decode(keyring.find(file_id.hex()) or "", validate=True)
    except (binascii.Error, ValueError):
        return None
    return KeyringSecret(secret) if len(secret) == _SECRET_BYTES else None


def _opened_by(key_file: KeyFile, secret: KeyringSecret | None, *, allow_cheap: bool) -> str | None:
    """Return the id of the slot that the secret opens."""
    with suppress(WrongPassphrase):
        if secret is not None:
            return next(keyfile.iter_opened(key_file, secret, allow_cheap=allow_cheap)).slot.id
    return None
