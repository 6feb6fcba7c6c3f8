from __future__ import annotations

import copy
import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as some

from memory.vault import btree, kdf, keyfile, keyslots
from memory.vault.backup import BackupCard, too_many
from memory.vault.errors import BadRecoveryText, KdfOutOfBounds, KeyFileDamaged, NewerVersion, WrongPassphrase
from memory.vault.keyfile import KeyFile
from memory.vault.keys import KeyringSecret, Passphrase, Recovery, Secret
from memory.vault.needles import Needles
from memory.vault.pages import PageHit, _find_across
from memory.vault.recovery import recovery_from_text, recovery_groups

secrets = some.one_of(
    some.text(max_size=40).map(Passphrase),
    some.binary(min_size=32, max_size=32).map(Recovery),
    some.binary(min_size=32, max_size=32).map(KeyringSecret),
)
labels = some.text(max_size=20)
keys = some.binary(min_size=32, max_size=32)


def made(data_key: bytes, *slots: tuple[Secret, str]) -> KeyFile:
    empty = KeyFile(hashlib.sha256(data_key).digest()[:16], (), {})
    wrapped = tuple(
        keyslots.wrap(
            data_key,
            secret,
            head=empty.head,
            label=label,
            created="2026-03-01",
            generation=1,
            params=kdf.CHEAPEST,
            allow_cheap=True,
        )
        for secret, label in slots
    )
    return keyfile.sealed(KeyFile(empty.file_id, wrapped, {}), {1: data_key})


def opened(content: bytes, secret: Secret) -> bytes:
    file = keyfile.decode(content, allow_cheap=True)
    return next(keyfile.iter_opened(file, secret, allow_cheap=True)).data_key


@given(keys, secrets, labels)
def test_unwrapping_gives_back_what_was_wrapped(data_key: bytes, secret: Secret, label: str) -> None:
    assert opened(keyfile.encode(made(data_key, (secret, label))), secret) == data_key


@given(keys, secrets, secrets)
def test_another_secret_opens_nothing(data_key: bytes, secret: Secret, other: Secret) -> None:
    assume(normal(secret) != normal(other))
    with pytest.raises(WrongPassphrase):
        opened(keyfile.encode(made(data_key, (secret, ""))), other)


def normal(secret: Secret) -> object:
    import unicodedata

    return unicodedata.normalize("NFKC", secret.text) if isinstance(secret, Passphrase) else secret


@given(keys, secrets, some.data())
def test_any_changed_byte_is_damage(data_key: bytes, secret: Secret, data: Any) -> None:
    content = bytearray(keyfile.encode(made(data_key, (secret, "one"))))
    place = data.draw(some.integers(0, len(content) - 1))
    content[place] ^= data.draw(some.integers(1, 255))
    with pytest.raises(KeyFileDamaged):
        opened(bytes(content), secret)


@given(keys, some.data())
def test_any_change_by_somebody_who_mends_the_checksum_fails(data_key: bytes, data: Any) -> None:
    secret = Passphrase("words")
    content = keyfile.encode(made(data_key, (secret, "one"), (Recovery(b"r" * 32), "two")))
    value = json.loads(content.partition(b"\n")[2])
    changed = copy.deepcopy(value)
    where, field = data.draw(some.sampled_from(places(value)))
    old = where_in(changed, where)[field]
    where_in(changed, where)[field] = data.draw(other_than(old))
    body = keyslots.canonical(changed) + b"\n"
    start = b"locket-keyfile 1 "
    forged = start + hashlib.sha256(start + body).hexdigest().encode() + b"\n" + body
    assume(forged != content)
    with pytest.raises((KeyFileDamaged, WrongPassphrase)):
        opened(forged, secret)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    """Return every leaf of the key file's JSON as (path of its parent, its own name)."""
    found: list[tuple[tuple[Any, ...], Any]] = []
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, dict | list):
            found += places(inner, (*path, name))
        else:
            found.append((path, name))
    return found


def where_in(value: Any, path: tuple[Any, ...]) -> Any:
    for name in path:
        value = value[name]
    return value


def other_than(old: object) -> some.SearchStrategy[Any]:
    if isinstance(old, int):
        return some.integers(-3, 30_000).filter(lambda new: new != old)
    mixed = some.one_of(some.text(max_size=30), some.binary(max_size=48).map(keyslots._text), some.none())
    return mixed.filter(lambda new: new != old)


@given(some.binary(max_size=400))
def test_no_bytes_make_the_key_file_reader_fail_otherwise(content: bytes) -> None:
    for start in (b"", b"locket-keyfile 1 ", b"locket-keyfile 1 " + b"0" * 64 + b"\n"):
        with pytest.raises((KeyFileDamaged, NewerVersion)):
            keyfile.decode(start + content)


