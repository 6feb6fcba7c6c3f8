"""The screen over a real store and real memory; only the models are scripted."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from scripted_engines import PlainEngines
from textual.pilot import Pilot
from textual.widgets import Input, Static
from tui.conftest import Patient, unlock, write

from assistant import wiring
from assistant.carrying import Tell
from assistant.tui.app import LocketApp
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.first_run import PROMISE, FirstRunScreen
from assistant.tui.screens.unlock import UnlockScreen
from assistant.tui.widgets.answer import AnswerView
from assistant.tui.widgets.inspector import Inspector
from assistant.tui.widgets.prompt_input import PromptInput
from assistant.tui.widgets.record_list import RecordList
from assistant.tui.widgets.transcript import Transcript

T = TypeVar("T")
PASSPHRASE = "otter lamp violet harbour"


def chat(pilot: Pilot[Any]) -> ChatScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ChatScreen)
    return screen


async def say(pilot: Pilot[Any], wait: Patient, text: str) -> AnswerView:
    before = len(chat(pilot).query(AnswerView))
    await write(pilot, text)
    await pilot.press("enter")
    await wait(pilot, lambda: len(chat(pilot).query(AnswerView)) > before and not chat(pilot).talking)
    return chat(pilot).query(AnswerView).last(AnswerView)


def foot(view: AnswerView) -> str:
    return str(view.query_one(".foot", Static).content)


async def test_a_fact_told_on_the_first_run_is_known_after_a_restart(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient, engines: PlainEngines
) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_for_workers(
            pilot, lambda: isinstance(app.screen, FirstRunScreen) and app.screen.query("#one")
        )
        for name in ("#one", "#two"):
            app.screen.query_one(name, Input).value = PASSPHRASE
        app.screen.query_one("#two").focus()
        await wait_for_workers(pilot, lambda: app.screen.query_one("#two").has_focus)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: app.screen.query_one("#typed").has_focus)
        await write(pilot, PROMISE)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: not app.screen.query_one("#models").display)
        app.screen.query_one("#path").focus()
        await wait_for_workers(pilot, lambda: app.screen.query_one("#path").has_focus)
        await pilot.press("enter")
        first = app.screen
        assert isinstance(first, FirstRunScreen)
        await wait_for_workers(pilot, lambda: first.step == "recovery")
        recovery = first.recovery
        await write(pilot, recovery.split("-")[-1])
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ChatScreen))
        view = await say(pilot, wait_for_workers, "My dog is called Biscuit and I'm allergic to peanuts")
        assert "remembered" in foot(view)
        await pilot.press("ctrl+q")

    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, "".join(recovery.split()))  # opens it as the passphrase does
        view = await say(pilot, wait_for_workers, "What is my dog called?")
        assert "Biscuit" in view.text
        assert "Biscuit" in engines.talker.prompts[-1][-1].text
        await pilot.press("f3")
        rows = chat(pilot).query_one("#answer-list", RecordList)
        await wait_for_workers(pilot, lambda: "Biscuit" in "\n".join(str(row.text) for row in rows.rows))
        await pilot.press("right")
        facts = chat(pilot).query_one("#fact-list", RecordList)
        await wait_for_workers(pilot, lambda: facts.has_focus and len([r for r in facts.rows if r.id]) == 2)
        await pilot.press("/", *"biscuit", "enter", "j", "enter")
        inspector = chat(pilot).query_one(Inspector)
        await wait_for_workers(pilot, lambda: inspector.snapshot.detail is not None)
        card = str(chat(pilot).query_one("#fact-card", Static).content)
        assert "allergic to peanuts" in card, "the source message stands beside the fact"


async def made_store(make_app: Callable[[], LocketApp]) -> LocketApp:
    app = make_app()
    wiring.create_store(app.settings, PASSPHRASE)
    return app


async def test_undo_takes_back_what_was_remembered(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient
) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        view = await say(pilot, wait_for_workers, "I live in Porto")
        assert "remembered" in foot(view)
        await pilot.press("ctrl+up", "u")
        await wait_for_workers(pilot, lambda: "undone" in foot(view))
        inspector = chat(pilot).query_one(Inspector)
        await wait_for_workers(pilot, lambda: inspector.snapshot.facts == ())


async def test_lock_and_unlock_bring_back_the_conversation_and_the_unsent_words(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient
) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(80, 24)) as pilot:
        await unlock(pilot, PASSPHRASE)
        await say(pilot, wait_for_workers, "The harbour was quiet")
        await write(pilot, "half a thought")
        await pilot.press("ctrl+l")
        await wait_for_workers(pilot, lambda: isinstance(app.screen, UnlockScreen) and not app.screen.busy)
        await unlock(pilot, PASSPHRASE)
        views = chat(pilot).query_one(Transcript).views
        assert views[0].text == "The harbour was quiet"
        prompt = chat(pilot).query_one(PromptInput)
        await wait_for_workers(pilot, lambda: prompt.text == "half a thought")
        await pilot.press("enter")
        await wait_for_workers(
            pilot, lambda: len(chat(pilot).query(AnswerView)) == 2 and not chat(pilot).talking
        )


async def test_a_fact_is_pinned_while_the_model_talks(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient, engines: PlainEngines
) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        await say(pilot, wait_for_workers, "I live in Porto")
        engines.talker.enqueue("slow " * 1000, delay_s=0.05)
        await write(pilot, "tell me more")
        await pilot.press("enter")
        transcript = chat(pilot).query_one(Transcript)
        await wait_for_workers(pilot, lambda: (g := transcript.growing) and "slow" in g.text)
        await write(pilot, "/memory")
        await pilot.press("enter")
        facts = chat(pilot).query_one("#fact-list", RecordList)
        await wait_for_workers(pilot, lambda: facts.has_focus and any(row.id for row in facts.rows))
        await pilot.press("j", "p")
        inspector = chat(pilot).query_one(Inspector)
        await wait_for_workers(pilot, lambda: any(fact.pinned for fact in inspector.snapshot.facts))
        assert chat(pilot).talking
        await pilot.press("ctrl+c")
        await wait_for_workers(pilot, lambda: not chat(pilot).talking)
        assert "stopped" in foot(chat(pilot).query(AnswerView).last(AnswerView))


async def test_an_engine_that_dies_in_mid_answer_keeps_the_screen_and_the_words(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient, engines: PlainEngines
) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        engines.talker.enqueue("one two three four", dies_after=2)
        view = await say(pilot, wait_for_workers, "hello there")
        assert view.text.startswith("one")
        assert "ended" in foot(view)
        view = await say(pilot, wait_for_workers, "and again")
        assert view.text
        assert "ended" not in foot(view)


async def test_a_wrong_passphrase_changes_nothing_and_the_right_one_still_opens(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient
) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_workers(pilot, lambda: isinstance(app.screen, UnlockScreen))
        await pilot.press("x", "enter")
        words = app.screen.query_one("#lock-words", Static)
        await wait_for_workers(pilot, lambda: "Wrong passphrase" in str(words.content))
        await wait_for_workers(pilot, lambda: isinstance(s := app.screen, UnlockScreen) and not s.busy)
        await unlock(pilot, PASSPHRASE)


@pytest.mark.parametrize("key", ["ctrl+l", "ctrl+q"])
async def test_locking_and_quitting_end_an_import_instead_of_waiting_for_all_of_it(
    make_app: Callable[[], LocketApp],
    wait_for_workers: Patient,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    key: str,
) -> None:
    """What was typed is kept on the thread that imports: keys would stay in memory until the import is over."""
    listed = tmp_path / "listed.txt"
    listed.write_text("[2026-03-01] - I have boats in Hamburg\n")
    began, ended = threading.Event(), threading.Event()

    def endless(pieces: Iterable[T], tell: Tell) -> Iterator[T]:
        began.set()
        for number in range(3000):
            time.sleep(0.01)
            tell(number, 0)
        ended.set()
        yield from pieces

    monkeypatch.setattr("assistant.carrying.told", endless)
    app = await made_store(make_app)
    async with app.run_test(size=(80, 24)) as pilot:
        await unlock(pilot, PASSPHRASE)
        chat(pilot).query_one(PromptInput).put(f"/import {listed}")
        await pilot.pause()
        chat(pilot).query_one(PromptInput).close_completions()
        await pilot.press("enter")
        await wait_for_workers(pilot, began.is_set)
        await pilot.press(key)
        if key == "ctrl+l":
            await wait_for_workers(pilot, lambda: isinstance(s := app.screen, UnlockScreen) and not s.busy)
    assert not ended.is_set()
