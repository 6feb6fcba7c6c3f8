"""Through the screen, with the real starter model and a real vault: what a new user sees on two days."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from real_home import PASSPHRASE, link_model
from textual.pilot import Pilot
from textual.widgets import Static
from tui.conftest import Patient, unlock, wait, write

from assistant import wiring
from assistant.locket import Locket
from assistant.settings import load_settings
from assistant.tui.app import LocketApp
from assistant.tui.doors import real_doors
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.widgets.answer import AnswerView
from assistant.tui.widgets.record_list import RecordList

pytestmark = pytest.mark.timeout(900)


@pytest.fixture
def wait_for_workers() -> Patient:
    return wait


@pytest.fixture
def opened_lockets() -> list[Locket]:
    return []


@pytest.fixture
def make_app(
    locket_home: Path,
    starter_model: Path,
    minilm_model: Path,
    monkeypatch: pytest.MonkeyPatch,
    opened_lockets: list[Locket],
) -> Callable[[], LocketApp]:
    """Make the program with real engines over a home that has the models and an empty store."""
    monkeypatch.setenv("LOCKET_TEMPERATURE", "0")
    monkeypatch.setenv("LOCKET_SEED", "1")
    for model in (starter_model, minilm_model):
        link_model(model, locket_home / "models")
    wiring.create_store(load_settings(os.environ), PASSPHRASE)

    def made() -> LocketApp:
        real = real_doors()

        def remembered_open(settings: Any, secret: Any) -> Any:
            locket = real.open_locket(settings, secret)
            assert isinstance(locket, Locket)
            opened_lockets.append(locket)
            return locket

        from dataclasses import replace

        return LocketApp(load_settings(os.environ), replace(real, open_locket=remembered_open))

    return made


def chat(pilot: Pilot[Any]) -> ChatScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ChatScreen)
    return screen


async def say(pilot: Pilot[Any], text: str) -> AnswerView:
    before = len(chat(pilot).query(AnswerView))
    await write(pilot, text)
    await pilot.press("enter")
    await wait_long(pilot, lambda: len(chat(pilot).query(AnswerView)) > before and not chat(pilot).talking)
    return chat(pilot).query(AnswerView).last(AnswerView)


async def wait_long(pilot: Pilot[Any], until: Callable[[], object]) -> None:
    """Wait as long as a real model on a busy machine may take."""
    for _ in range(3):
        try:
            await wait(pilot, until)
        except AssertionError:
            continue
        return
    await wait(pilot, until)


async def test_a_fact_is_known_after_a_restart_and_the_inspector_says_why(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient
) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        view = await say(pilot, "My dog is called Biscuit and I'm allergic to peanuts")
        assert "remembered" in str(view.query_one(".foot", Static).content)
        await pilot.press("ctrl+q")
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        view = await say(pilot, "What is my dog called?")
        assert "Biscuit" in view.text
        await pilot.press("f3")
        rows = chat(pilot).query_one("#answer-list", RecordList)
        await wait_for_workers(pilot, lambda: "Biscuit" in "\n".join(str(row.text) for row in rows.rows))
        await pilot.press("ctrl+q")


async def test_an_engine_killed_in_the_middle_of_an_answer_leaves_the_screen_and_the_next_message_works(
    make_app: Callable[[], LocketApp], opened_lockets: list[Locket]
) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        await write(pilot, "Count from 1 to 500, with a comma after each number.")
        await pilot.press("enter")
        await wait_long(
            pilot,
            lambda: any(len(view.text) > 10 for view in chat(pilot).query(AnswerView)),
        )
        (locket,) = opened_lockets
        os.kill(locket.chat_pid, signal.SIGKILL)
        await wait_long(pilot, lambda: not chat(pilot).talking)
        first = chat(pilot).query(AnswerView).last(AnswerView)
        assert len(first.text) > 10
        shown = "\n".join(str(one.content) for one in chat(pilot).query(Static))
        assert "ended" in shown
        second = await say(pilot, "Say the word lamp.")
        assert "lamp" in second.text.lower()
        await pilot.press("ctrl+q")
