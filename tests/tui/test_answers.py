"""An answer and the notes below it: its lines, what was remembered, and what became of that."""

from dataclasses import replace
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Static
from tui.conftest import Open, Patient
from tui.fakes import FakeLocket, conversation, message, remembered

from assistant.tui.screens.chat import ChatScreen
from assistant.tui.widgets.answer import AnswerView
from memory.records import Role


def chat(pilot: Pilot[Any]) -> ChatScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ChatScreen)
    return screen


def answers(pilot: Pilot[Any]) -> list[AnswerView]:
    return list(chat(pilot).query(AnswerView))


def feet(pilot: Pilot[Any]) -> list[str]:
    return [str(view.query_one(".foot", Static).content) for view in answers(pilot)]


async def say(pilot: Pilot[Any], wait: Patient, text: str) -> None:
    before = len(answers(pilot))
    chat(pilot).say(text)
    await wait(pilot, lambda: len(answers(pilot)) > before and not chat(pilot).talking)


async def test_a_poem_keeps_its_lines_while_it_is_written_and_when_it_is_read_again(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    poem = "Grey is the sea\nand *still* is the quay"
    locket.answers = [poem]
    locket.reader.talks = [conversation("c7", "Verses", 0)]
    locket.reader.said["c7"] = [message("a7", Role.ASSISTANT, poem, 1)]

    def lines() -> list[str]:
        shown = list(answers(pilot)[-1].query("MarkdownParagraph").results(Static))
        return str(shown[0].content).splitlines() if shown else []

    async with chatting() as pilot:
        await say(pilot, wait_for_workers, "A poem, please")
        await wait_for_workers(pilot, lambda: lines() == ["Grey is the sea", "and still is the quay"])
        chat(pilot).open_conversation("c7")
        await wait_for_workers(pilot, lambda: chat(pilot).conversation == "c7" and lines())
        assert lines() == ["Grey is the sea", "and still is the quay"]


async def test_an_undo_is_told_below_the_answer_whose_memory_it_took_back(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        locket.decided = [remembered("I am allergic to peanuts"), replace(remembered("I sail"), journal="j0")]
        await say(pilot, wait_for_workers, "first")
        locket.decided = [replace(remembered("I live in Porto"), journal="j7")]
        await say(pilot, wait_for_workers, "second")
        chat(pilot).undo()
        await wait_for_workers(pilot, lambda: "undone" in feet(pilot)[0])
        assert "remembered: I sail" in feet(pilot)[0]
        assert feet(pilot)[1] == "remembered: I live in Porto · /undo takes it back"


async def test_only_the_last_answer_offers_the_undo_of_what_it_brought(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.decided = [remembered("I sail")]
    async with chatting() as pilot:
        await say(pilot, wait_for_workers, "first")
        await say(pilot, wait_for_workers, "second")
        assert feet(pilot) == ["remembered: I sail", "remembered: I sail · /undo takes it back"]


async def test_no_empty_line_stands_below_an_answer_that_is_read_again(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.reader.talks = [conversation("c7", "Greeting", 0)]
    locket.reader.said["c7"] = [message("a7", Role.ASSISTANT, "Hello.", 1)]
    async with chatting() as pilot:
        chat(pilot).open_conversation("c7")
        await wait_for_workers(pilot, lambda: answers(pilot))
        assert not answers(pilot)[0].query_one(".foot").display
