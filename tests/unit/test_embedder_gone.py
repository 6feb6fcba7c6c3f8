"""An embedding model that dies for good takes no turn down: search goes on by words, and that is said."""

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from turn_builders import Engines, say

from assistant.locket import KEYWORDS_ONLY, Locket
from assistant.settings import load_settings
from assistant.wiring import create_store, open_locket
from models.errors import EngineUnavailable
from models.scripted import HashEmbedder

PASSPHRASE = "otter lamp violet harbour"


class Fading(HashEmbedder):
    """An embedder that can be ended."""

    gone = False

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        if self.gone:
            raise EngineUnavailable("It kept dying.")
        return super().embed(texts)


class FadingEngines(Engines):
    """The scripted chat with an embedder that can be ended."""

    embedder: Fading

    def __init__(self) -> None:
        super().__init__()
        self.embedder = Fading()


@pytest.fixture
def engines() -> FadingEngines:
    return FadingEngines()


@pytest.fixture
def locket(engines: FadingEngines, locket_home: Path) -> Iterator[Locket]:
    settings = load_settings(os.environ)
    create_store(settings, PASSPHRASE)
    opened = open_locket(settings, PASSPHRASE, engines)
    yield opened
    opened.close_now()


async def test_the_turn_is_answered_from_words_and_says_so(locket: Locket, engines: FadingEngines) -> None:
    await say(locket, "My dog is called Biscuit")
    engines.embedder.gone = True
    heard = await say(locket, "What is my dog called?")
    assert heard.failure is None
    assert heard.answer
    assert any("words" in notice for notice in heard.notices)
    assert heard.prompt is not None
    assert any("Biscuit" in item.text for item in heard.prompt.items)


async def test_a_chat_model_that_cannot_count_costs_the_turn_and_not_the_embedding_model(
    locket: Locket, engines: FadingEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    await say(locket, "My dog is called Biscuit")

    def fail(_texts: Sequence[str]) -> list[int]:
        raise EngineUnavailable("It kept dying.")

    monkeypatch.setattr(engines.talker, "count", fail)
    heard = await say(locket, "What is the name of my dog?")
    assert heard.failure is not None
    assert await locket.act(lambda memory: memory.filling()) is not None


async def test_idle_work_without_it_says_so_in_the_status_and_commands_still_run(
    locket: Locket, engines: FadingEngines
) -> None:
    await say(locket, "Good morning")
    engines.embedder.gone = True
    fact = await locket.act(lambda memory: memory.add_fact("The bins go out on Tuesday"))
    deadline = time.monotonic() + 10
    while locket.status.embedder:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)
    assert locket.status.notice == KEYWORDS_ONLY
    assert (await locket.act(lambda memory: memory.pin(fact.id))).pinned
    assert await locket.make_vectors() is False
