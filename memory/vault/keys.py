"""Secrets that open a vault, and the keys that the data key turns into.

Owns the three kinds of secret and one HKDF with a label per use; the data key itself never encrypts
anything. The surprise: keys for tombstones and certificates do not come from the data key but from a seal
kept inside the store, so that changing the data key leaves them valid.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Final, Literal

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

DATA_KEY_BYTES: Final = 32
DATA_LABELS: Final = frozenset({"db", "files", "slots"})
SEAL_LABELS: Final = frozenset({"tombstones", "certificates"})

SlotKind = Literal["passphrase", "recovery", "keyring"]


@dataclass(frozen=True, slots=True)
class Passphrase:
    """Words a person knows."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Recovery:
    """The 32 random bytes of a recovery key."""

    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeyringSecret:
    """32 random bytes that the system's keyring holds for one slot."""

    secret: bytes = field(repr=False)


Secret = Passphrase | Recovery | KeyringSecret


def kind_of(secret: Secret) -> SlotKind:
    """Return the kind of slot that a secret can open."""
    match secret:
        case Passphrase():
            return "passphrase"
        case Recovery():
            return "recovery"
        case KeyringSecret():
            return "keyring"


def new_data_key() -> bytes:
    """Draw a fresh data key."""
    return os.urandom(DATA_KEY_BYTES)


def subkey(root: bytes | bytearray, label: str, file_id: bytes) -> bytes:
    """Return the key of one use; other labels or other vaults give unrelated keys."""
    if len(root) != DATA_KEY_BYTES:
        raise ValueError("a root key has 32 bytes")
    if label not in DATA_LABELS | SEAL_LABELS:
        raise ValueError(f"{label!r} is not a use of the vault's keys")
    info = b"locket vault 1 " + label.encode()
    return HKDF(hashes.SHA256(), DATA_KEY_BYTES, file_id, info).derive(bytes(root))
