"""Stores of every schema that was ever released open through Locket; `tests/golden/make_store.py` made them."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from assistant import wiring
from assistant.cli import main
from assistant.settings import load_settings
from memory.store.migrations import SCHEMA_VERSION
from memory.vault.backup import list_backups

PASSPHRASE = "correct horse battery staple"
GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("store-*"))
SCHEMA = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'vec%' ORDER BY type, name"


def schema(vault: Any) -> list[tuple[str, str, str]]:
    return list(vault.db.execute(SCHEMA).fetchall())


@pytest.fixture(params=GOLDEN, ids=lambda path: path.name)
def golden(request: pytest.FixtureRequest, locket_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one of them in it."""
    monkeypatch.setenv("LOCKET_PASSPHRASE", PASSPHRASE)
    return Path(shutil.copytree(request.param, locket_home / "vault"))


def test_there_is_one_of_each_number() -> None:
    assert {path.name for path in GOLDEN} == {f"store-{n + 1}" for n in range(SCHEMA_VERSION)}


def test_it_is_brought_up_to_date_after_a_backup_and_has_the_schema_of_a_new_one(
    golden: Path, pristine_vault: Path, request: pytest.FixtureRequest
) -> None:
    settings = load_settings(os.environ)
    with wiring.open_store(settings, PASSPHRASE) as vault:
        found = schema(vault)
    backups = [card.reason for card in list_backups(golden)]
    newest = f"[store-{SCHEMA_VERSION}]" in request.node.name
    assert backups == ([] if newest else ["migration"])
    shutil.rmtree(golden)
    shutil.copytree(pristine_vault, golden)
    with wiring.open_store(settings, PASSPHRASE) as vault:
        assert found == schema(vault), "a released schema never changes: add a migration"


def test_what_was_remembered_is_there_and_what_was_forgotten_is_not(
    golden: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with wiring.open_store(load_settings(os.environ), PASSPHRASE):
        pass
    assert main(["vault", "check"]) == 0
    capsys.readouterr()
    assert main(["memory", "list", "--json"]) == 0
    values = {item["value"] for item in json.loads(capsys.readouterr().out)["items"]}
    assert values >= {"Biscuit", "peanuts"}
    assert "Zubrowka" not in values
    assert main(["memory", "search", "Biscuit"]) == 0
    assert "Biscuit" in capsys.readouterr().out