@given(some.integers(-5, 1 << 45), some.integers(-5, 1 << 45), some.integers(-5, 1 << 45))
def test_costs_out_of_bounds_are_refused_before_memory_is_taken(t: int, m_kib: int, p: int) -> None:
    params = kdf.Argon2Params(t, m_kib, p)
    low, high = kdf.LOWEST, kdf.HIGHEST
    assume(not (low.t <= t <= high.t and low.m_kib <= m_kib <= high.m_kib and low.p <= p <= high.p))
    assume(params != kdf.CHEAPEST)
    with pytest.raises(KdfOutOfBounds):
        kdf.derive("words", b"s" * 16, params, allow_cheap=True)


@given(keys)
def test_a_recovery_key_survives_paper(secret: bytes) -> None:
    groups = recovery_groups(Recovery(secret))
    assert len(groups) == 14
    assert recovery_from_text("-".join(groups)) == Recovery(secret)


@given(some.text(alphabet="0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=56, max_size=56))
def test_a_made_up_recovery_key_is_mistyped(text: str) -> None:
    try:
        recovery = recovery_from_text(text)
    except BadRecoveryText:
        return
    assert "".join(recovery_groups(recovery)) == text


@given(some.binary(max_size=300))
def test_no_bytes_make_the_record_reader_fail(content: bytes) -> None:
    btree.read_record(content)


@given(some.integers(0, (1 << 64) - 1))
def test_varints_come_back(number: int) -> None:
    assert btree.read_varint(varint(number) + b"rest", 0) == (number, len(varint(number)))


def varint(number: int) -> bytes:
    """Spell a number as SQLite does: up to eight groups of seven bits, or eight and a whole byte."""
    if number >= 1 << 56:
        high = [(number >> shift & 0x7F) | 0x80 for shift in range(57, 7, -7)]
        return bytes([*high, number & 0xFF])
    groups = [number & 0x7F]
    while number := number >> 7:
        groups.append((number & 0x7F) | 0x80)
    return bytes(reversed(groups))


@given(some.lists(some.one_of(some.none(), some.integers(-(2**63), 2**63 - 1), some.binary(max_size=20))))
def test_records_come_back(values: list[Any]) -> None:
    kinds, body = b"", b""
    for value in values:
        if value is None:
            kinds += varint(0)
        elif isinstance(value, int):
            kinds, body = kinds + varint(6), body + struct.pack(">q", value)
        else:
            kinds, body = kinds + varint(12 + 2 * len(value)), body + value
    length = 1 + len(kinds) if len(kinds) < 127 else 2 + len(kinds)
    assert btree.read_record(varint(length) + kinds + body) == values


@given(
    some.lists(some.binary(max_size=12).map(lambda content: bytes(byte & 1 for byte in content)), max_size=8),
    some.lists(
        some.binary(min_size=1, max_size=9).map(lambda content: bytes(b & 1 for b in content)), min_size=1
    ),
)
def test_what_crosses_pieces_is_found_once_and_nothing_else(
    pieces: list[bytes], needles: list[bytes]
) -> None:
    whole, edges = b"".join(pieces), [0]
    for piece in pieces:
        edges.append(edges[-1] + len(piece))
    expected = set()
    for index, needle in enumerate(needles):
        for start in range(len(whole)):
            if whole.startswith(needle, start):
                number = max(at for at, edge in enumerate(edges[:-1]) if edge <= start)
                if start + len(needle) > edges[number + 1]:
                    expected.add(PageHit(number, start - edges[number], index))
    found = list(_find_across([(number, 0, piece) for number, piece in enumerate(pieces)], Needles(needles)))
    assert set(found) == expected
    assert len(found) == len(expected)


@given(some.lists(some.tuples(some.integers(1, 28), some.integers(0, 50)), max_size=15), some.integers(0, 14))
def test_letting_backups_go_keeps_the_new_one_and_the_bounds(
    made_on: list[tuple[int, int]], which: int
) -> None:
    cards = tuple(
        BackupCard(Path(str(number)), f"2026-03-{day:02}", "daily", 1, b"", size, "", ())
        for number, (day, size) in enumerate(made_on)
    )
    assume(which < len(cards))
    gone = too_many(cards, cards[which], kept=7, kept_bytes=100)
    left = [card for card in cards if card not in gone]
    assert cards[which] in left
    assert len(left) <= 7
    assert len(left) == 1 or sum(card.store_bytes for card in left) <= 100


@given(
    some.binary(max_size=300).map(lambda content: bytes(byte & 1 for byte in content)),
    some.lists(
        some.binary(min_size=1, max_size=14).map(lambda c: bytes(b & 1 for b in c)),
        min_size=101,
        max_size=120,
    ),
)
def test_many_needles_are_found_as_few_are(text: bytes, needles: list[bytes]) -> None:
    one_by_one = {
        (place, index) for index, needle in enumerate(needles) for place, _ in Needles([needle]).find(text)
    }
    together = list(Needles(needles).find(text))
    assert set(together) == one_by_one
    assert len(together) == len(one_by_one)
