"""`locket memory undo` says what it took back."""

from pathlib import Path

import pytest

from assistant.cli import main


def test_an_undo_names_what_no_longer_holds_and_what_holds_again(
    unlocked_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert unlocked_home.is_dir()
    assert main(["memory", "add", "My dog is called Biscuit"]) == 0
    ident = capsys.readouterr().out.split()[1]
    assert main(["memory", "archive", ident]) == 0
    capsys.readouterr()
    assert main(["memory", "undo"]) == 0
    assert capsys.readouterr().out == "undone: again “My dog is called Biscuit”\n"
    assert main(["memory", "undo"]) == 0
    assert capsys.readouterr().out == "undone: no longer “My dog is called Biscuit”\n"
