"""What is typed before the conversation is there: into the prompt, and never a passphrase."""

import asyncio
import threading
from dataclasses import replace
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, Static
from tui.conftest import Patient, doors_to, unlock, write
from tui.fakes import NOW, PASSPHRASE, FakeLocket

from assistant.settings import Settings
from assistant.tui.app import LocketApp
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.unlock import UnlockScreen, meant_for_the_conversation
from assistant.tui.widgets.prompt_input import PromptInput
from memory.vault.errors import WrongPassphrase
from memory.vault.keys import KeyringSecret


@pytest.fixture
def opening() -> threading.Event:
    """Give what a store waits for before it opens."""
    lets = threading.Event()
    lets.set()
    return lets


@pytest.fixture
def app(settings: Settings, locket: FakeLocket, opening: threading.Event) -> LocketApp:
    def open_locket(_: Settings, secret: object) -> FakeLocket:
        assert opening.wait(30)
        if secret != PASSPHRASE:
            raise WrongPassphrase
        return locket

    return LocketApp(settings, replace(doors_to(locket), open_locket=open_locket), now=lambda: NOW)


def locked(pilot: Pilot[Any]) -> bool:
    return isinstance(pilot.app.screen, UnlockScreen)


def chatting(pilot: Pilot[Any]) -> bool:
    return isinstance(pilot.app.screen, ChatScreen) and bool(pilot.app.screen.query("#welcome, MessageView"))


async def test_what_is_typed_right_after_enter_is_in_the_prompt_and_not_sent(
    app: LocketApp, locket: FakeLocket, opening: threading.Event, wait_for_workers: Patient
) -> None:
    opening.clear()
    async with app.run_test() as pilot:
        await wait_for_workers(pilot, lambda: app.screen.query("#passphrase"))
        app.screen.query_one(Input).value = PASSPHRASE
        await pilot.press("enter", "h", "i", "enter")
        opening.set()
        for key in "there":
            await pilot.press(key)
        await wait_for_workers(pilot, lambda: chatting(pilot))
        prompt = app.screen.query_one(PromptInput)
        await wait_for_workers(pilot, lambda: prompt.text == "hithere")
        assert locket.asked == []


async def test_keys_that_come_in_one_burst_are_taken_in_their_order(
    app: LocketApp, locket: FakeLocket, opening: threading.Event, wait_for_workers: Patient
) -> None:
    """A busy computer hands over many keys at once; none of them may become part of the passphrase."""
    async with app.run_test() as pilot:
        await wait_for_workers(pilot, lambda: app.screen.query("#passphrase"))
        for character in PASSPHRASE + "x":
            app.post_message(events.Key("space" if character == " " else character, character))
        app.post_message(events.Key("backspace", "\x7f"))
        app.post_message(events.Key("enter", "\r"))
        for character in "early":
            app.post_message(events.Key(character, character))
        await wait_for_workers(pilot, lambda: chatting(pilot))
        prompt = app.screen.query_one(PromptInput)
        await wait_for_workers(pilot, lambda: prompt.text == "early")


@pytest.mark.parametrize(
    ("typed", "carried"),
    [
        ("hello", "hello"),
        ("", ""),
        ("otter lamp", ""),
        ("otter lamp violet", ""),
        ("otter lamp violet again", ""),
    ],
)
def test_a_passphrase_that_is_typed_twice_never_shows(typed: str, carried: str) -> None:
    assert meant_for_the_conversation("otter lamp violet", typed) == carried


def test_what_is_typed_while_the_keyring_opens_may_be_a_passphrase_and_never_shows() -> None:
    assert meant_for_the_conversation(KeyringSecret(bytes(32)), "otter lamp") == ""


async def test_what_was_typed_early_stands_behind_what_was_left_unsent(
    app: LocketApp, locket: FakeLocket, opening: threading.Event, wait_for_workers: Patient
) -> None:
    locket.reader.unsent = {None: "I was about "}
    opening.clear()
    async with app.run_test() as pilot:
        await wait_for_workers(pilot, lambda: app.screen.query("#passphrase"))
        app.screen.query_one(Input).value = PASSPHRASE
        await pilot.press("enter", "t", "o")
        opening.set()
        await wait_for_workers(pilot, lambda: chatting(pilot))
        prompt = app.screen.query_one(PromptInput)
        await wait_for_workers(pilot, lambda: prompt.text == "I was about to")


class Slow(FakeLocket):
    """Takes its time to close."""

    let: asyncio.Event

    async def close(self) -> None:
        await self.let.wait()
        await super().close()


async def test_a_passphrase_given_while_it_is_still_locking_counts(
    settings: Settings, wait_for_workers: Patient
) -> None:
    locket = Slow()
    app = LocketApp(settings, doors_to(locket), now=lambda: NOW)
    async with app.run_test() as pilot:
        locket.let = asyncio.Event()
        await unlock(pilot)
        await pilot.press("ctrl+l")
        await wait_for_workers(
            pilot,
            lambda: locked(pilot) and "Locking" in str(app.screen.query_one("#lock-words", Static).content),
        )
        await write(pilot, "x")
        await pilot.press("enter")
        assert locked(pilot)
        locket.let.set()
        await wait_for_workers(pilot, lambda: chatting(pilot))
