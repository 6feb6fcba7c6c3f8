"""`locket chat --plain` takes every command of the screen, and answers in lines."""

import asyncio
import io
import os
import re
import sys
from pathlib import Path

import pytest
from fixed_clock import FixedClock
from scripted_engines import ScriptedEngines

from assistant.cli import main
from assistant.tui.idle import IdleTimer, SleepWatch
from assistant.verbs.chat import LOCKED, next_line
from assistant.verbs.lines import Lines
from assistant.verbs.plain_files import now_and_then
from models.scripted import HashEmbedder, ScriptedChat


class Chat:
    """Talks in lines with a model that numbers its answers, and returns everything that was printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys = capsys
        self.monkeypatch = monkeypatch
        self.talker = ScriptedChat(lambda _: f"Answer {len(self.asked)}.", n_ctx=8192)
        engines = ScriptedEngines(self.talker, HashEmbedder())
        monkeypatch.setattr("assistant.runtimes.LocalRuntimes", lambda _: engines)

    def __call__(self, *lines: str) -> str:
        self.monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*lines, "/quit", ""])))
        assert main(["chat", "--plain"]) == 0
        return self.capsys.readouterr().out

    @property
    def asked(self) -> list[str]:
        return [str(prompt) for prompt in self.talker.prompts]


@pytest.fixture
def chat(unlocked_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Chat:
    return Chat(capsys, monkeypatch)


def test_a_doubled_slash_is_a_message(chat: Chat) -> None:
    chat("//shrug at this")
    assert "/shrug at this" in chat.asked[0]
    assert "//shrug" not in chat.asked[0]


def test_a_file_goes_along_with_the_next_message_and_nothing_of_it_is_remembered(
    chat: Chat, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("I live in Nowhere.")
    said = chat(f"/attach {tmp_path}/notes.txt", "I live in Porto", "And now?", "/memory")
    assert "(notes.txt goes along with your next message: 18 characters." in said
    assert "[file: notes.txt]\nI live in Nowhere." in chat.asked[0].replace("\\n", "\n")
    assert re.findall(r"^[0-9a-z]{16}  (.*)$", said, re.MULTILINE) == ["I live in Porto"]


def test_what_cannot_be_attached_is_said(chat: Chat, tmp_path: Path) -> None:
    assert "There is no file" in chat(f"/attach {tmp_path}/none.txt")


def test_a_persona_is_set_shown_and_taken_back(chat: Chat) -> None:
    said = chat("/persona Be terse.", "/persona", "Hello", "/persona none", "/persona")
    assert "(from the next answer on: Be terse.)\nBe terse.\n" in said
    assert "Be terse." in chat.asked[0]
    assert "(no persona any more)\nNone." in said


def test_an_edited_message_is_a_branch_and_branch_goes_back(chat: Chat) -> None:
    said = chat("How far is Lisbon?", "/edit", "How far is Porto?", "/branch")
    assert "You said: How far is Lisbon?" in said
    assert "Answer 2." in said
    assert said.endswith(
        "You: How far is Lisbon?\nLocket: Answer 1.\n(another branch; /branch goes on to the next one)\n"
    )


def test_an_edit_without_words_leaves_the_message(chat: Chat) -> None:
    chat("How far is Lisbon?", "/edit", "", "/branch")
    assert len(chat.asked) == 1


def test_forgetting_shows_what_goes_and_asks(chat: Chat) -> None:
    said = chat("My dog is called Biscuit", "/forget Biscuit", "n", "/memory")
    assert "goes with it: remove fact" in said
    assert "(nothing was forgotten)" in said
    assert "My dog is called Biscuit\n" in said.partition("(nothing was forgotten)")[2]
    said = chat("/forget Biscuit", "y", "/memory")
    assert "Certificate" in said
    assert "Biscuit" not in said.partition("Certificate")[2]


def test_what_is_exported_is_looked_at_before_it_is_imported(chat: Chat, tmp_path: Path) -> None:
    file = tmp_path / "memory.age"
    said = chat("My dog is called Biscuit", f"/export {file}", f"/import {file}", "n")
    assert f"{file}: " in said
    assert "same " in said
    assert "(nothing was imported)" in said
    assert "(imported)" in chat(f"/import {file}", "y")


def test_what_takes_long_says_now_and_then_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody who hears the screen learns that it goes on, and not of every record."""
    clock = FixedClock()
    tell = now_and_then("taken in", lambda: clock().timestamp())
    for number in range(1, 1201):
        clock.advance(seconds=0.01)
        tell(number, 3700 if number > 600 else 0)
    assert capsys.readouterr().out.splitlines() == [
        "(500 records taken in)",
        "(1,000 records of 3,700 taken in)",
    ]


