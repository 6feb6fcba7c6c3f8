"""`locket model …` with files of one's own: taken in, found by name, noticed when they change, let go."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from gguf_builder import gguf

from assistant.cli import main
from assistant.settings import load_settings
from assistant.wiring import create_store, memory_of, open_store

PASSPHRASE = "otter lamp violet harbour"


@pytest.fixture
def mine(tmp_path: Path, locket_home: Path) -> Path:
    """A chat model somewhere else than in the models folder."""
    path = tmp_path / "Downloads" / "mine.gguf"
    path.parent.mkdir()
    path.write_bytes(gguf())
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> Any:
    capsys.readouterr()
    assert main(["model", *arguments, "--json"]) == code
    out = capsys.readouterr().out
    return json.loads(out) if out else None


def chosen(capsys: pytest.CaptureFixture[str]) -> Any:
    return run(capsys, "list")["chosen"]


def test_a_file_that_was_added_is_listed_and_used_by_its_name(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "add", str(mine))
    assert [one["name"] for one in run(capsys, "list")["installed"]] == ["mine"]
    assert chosen(capsys) == "mine"
    assert run(capsys, "use", "mine")["model"] == "mine"
    assert run(capsys, "info", "mine")["problem"] is None
    assert main(["model", "list"]) == 0
    assert "* mine" in capsys.readouterr().out


def test_a_file_is_described_wherever_it_is(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "info", str(mine))["path"] == str(mine)


def test_a_changed_file_is_refused_until_it_is_added_again(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = run(capsys, "add", str(mine))["sha256"]
    mine.write_bytes(gguf() + b"more")
    run(capsys, "use", "mine", code=14)
    assert run(capsys, "add", str(mine))["sha256"] != first
    run(capsys, "use", "mine")


def test_a_model_let_go_leaves_the_file_and_no_setting_behind(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "add", str(mine))
    run(capsys, "remove", "mine", "--yes")
    assert mine.exists()
    assert chosen(capsys) is None
    assert run(capsys, "list")["installed"] == []


def test_two_files_of_one_name_are_not_mixed_up(
    mine: Path, locket_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (locket_home / "models").mkdir(parents=True)
    inside = locket_home / "models" / "mine.gguf"
    inside.write_bytes(gguf() + b"another")
    assert main(["model", "add", str(mine)]) == 14
    assert "is called mine.gguf" in capsys.readouterr().err
    assert not inside.is_symlink()


def test_a_link_to_a_file_that_is_gone_gives_way_to_a_new_one(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "add", str(mine))
    other = tmp_path / "mine.gguf"
    mine.rename(other)
    assert run(capsys, "list")["installed"] == []
    run(capsys, "add", str(other))
    assert [one["name"] for one in run(capsys, "list")["installed"]] == ["mine"]


def test_the_list_says_what_a_model_takes(locket_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["model", "list"]) == 0
    out = capsys.readouterr().out
    assert "491 MB, 790 MB of memory when it runs, Apache-2.0" in out
    assert "recommended for this computer" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("remote", "http://"), "address"),
        (("remote", "http://[box.lan"), "address"),
        (("remote", "http://box.lan:80800"), "address"),
        (("remote", "http://me:secret@box.lan"), "remote-key"),
        (("remote-key", "--key-file", "{folder}"), "cannot read the key"),
        (("remote-key", "--key-file", "{folder}/bytes"), "cannot read the key"),
        (("remote-key", "--key-file", "{folder}/lines"), "one line"),
    ],
)
def test_an_address_or_a_key_that_cannot_be_used_is_refused_and_nothing_is_kept(
    tmp_path: Path,
    locket_home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.setenv("LOCKET_PASSPHRASE", PASSPHRASE)
    create_store(load_settings(os.environ), PASSPHRASE)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "lines").write_text("one\ntwo\n")
    assert main(["model", *(one.format(folder=tmp_path) for one in arguments)]) == 2
    assert words in capsys.readouterr().err
    with open_store(load_settings(os.environ), PASSPHRASE) as vault:
        memory = memory_of(load_settings(os.environ), vault)
        assert memory.setting("remote") is None
        assert memory.setting("remote_key") is None
    assert not (locket_home / "config.toml").exists()


@pytest.mark.parametrize(
    ("address", "warned"),
    [
        ("http://192.168.1.7:8080", True),
        ("http://box.lan", True),
        ("https://box.lan", False),
        ("http://127.0.0.1:8080", False),
        ("http://[::1]:8080", False),
        ("http://localhost:8080/v1", False),
    ],
)
def test_a_server_whose_way_is_not_encrypted_is_said(
    locket_home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    warned: bool,
) -> None:
    monkeypatch.setenv("LOCKET_PASSPHRASE", PASSPHRASE)
    create_store(load_settings(os.environ), PASSPHRASE)
    assert main(["model", "remote", address]) == 0
    assert ("not encrypted" in capsys.readouterr().err) is warned
