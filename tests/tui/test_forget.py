"""Forgetting under the keyboard, over a real store: what goes is shown, unticked, proved, and is nowhere."""

import asyncio
import time
from collections.abc import Callable

import pytest
from scripted_engines import PlainEngines
from textual.pilot import Pilot
from textual.widgets import SelectionList, Static
from tui.conftest import Patient, unlock, write
from tui.test_real_locket import chat, made_store, say

from assistant import wiring
from assistant.tui.app import LocketApp
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.confirm import ConfirmScreen
from assistant.tui.screens.forget import ForgetScreen
from assistant.tui.screens.unlock import UnlockScreen
from assistant.tui.widgets.inspector import Inspector
from assistant.tui.widgets.prompt_input import PromptInput
from assistant.tui.widgets.record_list import RecordList
from memory.vault.backup import list_backups

DOG = "My dog is called Biscuit and I'm allergic to peanuts"


def words(pilot: Pilot[int], selector: str) -> str:
    return str(pilot.app.screen.query_one(selector, Static).content)


async def dialog(pilot: Pilot[int], wait: Patient) -> ForgetScreen:
    await wait(pilot, lambda: isinstance(pilot.app.screen, ForgetScreen) and pilot.app.screen.is_mounted)
    screen = pilot.app.screen
    assert isinstance(screen, ForgetScreen)
    return screen


async def on_the_fact(pilot: Pilot[int], wait: Patient, value: str) -> None:
    """Put the cursor of the facts on one of them."""
    await pilot.press("f3", "right")
    facts = chat(pilot).query_one("#fact-list", RecordList)
    await wait(pilot, lambda: facts.has_focus and any(value in str(row.text) for row in facts.rows))
    at = next(n for n, row in enumerate(facts.rows) if value in str(row.text))
    facts.highlighted = at


async def answered(pilot: Pilot[int], wait: Patient, key: str) -> None:
    """Answer whether the day's backup is to be made anew."""
    await wait(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen) and pilot.app.screen.query("#no"))
    assert "may still hold it" in words(pilot, ".detail")
    await pilot.press(key)
    await wait(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))


async def with_backup(make_app: Callable[[], LocketApp]) -> LocketApp:
    """Make a store that has its backup of the day."""
    app = await made_store(make_app)
    with wiring.open_store(app.settings, "otter lamp violet harbour") as vault:
        vault.backup_daily()
    return app


async def test_d_on_a_fact_shows_what_goes_and_a_certificate(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient, engines: PlainEngines
) -> None:
    app = await with_backup(make_app)
    async with app.run_test(size=(140, 40)) as pilot:
        await unlock(pilot, "otter lamp violet harbour")
        await say(pilot, wait_for_workers, DOG)
        await on_the_fact(pilot, wait_for_workers, "Biscuit")
        await pilot.press("d")
        screen = await dialog(pilot, wait_for_workers)
        assert {target.kind for target in screen.plan.targets} >= {"fact", "message", "title"}
        assert "cannot be undone" in words(pilot, "#detail")
        await pilot.press("f")
        await wait_for_workers(pilot, lambda: screen.outcome is not None)
        assert "Certificate" in words(pilot, "#certificate")
        assert "not reached" in words(pilot, "#certificate")
        await pilot.press("escape")
        await answered(pilot, wait_for_workers, "n")
        transcript = chat(pilot).query_one("#transcript")
        await wait_for_workers(
            pilot,
            lambda: transcript.messages and "Biscuit" not in transcript.messages[0].text,  # type: ignore[attr-defined]
        )
        prompt = chat(pilot).query_one(PromptInput)
        await pilot.press("escape")
        await wait_for_workers(pilot, lambda: prompt.has_focus)
        await say(pilot, wait_for_workers, "What do you know about me?")
        assert "Biscuit" not in "".join(message.text for message in engines.talker.prompts[-1])
        assert "peanuts" in "".join(message.text for message in engines.talker.prompts[-1])


async def test_leaving_changes_nothing(make_app: Callable[[], LocketApp], wait_for_workers: Patient) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(100, 30)) as pilot:
        await unlock(pilot, "otter lamp violet harbour")
        await say(pilot, wait_for_workers, DOG)
        await write(pilot, "/forget biscuit")
        await pilot.press("enter")
        await dialog(pilot, wait_for_workers)
        await pilot.press("enter")  # the safe answer has the focus
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ChatScreen))
        assert app.locket is not None
        facts = await app.locket.read(lambda reader: reader.list_facts())
        assert {fact.value for fact in facts} == {"Biscuit", "peanuts"}


