"""From enter to the store: what is sent is given away before it is drawn, whatever comes in between."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Static
from tui.conftest import Open, Patient, unlock
from tui.fakes import FakeLocket

from assistant import wiring
from assistant.chat.events import ReadingPrompt, TurnEvent
from assistant.tui.app import LocketApp
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.unlock import UnlockScreen
from assistant.tui.widgets.prompt_input import PromptInput
from assistant.tui.widgets.transcript import Transcript
from memory.reader import Reader

PASSPHRASE = "otter lamp violet harbour"


def chat(pilot: Pilot[Any]) -> ChatScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ChatScreen)
    return screen


async def test_a_message_sent_in_the_moment_of_locking_is_in_the_store(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient
) -> None:
    app = make_app()
    wiring.create_store(app.settings, PASSPHRASE)
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        chat(pilot).say("My dog is called Biscuit")
        app.action_lock()
        await wait_for_workers(
            pilot,
            lambda: (
                isinstance(app.screen, UnlockScreen)
                and "Locked" in str(app.screen.query_one("#lock-words", Static).content)
            ),
        )
    with wiring.open_store(app.settings, PASSPHRASE, writer=False) as vault:
        reader = Reader(vault.db, wiring.profile_id(app.settings, vault))
        (talk,) = reader.list_conversations()
        assert reader.messages(talk.id)[0].text == "My dog is called Biscuit"


async def test_two_messages_sent_in_one_moment_are_both_said(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        chat(pilot).say("one")
        chat(pilot).say("two")
        await wait_for_workers(pilot, lambda: [text for text, _ in locket.asked] == ["one", "two"])
        await wait_for_workers(pilot, lambda: not chat(pilot).talking)
        assert [m.text for m in chat(pilot).query_one(Transcript).messages if m.role == "user"] == [
            "one",
            "two",
        ]


async def test_a_message_that_waits_in_the_moment_of_locking_is_kept(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.hold = asyncio.Event()
    async with chatting() as pilot:
        chat(pilot).say("one")
        await wait_for_workers(pilot, lambda: locket.reader.said)
        chat(pilot).say("two")
        assert isinstance(pilot.app, LocketApp)
        pilot.app.action_lock()
        await wait_for_workers(pilot, lambda: locket.closed)
        assert [draft.text for draft in locket.reader.queued] == ["two"]


async def test_what_is_typed_stays_kept_until_the_store_has_what_was_sent(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        locket.reader.unsent[None] = "hello"  # as after some seconds of typing
        chat(pilot).say("hello")
        await chat(pilot).talk.keep_unsent()
        assert locket.reader.unsent[None] == "hello"
        await wait_for_workers(pilot, lambda: not chat(pilot).talking)
        await wait_for_workers(pilot, lambda: not any(locket.reader.unsent.values()))


async def test_words_that_the_store_did_not_take_are_in_the_prompt_again(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async def refuse(text: str | None, conversation: str) -> AsyncIterator[TurnEvent]:
        if text is not None:
            raise OSError(28, "No space left on device")
        yield ReadingPrompt(0, 0)

    locket._turn = refuse  # type: ignore[method-assign]
    async with chatting() as pilot:
        chat(pilot).say("My dog is called Biscuit", ((0, 2),))
        prompt = chat(pilot).query_one(PromptInput)
        await wait_for_workers(pilot, lambda: prompt.text == "My dog is called Biscuit")
        assert prompt.whole == ("My dog is called Biscuit", ((0, 2),))
        assert not chat(pilot).talking
