"""Vaults and backups of every format that was ever written still open; `tests/golden/make_vault.py` made them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import vault_builders as build

from memory.vault.backup import is_whole, read_card
from memory.vault.check import check_connection
from memory.vault.key_copy import put_key_file_back
from memory.vault.keys import Passphrase
from memory.vault.recovery import recovery_from_text
from memory.vault.restore import restore_backup

GOLDEN = Path(__file__).parents[1] / "golden"
PAPER = "000G-40R4-0M30-E209-185G-R38E-1W81-24GK-2GAH-C5RR-34D1-P70X-3RFZ-84TA"
TEXTS = ["the kettle is blue", "Grüße aus Köln", "猫の名前はたま", "long " * 3000]


@pytest.mark.parametrize("secret", [build.WORDS, recovery_from_text(PAPER)])
@pytest.mark.parametrize("writer", [True, False])
def test_a_vault_of_format_1_opens(tmp_path: Path, secret: Any, writer: bool) -> None:
    shutil.copytree(GOLDEN / "vault-1", tmp_path / "v")
    with build.reopen(tmp_path / "v", secret, writer=writer) as vault:
        assert build.said(vault) == TEXTS
        assert (
            vault.key("tombstones").hex()
            == "af326cf90640b8a78fd59ee0ac0ba154a3cb1acbe2027c1a12fc84990405850b"
        )
        assert vault.key("files").hex() == "ad78a624857f3081be1048cf47a9c65a10032f795cede8d0d7bfa8de91600cc6"
        assert check_connection(vault.db).sound
        with vault.pages() as pages:
            assert pages.search([b"kettle is blue"]) != []


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of format 1, with its manifest and its copy of the key file."""
    return Path(shutil.copytree(GOLDEN / "backup-1", tmp_path / "backup"))


def test_a_backup_of_format_1_says_what_it_is(backup: Path) -> None:
    card = read_card(backup)
    assert (card.made_at, card.reason, card.schema_version) == ("2026-03-01T12:00:00+00:00", "manual", 1)
    assert [kind for _, kind, _ in card.slots] == ["passphrase", "recovery"]
    assert is_whole(card)


@pytest.mark.parametrize("secret", [Passphrase(build.WORDS), recovery_from_text(PAPER)])
def test_a_backup_of_format_1_is_restored(tmp_path: Path, backup: Path, secret: Any) -> None:
    restore_backup(tmp_path / "v", backup, secret, current=None, now=lambda: build.NOON, allow_cheap=True)
    with build.reopen(tmp_path / "v", secret) as vault:
        assert build.said(vault) == TEXTS
        assert check_connection(vault.db).sound


def test_the_key_file_in_a_backup_of_format_1_is_put_back(tmp_path: Path, backup: Path) -> None:
    (tmp_path / "v").mkdir()
    shutil.copyfile(backup / "vault.db", tmp_path / "v" / "vault.db")
    put_key_file_back(
        tmp_path / "v", backup, Passphrase(build.WORDS), now=lambda: build.NOON, allow_cheap=True
    )
    with build.reopen(tmp_path / "v") as vault:
        assert build.said(vault) == TEXTS
