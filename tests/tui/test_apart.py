"""Incognito and branches on the screen, over a real store: only the models are scripted."""

from collections.abc import Callable
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Static
from tui.conftest import Patient, unlock, write
from tui.test_real_locket import PASSPHRASE, chat, made_store, say

from assistant.tui.app import LocketApp
from assistant.tui.screens.unlock import UnlockScreen
from assistant.tui.widgets.conversations import ConversationList
from assistant.tui.widgets.prompt_input import PromptInput
from assistant.tui.widgets.status_line import StatusLine
from assistant.tui.widgets.transcript import Transcript
from memory.reader import Reader

SECRET_WORDS = "My cat is called Zubrowka"


def texts(pilot: Pilot[Any]) -> list[str]:
    return [message.text for message in chat(pilot).query_one(Transcript).messages]


async def command(pilot: Pilot[Any], wait: Patient, text: str, until: Callable[[], object]) -> None:
    await write(pilot, text)
    await pilot.press("enter")
    await wait(pilot, until)


async def kept_conversations(pilot: Pilot[Any]) -> int:
    def count(reader: Reader) -> int:
        return len(reader.list_conversations())

    return await chat(pilot).locket.read(count)


async def test_an_incognito_conversation_is_in_no_list_and_gone_with_the_next(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient
) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        await pilot.press("ctrl+t")
        await wait_for_workers(pilot, lambda: chat(pilot).incognito and chat(pilot).title_words)
        await say(pilot, wait_for_workers, SECRET_WORDS)
        assert chat(pilot).query_one(StatusLine).status.incognito
        assert chat(pilot).query_one(ConversationList).conversations == ()
        await write(pilot, "half a thought")
        await pilot.press("ctrl+n")
        await wait_for_workers(pilot, lambda: not chat(pilot).incognito and texts(pilot) == [])
        prompt = chat(pilot).query_one(PromptInput)
        assert prompt.text == ""
        assert SECRET_WORDS not in [text for text, _ in prompt.history_lines]
        assert await kept_conversations(pilot) == 0


async def test_locking_ends_an_incognito_conversation(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient
) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(100, 30)) as pilot:
        await unlock(pilot, PASSPHRASE)
        await pilot.press("ctrl+t")
        await wait_for_workers(pilot, lambda: chat(pilot).incognito and chat(pilot).title_words)
        await say(pilot, wait_for_workers, SECRET_WORDS)
        await write(pilot, "half a thought")
        await pilot.press("ctrl+l")
        await wait_for_workers(pilot, lambda: isinstance(app.screen, UnlockScreen) and not app.screen.busy)
        await unlock(pilot, PASSPHRASE)
        assert texts(pilot) == []
        assert not chat(pilot).incognito
        assert chat(pilot).query_one(PromptInput).text == ""
        assert await kept_conversations(pilot) == 0


async def test_keep_makes_it_an_ordinary_conversation(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient
) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        await command(
            pilot,
            wait_for_workers,
            "/incognito",
            lambda: chat(pilot).incognito and chat(pilot).title_words,
        )
        await say(pilot, wait_for_workers, SECRET_WORDS)
        before = texts(pilot)
        pane = chat(pilot).query_one(ConversationList)
        await command(pilot, wait_for_workers, "/keep", lambda: len(pane.conversations) == 1)
        assert not chat(pilot).incognito
        assert texts(pilot) == before
        facts = await chat(pilot).locket.read(lambda reader: reader.list_facts())
        assert [fact.value for fact in facts] == ["Zubrowka"]


async def test_an_edited_message_takes_the_place_of_the_old_one_and_b_goes_back(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient
) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        await say(pilot, wait_for_workers, "My dog is called Biscuit")
        await say(pilot, wait_for_workers, "Thank you")
        before = texts(pilot)
        await pilot.press("ctrl+up", "up", "up", "up", "e")
        prompt = chat(pilot).query_one(PromptInput)
        await wait_for_workers(pilot, lambda: prompt.text == "My dog is called Biscuit")
        prompt.put("My dog is called Waffle")
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: len(texts(pilot)) == 2 and not chat(pilot).talking)
        assert texts(pilot)[0] == "My dog is called Waffle"
        facts = await chat(pilot).locket.read(lambda reader: reader.list_facts())
        assert [fact.value for fact in facts] == ["Waffle"]
        await pilot.press("ctrl+up", "up", "b")
        await wait_for_workers(pilot, lambda: texts(pilot) == before)
        facts = await chat(pilot).locket.read(lambda reader: reader.list_facts())
        assert [fact.value for fact in facts] == ["Biscuit"]


async def test_from_an_earlier_answer_one_can_go_on_and_come_back(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient
) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        await say(pilot, wait_for_workers, "Good morning")
        await say(pilot, wait_for_workers, "My dog is called Biscuit")
        before = texts(pilot)
        await pilot.press("ctrl+up", "up", "up", "b")
        await wait_for_workers(pilot, lambda: texts(pilot) == before[:2])
        await command(pilot, wait_for_workers, "/branch", lambda: texts(pilot) == before)


async def test_escape_drops_an_edit(make_app: Callable[[], LocketApp], wait_for_workers: Patient) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        await say(pilot, wait_for_workers, "Good morning")
        await command(pilot, wait_for_workers, "/edit", lambda: chat(pilot).editing is not None)
        await pilot.press("escape")
        await wait_for_workers(pilot, lambda: chat(pilot).editing is None)
        await say(pilot, wait_for_workers, "Good evening")
        assert texts(pilot)[0] == "Good morning"
        assert len(texts(pilot)) == 4


async def test_a_title_or_a_pause_is_nothing_for_an_incognito_conversation(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient
) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        await pilot.press("ctrl+t")
        await wait_for_workers(pilot, lambda: chat(pilot).incognito and chat(pilot).title_words)
        await say(pilot, wait_for_workers, "Hello")
        await command(pilot, wait_for_workers, "/title Holidays", lambda: len(pilot.app._notifications) > 0)
        assert "incognito" in str(chat(pilot).query_one("#title", Static).content)
