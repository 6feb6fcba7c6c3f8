"""What stays in sight and under the cursor: lists that change, panes over a small screen, short terminals."""

from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static
from tui.conftest import Open, Patient, write
from tui.fakes import FACTS, FakeLocket
from tui.test_forget_rows import Asking, fact

from assistant.tui.app import LocketApp
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.forget import ForgetScreen
from assistant.tui.widgets.inspector import TABS, Inspector
from assistant.tui.widgets.prompt_input import PromptInput
from assistant.tui.widgets.record_list import RecordList


def chat(pilot: Pilot[Any]) -> ChatScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ChatScreen)
    return screen


async def test_the_cursor_stays_at_its_place_when_the_memory_under_it_goes(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.reader.facts = list(FACTS)
    async with chatting(size=(160, 40)) as pilot:
        chat(pilot).show_tab("facts")
        shown = chat(pilot).query_one("#fact-list", RecordList)
        chat(pilot).refresh_lists()
        await wait_for_workers(pilot, lambda: shown.has_focus and len(shown.rows) > 1)
        memories = [row.id for row in shown.rows if row.id]
        shown.highlighted = shown.get_option_index(memories[0])
        shown.show([row for row in shown.rows if row.id != memories[0]])
        assert shown.chosen == memories[1]


@pytest.mark.parametrize("key", ["ctrl+n", "ctrl+t"])
async def test_a_new_conversation_is_not_begun_behind_a_pane(
    key: str, chatting: Open, wait_for_workers: Patient
) -> None:
    async with chatting(size=(80, 24)) as pilot:
        chat(pilot).show_tab("facts")
        await wait_for_workers(pilot, lambda: chat(pilot).query_one(Inspector).display)
        await pilot.press(key)
        await wait_for_workers(pilot, lambda: not chat(pilot).query_one(Inspector).display)
        assert chat(pilot).query_one(PromptInput).has_focus


async def test_an_empty_incognito_conversation_promises_no_memory(
    chatting: Open, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        await pilot.press("ctrl+t")
        await wait_for_workers(pilot, lambda: chat(pilot).incognito and chat(pilot).query("#welcome"))
        words = str(chat(pilot).query_one("#welcome", Static).content)
        assert "nothing said here is kept" in words
        assert "remembered" not in words


async def test_every_tab_of_the_inspector_is_in_the_palette(chatting: Open) -> None:
    async with chatting() as pilot:
        app = pilot.app
        assert isinstance(app, LocketApp)
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert [title for title in titles if title.startswith("Inspector: ")] == [
            f"Inspector: {tab}" for tab in TABS
        ]


async def test_the_offered_commands_leave_the_prompt_in_sight_on_a_short_screen(
    chatting: Open, wait_for_workers: Patient
) -> None:
    async with chatting(size=(60, 15)) as pilot:
        await write(pilot, "/")
        await wait_for_workers(pilot, lambda: chat(pilot).query_one("Completions").size.height)
        prompt = chat(pilot).query_one(PromptInput)
        assert prompt.region.bottom < 15
        assert prompt.region.height == 3


async def test_the_answers_of_the_forget_dialog_are_in_sight_on_a_short_screen(
    wait_for_workers: Patient,
) -> None:
    app = Asking(*map(fact, range(20)))
    async with app.run_test(size=(60, 15)) as pilot:
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ForgetScreen))
        await wait_for_workers(pilot, lambda: app.screen.query_one("#targets").size.height)
        assert app.screen.query_one("#leave").region.bottom <= 14
        assert app.screen.query_one("#forget").region.height == 1
