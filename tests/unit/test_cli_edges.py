"""What the shell hands over badly is answered in words and an exit code."""

import errno
import io
import json
import sys
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.evaluation.dataset import BadDataset, read_dataset
from assistant.problems import Exit, to_problem
from assistant.settings import SettingsError, load_settings
from assistant.streams import NoScreenError, require_screen
from memory.vault.lock import acquire


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCKET_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LOCKET_TEST_CHEAP_KDF", "1")
    monkeypatch.delenv("LOCKET_PASSPHRASE", raising=False)


@pytest.mark.parametrize(
    "verb", [["memory", "add"], ["memory", "history"], ["config", "model"], ["memory", "working", "add"]]
)
def test_an_argument_that_is_no_text_is_refused(verb: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*verb, "\udcff"]) == Exit.USAGE
    assert "not valid UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize("verb", [["memory", "list"], ["vault", "init"], ["chat", "--plain"]])
def test_a_closed_standard_input_is_an_empty_one(
    verb: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    code = main(verb)
    sys.stdin.close()
    assert code in (Exit.USAGE, Exit.NO_STORE)
    assert capsys.readouterr().err.startswith("locket: ")


def test_a_full_disk_has_words_wherever_it_is_met() -> None:
    problem = to_problem(OSError(errno.ENOSPC, "No space left on device"))
    assert problem is not None
    assert problem.exit_code == Exit.DISK_FULL
    assert to_problem(OSError(errno.EIO, "")) is None


@pytest.mark.parametrize("when", ["0001-01-01", "1969-12-31", "3000-01-01", "9999-12-31T23:59:59"])
def test_a_clock_outside_of_the_calendar_is_refused(when: str) -> None:
    with pytest.raises(SettingsError, match="year"):
        load_settings({"LOCKET_NOW": when})


@pytest.mark.parametrize("value", ["a\nb", "a\x1bb", "a\x00"])
def test_a_setting_is_one_line_that_can_be_read(value: str) -> None:
    with pytest.raises(SettingsError, match="one line"):
        load_settings({}, {"theme": value})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not JSON"),
        (b'{"conv', "not JSON"),
        (b"[1]", "not a set"),
        (b'{"conversations": 3}', "not a set"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b"[" * 200_000, "nested too deep"),
        (b'{"conversations": []}', "no question"),
        (b'{"conversations":[{"conv_id":1,"items":[{"id":1,"text":"\\ud800"}]}]}', "not a set"),
        (b'{"conversations":[{"conv_id":1,"items":[{"id":1,"text":"a","date":"0001-01-01"}]}]}', "year 1"),
    ],
)
def test_a_file_to_measure_with_of_another_form_is_refused_in_words(
    tmp_path: Path, content: bytes, words: str
) -> None:
    file = tmp_path / "set.json"
    file.write_bytes(content)
    with pytest.raises(BadDataset, match=words) as caught:
        read_dataset(file)
    problem = to_problem(caught.value)
    assert problem is not None
    assert problem.exit_code == Exit.USAGE


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    for path in (tmp_path, Path("/dev/zero")):
        with pytest.raises(BadDataset):
            read_dataset(path)


def test_a_huge_file_to_measure_with_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "set.json"
    with file.open("wb") as sparse:
        sparse.truncate(300_000_000)
    with pytest.raises(BadDataset, match="fit"):
        read_dataset(file)


def test_lines_to_consider_fail_each_for_itself_with_true_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        b'\xef\xbb\xbf{"text": "I live in Bern"}',
        b'{"text": "a", "said_at": "0001-01-01"}',
        b'{"text": "a", "said_at": "9999-12-31"}',
        b'{"text": "a", "existing": [{"id": "7", "text": "x"}, {"id": "7", "text": "y"}]}',
        b'{"text": "a", "existing": [{"id": "\\ud800", "text": "x"}]}',
        b"\xff",
        b"{",
        b'{"text": "I live in Rome"}',
    ]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(lines)), encoding="utf-8"))
    assert main(["memory", "consider", "-"]) == Exit.PARTLY
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    said = ["", "year 1;", "year 9999", "twice", "half a character", "not UTF-8", "not valid JSON", ""]
    assert [word in line.get("error", "") for word, line in zip(said, told, strict=True)] == [True] * 8
    assert ["error" in line for line in told] == [False, *[True] * 6, False]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("verb", [[], ["chat"]])
def test_where_no_screen_can_be_drawn_the_plain_chat_is_named(
    verb: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(verb) == Exit.USAGE
    assert "`locket chat --plain`" in capsys.readouterr().err


def test_a_terminal_that_only_prints_lines_is_none_for_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stderr", Terminal())
    require_screen({"TERM": "xterm"})
    with pytest.raises(NoScreenError, match="dumb"):
        require_screen({"TERM": "dumb"})


@pytest.mark.parametrize("verb", [["memory", "list"], ["chat", "--plain"], ["export", "memory.age"]])
def test_nobody_is_asked_for_the_passphrase_of_a_store_that_is_not_there(
    verb: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(verb) == Exit.NO_STORE
    assert "Run `locket` to make one" in capsys.readouterr().err


def test_certificates_are_listed_beside_a_locket_that_writes(
    home_with_a_vault: Path,
    passphrase: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LOCKET_HOME", str(home_with_a_vault))
    monkeypatch.setenv("LOCKET_PASSPHRASE", passphrase)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(["memory", "add", "My dog is called Biscuit"]) == Exit.OK
    assert main(["memory", "forget", "--about", "Biscuit", "--yes"]) == Exit.OK
    capsys.readouterr()
    lock = acquire(home_with_a_vault / "vault" / "vault.lock", since="2026-03-01T12:00:00+00:00")
    try:
        assert main(["memory", "certificates"]) == Exit.OK
    finally:
        lock.release()
    assert "genuine" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--password-file", "nowhere"], "cannot be read from nowhere: No such file"),
        (["--password-command", "false"], "the passphrase command failed and returned 1"),
        ([], "no passphrase. Give --password-file"),
    ],
)
def test_a_passphrase_that_does_not_come_is_told_in_plain_words(
    options: list[str],
    words: str,
    home_with_a_vault: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LOCKET_HOME", str(home_with_a_vault))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(["memory", "list", *options]) == Exit.USAGE
    told = capsys.readouterr().err
    assert told.startswith("locket: There is no passphrase. ")
    assert words.casefold() in told.casefold()


@pytest.mark.parametrize("family", ["", "memory", "memory rule", "vault", "vault slots", "model", "eval"])
def test_the_help_of_a_family_cuts_no_sentence_short(family: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*family.split(), "--help"]) == Exit.OK
    listed = capsys.readouterr().out.partition("Commands:")[2]
    assert listed
    assert "..." not in listed
