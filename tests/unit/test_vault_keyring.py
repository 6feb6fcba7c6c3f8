from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import keyring.backends.chainer
import keyring.backends.fail
import keyring.backends.null
import keyring.errors
import pytest
import vault_builders as build
from keyrings import NAME, FakeKeyring, InMemory

from memory.vault import keyring_slot, system_keyring
from memory.vault.errors import KeyringUnavailable, LastSlot, WrongPassphrase
from memory.vault.kdf import CHEAPEST
from memory.vault.keyring_slot import add_keyring_slot, find_keyring_secret, remove_keyring_slot
from memory.vault.keys import KeyringSecret, Passphrase
from memory.vault.recovery import new_recovery
from memory.vault.rotate import rotate
from memory.vault.slots import add_slot, list_slots, remove_slot
from memory.vault.vault import Vault


@pytest.fixture
def fake() -> FakeKeyring:
    return FakeKeyring()


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemory]:
    """The real package, told to use a backend that only this test accepts."""
    before = keyring.get_keyring()
    made = InMemory()
    keyring.set_keyring(made)
    monkeypatch.setattr(system_keyring, "ACCEPTED", frozenset({NAME}))
    yield made
    keyring.set_keyring(before)


def find(vault: Vault, fake: FakeKeyring) -> KeyringSecret | None:
    return find_keyring_secret(vault.key_file, keyring=fake, allow_cheap=True)


def test_the_keyring_keeps_a_secret_of_its_own_and_it_opens(tmp_path: Path, fake: FakeKeyring) -> None:
    with build.make(tmp_path / "v") as vault:
        build.say(vault, "hello")
        add_keyring_slot(vault, keyring=fake)
        secret, data_key = find(vault, fake), vault.data_key
    assert secret is not None
    assert secret.secret != data_key
    assert build.WORDS not in str(fake.kept)
    with build.reopen(tmp_path / "v", secret) as vault:
        assert build.said(vault) == ["hello"]
        assert [card.kind for card in list_slots(vault) if card.current] == ["keyring"]


def test_a_vault_without_such_a_slot_asks_no_keyring(tmp_path: Path, fake: FakeKeyring) -> None:
    with build.make(tmp_path / "v") as vault:
        add_slot(vault, new_recovery())
        assert find(vault, fake) is None
    assert fake.asked == 0


def test_adding_it_again_replaces_this_computers_slot_and_no_other(tmp_path: Path, fake: FakeKeyring) -> None:
    elsewhere = FakeKeyring()
    with build.make(tmp_path / "v") as vault:
        there = add_keyring_slot(vault, label="laptop", keyring=elsewhere)
        first = add_keyring_slot(vault, keyring=fake)
        second = add_keyring_slot(vault, label="desk", keyring=fake)
        cards = [card for card in list_slots(vault) if card.kind == "keyring"]
        assert first != second
        assert [(card.id, card.label) for card in cards] == [(there, "laptop"), (second, "desk")]
        assert find(vault, fake) is not None
        assert find(vault, elsewhere) is not None


def test_stopped_while_it_is_replaced_the_earlier_secret_still_opens(
    tmp_path: Path, fake: FakeKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: str) -> None:
        raise KeyboardInterrupt

    with build.make(tmp_path / "v") as vault:
        add_keyring_slot(vault, keyring=fake)
        with monkeypatch.context() as patch:
            patch.setattr(fake, "keep", stopped)
            with pytest.raises(KeyboardInterrupt):
                add_keyring_slot(vault, keyring=fake)
    with build.reopen(tmp_path / "v") as vault:
        assert find(vault, fake) is not None


def test_the_slot_that_opened_the_vault_is_still_named_after_it_was_replaced(
    tmp_path: Path, fake: FakeKeyring
) -> None:
    with build.make(tmp_path / "v") as vault:
        add_keyring_slot(vault, keyring=fake)
        secret = find(vault, fake)
    assert secret is not None
    with build.reopen(tmp_path / "v", secret) as vault:
        slot = add_keyring_slot(vault, keyring=fake)
        assert [card.id for card in list_slots(vault) if card.current] == [slot]


@pytest.mark.parametrize("kept", [None, "", "not base64!", "AAAA"])
def test_a_secret_that_is_gone_or_spoilt_is_said(tmp_path: Path, fake: FakeKeyring, kept: str | None) -> None:
    with build.make(tmp_path / "v") as vault:
        add_keyring_slot(vault, keyring=fake)
        name = vault.file_id.hex()
        fake.kept = {} if kept is None else {name: kept}
        with pytest.raises(KeyringUnavailable, match="nothing that opens this store"):
            find(vault, fake)


def test_removing_the_slot_takes_the_secret_out_of_the_keyring(tmp_path: Path, fake: FakeKeyring) -> None:
    with build.make(tmp_path / "v") as vault:
        slot = add_keyring_slot(vault, keyring=fake)
        secret = find(vault, fake)
        remove_keyring_slot(vault, slot, keyring=fake)
        assert fake.kept == {}
    assert secret is not None
    with pytest.raises(WrongPassphrase):
        build.reopen(tmp_path / "v", secret)


def test_removing_another_computers_slot_leaves_this_ones_secret(tmp_path: Path, fake: FakeKeyring) -> None:
    with build.make(tmp_path / "v") as vault:
        there = add_keyring_slot(vault, keyring=FakeKeyring())
        add_keyring_slot(vault, keyring=fake)
        remove_keyring_slot(vault, there, keyring=fake)
        assert find(vault, fake) is not None


