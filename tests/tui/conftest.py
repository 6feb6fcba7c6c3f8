"""Screens under the keyboard: a fake or a real Locket behind them, and waiting without sleeping."""

import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Any, Protocol

import pytest
from scripted_engines import plain_engines
from textual.pilot import Pilot
from textual.widgets import Static
from tui.fakes import NOW, FakeLocket

from assistant import wiring
from assistant.locket import Locket
from assistant.runtimes import Runtimes
from assistant.settings import Settings, load_settings
from assistant.tui.app import LocketApp
from assistant.tui.doors import real_doors
from assistant.tui.ports import Doors
from assistant.tui.screens.chat import ChatScreen
from memory.vault.keys import Secret

DEADLINE = 30.0


class Patient(Protocol):
    """Waits for workers, and for anything that becomes true."""

    async def __call__(self, pilot: Pilot[Any], until: Callable[[], object] | None = None) -> None: ...


def said(pilot: Pilot[Any]) -> str:
    """Give what the screen says about itself, for a test that waited in vain."""
    screen = pilot.app.screen
    words = [str(line.content) for line in screen.query("#lock-words, #first-words, .foot").results(Static)]
    notes = [str(note.message) for note in pilot.app._notifications]
    return f"{screen!r} {words} {notes}"


async def wait(pilot: Pilot[Any], until: Callable[[], object] | None = None) -> None:
    """Let the screen settle, and wait until something is true; fail when it does not become so."""
    end = time.monotonic() + DEADLINE
    while True:
        await pilot.pause()
        if until is None or until():
            return
        assert time.monotonic() < end, f"what the test waits for did not happen: {said(pilot)}"


@pytest.fixture
def wait_for_workers() -> Patient:
    return wait


@pytest.fixture
def settings() -> Settings:
    return load_settings(os.environ)


@pytest.fixture
def locket() -> FakeLocket:
    return FakeLocket()


@pytest.fixture
def engines() -> Runtimes:
    """Give the models of `make_app`; a test file may have others."""
    return plain_engines()


@pytest.fixture
def make_app(engines: Runtimes) -> Callable[[], LocketApp]:
    """Make the program over the real store of the test's home; only the models are scripted."""

    def opened(settings: Settings, secret: str | Secret) -> Locket:
        return wiring.open_locket(settings, secret, engines)

    return lambda: LocketApp(load_settings(os.environ), replace(real_doors(), open_locket=opened))


def doors_to(locket: FakeLocket, passphrase: str | None = None) -> Doors:
    from memory.vault.errors import WrongPassphrase

    def open_locket(_: Settings, secret: object) -> FakeLocket:
        if passphrase is not None and secret != passphrase:
            raise WrongPassphrase
        return locket

    return Doors(lambda _: True, lambda _s, _p: None, open_locket, lambda _: ())


Open = Callable[..., AbstractAsyncContextManager[Pilot[int]]]


@pytest.fixture
def chatting(settings: Settings, locket: FakeLocket) -> Open:
    """Open the program, unlock it and come to the conversation."""

    @asynccontextmanager
    async def opened(size: tuple[int, int] = (100, 30), **more: Any) -> AsyncIterator[Pilot[int]]:
        app = LocketApp(settings, doors_to(locket), now=lambda: NOW, **more)
        async with app.run_test(size=size) as pilot:
            await unlock(pilot)
            yield pilot

    return opened


async def unlock(pilot: Pilot[Any], passphrase: str = "x") -> None:  # noqa: S107
    """Type the passphrase and wait for the conversation."""
    await wait(pilot, lambda: pilot.app.screen.query("#passphrase"))
    await pilot.press(*passphrase, "enter")
    await wait(pilot, lambda: isinstance(pilot.app.screen, ChatScreen) and pilot.app.screen.query("#prompt"))
    await wait(pilot, lambda: pilot.app.screen.query("#welcome, MessageView"))


async def write(pilot: Pilot[Any], text: str) -> None:
    """Type a text."""
    names = {" ": "space", "/": "slash"}
    await pilot.press(*(names.get(character, character) for character in text))
