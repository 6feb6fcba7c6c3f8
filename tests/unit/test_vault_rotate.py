from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import vault_builders as build
from sqlcipher3 import dbapi2

from memory.vault import keyfile, rotate
from memory.vault.errors import StoreInUse, VaultClosed, WrongPassphrase
from memory.vault.kdf import CHEAPEST
from memory.vault.keys import Passphrase, Recovery
from memory.vault.rotate import Rotation
from memory.vault.slots import add_slot
from memory.vault.vault import Vault

PAPER = Recovery(b"r" * 32)
MINE = Passphrase(build.WORDS)


def turn(vault: Vault, *secrets: Any) -> Rotation:
    return rotate.rotate(vault, secrets or (MINE,), params=CHEAPEST)


def test_a_new_data_key_leaves_content_and_lasting_keys_as_they_were(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        build.say(vault, "before")
        assert vault.checkpoint_truncate()
        old_key, old_store = vault.key("db"), (vault.folder / "vault.db").read_bytes()
        lasting = vault.key("tombstones"), vault.key("certificates")
        turn(vault)
        build.say(vault, "after")
        assert vault.key("db") != old_key
        assert (vault.key("tombstones"), vault.key("certificates")) == lasting
        with vault.pages() as pages:
            assert pages.damaged_pages() == ()
    assert (tmp_path / "v" / "vault.db").read_bytes()[4096:8192] != old_store[4096:8192]
    with build.reopen(tmp_path / "v") as vault:
        assert build.said(vault) == ["before", "after"]
        assert not vault.key_file.rotating


def test_only_presented_secrets_open_the_store_afterwards(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        add_slot(vault, PAPER, label="paper")
        add_slot(vault, Passphrase("second"), params=CHEAPEST)
        done = turn(vault, MINE, PAPER)
        assert [card.kind for card in done.kept] == ["passphrase", "recovery"]
        assert [card.kind for card in done.dropped] == ["passphrase"]
    build.reopen(tmp_path / "v", PAPER).close()
    build.reopen(tmp_path / "v").close()
    with pytest.raises(WrongPassphrase):
        build.reopen(tmp_path / "v", "second")


def test_a_wrong_secret_stops_it_before_anything_changes(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        add_slot(vault, PAPER)
        before = (vault.folder / "vault.key").read_bytes()
        for secrets in ((Passphrase("wrong"),), (PAPER,)):
            with pytest.raises(WrongPassphrase):
                turn(vault, *secrets)
        assert (vault.folder / "vault.key").read_bytes() == before
        build.say(vault, "still open")


def test_a_reader_in_the_way_stops_it_before_anything_changes(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        build.say(vault, "hello")
        reader = vault.read_only()
        before = (vault.folder / "vault.key").read_bytes()
        with pytest.raises(StoreInUse):
            turn(vault)
        assert (vault.folder / "vault.key").read_bytes() == before
        build.say(vault, "goes on")
        reader.close()
        turn(vault)
        assert build.said(vault) == ["hello", "goes on"]


def test_a_failure_while_reencrypting_locks_and_the_next_opening_sorts_it_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = build.make(tmp_path / "v")
    build.say(vault, "hello")
    add_slot(vault, PAPER)

    def fail(name: str) -> None:
        if name == "rotate.both-keys":
            raise dbapi2.OperationalError("injected")

    monkeypatch.setattr(rotate, "point", fail)
    with pytest.raises(dbapi2.OperationalError):
        turn(vault)
    with pytest.raises(VaultClosed):
        _ = vault.db
    with build.reopen(tmp_path / "v") as vault:
        assert build.said(vault) == ["hello"]
        assert not vault.key_file.rotating
        assert [slot.kind for slot in vault.key_file.slots] == ["passphrase", "recovery"]


@pytest.mark.parametrize("stop", ["rotate.rekeyed", "rotate.checkpointed"])
def test_an_old_secret_is_wrong_once_the_store_has_the_new_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: str
) -> None:
    vault = build.make(tmp_path / "v")
    add_slot(vault, PAPER)

    def fail(name: str) -> None:
        if name == stop:
            raise ZeroDivisionError

    monkeypatch.setattr(rotate, "point", fail)
    with pytest.raises(ZeroDivisionError):
        turn(vault)
    assert keyfile.load(tmp_path / "v" / "vault.key", allow_cheap=True).rotating
    with pytest.raises(WrongPassphrase, match="replaced"):
        build.reopen(tmp_path / "v", PAPER)
    build.reopen(tmp_path / "v", writer=False).close()
    with build.reopen(tmp_path / "v") as vault:
        assert [slot.kind for slot in vault.key_file.slots] == ["passphrase"]
