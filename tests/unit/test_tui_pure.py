"""The screen's decisions that need no screen."""

import random
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from assistant.tui.days import day_heading, minutes_left, said
from assistant.tui.idle import WORK_LIMIT, IdleTimer
from assistant.tui.import_words import shown_lines
from assistant.tui.paste import changed, follow, joined, trimmed
from assistant.tui.pathnames import completed
from assistant.tui.plain import counted, one_line, shortened, visible
from assistant.tui.screens.chat_messages import code_of
from assistant.tui.strength import SHORTEST, generate, strength
from assistant.tui.widgets.answer import remembered_words
from assistant.tui.widgets.budget_bar import bar
from assistant.tui.widgets.status_line import Status, status_words
from assistant.verbs.talking import tell_memory
from memory.records import (
    Add,
    Candidate,
    Decided,
    Fact,
    Ignore,
    Kind,
    Origin,
    Review,
    SectionUse,
    Supersede,
    Usage,
)
from memory.transfer.report import ImportReport, Skipped

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
TODAY = date(2026, 3, 4)


def test_control_characters_become_pictures_and_lines_stay() -> None:
    assert visible("a\x1b[31mred\x07\nnext\ttab") == "a␛[31mred␇\nnext\ttab"


def test_marks_that_reorder_text_are_shown() -> None:
    assert visible("safe\u202egpj.exe") == "safe\ufffdgpj.exe"


@given(st.text())
def test_cleaning_keeps_every_position(text: str) -> None:
    assert len(visible(text)) == len(text)


@given(st.text(max_size=60), st.integers(0, 40))
def test_one_line_never_exceeds_its_cells(text: str, cells: int) -> None:
    line = one_line(text, cells)
    assert cell_len(line) <= cells
    assert "\n" not in line


def test_wide_characters_are_cut_by_cells() -> None:
    assert one_line("日本語テキスト", 7) == "日本語…"
    assert one_line("日本語", 6) == "日本語"


def test_a_huge_text_is_shown_in_part_and_says_how_much_is_left() -> None:
    text, left = shortened("x" * 1_000_000)
    assert len(text) + left == 1_000_000
    assert len(text) < 10_000


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 3, 4), "Today"),
        (date(2026, 3, 3), "Yesterday"),
        (date(2026, 3, 1), "Sun 1 Mar"),
        (date(2025, 12, 31), "Wed 31 Dec 2025"),
    ],
)
def test_days_are_named_as_people_do(day: date, words: str) -> None:
    assert day_heading(day, TODAY) == words


def test_the_time_of_a_message_is_in_the_readers_zone() -> None:
    now = datetime(2026, 3, 4, 1, 0, tzinfo=timezone(timedelta(hours=2)))
    assert said(datetime(2026, 3, 3, 22, 30, tzinfo=UTC), now) == "00:30"
    assert said(datetime(2026, 3, 3, 21, 30, tzinfo=UTC), now) == "Yesterday 23:30"


def test_the_countdown_rounds_up_and_ends_in_seconds() -> None:
    assert [minutes_left(s) for s in (600, 599, 61, 60, 9.4, -1)] == [
        "10 min",
        "10 min",
        "2 min",
        "60 s",
        "9 s",
        "0 s",
    ]


def test_counting_agrees_with_the_noun() -> None:
    assert counted(1, "fact") == "1 fact"
    assert counted(1204, "fact") == "1,204 facts"
    assert counted(2, "memory", "memories") == "2 memories"


@pytest.mark.parametrize(
    "poor", ["", "aaaaaaaaaaaaaaaa", "password1", "qwertyuiop", "12345678901234", "abcdefgh"]
)
def test_what_everybody_tries_is_weak(poor: str) -> None:
    assert strength(poor).word in ("weak", "empty")


@pytest.mark.parametrize("fine", ["otter lamp violet harbour quince seven", "g7#Kq!w9Zp$vR2mx"])
def test_long_and_unlike_others_is_strong(fine: str) -> None:
    assert strength(fine).word == "strong"


def test_a_generated_passphrase_is_strong_and_differs() -> None:
    draw = random.Random(4)
    first, second = generate(draw.choice), generate(draw.choice)
    assert first != second
    assert len(first) > SHORTEST
    assert strength(first).word == "strong"


def test_pasted_text_moves_when_something_is_typed_before_it() -> None:
    spans = follow((), "see ", "see LOG", pasted=True)
    assert spans == ((4, 7),)
    assert follow(spans, "see LOG", "please see LOG") == ((11, 14),)


def test_typing_inside_a_paste_is_the_users_own() -> None:
    assert follow(((0, 6),), "abcdef", "abcXdef") == ((0, 3), (4, 7))


def test_deleting_a_paste_removes_it_and_undo_brings_it_back_as_pasted() -> None:
    long = "a line that came from elsewhere"
    spans = follow(((0, len(long)),), long, "", pastes=[long])
    assert spans == ()
    assert follow(spans, "", long, pastes=[long]) == ((0, len(long)),)


def test_stripping_the_message_moves_the_spans() -> None:
    assert trimmed("  ab cd \n", ((2, 4), (7, 9))) == ("ab cd", ((0, 2),))


@given(st.text("ab\n", max_size=30), st.text("ab\n", max_size=30))
def test_the_changed_range_explains_the_change(old: str, new: str) -> None:
    start, old_end, new_end = changed(old, new)
    assert old[:start] + new[start:new_end] + old[old_end:] == new
    assert 0 <= start <= old_end <= len(old)


