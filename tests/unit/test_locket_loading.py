"""Starting what answers, and its end before a word: nobody waits for ever, and the session goes on meanwhile."""

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from scripted_engines import PlainEngines, ScriptedEngines, plain_engines
from turn_builders import hear

from assistant import wiring
from assistant.locket import Locket
from assistant.runtimes import REMOTE_YES
from assistant.settings import Settings, load_settings
from models.errors import EngineCrashed, Interrupted, RemoteFailed
from models.ports import ChatRuntime
from models.scripted import ScriptedChat
from models.types import StopReason, StreamEvent, StreamFinished, StreamStarted, Thinking

PASSPHRASE = "correct horse battery staple"
DEADLINE = 60.0
Start = Callable[[Settings, str], ChatRuntime]


class Unlucky(PlainEngines):
    """A chat that fails to start in a way that nobody foresaw."""

    def chat(self, _settings: object) -> ChatRuntime:
        raise FileExistsError(17, "File exists")


async def test_a_start_that_fails_in_an_unforeseen_way_is_told_by_the_next_turn(
    home_with_a_vault: Path,
) -> None:
    """It was a thread that died unseen, and a model that was loading for ever."""
    engines = Unlucky(ScriptedChat())
    locket = wiring.open_locket(load_settings(os.environ), PASSPHRASE, engines)
    try:
        with pytest.raises(FileExistsError):
            await asyncio.wait_for(hear(locket.turn("hello", conversation=None)), DEADLINE)
        assert not locket.status.loading
        assert "nobody foresaw" in locket.status.notice
    finally:
        await locket.close()


async def loaded(locket: Locket) -> None:
    assert await asyncio.to_thread(locket._ready.wait, DEADLINE)


class DiesThinking(ScriptedChat):
    """A chat that is gone before the first word of its answer, though it has thought."""

    def stream(self, *_: object) -> Iterator[StreamEvent]:
        yield StreamStarted(5, 0, 5, "")
        yield Thinking("let me see")
        yield StreamFinished(StopReason.ENGINE_DIED, 0, 0.0, 0.0, 5, 0)


async def test_a_death_among_thoughts_is_a_turn_that_failed(home_with_a_vault: Path) -> None:
    """It was a turn without an end: no answer, no failure, and words about an answer that is kept."""
    engines = ScriptedEngines(DiesThinking())
    locket = wiring.open_locket(load_settings(os.environ), PASSPHRASE, engines)
    try:
        heard = await asyncio.wait_for(hear(locket.turn("hello", conversation=None)), DEADLINE)
        assert heard.failure is not None
        assert isinstance(heard.failure.error, EngineCrashed)
        assert not any("kept" in words for words in heard.notices)
        assert locket.status.model is not None
    finally:
        await locket.close()


def with_a_server(start: Start, monkeypatch: pytest.MonkeyPatch) -> Locket:
    """Open a Locket whose profile answers through a server."""
    settings = replace(load_settings(os.environ), remote_url="http://127.0.0.1:9")
    with wiring.open_store(settings, PASSPHRASE) as vault:
        wiring.memory_of(settings, vault).set_setting(REMOTE_YES, True)
    monkeypatch.setattr("assistant.locket.remote_chat", start)
    return wiring.open_locket(settings, PASSPHRASE, plain_engines())


async def test_a_server_that_is_up_by_now_answers(
    home_with_a_vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def start(_settings: Settings, key: str) -> ChatRuntime:
        asked.append(key)
        if len(asked) == 1:
            raise RemoteFailed("The server does not answer.")
        chat = ScriptedChat()
        chat.open()
        return chat

    locket = with_a_server(start, monkeypatch)
    try:
        await loaded(locket)
        heard = await asyncio.wait_for(hear(locket.turn("hello", conversation=None)), DEADLINE)
        assert heard.answer
        assert len(asked) == 2
    finally:
        await locket.close()


async def test_a_server_that_is_slow_to_answer_holds_up_neither_commands_nor_a_stop(
    home_with_a_vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, again, released = [], threading.Event(), threading.Event()

    def start(_settings: Settings, key: str) -> ChatRuntime:
        asked.append(key)
        if len(asked) > 1:
            again.set()
            assert released.wait(DEADLINE)
        raise RemoteFailed("The server does not answer.")

    locket = with_a_server(start, monkeypatch)
    try:
        await loaded(locket)
        heard = asyncio.ensure_future(hear(locket.turn("hello", conversation=None)))
        assert await asyncio.to_thread(again.wait, DEADLINE)
        assert await asyncio.wait_for(locket.act(lambda memory: memory.setting(REMOTE_YES)), DEADLINE)
        locket.stop()
        failure = (await asyncio.wait_for(heard, DEADLINE)).failure
        assert failure is not None
        assert isinstance(failure.error, Interrupted)
        assert not released.is_set()
    finally:
        released.set()
        await locket.close()
