"""One key slot: a data key wrapped under one secret.

Owns wrapping, unwrapping and the slot's JSON shape. Everything a slot says about itself is authenticated
with the wrapped key, so a changed cost, label, date or id makes unwrapping fail. "Not this slot" is None;
every other trouble is an error.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, get_args

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from memory.vault import kdf
from memory.vault.errors import KdfOutOfBounds, KeyFileDamaged
from memory.vault.keys import DATA_KEY_BYTES, Passphrase, Secret, SlotKind, kind_of

NONCE_BYTES: Final = 12
WRAPPED_BYTES: Final = DATA_KEY_BYTES + 16
_SLOT_KEYS: Final = {"created", "generation", "id", "kdf", "kind", "label", "nonce", "salt", "wrapped"}
_KDF_KEYS: Final = {"alg", "m_kib", "p", "t"}


@dataclass(frozen=True, slots=True)
class Slot:
    """A wrapped data key and all that is needed to try a secret on it."""

    id: str
    kind: SlotKind
    label: str
    created: str
    generation: int
    """Counts rotations of the data key; two generations stand side by side only while one is running."""
    params: kdf.Argon2Params | None
    """None unless the secret is a passphrase: the others have full entropy already."""
    salt: bytes
    nonce: bytes = b""
    wrapped: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Draw:
    """The randomness that one wrapping uses up."""

    slot_id: bytes
    salt: bytes
    nonce: bytes


def fresh_draw() -> Draw:
    """Draw the randomness of one wrapping."""
    return Draw(os.urandom(9), os.urandom(kdf.SALT_BYTES), os.urandom(NONCE_BYTES))


def canonical(value: object) -> bytes:
    """Return the one JSON spelling of a value: sorted, without spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def wrap(
    data_key: bytes,
    secret: Secret,
    *,
    head: Mapping[str, object],
    label: str,
    created: str,
    generation: int,
    params: kdf.Argon2Params,
    allow_cheap: bool = False,
    draw: Draw | None = None,
) -> Slot:
    """Return a slot that gives the data key back for this secret."""
    drawn = draw or fresh_draw()
    bare = Slot(
        id=_text(drawn.slot_id),
        kind=kind_of(secret),
        label=label,
        created=created,
        generation=generation,
        params=params if isinstance(secret, Passphrase) else None,
        salt=drawn.salt,
    )
    key = _wrapping_key(bare, secret, allow_cheap=allow_cheap)
    wrapped = AESGCM(key).encrypt(drawn.nonce, data_key, _authenticated(head, bare))
    return replace(bare, nonce=drawn.nonce, wrapped=wrapped)


def unwrap(
    slot: Slot, secret: Secret, *, head: Mapping[str, object], allow_cheap: bool = False
) -> bytes | None:
    """Return the data key, or None when the secret is not this slot's."""
    if kind_of(secret) != slot.kind:
        return None
    key = _wrapping_key(slot, secret, allow_cheap=allow_cheap)
    try:
        return AESGCM(key).decrypt(slot.nonce, slot.wrapped, _authenticated(head, slot))
    except InvalidTag:
        return None


def slot_to_json(slot: Slot) -> dict[str, Any]:
    """Return the slot as it stands in the key file."""
    return {
        **_described(slot),
        "nonce": _text(slot.nonce),
        "wrapped": _text(slot.wrapped),
    }


def slot_from_json(value: object, *, allow_cheap: bool = False) -> Slot:
    """Read a slot back; anything missing, extra, mistyped or out of bounds is damage."""
    if not isinstance(value, dict) or set(value) != _SLOT_KEYS:
        raise KeyFileDamaged("a key slot has missing or unknown fields")
    if value["kind"] not in get_args(SlotKind):
        raise KeyFileDamaged("a key slot is of an unknown kind")
    if any(not isinstance(value[name], str) for name in _SLOT_KEYS - {"generation", "kdf"}):
        raise KeyFileDamaged("a key slot holds a value of the wrong type")
    if type(value["generation"]) is not int or value["generation"] < 1:
        raise KeyFileDamaged("a key slot has no generation")
    return Slot(
        id=value["id"],
        kind=value["kind"],
        label=value["label"],
        created=value["created"],
        generation=value["generation"],
        params=_params_from_json(value["kdf"], value["kind"], allow_cheap=allow_cheap),
        salt=_bytes(value["salt"], kdf.SALT_BYTES),
        nonce=_bytes(value["nonce"], NONCE_BYTES),
        wrapped=_bytes(value["wrapped"], WRAPPED_BYTES),
    )


def _described(slot: Slot) -> dict[str, Any]:
    params = slot.params
    cost = {"alg": "argon2id", "m_kib": params.m_kib, "p": params.p, "t": params.t} if params else None
    return {
        "created": slot.created,
        "generation": slot.generation,
        "id": slot.id,
        "kdf": cost,
        "kind": slot.kind,
        "label": slot.label,
        "salt": _text(slot.salt),
    }


def _authenticated(head: Mapping[str, object], slot: Slot) -> bytes:
    return canonical({"head": dict(head), "slot": _described(slot)})


def _wrapping_key(slot: Slot, secret: Secret, *, allow_cheap: bool) -> bytes:
    if isinstance(secret, Passphrase):
        if slot.params is None:
            raise KeyFileDamaged("a passphrase slot states no cost")
        return kdf.derive(secret.text, slot.salt, slot.params, allow_cheap=allow_cheap)
    info = b"locket vault 1 slot " + slot.kind.encode()
    return HKDF(hashes.SHA256(), kdf.KEY_BYTES, slot.salt, info).derive(secret.secret)


def _params_from_json(value: object, kind: str, *, allow_cheap: bool) -> kdf.Argon2Params | None:
    if kind != "passphrase":
        if value is not None:
            raise KeyFileDamaged("only a passphrase slot states a cost")
        return None
    if not isinstance(value, dict) or set(value) != _KDF_KEYS or value["alg"] != "argon2id":
        raise KeyFileDamaged("a passphrase slot states no cost that is known")
    if any(type(value[name]) is not int for name in _KDF_KEYS - {"alg"}):
        raise KeyFileDamaged("a passphrase slot states a cost that is not a number")
    params = kdf.Argon2Params(t=value["t"], m_kib=value["m_kib"], p=value["p"])
    try:
        kdf.check_params(params, allow_cheap=allow_cheap)
    except KdfOutOfBounds as error:
        raise KeyFileDamaged(f"a passphrase slot asks for a refused cost: {error}") from error
    return params


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def _bytes(text: str, length: int) -> bytes:
    try:
        value = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise KeyFileDamaged("a key slot holds text that is not base64") from error
    if len(value) != length or _text(value) != text:
        raise KeyFileDamaged("a key slot holds a value of the wrong length")
    return value