async def test_what_is_unticked_stays(make_app: Callable[[], LocketApp], wait_for_workers: Patient) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(100, 30)) as pilot:
        await unlock(pilot, "otter lamp violet harbour")
        await say(pilot, wait_for_workers, DOG)
        await write(pilot, "/forget biscuit")
        await pilot.press("enter")
        screen = await dialog(pilot, wait_for_workers)
        (message,) = [target for target in screen.plan.targets if target.kind == "message"]
        screen.query_one("#targets", SelectionList).deselect(message.id)
        await pilot.press("f")
        await wait_for_workers(pilot, lambda: screen.outcome is not None)
        assert app.locket is not None
        kept = await app.locket.read(lambda reader: reader.get_any(message.id))
        assert kept.text == DOG  # type: ignore[union-attr]
        facts = await app.locket.read(lambda reader: reader.list_facts())
        assert {fact.value for fact in facts} == {"peanuts"}


async def test_words_that_nobody_said_are_answered_with_words(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient
) -> None:
    app = await made_store(make_app)
    async with app.run_test(size=(100, 30)) as pilot:
        await unlock(pilot, "otter lamp violet harbour")
        await write(pilot, "/forget zubrowka")
        await chat(pilot).talk.keep_unsent()  # as after some seconds of typing
        await pilot.press("enter")
        await wait_for_workers(
            pilot, lambda: any("Nothing like that" in n.message for n in app._notifications)
        )
        assert isinstance(app.screen, ChatScreen)


async def test_a_change_in_the_list_is_taken_back_by_u(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient
) -> None:
    def listed(changes: RecordList) -> list[str]:
        return [str(row.text) for row in changes.rows if row.id is not None]  # without the headings

    app = await made_store(make_app)
    async with app.run_test(size=(160, 40)) as pilot:
        await unlock(pilot, "otter lamp violet harbour")
        await say(pilot, wait_for_workers, DOG)
        await pilot.press("f3", "left")
        changes = chat(pilot).query_one("#change-list", RecordList)
        await wait_for_workers(pilot, lambda: changes.has_focus and len(listed(changes)) == 2)
        changes.highlighted = next(n for n, row in enumerate(changes.rows) if "Biscuit" in str(row.text))
        await pilot.press("u")
        assert app.locket is not None
        inspector = chat(pilot).query_one(Inspector)
        await wait_for_workers(
            pilot, lambda: [fact.value for fact in inspector.snapshot.facts] == ["peanuts"]
        )
        await wait_for_workers(pilot, lambda: len(listed(changes)) == 3)
        assert "undo" in listed(changes)[0]


async def test_locking_in_the_middle_of_it_does_not_undo_a_forget(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody says yes and locks at once: what they were told would go must be gone."""
    app = await made_store(make_app)
    told = ForgetScreen.told
    loop = asyncio.get_running_loop()

    def locking(self: ForgetScreen, step: str, done: int, total: int) -> None:
        loop.call_soon_threadsafe(app.action_lock)
        for _ in range(1000):
            if isinstance(app.screen, UnlockScreen):
                break
            time.sleep(0.01)
        told(self, step, done, total)

    monkeypatch.setattr(ForgetScreen, "told", locking)
    async with app.run_test(size=(140, 40)) as pilot:
        await unlock(pilot, "otter lamp violet harbour")
        await say(pilot, wait_for_workers, DOG)
        await on_the_fact(pilot, wait_for_workers, "Biscuit")
        await pilot.press("d")
        await dialog(pilot, wait_for_workers)
        await pilot.press("f")
        await wait_for_workers(pilot, lambda: isinstance(s := app.screen, UnlockScreen) and not s.busy)
        await unlock(pilot, "otter lamp violet harbour")
        facts = await chat(pilot).locket.read(lambda reader: reader.list_facts())
        assert [fact.value for fact in facts] == ["peanuts"]
        certificates = await chat(pilot).locket.act(lambda memory: memory.certificates())
        assert len(certificates) == 1


async def test_after_a_forget_a_backup_without_it_takes_the_place_of_those_before(
    make_app: Callable[[], LocketApp], wait_for_workers: Patient
) -> None:
    app = await with_backup(make_app)
    (before,) = list_backups(app.settings.paths.vault)
    async with app.run_test(size=(100, 30)) as pilot:
        await unlock(pilot, "otter lamp violet harbour")
        await say(pilot, wait_for_workers, DOG)
        await write(pilot, "/forget biscuit")
        await pilot.press("enter")
        screen = await dialog(pilot, wait_for_workers)
        await pilot.press("f")
        await wait_for_workers(pilot, lambda: screen.outcome is not None)
        await pilot.press("escape")
        await answered(pilot, wait_for_workers, "y")
        await wait_for_workers(
            pilot, lambda: any("1 backup from before" in n.message for n in app._notifications)
        )
        (now,) = list_backups(app.settings.paths.vault)
        assert now.path != before.path