def test_a_slot_goes_even_when_the_keyring_does_not_answer(tmp_path: Path, fake: FakeKeyring) -> None:
    with build.make(tmp_path / "v") as vault:
        slot = add_keyring_slot(vault, keyring=fake)
        fake.failure = "it is locked"
        with pytest.raises(KeyringUnavailable, match="locked"):
            remove_keyring_slot(vault, slot, keyring=fake)
        assert [card.kind for card in list_slots(vault)] == ["passphrase"]


def test_no_slot_is_made_when_the_keyring_does_not_take_the_secret(tmp_path: Path, fake: FakeKeyring) -> None:
    fake.failure = "it is full"
    with build.make(tmp_path / "v") as vault:
        with pytest.raises(KeyringUnavailable):
            add_keyring_slot(vault, keyring=fake)
        assert [card.kind for card in list_slots(vault)] == ["passphrase"]


def test_the_last_slot_that_needs_no_keyring_stays(tmp_path: Path, fake: FakeKeyring) -> None:
    with build.make(tmp_path / "v") as vault:
        add_keyring_slot(vault, keyring=fake)
        secret = find(vault, fake)
        with pytest.raises(LastSlot, match="keyring can be lost"):
            remove_slot(vault, list_slots(vault)[0].id)
    assert secret is not None
    with build.reopen(tmp_path / "v", secret) as vault:
        before = build.picture(tmp_path / "v")
        with pytest.raises(LastSlot):
            rotate(vault, [secret], params=CHEAPEST)
        assert build.picture(tmp_path / "v") == before
    build.reopen(tmp_path / "v").close()


def test_a_rotation_keeps_the_keyrings_slot_when_its_secret_is_given(
    tmp_path: Path, fake: FakeKeyring
) -> None:
    with build.make(tmp_path / "v") as vault:
        add_keyring_slot(vault, keyring=fake)
        secret = find(vault, fake)
        assert secret is not None
        done = rotate(vault, [Passphrase(build.WORDS), secret], params=CHEAPEST)
        assert done.dropped == ()
    build.reopen(tmp_path / "v", secret).close()


# -- the real package ---------------------------------------------------------------------------------


def test_the_real_package_keeps_finds_and_lets_go(tmp_path: Path, backend: InMemory) -> None:
    with build.make(tmp_path / "v") as vault:
        slot = add_keyring_slot(vault)
        assert list(backend.kept) == [("locket", vault.file_id.hex())]
        secret = find_keyring_secret(vault.key_file, allow_cheap=True)
        assert secret is not None
    with build.reopen(tmp_path / "v", secret) as vault:
        add_slot(vault, new_recovery())
        remove_keyring_slot(vault, slot)
        assert backend.kept == {}
        system_keyring.system_keyring().drop(vault.file_id.hex())  # what is not there is no error


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (keyring.errors.KeyringLocked("Biscuit"), "it is locked"),
        (keyring.errors.KeyringError("Biscuit"), "it did not answer"),
        (OSError("Biscuit"), "it did not answer"),
    ],
)
def test_whatever_the_backend_raises_is_said_without_its_own_words(
    tmp_path: Path, backend: InMemory, failure: Exception, words: str
) -> None:
    with build.make(tmp_path / "v") as vault:
        add_keyring_slot(vault)
        backend.failure = failure
        with pytest.raises(KeyringUnavailable, match=words) as raised:
            find_keyring_secret(vault.key_file, allow_cheap=True)
    assert "Biscuit" not in str(raised.value)


def test_an_accepted_backend_is_found_in_a_chain(monkeypatch: pytest.MonkeyPatch, backend: InMemory) -> None:
    chain = keyring.backends.chainer.ChainerBackend()  # type: ignore[no-untyped-call]
    monkeypatch.setattr(type(chain), "backends", [keyring.backends.null.Keyring(), backend])  # type: ignore[no-untyped-call]
    monkeypatch.setattr(keyring, "get_keyring", lambda: chain)
    system_keyring.system_keyring().keep("a", "b")
    assert backend.kept == {("locket", "a"): "b"}


@pytest.mark.parametrize(
    "kind",
    [InMemory, keyring.backends.fail.Keyring, keyring.backends.null.Keyring],
    ids=lambda k: k.__module__,
)
def test_a_keyring_we_do_not_know_is_refused(monkeypatch: pytest.MonkeyPatch, kind: Any) -> None:
    monkeypatch.setattr(keyring, "get_keyring", kind)
    with pytest.raises(KeyringUnavailable, match="none that Locket accepts"):
        system_keyring.system_keyring()


def test_without_the_package_the_words_say_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(KeyringUnavailable, match="pip install keyring"):
        system_keyring.system_keyring()


def test_settings_that_keep_the_package_from_starting_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise TypeError("Biscuit")

    monkeypatch.setattr(keyring, "get_keyring", broken)
    with pytest.raises(KeyringUnavailable, match="did not start"):
        system_keyring.system_keyring()


def test_the_slot_is_found_by_its_owner_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two vaults in one keyring do not get at each other's secret."""
    fake = FakeKeyring()
    monkeypatch.setattr(keyring_slot, "system_keyring", lambda: fake)
    with build.fresh(tmp_path / "a") as one, build.fresh(tmp_path / "b") as other:
        add_keyring_slot(one)
        add_keyring_slot(other)
        assert len(fake.kept) == 2
        assert find_keyring_secret(one.key_file, allow_cheap=True) != find_keyring_secret(
            other.key_file, allow_cheap=True
        )
