"""Idle work inside a whole Locket: it gives way at once, is done in the end, and ends conversations that are left."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

import pytest
from scripted_engines import ScriptedEngines

from assistant.chat.events import AnswerFinished, TurnBegan
from assistant.locket import Locket
from assistant.settings import load_settings
from assistant.wiring import create_store, open_locket
from memory import distilling
from memory.memory import Memory
from memory.reader import Reader
from models.errors import Interrupted
from models.scripted import HashEmbedder, ScriptedChat
from models.types import ChatMessage, Sampling

PASSPHRASE = "otter lamp violet harbour"
GIVES_WAY_IN = 5.0
"""Far more than is promised, for machines with other work; a model that gave no way would keep it for ever."""
DEADLINE = 30.0


class Slow(ScriptedChat):
    """A chat whose background work lasts until it is told to stop, or let go."""

    def __init__(self) -> None:
        super().__init__()
        self.began = threading.Event()
        self.free = threading.Event()
        self.gave_way = 0

    def complete(
        self,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any],
        sampling: Sampling,
        stop: threading.Event,
    ) -> str:
        self.began.set()
        while not self.free.is_set():
            if stop.wait(0.005):
                self.gave_way += 1
                raise Interrupted("somebody came")
        return super().complete(messages, schema, sampling, stop)


class Held(HashEmbedder):
    """An embedder that does not get past its first batch until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.open()
        self.began = threading.Event()
        self.free = threading.Event()
        self.batches: list[int] = []

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.batches.append(len(texts))
        self.began.set()
        assert self.free.wait(DEADLINE)
        return super().embed(texts)


@pytest.fixture
def engines() -> ScriptedEngines[Slow]:
    return ScriptedEngines(Slow())


@pytest.fixture
async def locket(engines: ScriptedEngines[Slow], monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Locket]:
    monkeypatch.setattr(distilling, "QUIET_SECONDS", -1)
    settings = load_settings(os.environ)
    create_store(settings, PASSPHRASE)
    opened = open_locket(settings, PASSPHRASE, engines)
    yield opened
    engines.talker.free.set()
    await opened.close()


async def say(locket: Locket, text: str, conversation: str | None = None) -> tuple[str, float]:
    """Say something to the end; return the conversation and the seconds until it was safe."""
    begun = time.monotonic()
    safe, home = 0.0, ""
    async for event in locket.turn(text, conversation=conversation):
        if isinstance(event, TurnBegan):
            safe = time.monotonic() - begun
        if isinstance(event, AnswerFinished):
            home = event.message.conversation
    return home, safe


async def until(locket: Locket, true: Callable[[Reader], object]) -> None:
    end = time.monotonic() + DEADLINE
    while not await locket.read(true):
        assert time.monotonic() < end, "it never happened"
        await asyncio.sleep(0.01)


async def test_a_message_is_not_kept_waiting_by_a_model_that_reads(
    locket: Locket, engines: ScriptedEngines[Slow]
) -> None:
    home, _ = await say(locket, "we adopted a beagle, Juno, she sleeps on the stairs")
    assert await asyncio.to_thread(engines.talker.began.wait, DEADLINE)
    _, safe = await say(locket, "I live in Porto", home)
    assert safe < GIVES_WAY_IN
    assert engines.talker.gave_way >= 1
    facts = await locket.read(lambda reader: [fact.value for fact in reader.list_facts()])
    assert "Porto" in facts


async def test_a_message_waits_for_one_small_batch_of_vectors_and_not_for_all(locket: Locket) -> None:
    embedder = Held()
    await locket.act(lambda memory: memory.use_embedder(embedder))
    told = "The harbour office opens at nine on days of fog, and at ten on all the others, says number"

    def tell(memory: Memory) -> None:
        for number in range(12):
            memory.add_fact(f"{told} {number}. {told} {number}. {told} {number}.")

    await locket.act(tell)
    assert await asyncio.to_thread(embedder.began.wait, DEADLINE)
    asked = asyncio.ensure_future(locket.act(lambda _: list(embedder.batches)))
    await asyncio.sleep(0)  # it is in the queue now
    embedder.free.set()
    assert await asked == [1]


async def test_what_gave_way_is_done_in_the_end(locket: Locket, engines: ScriptedEngines[Slow]) -> None:
    await say(locket, "we adopted a beagle, Juno, she sleeps on the stairs")
    assert await asyncio.to_thread(engines.talker.began.wait, DEADLINE)
    await locket.act(lambda memory: memory.profile)
    engines.talker.free.set()

    def read_everything(reader: Reader) -> bool:
        left = reader.db.execute(
            "SELECT count(*) FROM message WHERE role = 'user' AND distilled_at IS NULL"
        ).fetchone()
        return int(left[0]) == 0

    await until(locket, read_everything)


async def test_turning_to_another_conversation_ends_the_one_left(locket: Locket) -> None:
    await say(locket, "Help me plan a weekend in Porto")
    locket.open_conversation(None)
    await until(locket, lambda reader: [episode.goal for episode in reader.list_episodes()])


async def test_locking_ends_no_conversation(locket: Locket, engines: ScriptedEngines[Slow]) -> None:
    await say(locket, "Help me plan a weekend in Porto")
    settings = locket.settings
    engines.talker.free.set()
    await locket.close()
    again = open_locket(settings, PASSPHRASE, ScriptedEngines(Slow()))
    try:
        await again.act(lambda memory: memory.profile)
        assert await again.read(lambda reader: reader.list_episodes()) == []
    finally:
        await again.close()
