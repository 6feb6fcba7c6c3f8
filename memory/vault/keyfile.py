"""The key file: a list of slots, a checksum against damage, and a seal over the list.

Owns the bytes of ``vault.key``. Two different checks: a plain SHA-256 over all of it tells a damaged file
from a wrong passphrase before any secret is tried, and a keyed MAC per generation tells, once unlocked,
whether somebody added, removed or exchanged slots. The first line keeps its shape for ever, so that any later
version can be named as newer rather than as broken.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from memory.vault.errors import KeyFileDamaged, NewerVersion, WrongPassphrase
from memory.vault.files import read_errors, write_atomically
from memory.vault.keys import Secret, subkey
from memory.vault.keyslots import Slot, canonical, slot_from_json, slot_to_json, unwrap

MAGIC: Final = "locket-keyfile"
VERSION: Final = 1
AEAD: Final = "AES-256-GCM"
FILE_ID_BYTES: Final = 16
MAX_BYTES: Final = 256 * 1024
MAX_SLOTS: Final = 64
_FIRST_LINE: Final = re.compile(rb"locket-keyfile ([1-9][0-9]{0,8}) ([0-9a-f]{64})")
_BODY_KEYS: Final = {"aead", "file_id", "macs", "slots"}


@dataclass(frozen=True, slots=True)
class KeyFile:
    """The content of a key file; changing it means making and saving another one."""

    file_id: bytes
    slots: tuple[Slot, ...]
    macs: Mapping[int, bytes]
    """Generation of the data key → MAC over the header and every slot."""

    @property
    def head(self) -> dict[str, object]:
        """The header as every slot authenticates it."""
        return {"aead": AEAD, "file_id": self.file_id.hex(), "magic": MAGIC, "version": VERSION}

    @property
    def generation(self) -> int:
        """The newest generation of the data key."""
        return max(slot.generation for slot in self.slots)

    @property
    def rotating(self) -> bool:
        """Whether two generations stand side by side."""
        return len({slot.generation for slot in self.slots}) > 1


@dataclass(frozen=True, slots=True)
class Opened:
    """What a secret opened: the slot, and the data key in it."""

    slot: Slot
    data_key: bytes


def sealed(key_file: KeyFile, data_keys: Mapping[int, bytes]) -> KeyFile:
    """Return the key file with a MAC for each generation it holds."""
    content = _listed(key_file)
    generations = {slot.generation for slot in key_file.slots}
    macs = {number: _mac(content, data_keys[number], key_file.file_id) for number in generations}
    return replace(key_file, macs=macs)


def iter_opened(key_file: KeyFile, secret: Secret, *, allow_cheap: bool = False) -> Iterator[Opened]:
    """Yield what the secret opens, the newest generation first; raise WrongPassphrase when that is nothing."""
    found = False
    for slot in sorted(key_file.slots, key=lambda slot: -slot.generation):
        data_key = unwrap(slot, secret, head=key_file.head, allow_cheap=allow_cheap)
        if data_key is None:
            continue
        found = True
        expected = _mac(_listed(key_file), data_key, key_file.file_id)
        if not hmac.compare_digest(expected, key_file.macs[slot.generation]):
            raise KeyFileDamaged("the list of key slots was changed by somebody without the data key")
        yield Opened(slot, data_key)
    if not found:
        raise WrongPassphrase


def encode(key_file: KeyFile) -> bytes:
    """Return the bytes of a key file."""
    body = _body(key_file) + b"\n"
    return _first_line(VERSION, body) + b"\n" + body


def decode(content: bytes, *, allow_cheap: bool = False) -> KeyFile:
    """Read a key file back; damage is found before the version is believed."""
    if len(content) > MAX_BYTES:
        raise KeyFileDamaged("the key file is far larger than any key file")
    line, newline, body = content.partition(b"\n")
    match = _FIRST_LINE.fullmatch(line)
    if match is None or not newline:
        raise KeyFileDamaged("the key file does not start like one")
    version = int(match[1])
    if _first_line(version, body) != line:
        raise KeyFileDamaged("the key file was damaged: its checksum does not match")
    if version > VERSION:
        raise NewerVersion("key file", version, VERSION)
    try:
        value = json.loads(body)
    except ValueError as error:
        raise KeyFileDamaged("the key file is not the JSON it should be") from error
    key_file = _from_json(value, allow_cheap=allow_cheap)
    if encode(key_file) != content:
        raise KeyFileDamaged("the key file is spelled in a way no version writes")
    return key_file


def load(path: Path, *, allow_cheap: bool = False) -> KeyFile:
    """Read and check the key file at a path."""
    try:
        with read_errors(path.name), path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise KeyFileDamaged(f"{path.name} is missing; a backup holds a copy") from error
    return decode(content, allow_cheap=allow_cheap)


def save(key_file: KeyFile, path: Path) -> None:
    """Replace the key file at a path atomically."""
    write_atomically(path, encode(key_file), named="keyfile")


def _first_line(version: int, body: bytes) -> bytes:
    start = f"{MAGIC} {version} "
    return start.encode() + hashlib.sha256(start.encode() + body).hexdigest().encode()


def _listed(key_file: KeyFile) -> bytes:
    return canonical({"head": key_file.head, "slots": [slot_to_json(slot) for slot in key_file.slots]})


def _mac(content: bytes, data_key: bytes, file_id: bytes) -> bytes:
    return hmac.digest(subkey(data_key, "slots", file_id), content, "sha256")


def _body(key_file: KeyFile) -> bytes:
    return canonical(
        {
            "aead": AEAD,
            "file_id": key_file.file_id.hex(),
            "macs": {str(number): base64.b64encode(mac).decode() for number, mac in key_file.macs.items()},
            "slots": [slot_to_json(slot) for slot in key_file.slots],
        }
    )


def _from_json(value: Any, *, allow_cheap: bool) -> KeyFile:
    if not isinstance(value, dict) or set(value) != _BODY_KEYS or value["aead"] != AEAD:
        raise KeyFileDamaged("the key file has missing or unknown fields")
    if not isinstance(value["slots"], list) or not 1 <= len(value["slots"]) <= MAX_SLOTS:
        raise KeyFileDamaged("the key file holds no usable list of slots")
    slots = tuple(slot_from_json(slot, allow_cheap=allow_cheap) for slot in value["slots"])
    try:
        file_id = bytes.fromhex(value["file_id"])
        macs = {int(number): base64.b64decode(mac, validate=True) for number, mac in value["macs"].items()}
    except (TypeError, ValueError, AttributeError) as error:
        raise KeyFileDamaged("the key file holds values of the wrong type") from error
    if len(file_id) != FILE_ID_BYTES or set(macs) != {slot.generation for slot in slots}:
        raise KeyFileDamaged("the key file's seal does not fit its slots")
    if len({slot.id for slot in slots}) != len(slots):
        raise KeyFileDamaged("two key slots share one id")
    return KeyFile(file_id, slots, macs)
