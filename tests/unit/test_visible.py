"""Foreign words reach a terminal as something to see, never as something to obey."""

import json
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.visible import agrees, ask, close_gaps, echo, hand_over, visible

FOREIGN = "my note \x1b]0;title\x07 \x9b31m \u202egnp\u2066x\u2069"


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCKET_HOME", str(tmp_path))
    monkeypatch.setenv("LOCKET_PASSPHRASE", "four words of mine")
    monkeypatch.setenv("LOCKET_TEST_CHEAP_KDF", "1")


@pytest.mark.parametrize(
    "sign", ["\x00", "\x07", "\x1b", "\x7f", "\x9b", "\u202a", "\u202e", "\u2066", "\u2069"]
)
def test_what_a_terminal_acts_on_becomes_one_sign_to_see(sign: str) -> None:
    shown = visible(sign)
    assert len(shown) == 1
    assert shown != sign


def test_lines_tabs_and_letters_of_every_script_stay() -> None:
    kept = "a\tb\nGrüße שלום 你好 👩‍🚀"
    assert visible(kept) == kept


def test_words_for_a_person_are_printed_visible(capsys: pytest.CaptureFixture[str]) -> None:
    echo(FOREIGN)
    assert capsys.readouterr().out == visible(FOREIGN) + "\n"


def test_a_document_goes_into_a_pipe_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    hand_over(FOREIGN)
    assert capsys.readouterr().out == FOREIGN


def test_a_memory_with_escapes_is_listed_visible_and_whole_in_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["vault", "init"]) == 0
    assert main(["memory", "add", FOREIGN]) == 0
    assert main(["memory", "list"]) == 0
    assert not set("\x1b\x07\x9b\u202e\u2066") & set(capsys.readouterr().out)
    assert main(["memory", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["items"][0]["text"] == FOREIGN


@pytest.mark.parametrize(
    "verb",
    [
        ["import", FOREIGN],
        ["memory", FOREIGN],
        ["export", "--" + FOREIGN],
        ["memory", "edit", "a", "b", FOREIGN],
    ],
)
def test_an_argument_that_is_refused_is_quoted_visible(
    verb: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A script may hand over the name of a file that somebody else chose."""
    assert main(verb) == 2
    said = capsys.readouterr().err
    assert "my note" in said
    assert not set("\x1b\x07\x9b\u202e\u2066") & set(said)


def test_questions_are_asked_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def answered(words: str, **_: object) -> str:
        asked.append(words)
        return "yes"

    monkeypatch.setattr("click.confirm", answered)
    monkeypatch.setattr("click.prompt", answered)
    assert agrees(FOREIGN)
    assert ask(FOREIGN) == "yes"
    assert asked == [visible(FOREIGN)] * 2


def test_nothing_asks_around_the_one_place() -> None:
    around = [
        file.name
        for file in Path("assistant").rglob("*.py")
        if file.name != "visible.py"
        and any(
            way in file.read_text(encoding="utf-8") for way in ("click.confirm(", "click.prompt(", ".show()")
        )
    ]
    assert around == []


def test_no_verb_prints_words_around_the_one_place() -> None:
    around = [
        f"{file.name}: {line.strip()}"
        for file in Path("assistant/verbs").glob("*.py")
        for line in file.read_text(encoding="utf-8").splitlines()
        if ("click.echo(" in line or "print(" in line.replace("_print(", ""))
        and not any(own in line for own in ("json.dumps", '\\r"', "{end}"))
    ]
    assert around == []


@pytest.mark.parametrize(
    ("kept", "shown"),
    [
        ("My dog is called Biscuit and […]                    .", "My dog is called Biscuit and […]."),
        ("[…]               and I sail", "[…] and I sail"),
        ("I said […]      \nand more", "I said […]\nand more"),
        ("Two  blanks […] of one's own", "Two  blanks […] of one's own"),
    ],
)
def test_the_blanks_in_place_of_forgotten_words_are_drawn_together(kept: str, shown: str) -> None:
    assert close_gaps(kept) == shown
