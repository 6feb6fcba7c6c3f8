"""`locket doctor` and `locket config`: what they look at, what they say, and what they refuse."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import main
from assistant.settings import load_settings
from assistant.verbs.doctor import _swap_areas

Capture = pytest.CaptureFixture[str]


def findings(capsys: Capture) -> tuple[int, dict[str, Any]]:
    code = main(["doctor", "--json"])
    return code, {f["about"]: f for f in json.loads(capsys.readouterr().out)["findings"]}


def test_a_fresh_home_is_told_what_is_missing_and_nothing_is_made(locket_home: Path, capsys: Capture) -> None:
    code, found = findings(capsys)
    assert code == 1
    assert found["chat model"]["state"] == "wrong"
    assert "model setup" in found["chat model"]["words"]
    assert found["store"]["state"] == "note"
    assert "SQLCipher 4" in found["encryption"]["words"]
    assert not (locket_home / "vault").exists()


@pytest.mark.parametrize(
    ("name", "words"), [("vault.key", "key file is damaged"), ("vault.db", "is missing")]
)
def test_a_damaged_store_is_found_without_a_passphrase(
    home_with_a_vault: Path, capsys: Capture, name: str, words: str
) -> None:
    assert findings(capsys)[1]["store"]["state"] == "ok"
    if name == "vault.key":
        (home_with_a_vault / "vault" / name).write_bytes(b"locket-keyfile 1 nonsense\n{}")
    else:
        (home_with_a_vault / "vault" / name).unlink()
        (home_with_a_vault / "vault" / "vault.db-wal").unlink(missing_ok=True)
    store = findings(capsys)[1]["store"]
    assert store["state"] == "wrong"
    assert words in store["words"]


def test_a_store_that_others_can_reach_is_said_and_left_as_it_is(
    home_with_a_vault: Path, capsys: Capture
) -> None:
    store = home_with_a_vault / "vault" / "vault.db"
    store.chmod(0o644)
    assert "chmod 600" in findings(capsys)[1]["privacy"]["words"]
    assert store.stat().st_mode & 0o777 == 0o644


def test_swap_is_said_unless_it_is_memory_or_mapped(tmp_path: Path) -> None:
    table = tmp_path / "swaps"
    head = "Filename Type Size Used Priority\n"
    table.write_text(f"{head}/swapfile file 1 0 -2\n/dev/zram0 partition 1 0 5\n/dev/dm-1 partition 1 0 -3\n")
    assert _swap_areas(table) == ["/swapfile"]
    assert _swap_areas(tmp_path / "none") == []


def test_a_remote_server_is_never_kept_quiet(locket_home: Path, capsys: Capture) -> None:
    locket_home.mkdir(parents=True)
    (locket_home / "config.toml").write_text('remote_url = "http://127.0.0.1:8080"\n')
    assert "http://127.0.0.1:8080" in findings(capsys)[1]["remote"]["words"]


def test_a_setting_is_written_checked_and_read_back(locket_home: Path, capsys: Capture) -> None:
    assert main(["config", "lock_minutes", "5"]) == 0
    assert load_settings(os.environ).lock_minutes == 5
    assert (locket_home / "config.toml").stat().st_mode & 0o077 == 0
    capsys.readouterr()
    assert main(["config", "lock_minutes"]) == 0
    assert capsys.readouterr().out == "5\n"
    assert main(["config", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["settings"]["lock_minutes"] == 5
    assert shown["settings"]["theme"] == "locket-dark"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["lock_minuts"], "lock_minutes"),
        (["lock_minutes", "many"], "a whole number"),
        (["lock_minutes", "9999"], "between 0 and 1440"),
        (["keymap", "x"], "a table"),
    ],
)
def test_what_cannot_be_set_is_refused_in_words_and_not_written(
    locket_home: Path, capsys: Capture, arguments: list[str], words: str
) -> None:
    assert main(["config", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not (locket_home / "config.toml").exists()
