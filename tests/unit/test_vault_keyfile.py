from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import vault_builders as build

from memory.vault import kdf, keyfile, keyslots
from memory.vault.errors import (
    KdfOutOfBounds,
    KeyFileDamaged,
    LastSlot,
    NewerVersion,
    NoSuchSlot,
    WrongPassphrase,
)
from memory.vault.keyfile import KeyFile
from memory.vault.keys import KeyringSecret, Passphrase, Recovery, kind_of, subkey
from memory.vault.keyslots import Draw, wrap
from memory.vault.slots import add_slot, change_passphrase, list_slots, remove_slot

DATA_KEY = bytes(range(32))
FILE_ID = b"\xaa" * 16
GOLDEN_SHA256 = "09175bce8851a401d982d09f29b6245dea47c44331caca23bc9d38de005578d8"
GOLDEN_SUBKEYS = {"db": "c5e68671cf1f0a84", "files": "af11200bdd239db9", "slots": "3170d81b19e3c147"}


def key_file(*secrets: Any) -> KeyFile:
    empty = KeyFile(FILE_ID, (), {})
    made = [
        wrap(
            DATA_KEY,
            secret,
            head=empty.head,
            label=f"slot {number}",
            created="2026-03-01",
            generation=1,
            params=kdf.CHEAPEST,
            allow_cheap=True,
            draw=Draw(bytes([number]) * 9, bytes([number]) * 16, bytes([number]) * 12),
        )
        for number, secret in enumerate(secrets or (Passphrase("words"),), start=1)
    ]
    return keyfile.sealed(KeyFile(FILE_ID, tuple(made), {}), {1: DATA_KEY})


def opened(file: KeyFile, secret: Any) -> list[bytes]:
    return [found.data_key for found in keyfile.iter_opened(file, secret, allow_cheap=True)]


def damaged(content: bytes) -> bool:
    try:
        keyfile.decode(content, allow_cheap=True)
    except KeyFileDamaged:
        return True
    except (NewerVersion, WrongPassphrase):
        return False
    return False


@pytest.mark.parametrize("secret", [Passphrase("words"), Recovery(b"r" * 32), KeyringSecret(b"k" * 32)])
def test_each_kind_of_secret_opens_its_own_slot_only(secret: Any) -> None:
    file = key_file(Passphrase("words"), Recovery(b"r" * 32), KeyringSecret(b"k" * 32))
    assert opened(keyfile.decode(keyfile.encode(file), allow_cheap=True), secret) == [DATA_KEY]
    with pytest.raises(WrongPassphrase):
        opened(replace(file, slots=tuple(s for s in file.slots if s.kind != kind_of(secret))), secret)


def test_equal_looking_spellings_are_one_passphrase() -> None:
    assert opened(key_file(Passphrase("caf\u00e9 \ufb01n")), Passphrase("cafe\u0301 fin")) == [DATA_KEY]


def test_the_bytes_of_a_key_file_do_not_drift() -> None:
    content = keyfile.encode(key_file(Passphrase("words"), Recovery(b"r" * 32)))
    assert hashlib.sha256(content).hexdigest() == GOLDEN_SHA256


def test_every_flipped_or_missing_byte_is_damage_and_never_a_wrong_passphrase() -> None:
    content = keyfile.encode(key_file())
    for place in range(len(content)):
        for mask in (0x01, 0x20, 0x80, 0xFF):
            changed = bytearray(content)
            changed[place] ^= mask
            assert damaged(bytes(changed)), (place, mask)
        assert damaged(content[:place]), place
        assert damaged(content[:place] + content[place + 1 :]), place
        assert damaged(content[:place] + b"0" + content[place:]), place
    assert damaged(content + b"\n")
    assert damaged(b"\0" * len(content))


def test_a_damaged_key_file_is_named_before_any_passphrase_is_tried(tmp_path: Path) -> None:
    with build.make(tmp_path / "v"):
        pass
    path = tmp_path / "v" / "vault.key"
    content = bytearray(path.read_bytes())
    content[200] ^= 4
    path.write_bytes(content)
    before = build.picture(tmp_path)
    with pytest.raises(KeyFileDamaged, match="checksum"):
        build.reopen(tmp_path / "v", "not the passphrase")
    assert build.picture(tmp_path) == before


