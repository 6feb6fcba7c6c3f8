"""Locked, unlocked, locked again: what is dropped, what comes back, and when it happens by itself."""

import asyncio
import os
import signal
import sys
from typing import Any

import pytest
from rich.cells import cached_cell_len
from textual.pilot import Pilot
from textual.widgets import Static
from tui.conftest import Open, Patient, doors_to, unlock, write
from tui.fakes import NOW, PASSPHRASE, FakeLocket, conversation, message

from assistant.lock_request import REQUEST
from assistant.settings import Settings
from assistant.tui.app import LocketApp
from assistant.tui.idle import SHORTEST_SLEEP, STREAM_GRACE, IdleTimer
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.unlock import UnlockScreen, pause_after
from assistant.tui.widgets.prompt_input import PromptInput
from assistant.tui.widgets.transcript import Transcript
from memory.records import Role
from memory.vault.errors import KeyFileDamaged, NewerVersion, StoreDamaged, StoreInUse


class Clock:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def locked(pilot: Pilot[Any]) -> bool:
    return isinstance(pilot.app.screen, UnlockScreen)


def words(pilot: Pilot[Any]) -> str:
    return str(pilot.app.screen.query_one("#lock-words", Static).content)


async def test_it_locks_by_itself_while_the_cursor_is_in_a_field(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    clock = Clock()
    async with chatting(clock=clock, tick=0.02) as pilot:
        await write(pilot, "secret plan")
        assert isinstance(pilot.app.focused, PromptInput)
        clock.seconds += 599
        await pilot.pause(0.1)
        assert not locked(pilot)
        clock.seconds += 2
        await wait_for_workers(pilot, lambda: locked(pilot) and locket.closed)
        assert not any(isinstance(s, ChatScreen) for s in pilot.app.screen_stack)
        assert "secret" not in pilot.app.export_screenshot()
        assert "nothing was typed" in words(pilot)
        assert locket.reader.unsent == {None: "secret plan"}


async def test_a_key_puts_the_lock_off(chatting: Open, wait_for_workers: Patient) -> None:
    clock = Clock()
    async with chatting(clock=clock, tick=0.02) as pilot:
        clock.seconds += 599
        await pilot.press("a")
        clock.seconds += 599
        await pilot.pause(0.1)
        assert not locked(pilot)


def test_a_running_answer_holds_the_lock_back_but_not_for_ever() -> None:
    clock = Clock()
    timer = IdleTimer(600, clock)
    clock.seconds = 601
    assert timer.is_due(talking=False)
    assert not timer.is_due(talking=True)
    clock.seconds = 600 + STREAM_GRACE
    assert timer.is_due(talking=True)


async def test_it_locks_when_the_computer_was_asleep(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    asleep = Clock()
    async with chatting(asleep=asleep, tick=0.02) as pilot:
        asleep.seconds += SHORTEST_SLEEP - 1
        await pilot.pause(0.1)
        assert not locked(pilot)
        asleep.seconds += SHORTEST_SLEEP + 1
        await wait_for_workers(pilot, lambda: locked(pilot) and locket.closed)
        assert "asleep" in words(pilot)


async def test_somebody_who_never_wants_it_locked_keeps_it_after_a_sleep(
    settings: Settings, locket: FakeLocket
) -> None:
    from dataclasses import replace

    asleep = Clock()
    never = replace(settings, lock_minutes=0)
    app = LocketApp(never, doors_to(locket), now=lambda: NOW, asleep=asleep, tick=0.02)
    async with app.run_test() as pilot:
        await unlock(pilot)
        asleep.seconds += 3600
        await pilot.pause(0.1)
        assert not locked(pilot)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("name", ["SIGUSR1", "SIGHUP"])
async def test_a_signal_locks_it_in_the_middle_of_an_answer(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient, name: str
) -> None:
    locket.hold = asyncio.Event()
    async with chatting() as pilot:
        await pilot.press("a", "enter")
        await wait_for_workers(pilot, lambda: isinstance(s := pilot.app.screen, ChatScreen) and s.talking)
        os.kill(os.getpid(), getattr(signal, name))
        await wait_for_workers(pilot, lambda: locked(pilot) and locket.closed)
        assert locket.stopped


async def test_a_request_in_a_file_locks_it_where_there_are_no_signals(
    chatting: Open, locket: FakeLocket, settings: Settings, wait_for_workers: Patient
) -> None:
    settings.paths.vault.mkdir(parents=True)
    async with chatting(tick=0.02) as pilot:
        request = settings.paths.vault / REQUEST
        request.touch()
        await wait_for_workers(pilot, lambda: locked(pilot) and locket.closed)
        assert not request.exists()
        assert "asked for it" in words(pilot)


async def test_one_who_is_asked_to_lock_while_opening_locks_once_open(
    settings: Settings, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    app = LocketApp(settings, doors_to(locket), now=lambda: NOW, tick=0.02)
    async with app.run_test() as pilot:
        await wait_for_workers(pilot, lambda: app.screen.query("#passphrase"))
        app.lock_when_asked()
        await pilot.press("x", "enter")
        await wait_for_workers(pilot, lambda: locket.closed and locked(pilot))
        locket.closed = False
        await unlock(pilot)
        await pilot.pause(0.1)
        assert not locked(pilot), "once is enough"


async def test_what_protects_less_than_it_should_is_said_once(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.notices = ("vault.db was readable by others",)
    async with chatting(tick=0.02) as pilot:
        await wait_for_workers(
            pilot, lambda: [n.message for n in pilot.app._notifications] == [*locket.notices]
        )
        locket.notices += ("Today's backup could not be made",)
        await wait_for_workers(pilot, lambda: len(pilot.app._notifications) == 2)


def test_a_limit_of_nothing_never_locks() -> None:
    clock = Clock()
    timer = IdleTimer(0, clock)
    clock.seconds = 1e9
    assert timer.left is None
    assert not timer.is_due(talking=False)


async def test_unlocking_comes_back_to_the_conversation_the_place_and_the_unsent_words(
    settings: Settings, wait_for_workers: Patient
) -> None:
    locket = FakeLocket()
    locket.reader.talks = [conversation("c1", "long", 0)]
    locket.reader.said["c1"] = [message(f"m{n}", Role.USER, f"line {n}") for n in range(40)]
    app = LocketApp(settings, doors_to(locket), now=lambda: NOW)
    async with app.run_test(size=(80, 24)) as pilot:
        await unlock(pilot)
        assert isinstance(app.screen, ChatScreen)
        app.screen.open_conversation("c1")
        await wait_for_workers(pilot, lambda: app.screen.query_one(Transcript).max_scroll_y > 20)
        await write(pilot, "not yet")
        transcript = app.screen.query_one(Transcript)
        transcript.stay()
        transcript.scroll_to(y=12, animate=False, immediate=True)
        await pilot.pause()
        await pilot.press("ctrl+l")
        await wait_for_workers(pilot, lambda: locked(pilot) and locket.closed)
        locket.closed = False
        await unlock(pilot)
        assert isinstance(app.screen, ChatScreen)
        await wait_for_workers(pilot, lambda: app.screen.query_one(Transcript).scroll_y == 12)
        assert app.screen.conversation == "c1"
        prompt = app.screen.query_one(PromptInput)
        await wait_for_workers(pilot, lambda: prompt.text == "not yet")
        assert prompt.whole == ("not yet", ())


async def test_locking_in_the_middle_of_an_answer_stops_it(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.hold = asyncio.Event()
    async with chatting() as pilot:
        await pilot.press("a", "enter")
        await wait_for_workers(pilot, lambda: isinstance(s := pilot.app.screen, ChatScreen) and s.talking)
        await pilot.press("ctrl+l")
        await wait_for_workers(pilot, lambda: locked(pilot) and locket.closed)
        assert locket.stopped


async def test_locking_clears_what_was_copied_here(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        pilot.app.copy_to_clipboard("the harbour code")
        await pilot.press("ctrl+l")
        await wait_for_workers(pilot, lambda: locked(pilot) and locket.closed)
        assert pilot.app.clipboard == ""


async def test_locking_empties_the_caches_of_what_was_drawn(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        cached = cached_cell_len.cache_info().currsize
        for number in range(500):
            cached_cell_len(f"the harbour code {number}")
        assert cached_cell_len.cache_info().currsize >= min(cached + 500, 4096)
        await pilot.press("ctrl+l")
        await wait_for_workers(pilot, lambda: locked(pilot) and locket.closed)
        await wait_for_workers(pilot, lambda: not pilot.app.screen.busy)  # type: ignore[attr-defined]
        assert cached_cell_len.cache_info().currsize < 500


async def test_locking_from_within_a_dialog_leaves_nothing_on_top(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        await pilot.press("f1")
        await pilot.press("ctrl+l")
        await wait_for_workers(pilot, lambda: locked(pilot) and locket.closed)
        await unlock(pilot)


async def test_a_wrong_passphrase_says_so_waits_and_then_takes_the_right_one(
    settings: Settings, locket: FakeLocket, wait_for_workers: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.tui.screens.unlock.pause_after", lambda _: 0.05)
    app = LocketApp(settings, doors_to(locket, PASSPHRASE), now=lambda: NOW)
    async with app.run_test() as pilot:
        await wait_for_workers(pilot, lambda: locked(pilot))
        await pilot.press("x", "enter")
        await wait_for_workers(pilot, lambda: "Wrong passphrase" in words(pilot))
        await wait_for_workers(pilot, lambda: not app.screen.busy)  # type: ignore[attr-defined]
        await write(pilot, PASSPHRASE)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ChatScreen))


def test_every_wrong_passphrase_costs_longer_up_to_a_limit() -> None:
    assert [pause_after(n) for n in (0, 1, 2, 3, 4, 5, 50)] == [0, 1, 2, 4, 8, 15, 15]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyFileDamaged("cut short"), "The key file is damaged"),
        (StoreDamaged("page 7"), "The store is damaged"),
        (NewerVersion("the store", 9, 1), "made by a newer Locket"),
        (StoreInUse(12, None), "The store is in use"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
async def test_what_keeps_a_store_shut_is_said_in_its_own_words(
    settings: Settings, locket: FakeLocket, wait_for_workers: Patient, error: Exception, said: str
) -> None:
    from dataclasses import replace

    def refuse(*_: object) -> FakeLocket:
        raise error

    app = LocketApp(settings, replace(doors_to(locket), open_locket=refuse), now=lambda: NOW)
    async with app.run_test() as pilot:
        await wait_for_workers(pilot, lambda: locked(pilot))
        await pilot.press("x", "enter")
        await wait_for_workers(pilot, lambda: said in words(pilot))
        assert "Traceback" not in words(pilot)
