import pytest

from assistant.chat.commands import (
    BY_VERB,
    SPECS,
    Command,
    Misused,
    Spec,
    Unknown,
    Verb,
    Wants,
    as_message,
    completions,
    nearest,
    parse_command,
)

EVERY_COMMAND = [
    "help",
    "new",
    "incognito",
    "keep",
    "pause",
    "continue",
    "search",
    "regenerate",
    "edit",
    "branch",
    "copy",
    "title",
    "persona",
    "model",
    "context",
    "why",
    "remember",
    "forget",
    "memory",
    "review",
    "rule",
    "undo",
    "attach",
    "lock",
    "export",
    "import",
    "quit",
]


def test_every_promised_command_exists_and_no_other() -> None:
    assert [verb.value for verb in Verb] == EVERY_COMMAND
    assert [spec.verb for spec in SPECS] == list(Verb)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.verb)
def test_a_command_written_as_its_usage_says_is_understood(spec: Spec) -> None:
    found = BY_VERB[spec.verb]
    words = "x" if found.wants is not Wants.NOTHING else ""
    assert parse_command(f"/{found.verb} {words}") == Command(found.verb, words)


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "",
        "  ",
        "/",
        "/ new",
        "//new",
        "a /new",
        "/usr/bin/env is missing",
        "/etc/hosts",
        "/2 of it",
        "/*",
    ],
)
def test_what_is_no_command_is_a_message(text: str) -> None:
    assert parse_command(text) is None


def test_case_and_spaces_around_do_not_matter() -> None:
    assert parse_command("  /Title   Trip to Porto \n") == Command(Verb.TITLE, "Trip to Porto")


def test_words_over_several_lines_stay_whole() -> None:
    assert parse_command("/remember one\ntwo") == Command(Verb.REMEMBER, "one\ntwo")


def test_a_missing_argument_is_asked_for_with_the_usage() -> None:
    parsed = parse_command("/remember")
    assert isinstance(parsed, Misused)
    assert "/remember WORDS" in parsed.reason


def test_words_after_a_command_that_takes_none_are_not_swallowed() -> None:
    parsed = parse_command("/quit smoking is hard")
    assert isinstance(parsed, Misused)
    assert "//quit" in parsed.reason


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("remeber", Verb.REMEMBER), ("regen", Verb.REGENERATE), ("serach", Verb.SEARCH), ("hlep", Verb.HELP)],
)
def test_an_unknown_command_suggests_the_nearest(typed: str, meant: Verb) -> None:
    parsed = parse_command(f"/{typed}")
    assert isinstance(parsed, Unknown)
    assert parsed.nearest is meant
    assert f"/{meant}" in parsed.reason


def test_an_unknown_command_like_no_other_suggests_nothing() -> None:
    assert nearest("zzzz") is None
    parsed = parse_command("/zzzz")
    assert isinstance(parsed, Unknown)
    assert "Did you mean" not in parsed.reason
    assert "//zzzz" in parsed.reason


def test_two_slashes_send_one() -> None:
    assert as_message("//new is a command") == "/new is a command"
    assert as_message("plain // text") == "plain // text"


def test_completion_narrows_as_you_type_and_ends_with_the_word() -> None:
    assert completions("/") == SPECS
    assert [spec.verb for spec in completions("/re")] == [Verb.REGENERATE, Verb.REMEMBER, Verb.REVIEW]
    assert [spec.verb for spec in completions("/REM")] == [Verb.REMEMBER]
    assert completions("/remember ") == ()
    assert completions("/remember tea") == ()
    assert completions("//") == ()
    assert completions("re") == ()