def test_an_export_writes_over_a_file_on_a_yes_only(chat: Chat, tmp_path: Path) -> None:
    file = tmp_path / "memory.age"
    file.write_text("the older one")
    assert "(nothing was written)" in chat(f"/export {file}", "n")
    assert file.read_text() == "the older one"
    assert "records" in chat(f"/export {file}", "y")


@pytest.mark.parametrize(("answer", "facts"), [("y", []), ("t", ["I play the cello"])])
def test_another_programs_memories_wait_unless_trusted(
    chat: Chat, tmp_path: Path, answer: str, facts: list[str]
) -> None:
    listed = tmp_path / "listed.txt"
    listed.write_text("[2026-03-01] - I play the cello\n")
    said = chat(f"/import {listed}", answer, "/memory")
    assert re.findall(r"^[0-9a-z]{16}  (.*)$", said, re.MULTILINE) == facts


def test_an_answer_can_be_made_again_or_gone_on_with(chat: Chat) -> None:
    said = chat("/regenerate", "Hello", "/continue", "/regenerate")
    assert said.startswith("Say something first.\n")
    assert "Go on exactly where you stopped." in chat.asked[1]
    assert "Answer 3." in said


def test_a_title_is_shown_and_changed(chat: Chat) -> None:
    said = chat("/title", "Hello there", "/title", "/title Greetings", "/title")
    assert "Hello there\n(title: Greetings)\nGreetings\n" in said


@pytest.mark.skipif(
    sys.platform == "win32", reason="a line that is being waited for cannot be called off there"
)
@pytest.mark.parametrize("why", ["idle", "asleep"])
async def test_who_goes_away_is_locked_out_and_who_types_is_not(
    why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    hours = {"idle": 0.0, "asleep": 0.0}
    idle, sleep = IdleTimer(600, lambda: hours["idle"]), SleepWatch(lambda: hours["asleep"])
    reads, writes = os.pipe()
    with os.fdopen(reads) as typed, os.fdopen(writes, "w") as keyboard:
        lines = Lines(typed)
        waiting = asyncio.ensure_future(next_line(lines, idle, sleep, 0.01))
        await asyncio.sleep(0.1)
        keyboard.write("still here\n")
        keyboard.flush()
        assert await waiting == "still here"
        waiting = asyncio.ensure_future(next_line(lines, idle, sleep, 0.01))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        hours[why] += 601
        assert await asyncio.wait_for(waiting, 30) is None
        assert LOCKED in capsys.readouterr().err
        assert await lines.next() is None, "what is typed afterwards is not read"
        lines.close()


@pytest.mark.skipif(sys.platform == "win32", reason="as above")
async def test_whoever_never_wants_it_locked_is_left_alone() -> None:
    idle, sleep = IdleTimer(0, lambda: 1e9), SleepWatch(iter(range(0, 10**9, 1000)).__next__)
    reads, writes = os.pipe()
    with os.fdopen(reads) as typed, os.fdopen(writes, "w") as keyboard:
        lines = Lines(typed)
        waiting = asyncio.ensure_future(next_line(lines, idle, sleep, 0.01))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        keyboard.write("still here\n")
        keyboard.flush()
        assert await waiting == "still here"
        lines.close()
