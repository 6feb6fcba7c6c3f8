"""The keys as a whole: named, explained, rebindable, and never only what a terminal cannot tell apart."""

from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static
from tui.conftest import Patient, doors_to, unlock
from tui.fakes import NOW, FakeLocket

from assistant.settings import Settings
from assistant.tui.app import LocketApp, owners
from assistant.tui.keys import bindings_of, ids_of
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.help import HelpScreen

PROMISED = {
    "prompt.send": "enter",
    "prompt.newline": "shift+enter,ctrl+j",
    "chat.back": "escape",
    "chat.new": "ctrl+n",
    "chat.incognito": "ctrl+t",
    "app.palette": "ctrl+p",
    "chat.conversations": "ctrl+s",
    "chat.inspector": "f3",
    "chat.search": "ctrl+f",
    "chat.regenerate": "ctrl+r",
    "chat.select": "ctrl+up,alt+up",
    "message.edit": "e",
    "message.copy": "y",
    "message.copy_code": "c",
    "message.branch": "b",
    "message.why": "w",
    "app.lock": "ctrl+l",
    "app.help": "f1",
    "app.settings": "f2",
    "app.quit": "ctrl+q",
    "app.interrupt": "ctrl+c",
    "list.down": "j",
    "list.up": "k",
    "list.first": "g",
    "list.last": "G",
    "list.open": "enter",
    "list.forget": "d",
    "list.archive": "a",
    "list.pin": "p",
    "list.edit": "e",
    "list.history": "h",
    "list.mark": "space",
    "list.undo": "u",
}
BINDINGS = [binding for owner in owners() for binding in bindings_of(owner)]


def test_the_promised_keys_are_the_keys() -> None:
    found = {b.id: b.key for b in BINDINGS}
    assert {ident: found.get(ident) for ident in PROMISED} == PROMISED


def test_every_key_has_words_and_an_id_of_its_own() -> None:
    assert [b.key for b in BINDINGS if not b.description or not b.id] == []
    assert len(ids_of(owners())) == len(BINDINGS)


def test_nothing_hangs_on_a_key_that_terminals_send_as_another_one() -> None:
    for binding in BINDINGS:
        assert set(binding.key.split(",")) - {"ctrl+i", "ctrl+m"}


async def opened(pilot: Pilot[Any], wait: Patient) -> None:
    await unlock(pilot)
    await wait(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))


@pytest.mark.parametrize("key", ["f6", "ctrl+g"])
async def test_a_key_can_be_rebound_and_the_help_says_so(
    settings: Settings, locket: FakeLocket, wait_for_workers: Patient, key: str
) -> None:
    own = replace(settings, keymap={"chat.inspector": key, "prompt.send": "ctrl+o"})
    app = LocketApp(own, doors_to(locket), now=lambda: NOW)
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot, wait_for_workers)
        screen = app.screen
        assert isinstance(screen, ChatScreen)
        await pilot.press("h", "ctrl+o")
        await wait_for_workers(pilot, lambda: locket.asked == [("h", ())] and not screen.talking)
        await pilot.press(key)
        await wait_for_workers(pilot, lambda: screen.panes.is_shown("inspector"))
        await pilot.press("f1")
        await wait_for_workers(
            pilot, lambda: isinstance(app.screen, HelpScreen) and app.screen.query("#help Static")
        )
        page = str(app.screen.query_one("#help").query_one(Static).content)
        assert any(line.startswith(key) and "inspector" in line for line in page.splitlines())


async def test_a_keymap_that_names_no_key_is_said(
    settings: Settings, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    app = LocketApp(replace(settings, keymap={"chat.imspector": "f6"}), doors_to(locket), now=lambda: NOW)
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot, wait_for_workers)
        await wait_for_workers(
            pilot, lambda: any("chat.imspector" in str(n.message) for n in app._notifications)
        )


async def test_a_crash_leaves_without_a_word_of_the_conversation(
    settings: Settings, wait_for_workers: Patient, capsys: pytest.CaptureFixture[str]
) -> None:
    app = LocketApp(settings, doors_to(FakeLocket()), now=lambda: NOW)

    def explode() -> None:
        secret = "the harbour at noon"
        raise ValueError(secret)

    with pytest.raises(ValueError, match="harbour"):  # noqa: PT012 - the test harness raises it again at its end
        async with app.run_test() as pilot:
            app.call_later(explode)
            await wait_for_workers(pilot, lambda: app._exception)
            words = "".join(str(part) for part in app._exit_renderables)
    assert "ValueError" in words
    assert "harbour" not in words
    assert "harbour" not in capsys.readouterr().err
