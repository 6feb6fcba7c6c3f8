"""What every screen looks like, at a small and at a large size. `pytest --snapshot-update` takes them anew."""

import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea
from tui.conftest import doors_to, unlock, wait, write
from tui.fakes import EPISODE, FACTS, NOW, STATE, FakeLocket, conversation, message, remembered

from assistant.settings import load_settings
from assistant.tui.app import LocketApp
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.confirm import ConfirmScreen
from assistant.tui.screens.first_run import FirstRunScreen
from assistant.tui.widgets.prompt_input import PromptInput
from assistant.tui.widgets.status_line import StatusLine
from assistant.tui.widgets.transcript import Transcript
from memory.records import Role

SMALL, LARGE = (80, 24), (200, 60)
SIZES = pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "200x60"])
Scene = Callable[[Pilot[Any]], Awaitable[None]]
Snap = Callable[..., bool]

ANSWER = (
    "Biscuit is a **lovely** name for a dog.\n\n"
    "1. Walk along the harbour\n2. Keep peanuts away\n\n"
    "```python\nprint('woof')\n```\n\n日本語も 🐕 keep their width. See [the map](https://example.org)."
)


def app_with(locket: FakeLocket, theme: str = "locket-dark", *, exists: bool = True) -> LocketApp:
    settings = replace(load_settings(os.environ), theme=theme)
    doors = replace(doors_to(locket), store_exists=lambda _: exists)
    return LocketApp(settings, doors, now=lambda: NOW, clock=lambda: 0.0)


def filled() -> FakeLocket:
    locket = FakeLocket(answers=[ANSWER])
    locket.reader.talks = [
        conversation("c2", "Trip to the coast", 1),
        conversation("c3", "日本語の練習 🎌", 1),
        conversation("c4", "A letter to the tax office about last year", 9),
    ]
    locket.reader.facts = list(FACTS)
    locket.reader.said["c9"] = [message("m1", Role.USER, "My dog is called Biscuit")]
    locket.decided = [remembered("My dog is called Biscuit", "f1")]
    return locket


READS = frozenset({"lists", "turn", "draft", "unsent"})
"""What still changes the conversation's screen when it is at work."""


async def still(pilot: Pilot[Any]) -> None:
    """Stop what blinks, and wait for what comes by the clock."""
    screen = pilot.app.screen
    if isinstance(screen, ChatScreen):
        await wait(pilot, lambda: screen.query_one(StatusLine).status.lock_in is not None)
        await wait(pilot, lambda: not any(one.is_running and one.group in READS for one in pilot.app.workers))
    for field in pilot.app.screen.query("Input, TextArea"):
        assert isinstance(field, Input | TextArea)
        field.cursor_blink = False
    await wait(pilot)


async def answered(pilot: Pilot[Any]) -> None:
    """Say something and wait for the answer."""
    await unlock(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, ChatScreen)
    screen.say("My dog is called Biscuit")
    transcript = screen.query_one(Transcript)
    await wait(pilot, lambda: len(transcript.messages) == 2 and not screen.talking and screen.title_words)
    await wait(pilot, lambda: screen.query_one(StatusLine).status.lock_in is not None)
    await wait(pilot)
    await still(pilot)


async def command(pilot: Pilot[Any], typed: str, *, replace: bool = True) -> None:
    """Send a command, or add words to what lies beside the prompt and send them."""
    prompt = pilot.app.screen.query_one(PromptInput)
    if replace:
        prompt.put(typed)
    else:
        prompt.insert(typed)
    await pilot.pause()
    prompt.close_completions()
    await pilot.press("enter")


def shown(pilot: Pilot[Any], name: str) -> bool:
    """Tell whether a part of the screen is there to be seen."""
    return bool(pilot.app.screen.query_one(name).display)


@SIZES
def test_the_locked_screen(snap_compare: Snap, size: tuple[int, int]) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await wait(pilot, lambda: pilot.app.screen.query("#passphrase"))
        await still(pilot)

    assert snap_compare(app_with(FakeLocket()), run_before=scene, terminal_size=size)


@SIZES
def test_the_first_run(snap_compare: Snap, size: tuple[int, int]) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await wait(
            pilot, lambda: isinstance(pilot.app.screen, FirstRunScreen) and pilot.app.screen.query("#one")
        )
        await write(pilot, "otter lamp violet")
        await still(pilot)

    assert snap_compare(app_with(FakeLocket(), exists=False), run_before=scene, terminal_size=size)


@SIZES
def test_an_empty_conversation(snap_compare: Snap, size: tuple[int, int]) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await unlock(pilot)
        await still(pilot)

    assert snap_compare(app_with(FakeLocket()), run_before=scene, terminal_size=size)


@SIZES
def test_a_conversation(snap_compare: Snap, size: tuple[int, int]) -> None:
    assert snap_compare(app_with(filled()), run_before=answered, terminal_size=size)


@SIZES
def test_the_inspector_on_an_answer(snap_compare: Snap, size: tuple[int, int]) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await answered(pilot)
        await pilot.press("f3")
        await wait(pilot, lambda: pilot.app.screen.query_one("#answer-list").has_focus)
        await pilot.press("j")
        await wait(pilot)

    assert snap_compare(app_with(filled()), run_before=scene, terminal_size=size)


