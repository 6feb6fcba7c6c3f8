"""Conversations are found by what was said in them, and one of them leaves as text: printed, encrypted or, asked twice, in clear."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from scripted_engines import ScriptedEngines

from assistant.cli import main
from assistant.problems import Exit
from memory.transfer.age import decrypt
from models.scripted import HashEmbedder, ScriptedChat

CARD = "My card is 4111 1111 1111 1111 and the harbour is foggy"


Run = Callable[..., str]


@pytest.fixture
def run(unlocked_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a verb that must end with a code, and return what it printed."""
    engines = ScriptedEngines(ScriptedChat(lambda _: "# Noted.", n_ctx=8192), HashEmbedder())
    monkeypatch.setattr("assistant.runtimes.LocalRuntimes", lambda _: engines)

    def ran(*arguments: str, code: int = 0) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        ended = main(list(arguments))
        out, err = capsys.readouterr()
        assert ended == code, err
        return out if code == 0 else err

    return ran


@pytest.fixture
def told(run: Run) -> str:
    """Say something and return its conversation."""
    conversation: str = json.loads(run("ask", "--json", CARD))["conversation"]
    return conversation


def test_a_conversation_is_found_with_the_places(run: Run, told: str) -> None:
    run("ask", "Quite something else")
    first, place, *_ = run("conversations", "search", "foggy").splitlines()
    assert first.startswith(told)
    assert "message: " in place
    assert "«foggy»" in place


def test_printed_it_is_markdown_with_its_secrets_masked(run: Run, told: str) -> None:
    printed = run("conversations", "export", told)
    assert printed.startswith("# My card is [card")
    assert "\n\n**You** · " in printed
    assert "the harbour is foggy" in printed
    assert "# Noted." in printed
    assert "4111" not in printed


def test_as_json_it_has_every_branch(run: Run, told: str) -> None:
    printed = json.loads(run("conversations", "export", told, "--format", "json"))
    assert printed["id"] == told
    assert [one["role"] for one in printed["messages"]] == ["user", "assistant"]
    assert printed["messages"][1]["parent"] == printed["messages"][0]["id"]
    assert "4111" not in str(printed)


def test_a_file_is_encrypted_and_whole(run: Run, told: str, tmp_path: Path, archive_passphrase: str) -> None:
    file = tmp_path / "talk.age"
    assert "2 messages" in run("conversations", "export", told, "-o", str(file))
    with file.open("rb") as source:
        text = b"".join(decrypt(source, archive_passphrase)).decode()
    assert "4111 1111 1111 1111" in text
    assert b"foggy" not in file.read_bytes()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_file_in_clear_needs_a_second_yes_and_is_masked(run: Run, told: str, tmp_path: Path) -> None:
    file = tmp_path / "talk.md"
    arguments = ("conversations", "export", told, "--output", str(file), "--plaintext")
    assert "add --yes" in run(*arguments, code=Exit.USAGE)
    assert not file.exists()
    run(*arguments, "--yes")
    assert "foggy" in file.read_text()
    assert "4111" not in file.read_text()


def test_a_file_that_is_there_stays_unless_told(run: Run, told: str, tmp_path: Path) -> None:
    file = tmp_path / "talk.age"
    file.write_text("the older one")
    assert "--replace" in run("conversations", "export", told, "-o", str(file), code=Exit.USAGE)
    assert file.read_text() == "the older one"
    run("conversations", "export", told, "-o", str(file), "--replace")
    assert file.read_bytes().startswith(b"age-encryption.org/v1")


@pytest.mark.parametrize("option", ["--plaintext", "--replace"])
def test_an_option_for_files_needs_a_file(run: Run, told: str, option: str) -> None:
    assert "--output" in run("conversations", "export", told, option, code=Exit.USAGE)