def rewritten(file: KeyFile, change: Any) -> bytes:
    """Return the file with its JSON changed and the plain checksum made right again, as an attacker would."""
    value = json.loads(keyfile.encode(file).partition(b"\n")[2])
    change(value)
    body = keyslots.canonical(value) + b"\n"
    start = b"locket-keyfile 1 "
    return start + hashlib.sha256(start + body).hexdigest().encode() + b"\n" + body


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("label", "another"),
        ("created", "2020-01-01"),
        ("id", "AAAAAAAAAAAA"),
        ("salt", "AAAAAAAAAAAAAAAAAAAAAA=="),
        ("nonce", "AAAAAAAAAAAAAAAA"),
    ],
)
def test_a_forged_field_of_a_slot_opens_nothing(field: str, value: str) -> None:
    forged = rewritten(key_file(), lambda body: body["slots"][0].__setitem__(field, value))
    with pytest.raises(WrongPassphrase):
        opened(keyfile.decode(forged, allow_cheap=True), Passphrase("words"))


def test_a_forged_vault_id_opens_nothing() -> None:
    forged = rewritten(key_file(), lambda body: body.__setitem__("file_id", "bb" * 16))
    with pytest.raises(WrongPassphrase):
        opened(keyfile.decode(forged, allow_cheap=True), Passphrase("words"))


@pytest.mark.parametrize("change", ["drop", "relabel", "swap"])
def test_forging_somebody_elses_slot_is_noticed_at_unlock(change: str) -> None:
    def forge(body: Any) -> None:
        if change == "drop":
            del body["slots"][1]
        elif change == "relabel":
            body["slots"][1]["label"] = "paper in the safe"
        else:
            body["slots"].reverse()

    forged = rewritten(key_file(Passphrase("words"), Recovery(b"r" * 32)), forge)
    with pytest.raises(KeyFileDamaged, match="without the data key"):
        opened(keyfile.decode(forged, allow_cheap=True), Passphrase("words"))