@SIZES
def test_the_inspector_on_facts(snap_compare: Snap, size: tuple[int, int]) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await answered(pilot)
        await write(pilot, "/memory")
        await pilot.press("enter")
        await wait(pilot, lambda: pilot.app.screen.query_one("#fact-list").has_focus)
        await pilot.press("G", "enter")
        await wait(pilot, lambda: pilot.app.screen.query_one("#fact-detail").display)
        await still(pilot)

    assert snap_compare(app_with(filled()), run_before=scene, terminal_size=size)


@SIZES
@pytest.mark.parametrize("tab", ["working", "episodes"])
def test_the_inspector_on_another_tab(snap_compare: Snap, size: tuple[int, int], tab: str) -> None:
    locket = filled()
    locket.reader.states["c1"] = STATE
    locket.reader.episodes = [EPISODE]

    async def scene(pilot: Pilot[Any]) -> None:
        await answered(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, ChatScreen)
        screen.show_tab(tab)
        shown = {"working": "#working-list", "episodes": "#episode-list"}[tab]
        await wait(pilot, lambda: screen.query_one(shown).has_focus)
        await pilot.press("g", *(() if tab == "working" else ("enter",)))
        await wait(pilot, lambda: tab == "working" or screen.query_one("#episode-detail").display)
        await still(pilot)

    assert snap_compare(app_with(locket), run_before=scene, terminal_size=size)


def test_offered_commands(snap_compare: Snap) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await answered(pilot)
        await write(pilot, "/re")
        await wait(pilot, lambda: pilot.app.screen.query_one("Completions").display)
        await still(pilot)

    assert snap_compare(app_with(filled()), run_before=scene, terminal_size=SMALL)


def test_the_list_of_conversations_over_a_small_screen(snap_compare: Snap) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await answered(pilot)
        await pilot.press("ctrl+s", "j")
        await still(pilot)

    assert snap_compare(app_with(filled()), run_before=scene, terminal_size=SMALL)


def test_a_selected_message(snap_compare: Snap) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await answered(pilot)
        await pilot.press("ctrl+up")
        await wait(pilot)

    assert snap_compare(app_with(filled()), run_before=scene, terminal_size=SMALL)


def test_the_help(snap_compare: Snap) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await unlock(pilot)
        await still(pilot)
        await pilot.press("f1")
        await wait(pilot, lambda: pilot.app.screen.query("#help"))

    assert snap_compare(app_with(FakeLocket()), run_before=scene, terminal_size=SMALL)


def test_a_question(snap_compare: Snap) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await answered(pilot)
        question = ConfirmScreen(
            "Forget this?",
            "It cannot be undone.",
            preview=["My dog is called Biscuit"],
            yes="Forget",
            no="Keep",
        )
        await pilot.app.push_screen(question)
        await wait(pilot, lambda: pilot.app.screen.query("#no"))

    assert snap_compare(app_with(filled()), run_before=scene, terminal_size=SMALL)


@SIZES
def test_an_export(snap_compare: Snap, size: tuple[int, int]) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await answered(pilot)
        await command(pilot, "/export")
        await wait(pilot, lambda: pilot.app.screen.query("#what") and pilot.app.screen.query_one("#two"))
        field = pilot.app.screen.query_one("#one", Input)
        field.value = "otter lamp violet"
        field.focus()
        await still(pilot)

    assert snap_compare(app_with(filled()), run_before=scene, terminal_size=size)


@SIZES
def test_a_look_at_an_import(snap_compare: Snap, size: tuple[int, int], tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("[2026-03-01] - I live in Lisbon\n")

    async def scene(pilot: Pilot[Any]) -> None:
        await answered(pilot)
        await command(pilot, f"/import {tmp_path}/list.txt")
        await wait(pilot, lambda: pilot.app.screen.query("#result") and shown(pilot, "#result"))
        await still(pilot)

    assert snap_compare(app_with(filled()), run_before=scene, terminal_size=size)


def test_a_message_with_a_file(snap_compare: Snap, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("Eggs, flour and butter.\n")

    async def scene(pilot: Pilot[Any]) -> None:
        await answered(pilot)
        for words in ("What is on it?", ""):
            await command(pilot, f"/attach {tmp_path}/list.txt")
            await wait(pilot, lambda: shown(pilot, "Drafts"))
            if words:
                await command(pilot, words, replace=False)
                await wait(pilot, lambda: len(pilot.app.screen.query_one(Transcript).messages) == 4)
                await wait(pilot, lambda: not pilot.app.screen.query_one("Drafts").display)
        await wait(pilot, lambda: not getattr(pilot.app.screen, "talking", True))
        await still(pilot)

    assert snap_compare(app_with(filled()), run_before=scene, terminal_size=SMALL)


@pytest.mark.parametrize("theme", ["locket-light", "locket-contrast"])
def test_other_themes(snap_compare: Snap, theme: str) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await answered(pilot)
        await pilot.press("f3")
        await wait(pilot, lambda: pilot.app.screen.query_one("#answer-list").has_focus)

    assert snap_compare(app_with(filled(), theme), run_before=scene, terminal_size=(140, 40))


def test_without_colours(snap_compare: Snap, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(app_with(filled()), run_before=answered, terminal_size=SMALL)
