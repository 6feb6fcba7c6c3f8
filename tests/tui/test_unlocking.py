"""The way in: by the system's keyring, and by a passphrase beside it."""

import threading
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static
from tui.conftest import Patient, doors_to
from tui.fakes import NOW, PASSPHRASE, FakeLocket

from assistant.settings import Settings
from assistant.tui.app import LocketApp
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.unlock import UnlockScreen
from memory.vault.errors import KeyringUnavailable, WrongPassphrase
from memory.vault.keys import KeyringSecret

SECRET = KeyringSecret(bytes(32))


@dataclass
class Ring:
    """A keyring that answers when it is let, and the store that it or a passphrase opens."""

    locket: FakeLocket
    lets: threading.Event = field(default_factory=threading.Event)
    slow: threading.Event = field(default_factory=threading.Event)
    failure: str = ""
    asked: int = 0
    opened_by: list[object] = field(default_factory=list)

    def ask(self, _: Settings) -> KeyringSecret:
        self.asked += 1
        assert self.lets.wait(30)
        if self.failure:
            raise KeyringUnavailable(self.failure)
        return SECRET

    def open(self, _: Settings, secret: object) -> FakeLocket:
        assert self.slow.wait(30)
        if secret not in (SECRET, PASSPHRASE):
            raise WrongPassphrase
        self.opened_by.append(secret)
        return self.locket


@pytest.fixture
def ring(locket: FakeLocket) -> Ring:
    made = Ring(locket)
    made.lets.set()
    made.slow.set()
    return made


@pytest.fixture
def app(settings: Settings, ring: Ring) -> LocketApp:
    doors = replace(
        doors_to(ring.locket), open_locket=ring.open, has_keyring=lambda _: True, ask_keyring=ring.ask
    )
    return LocketApp(settings, doors, now=lambda: NOW)


def locked(pilot: Pilot[Any]) -> bool:
    return isinstance(pilot.app.screen, UnlockScreen)


def words(pilot: Pilot[Any]) -> str:
    return " ".join(
        str(line.content) for line in pilot.app.screen.query("#lock-words, #lock-foot").results(Static)
    )


def chatting(pilot: Pilot[Any]) -> bool:
    return isinstance(pilot.app.screen, ChatScreen) and bool(pilot.app.screen.query("#welcome, MessageView"))


async def test_the_keyring_opens_the_store_when_the_program_starts(
    app: LocketApp, ring: Ring, wait_for_workers: Patient
) -> None:
    async with app.run_test() as pilot:
        await wait_for_workers(pilot, lambda: chatting(pilot))
        assert ring.opened_by == [SECRET]


async def test_once_locked_it_stays_so_until_somebody_presses_enter(
    app: LocketApp, ring: Ring, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with app.run_test() as pilot:
        await wait_for_workers(pilot, lambda: chatting(pilot))
        await pilot.press("ctrl+l")
        await wait_for_workers(pilot, lambda: locked(pilot) and "enter alone" in words(pilot))
        await pilot.pause(0.1)
        assert locked(pilot)
        assert ring.asked == 1
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: chatting(pilot))
        assert ring.opened_by == [SECRET, SECRET]


async def test_a_keyring_that_does_not_open_it_is_said_and_the_passphrase_does(
    app: LocketApp, ring: Ring, wait_for_workers: Patient
) -> None:
    ring.failure = "it is locked"
    async with app.run_test() as pilot:
        await wait_for_workers(pilot, lambda: "It is locked. Use the passphrase." in words(pilot))
        app.screen.query_one(Input).value = PASSPHRASE
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: chatting(pilot))
        assert ring.opened_by == [PASSPHRASE]


async def test_a_keyring_that_never_answers_keeps_nobody_out(
    app: LocketApp, ring: Ring, wait_for_workers: Patient
) -> None:
    ring.lets.clear()
    async with app.run_test() as pilot:
        await wait_for_workers(pilot, lambda: ring.asked)
        app.screen.query_one(Input).value = PASSPHRASE
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: chatting(pilot))
        ring.lets.set()
        await pilot.pause(0.1)
        assert ring.opened_by == [PASSPHRASE]


async def test_it_does_not_open_under_the_hands_of_one_who_types_the_passphrase(
    app: LocketApp, ring: Ring, wait_for_workers: Patient
) -> None:
    ring.lets.clear()
    async with app.run_test() as pilot:
        await wait_for_workers(pilot, lambda: ring.asked)
        await pilot.press("o", "t")
        await wait_for_workers(pilot, lambda: app.screen.query_one(Input).value == "ot")
        ring.lets.set()
        await wait_for_workers(pilot, lambda: "Asking" not in words(pilot))
        assert locked(pilot)
        assert ring.opened_by == []


async def test_what_goes_wrong_in_the_background_is_said_and_keeps_nobody_out(
    settings: Settings, ring: Ring, wait_for_workers: Patient
) -> None:
    def fail(_: Settings) -> bool:
        raise PermissionError(13, "Permission denied")

    doors = replace(doors_to(ring.locket), open_locket=ring.open, has_keyring=fail)
    app = LocketApp(settings, doors, now=lambda: NOW)
    async with app.run_test() as pilot:
        await wait_for_workers(pilot, lambda: locked(pilot) and app.screen.query(".-wrong"))
        assert "PermissionError" in words(pilot)
        app.screen.query_one(Input).value = PASSPHRASE
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: chatting(pilot))
        assert ring.opened_by == [PASSPHRASE]


async def test_a_keyring_that_fails_in_the_background_does_not_disturb_a_passphrase_being_tried(
    settings: Settings, ring: Ring, wait_for_workers: Patient
) -> None:
    fails = threading.Event()

    def fail(_: Settings) -> bool:
        fails.wait(30)
        raise PermissionError(13, "Permission denied")

    ring.slow.clear()
    doors = replace(doors_to(ring.locket), open_locket=ring.open, has_keyring=fail)
    app = LocketApp(settings, doors, now=lambda: NOW)
    async with app.run_test() as pilot:
        await wait_for_workers(pilot, lambda: app.screen.query("#passphrase"))
        app.screen.query_one(Input).value = PASSPHRASE
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: "Unlocking" in words(pilot))
        fails.set()
        await wait_for_workers(pilot, lambda: not any(one.group == "keyring" for one in app.workers))
        assert "Unlocking" in words(pilot)
        ring.slow.set()
        await wait_for_workers(pilot, lambda: chatting(pilot))
        assert ring.opened_by == [PASSPHRASE]


async def test_without_a_keyring_slot_nothing_is_asked(
    settings: Settings, ring: Ring, wait_for_workers: Patient
) -> None:
    doors = replace(doors_to(ring.locket), open_locket=ring.open, ask_keyring=ring.ask)
    app = LocketApp(settings, doors, now=lambda: NOW)
    async with app.run_test() as pilot:
        await wait_for_workers(pilot, lambda: locked(pilot) and "enter unlocks" in words(pilot))
        await pilot.press("enter")
        await pilot.pause(0.05)
        assert locked(pilot)
        assert ring.asked == 0
