"""The first run, from nothing to a conversation.

More than 300 lines: every step has its own ways to go wrong, and all begin with the steps before it.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, Static
from tui.conftest import Patient, write
from tui.fakes import NOW, PASSPHRASE, FakeLocket

from assistant.settings import Settings, load_settings
from assistant.tui.app import LocketApp
from assistant.tui.ports import Doors, ModelChoice, RecoveryKey
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.first_run import PROMISE, FirstRunScreen
from assistant.tui.widgets.prompt_input import PromptInput

STARTER = ModelChoice("starter", "Starter", "0.5 B · 491 MB")


@dataclass
class House:
    """Doors that note who came through."""

    locket: FakeLocket = field(default_factory=FakeLocket)
    made: list[str] = field(default_factory=list)
    opened: list[tuple[str, object]] = field(default_factory=list)
    models: tuple[ModelChoice, ...] = (STARTER,)
    failure: Exception | None = None
    recovery: str = ""
    kept: list[str] = field(default_factory=list)

    def create(self, _: Settings, passphrase: str) -> None:
        if self.failure:
            raise self.failure
        self.made.append(passphrase)

    def open(self, settings: Settings, passphrase: object) -> FakeLocket:
        self.opened.append((settings.model, passphrase))
        return self.locket

    def doors(self) -> Doors:
        offer = self.new_recovery if self.recovery else None
        return Doors(lambda _: False, self.create, self.open, lambda _: self.models, offer)

    def new_recovery(self, _: Settings, passphrase: str) -> RecoveryKey:
        assert self.made == [passphrase]

        def keep() -> None:
            if self.failure:
                raise self.failure
            self.kept.append(self.recovery)

        return RecoveryKey(self.recovery, lambda typed: typed.upper() == self.recovery[-4:], keep)


@pytest.fixture
def house() -> House:
    return House()


@pytest.fixture
def app(settings: Settings, house: House) -> LocketApp:
    return LocketApp(settings, house.doors(), now=lambda: NOW)


def screen(pilot: Pilot[Any]) -> FirstRunScreen:
    found = pilot.app.screen
    assert isinstance(found, FirstRunScreen)
    return found


def words(pilot: Pilot[Any]) -> str:
    return str(screen(pilot).query_one("#first-words", Static).content)


async def focus(pilot: Pilot[Any], wait: Patient, name: str) -> None:
    """Put the cursor into a field and wait until it is there."""
    screen(pilot).query_one(name).focus()
    await wait(pilot, lambda: screen(pilot).query_one(name).has_focus)


async def come_to(pilot: Pilot[Any], wait: Patient, step: str) -> None:
    """Go through the steps before this one."""
    await wait(pilot, lambda: isinstance(pilot.app.screen, FirstRunScreen) and pilot.app.screen.query("#one"))
    if step == "passphrase":
        return
    for name in ("#one", "#two"):
        screen(pilot).query_one(name, Input).value = PASSPHRASE
    await focus(pilot, wait, "#two")
    await pilot.press("enter")
    await wait(pilot, lambda: screen(pilot).step == "promise")
    if step == "promise":
        return
    await focus(pilot, wait, "#typed")
    screen(pilot).query_one("#typed", Input).value = PROMISE
    await pilot.press("enter")
    await wait(pilot, lambda: screen(pilot).step == "model")


async def test_from_nothing_to_a_conversation_by_keys_alone(
    app: LocketApp, house: House, wait_for_workers: Patient, locket_home: Path
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await come_to(pilot, wait_for_workers, "passphrase")
        await write(pilot, PASSPHRASE)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: screen(pilot).query_one("#two").has_focus)
        await write(pilot, PASSPHRASE)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: screen(pilot).query_one("#typed").has_focus)
        await write(pilot, PROMISE)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: screen(pilot).query_one("#models").has_focus)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ChatScreen))
        assert house.made == [PASSPHRASE]
        assert house.opened == [("starter", PASSPHRASE)]
        await wait_for_workers(pilot, (locket_home / "config.toml").exists)
    assert load_settings(os.environ).model == "starter"


async def test_two_different_passphrases_make_nothing(
    app: LocketApp, house: House, wait_for_workers: Patient
) -> None:
    async with app.run_test() as pilot:
        await come_to(pilot, wait_for_workers, "passphrase")
        screen(pilot).query_one("#one", Input).value = PASSPHRASE
        screen(pilot).query_one("#two", Input).value = PASSPHRASE + "x"
        await focus(pilot, wait_for_workers, "#two")
        await pilot.press("enter")
        await pilot.pause()
        assert "not the same" in words(pilot)
        assert screen(pilot).step == "passphrase"
    assert house.made == []


async def test_a_short_passphrase_is_refused_with_the_shortest_length(
    app: LocketApp, wait_for_workers: Patient
) -> None:
    async with app.run_test() as pilot:
        await come_to(pilot, wait_for_workers, "passphrase")
        await pilot.press("a", "b", "enter")
        await pilot.pause()
        assert "At least 8" in words(pilot)
        await pilot.press("c")
        await wait_for_workers(pilot, lambda: not words(pilot))


async def test_ctrl_g_makes_a_passphrase_and_shows_it(
    app: LocketApp, house: House, wait_for_workers: Patient
) -> None:
    async with app.run_test() as pilot:
        await come_to(pilot, wait_for_workers, "passphrase")
        await pilot.press("ctrl+g")
        one, two = screen(pilot).query_one("#one", Input), screen(pilot).query_one("#two", Input)
        assert one.value == two.value != ""
        assert not one.password
        await wait_for_workers(
            pilot, lambda: "strong" in str(screen(pilot).query_one("#meter", Static).content)
        )
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: screen(pilot).step == "promise")


async def test_the_warning_must_be_typed_back(
    app: LocketApp, house: House, wait_for_workers: Patient
) -> None:
    async with app.run_test() as pilot:
        await come_to(pilot, wait_for_workers, "promise")
        await write(pilot, "ok")
        await pilot.press("enter")
        await pilot.pause()
        assert PROMISE in words(pilot)
        assert screen(pilot).step == "promise"
        await pilot.press("escape")
        await wait_for_workers(pilot, lambda: screen(pilot).step == "passphrase")
    assert house.made == []


async def test_a_model_can_be_given_by_its_path(
    app: LocketApp, house: House, wait_for_workers: Patient, tmp_path: Path
) -> None:
    (tmp_path / "own.gguf").touch()
    async with app.run_test() as pilot:
        await come_to(pilot, wait_for_workers, "model")
        path = screen(pilot).query_one("#path", Input)
        await focus(pilot, wait_for_workers, "#path")
        path.value = str(tmp_path / "none.gguf")
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: "no such file" in words(pilot))
        path.value = str(tmp_path / "own.gguf")
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ChatScreen))
    assert house.opened == [(str(tmp_path / "own.gguf"), PASSPHRASE)]


async def test_without_any_model_it_goes_on_and_says_how_to_get_one(
    app: LocketApp, house: House, wait_for_workers: Patient
) -> None:
    house.models = ()
    async with app.run_test() as pilot:
        await come_to(pilot, wait_for_workers, "model")
        await wait_for_workers(pilot, lambda: not screen(pilot).query_one("#models").display)
        assert "locket model setup" in str(screen(pilot).query_one("#model .words", Static).content)
        await focus(pilot, wait_for_workers, "#path")
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ChatScreen))
    assert house.opened == [("", PASSPHRASE)]


async def test_a_store_that_cannot_be_made_is_said_and_can_be_tried_again(
    app: LocketApp, house: House, wait_for_workers: Patient
) -> None:
    from memory.vault.errors import DiskFull

    house.failure = DiskFull("no room")
    async with app.run_test() as pilot:
        await come_to(pilot, wait_for_workers, "model")
        await wait_for_workers(pilot, lambda: screen(pilot).query_one("#models").has_focus)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: "The disk is full" in words(pilot))
        house.failure = None
        await wait_for_workers(pilot, lambda: screen(pilot).query_one("#models").has_focus)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ChatScreen))


async def test_a_recovery_key_is_shown_once_and_confirmed_when_there_is_one(
    settings: Settings, house: House, wait_for_workers: Patient
) -> None:
    house.recovery = "AAAA-BBBB-CCCC"
    app = LocketApp(settings, house.doors(), now=lambda: NOW)
    async with app.run_test() as pilot:
        await come_to(pilot, wait_for_workers, "model")
        await wait_for_workers(pilot, lambda: screen(pilot).query_one("#models").has_focus)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: screen(pilot).step == "recovery")
        assert "CCCC" in str(screen(pilot).query_one("#groups", Static).content)
        await write(pilot, "bbbb")
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: "not its last group" in words(pilot))
        assert house.kept == [], "what nobody wrote down opens nothing"
        screen(pilot).query_one("#last-group", Input).value = "cccc"
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ChatScreen))
        assert house.kept == [house.recovery]


async def test_a_recovery_key_that_cannot_be_kept_is_said_and_can_be_confirmed_again(
    settings: Settings, house: House, wait_for_workers: Patient
) -> None:
    from memory.vault.errors import DiskFull

    house.recovery = "AAAA-BBBB-CCCC"
    app = LocketApp(settings, house.doors(), now=lambda: NOW)
    async with app.run_test() as pilot:
        await come_to(pilot, wait_for_workers, "model")
        await wait_for_workers(pilot, lambda: screen(pilot).query_one("#models").has_focus)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: screen(pilot).step == "recovery")
        house.failure = DiskFull("no room")
        await pilot.press(*"CCCC", "enter")
        await wait_for_workers(pilot, lambda: "The disk is full" in words(pilot))
        assert screen(pilot).step == "recovery"
        house.failure = None
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ChatScreen))
    assert house.kept == [house.recovery]


# -- keys that come faster than the screen ------------------------------------------------------------


def burst(app: LocketApp, *parts: str) -> None:
    """Hand over many keys at once, as a busy computer does, or a program that types passwords."""
    special = {"enter": "\r", "tab": "\t", "backspace": "\x7f"}
    for part in parts:
        if part in special:
            app.post_message(events.Key(part, special[part]))
        else:
            for character in part:
                app.post_message(events.Key("space" if character == " " else character, character))


@pytest.mark.parametrize("between", ["enter", "tab"])
async def test_keys_that_come_in_one_burst_each_reach_their_own_field(
    app: LocketApp, house: House, wait_for_workers: Patient, between: str
) -> None:
    async with app.run_test() as pilot:
        await come_to(pilot, wait_for_workers, "passphrase")
        burst(app, PASSPHRASE, between, PASSPHRASE, "enter", PROMISE, "enter", "enter")
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ChatScreen))
    assert house.made == [PASSPHRASE]


async def test_a_letter_taken_back_in_a_burst_is_not_in_the_passphrase(
    app: LocketApp, house: House, wait_for_workers: Patient
) -> None:
    async with app.run_test() as pilot:
        await come_to(pilot, wait_for_workers, "passphrase")
        burst(
            app, PASSPHRASE + "x", "backspace", "enter", PASSPHRASE + "xy", "backspace", "backspace", "enter"
        )
        await wait_for_workers(pilot, lambda: screen(pilot).step == "promise")
        assert screen(pilot).passphrase == PASSPHRASE


async def test_a_passphrase_that_is_refused_in_a_burst_shows_in_no_readable_field(
    app: LocketApp, wait_for_workers: Patient
) -> None:
    async with app.run_test() as pilot:
        await come_to(pilot, wait_for_workers, "passphrase")
        burst(app, "short", "enter", "short", "enter", "short", "enter")
        await wait_for_workers(pilot, lambda: "At least 8" in words(pilot) or "not the same" in words(pilot))
        readable = [field.value for field in screen(pilot).query(Input) if not field.password]
        assert readable == ["", "", ""]


async def test_what_is_typed_right_after_the_last_group_is_in_the_prompt_and_not_sent(
    settings: Settings, house: House, wait_for_workers: Patient
) -> None:
    house.recovery = "AAAA-BBBB-CCCC"
    app = LocketApp(settings, house.doors(), now=lambda: NOW)
    async with app.run_test() as pilot:
        await come_to(pilot, wait_for_workers, "model")
        await wait_for_workers(pilot, lambda: screen(pilot).query_one("#models").has_focus)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: screen(pilot).step == "recovery")
        burst(app, "CCCC", "enter", "hello")
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ChatScreen))
        await wait_for_workers(pilot, lambda: app.screen.query("#prompt"))
        prompt = app.screen.query_one(PromptInput)
        await wait_for_workers(pilot, lambda: prompt.text == "hello")
        assert house.locket.asked == []