@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 40), st.integers(0, 5), st.text("xyz", max_size=6)),
        max_size=12,
    )
)
def test_pasted_spans_always_lie_inside_the_text(edits: list[tuple[bool, int, int, str]]) -> None:
    text, spans = "", ()  # type: tuple[str, tuple[tuple[int, int], ...]]
    for pasted, at, cut, put in edits:
        where = min(at, len(text))
        new = text[:where] + put + text[where + cut :]
        spans = follow(spans, text, new, pasted=pasted)
        text = new
        assert all(0 <= a < b <= len(text) for a, b in spans)
        assert spans == joined(spans)


def status(**more: object) -> Status:
    usage = Usage(1810, 184, 1626, 42, 412.0, 38.4, "", "model", "")
    return Status(model="qwen2.5-coder-0.5b", window=16384, usage=usage, **more)  # type: ignore[arg-type]


def test_the_status_line_says_what_the_turn_cost() -> None:
    left, right = status_words(status(lock_in=540.0, incognito=True), 100)
    assert left == "qwen2.5-coder-0.5b · ctx 11% · reused 90% · 38 t/s"
    assert right == "locks in 9 min · incognito"


@given(st.integers(20, 120), st.booleans(), st.booleans(), st.text(max_size=80))
def test_the_status_line_never_exceeds_its_width(
    cells: int, incognito: bool, paused: bool, notice: str
) -> None:
    flat = " ".join(visible(notice).split())
    left, right = status_words(status(incognito=incognito, paused=paused, notice=flat, lock_in=60.0), cells)
    if cells >= 40:
        assert cell_len(left) + cell_len(right) + 1 <= cells
    assert ("incognito" in right) == incognito


@given(st.lists(st.integers(0, 5000), max_size=7), st.integers(10, 80))
def test_the_budget_bar_fills_exactly_its_width(tokens: list[int], cells: int) -> None:
    sections = tuple(SectionUse(f"s{n}", count, 6000) for n, count in enumerate(tokens))
    assert cell_len(bar(sections, 13_107, cells).plain) == cells


def test_what_was_remembered_is_said_in_one_line_and_what_waits_in_another() -> None:
    said = Candidate(Kind.FACT, "user", "home", "Porto", "I live in Porto", "I live in Porto", 0, 15)
    old = Fact("f", "p", "user", "home", "Lisbon", "I live in Lisbon", Kind.FACT, Origin.USER_SAID, NOW)
    decided = [
        Decided(said, Supersede(("f",), "newer"), "g", superseded=(old,)),
        Decided(said, Review("unsure"), "h"),
        Decided(said, Ignore("small talk")),
    ]
    assert remembered_words(decided) == [
        "remembered: I live in Porto (was Lisbon) · /undo takes it back",
        "1 memory waiting for your yes · /review",
    ]
    assert remembered_words(decided[2:]) == []
    assert remembered_words(decided[:1], can_undo=False) == ["remembered: I live in Porto (was Lisbon)"]


def test_a_sentence_that_holds_two_facts_is_said_to_be_remembered_once() -> None:
    words = "I work as a nurse at the harbour clinic"
    role = Candidate(Kind.FACT, "user", "role", "nurse", words, words, 0, len(words))
    decided = [Decided(role, Add(""), "g"), Decided(replace(role, attribute="employer"), Add(""), "h")]
    assert remembered_words(decided) == [f"remembered: {words} · /undo takes the last back"]
    assert tell_memory(decided) == [f"remembered: {words}"]


def test_code_is_taken_out_of_an_answer_without_its_fences() -> None:
    assert code_of("a\n```python\nx = 1\n```\nb\n~~~\ny\n~~~\n") == "x = 1\n\ny"
    assert code_of("no code ``` here") == ""


def test_an_import_is_told_in_a_persons_words() -> None:
    report = ImportReport(
        added={"candidate": 2, "message": 1418, "trace": 3, "journal": 1},
        same={"fact": 1},
        refused={},
        skipped=tuple(Skipped(f"line {n}", "it is empty") for n in range(300)),
    )
    lines = shown_lines(report)
    assert lines[:2] == [
        "new: 1,418 messages, 2 memories for Review, 4 other records",
        "here already: 1 fact",
    ]
    assert lines[2] == "skipped  line 0: it is empty"
    assert lines[-1] == "… 102 more"
    assert shown_lines(ImportReport()) == ["There is nothing in it."]


def test_a_path_is_completed_as_far_as_it_can_only_be_meant(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    for name in ("notes/a.txt", "list-one.txt", "list-two.txt", ".hidden"):
        (tmp_path / name).touch()
    at = str(tmp_path)
    assert completed(f"{at}/n") == f"{at}/notes/"
    assert completed(f"{at}/notes/") == f"{at}/notes/a.txt"
    assert completed(f"{at}/l") == f"{at}/list-"
    assert completed(f"{at}/.h") == f"{at}/.hidden"
    assert completed(f"{at}/x") == f"{at}/x"
    assert completed(f"{at}/nowhere/x") == f"{at}/nowhere/x"


def test_a_model_that_is_still_loading_is_told_from_none() -> None:
    assert Status(loading=True).left() == ["loading the model"]
    assert Status().left() == ["no model"]
    assert Status(model="qwen", loading=True).left() == ["qwen"]


def test_work_that_gets_on_puts_the_lock_off_for_an_hour_at_most() -> None:
    now = [0.0]
    timer = IdleTimer(600, lambda: now[0])
    while now[0] < WORK_LIMIT + 600 and not timer.is_due(talking=False):
        now[0] += 10
        timer.work_got_on()
    assert WORK_LIMIT < now[0] <= WORK_LIMIT + 600
    timer.touch()
    now[0] += 599
    timer.work_got_on()
    now[0] += 599
    assert not timer.is_due(talking=False)
