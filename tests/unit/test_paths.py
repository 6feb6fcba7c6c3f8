"""Our folders, and the paths that people type."""

import os
from pathlib import Path

import pytest

from assistant.carrying import path_of, target_refusal
from assistant.chat.attached import read_attached
from assistant.cli import main
from assistant.paths import Kind, kind_of, typed_path
from assistant.tui.pathnames import completed
from memory.errors import BadInput

NOBODYS = ["~nobody-at-all/notes.txt", "a" * 400, "nul\0byte"]
"""Names that the usual ways of asking for a file raise for."""


def test_what_stands_at_a_path_is_told_behind_links(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "lost").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe")
    kinds = [kind_of(tmp_path / name) for name in ("file", "link", ".", "pipe", "lost", "none")]
    assert kinds == [Kind.FILE, Kind.FILE, Kind.FOLDER, Kind.OTHER, Kind.NOTHING, Kind.NOTHING]


def test_a_tilde_is_the_home_and_that_of_nobody_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/somewhere/mine")
    assert typed_path("~/notes") == Path("/somewhere/mine/notes")
    assert typed_path("~nobody-at-all/notes") == Path("~nobody-at-all/notes")


@pytest.mark.parametrize("typed", NOBODYS, ids=["nobody", "long", "nul"])
def test_any_path_may_be_typed_and_is_refused_in_words(typed: str) -> None:
    assert kind_of(typed_path(typed)) is Kind.NOTHING
    with pytest.raises(BadInput, match="there is no file"):
        read_attached(typed)
    target_refusal(path_of(typed))
    assert completed(typed) == typed


@pytest.mark.parametrize("typed", NOBODYS[:2], ids=["nobody", "long"])
@pytest.mark.parametrize("verb", ["use", "info", "add", "remove"])
def test_a_model_by_such_a_name_is_refused_in_words(
    locket_home: Path, capsys: pytest.CaptureFixture[str], verb: str, typed: str
) -> None:
    assert main(["model", verb, typed]) == 14
    assert capsys.readouterr().err.startswith("locket: ")


def test_a_folder_that_cannot_be_made_is_said_in_words(
    locket_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    locket_home.mkdir(parents=True, exist_ok=True)
    (locket_home / "models").touch()
    monkeypatch.setenv("LOCKET_PASSPHRASE", "correct horse battery staple")
    assert main(["vault", "init"]) == 1
    assert "A folder of Locket cannot be used" in capsys.readouterr().err