@pytest.mark.parametrize(
    ("name", "value"),
    [("t", 0), ("t", 17), ("m_kib", 4096), ("m_kib", 1 << 30), ("p", 0), ("p", 99), ("t", True), ("t", 1.5)],
)
def test_a_refused_cost_is_damage_before_anything_is_derived(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> bytes:
        raise AssertionError("a key was derived")

    forged = rewritten(key_file(), lambda body: body["slots"][0]["kdf"].__setitem__(name, value))
    monkeypatch.setattr(kdf, "derive", never)
    with pytest.raises(KeyFileDamaged, match="cost"):
        keyfile.decode(forged, allow_cheap=True)


def test_a_weak_cost_can_neither_be_made_nor_read_outside_tests() -> None:
    with pytest.raises(KeyFileDamaged, match="cost"):
        keyfile.decode(keyfile.encode(key_file()))
    with pytest.raises(KdfOutOfBounds):
        kdf.derive("words", b"s" * 16, kdf.CHEAPEST)


@pytest.mark.parametrize("cheap", [True, False])
@pytest.mark.parametrize(
    "params", [kdf.Argon2Params(m_kib=1 << 40), kdf.Argon2Params(p=-1), kdf.Argon2Params(t=0)]
)
def test_a_hostile_cost_is_refused_by_the_derivation_itself(params: kdf.Argon2Params, cheap: bool) -> None:
    with pytest.raises(KdfOutOfBounds):
        kdf.derive("words", b"s" * 16, params, allow_cheap=cheap)


def test_a_newer_key_file_is_called_newer() -> None:
    body = b"whatever a later version writes\n"
    start = b"locket-keyfile 2 "
    content = start + hashlib.sha256(start + body).hexdigest().encode() + b"\n" + body
    with pytest.raises(NewerVersion) as caught:
        keyfile.decode(content)
    assert (caught.value.found, caught.value.supported) == (2, 1)


def test_a_reordered_spelling_with_a_right_checksum_is_refused() -> None:
    value = json.loads(keyfile.encode(key_file()).partition(b"\n")[2])
    body = json.dumps(value, indent=1).encode() + b"\n"
    start = b"locket-keyfile 1 "
    with pytest.raises(KeyFileDamaged, match="spelled"):
        keyfile.decode(
            start + hashlib.sha256(start + body).hexdigest().encode() + b"\n" + body, allow_cheap=True
        )


def test_uses_of_a_key_are_unrelated_and_fixed() -> None:
    keys = {label: subkey(DATA_KEY, label, FILE_ID).hex()[:16] for label in ("db", "files", "slots")}
    assert keys == GOLDEN_SUBKEYS
    assert subkey(DATA_KEY, "db", FILE_ID) != subkey(DATA_KEY, "db", b"\xbb" * 16)
    with pytest.raises(ValueError, match="not a use"):
        subkey(DATA_KEY, "logs", FILE_ID)


def test_a_new_passphrase_rewraps_one_slot_and_leaves_the_store_alone(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        add_slot(vault, Recovery(b"r" * 32), label="paper")
        vault.checkpoint_truncate()
        store, kept = (tmp_path / "v" / "vault.db").read_bytes(), vault.key_file.slots[1]
        change_passphrase(vault, "a new one", params=kdf.CHEAPEST)
        assert (tmp_path / "v" / "vault.db").read_bytes() == store
        assert vault.key_file.slots[1] == kept
    with pytest.raises(WrongPassphrase):
        build.reopen(tmp_path / "v")
    build.reopen(tmp_path / "v", "a new one").close()
    build.reopen(tmp_path / "v", Recovery(b"r" * 32)).close()


def test_slots_are_listed_and_removed_but_never_the_last(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        added = add_slot(vault, Passphrase("second"), label="ours", params=kdf.CHEAPEST)
        assert [(card.kind, card.label, card.current) for card in list_slots(vault)] == [
            ("passphrase", "", True),
            ("passphrase", "ours", False),
        ]
        with pytest.raises(NoSuchSlot):
            remove_slot(vault, "nonsense")
        remove_slot(vault, list_slots(vault)[0].id)
        with pytest.raises(LastSlot):
            remove_slot(vault, added)
    with pytest.raises(WrongPassphrase):
        build.reopen(tmp_path / "v")
    build.reopen(tmp_path / "v", "second").close()


def test_a_passphrase_must_be_chosen_when_it_is_not_clear_which(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        add_slot(vault, Passphrase("second"), params=kdf.CHEAPEST)
        add_slot(vault, Recovery(b"r" * 32))
    with build.reopen(tmp_path / "v", Recovery(b"r" * 32)) as vault, pytest.raises(NoSuchSlot, match="which"):
        change_passphrase(vault, "third", params=kdf.CHEAPEST)


def test_unlocking_raises_a_cost_below_the_present_one(tmp_path: Path) -> None:
    with build.make(tmp_path / "v"):
        pass
    with build.reopen(tmp_path / "v", upgrade_kdf=False) as vault:
        assert vault.key_file.slots[0].params == kdf.CHEAPEST
    dearer = kdf.LOWEST
    from memory.vault.vault import open_vault

    with open_vault(tmp_path / "v", Passphrase(build.WORDS), params=dearer, allow_cheap=True) as vault:
        assert vault.key_file.slots[0].params == dearer
        assert vault.slot_id == vault.key_file.slots[0].id
    with open_vault(tmp_path / "v", Passphrase(build.WORDS), params=dearer) as vault:
        assert vault.key_file.slots[0].created == build.NOON.isoformat()


def test_secrets_do_not_show_in_their_own_words() -> None:
    for secret in (Passphrase("words"), Recovery(b"words" * 7), KeyringSecret(b"words" * 7)):
        assert "words" not in repr(secret)
    assert "wrapped" not in repr(key_file().slots[0])
