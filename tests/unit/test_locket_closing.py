"""Locking an open Locket: who reads is waited for, what was begun is committed, and then nothing is open."""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from scripted_engines import ScriptedEngines
from turn_builders import hear

from assistant import wiring
from assistant.locket import Locket
from assistant.runtimes import LocalRuntimes, NoRuntimes
from assistant.settings import Settings, load_settings
from assistant.tui.app import close
from assistant.tui.screens.chat import Place
from memory.reader import Reader
from memory.vault.backup import list_backups
from memory.vault.errors import VaultClosed
from memory.vault.lock import find_holder
from models.errors import EngineClosed
from models.ports import ChatRuntime, EmbedRuntime
from models.scripted import HashEmbedder, ScriptedChat
from models.types import Chunk, EmbedIdentity, StreamEvent, StreamStarted

PASSPHRASE = "correct horse battery staple"
DEADLINE = 60.0
GOAL = 1.0
"""Seconds that locking takes."""


@pytest.fixture
def locket(home_with_a_vault: Path) -> Iterator[Locket]:
    opened = wiring.open_locket(load_settings(os.environ), PASSPHRASE, NoRuntimes())
    yield opened
    opened.close_now()


def wait(until: Callable[[], object]) -> None:
    end = time.monotonic() + DEADLINE
    while not until():
        assert time.monotonic() < end, "what the test waits for did not happen"
        time.sleep(0.005)


def test_a_reader_in_the_middle_of_reading_is_waited_for(locket: Locket) -> None:
    began, go_on = threading.Event(), threading.Event()

    def slowly(reader: Reader) -> int:
        began.set()
        assert go_on.wait(DEADLINE)
        return len(reader.list_facts())

    reading = locket._readers.submit(slowly, locket._reader)
    assert began.wait(DEADLINE)
    closing = threading.Thread(target=locket.close_now)
    closing.start()
    wait(lambda: not locket._session._thread.is_alive())
    assert locket.vault.db is not None, "the store stays open under a reader"
    go_on.set()
    closing.join(DEADLINE)
    assert reading.result(0) == 0
    with pytest.raises(VaultClosed):
        _ = locket.vault.db
    assert find_holder(locket.vault.layout.lock) is None


def test_what_waited_to_be_written_is_written_before_it_closes(locket: Locket) -> None:
    locket.act_now(lambda memory: memory.add_fact("my dog is called Biscuit"))
    locket.close_now()
    locket.close_now()
    again = wiring.open_locket(replace(locket.settings), PASSPHRASE, NoRuntimes())
    try:
        assert [f.text for f in again.act_now(lambda m: m.reader.list_facts())] == [
            "my dog is called Biscuit"
        ]
    finally:
        again.close_now()


class Busy(HashEmbedder):
    """An embedder that is never done, until its process is ended."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.ended = threading.Event(), threading.Event()

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.asked.set()
        assert self.ended.wait(DEADLINE)
        raise EngineClosed("The engine was closed.")

    def close(self) -> None:
        self.ended.set()


async def test_vectors_that_are_being_made_do_not_hold_the_lock_back(home_with_a_vault: Path) -> None:
    busy = Busy()
    engines = ScriptedEngines(ScriptedChat(), busy)
    locket = wiring.open_locket(load_settings(os.environ), PASSPHRASE, engines)
    locket.act_now(lambda memory: memory.add_fact("my dog is called Biscuit"))
    assert await asyncio.to_thread(busy.asked.wait, DEADLINE)
    began = time.monotonic()
    await close(locket, Place(), "half a word")
    assert time.monotonic() - began < 10 * GOAL
    assert find_holder(locket.vault.layout.lock) is None
    again = wiring.open_locket(locket.settings, PASSPHRASE, NoRuntimes())
    try:
        assert again.act_now(lambda m: m.reader.unsent_text(None)) == "half a word"
    finally:
        again.close_now()


class Loading(HashEmbedder):
    """A model that is loaded for ever, unless its process is ended."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.ended = threading.Event(), threading.Event()

    def open(self) -> EmbedIdentity:
        self.begun.set()
        assert self.ended.wait(DEADLINE)
        raise EngineClosed("The engine was closed.")

    def close(self) -> None:
        self.ended.set()


def test_a_model_that_is_still_loading_is_ended_and_no_other_is_started(
    home_with_a_vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load_settings(os.environ)
    slow = Loading()
    started: list[str] = []

    class Real(LocalRuntimes):
        def embed(self, settings: Settings) -> EmbedRuntime:
            self._open(slow)
            return slow

        def chat(self, settings: Settings) -> ChatRuntime:
            chat = ScriptedChat()
            monkeypatch.setattr(chat, "open", lambda: started.append("chat"))
            self._open(chat)
            return chat

    locket = wiring.open_locket(settings, PASSPHRASE, Real(settings))
    assert slow.begun.wait(DEADLINE)
    began = time.monotonic()
    locket.close_now()
    locket._loader.join(DEADLINE)
    assert time.monotonic() - began < 10 * GOAL
    assert not locket._loader.is_alive()
    assert started == []


class Deaf(ScriptedChat):
    """Says a little, and then hears nothing until its process is ended."""

    def __init__(self) -> None:
        super().__init__(n_ctx=4096)
        self.spoke, self.ended = threading.Event(), threading.Event()

    def stream(self, *_: object) -> Iterator[StreamEvent]:
        yield StreamStarted(0, 0, 0, "")
        yield Chunk("The heron nests", 3)
        self.spoke.set()
        assert self.ended.wait(DEADLINE)
        raise EngineClosed("The engine was closed.")

    def close(self) -> None:
        self.ended.set()
        super().close()


async def test_an_answer_that_does_not_stop_is_ended_by_locking_and_what_was_said_is_kept(
    home_with_a_vault: Path,
) -> None:
    engines = ScriptedEngines(Deaf())
    locket = wiring.open_locket(load_settings(os.environ), PASSPHRASE, engines)
    began = locket.turn("Where does it nest?", conversation=None)
    talking = asyncio.ensure_future(hear(began))
    assert await asyncio.to_thread(engines.talker.spoke.wait, DEADLINE)
    locket.stop()
    since = time.monotonic()
    await close(locket, Place(), "")
    assert time.monotonic() - since < 10 * GOAL
    heard = await talking
    again = wiring.open_locket(locket.settings, PASSPHRASE, NoRuntimes())
    try:
        said = again.act_now(lambda m: m.reader.messages(heard.conversation))
        assert [(one.text, one.stop_reason) for one in said] == [
            ("Where does it nest?", None),
            ("The heron nests", "stopped"),
        ]
    finally:
        again.close_now()


def test_an_idle_moment_makes_the_days_backup_once(locket: Locket) -> None:
    wait(lambda: list_backups(locket.vault.folder))
    locket.act_now(lambda memory: memory.add_fact("my dog is called Biscuit"))
    wait(lambda: locket._session._idle_done)
    assert [card.reason for card in list_backups(locket.vault.folder)] == ["daily"]
