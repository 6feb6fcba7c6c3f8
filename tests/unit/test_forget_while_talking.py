"""Forgetting while an answer is being made: the answer ends first, and what it said of it goes as well."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from turn_builders import Engines, say

from assistant.chat.events import TokenDelta
from assistant.locket import Locket
from assistant.settings import load_settings
from assistant.wiring import create_store, open_locket
from memory.forget import Outcome, Selection

PASSPHRASE = "otter lamp violet harbour"


@pytest.fixture
def engines() -> Engines:
    return Engines()


@pytest.fixture
def locket(engines: Engines, locket_home: Path) -> Iterator[Locket]:
    settings = load_settings(os.environ)
    create_store(settings, PASSPHRASE)
    opened = open_locket(settings, PASSPHRASE, engines)
    yield opened
    opened.close_now()


async def test_what_an_answer_said_before_it_was_cut_off_is_forgotten_too(
    locket: Locket, engines: Engines
) -> None:
    told = await say(locket, "My dog is called Zubrowka")
    facts = await locket.read(lambda reader: reader.list_facts())
    selection = Selection(ids=(facts[0].id,))
    engines.talker.enqueue("Zubrowka is your dog. " + "And so on. " * 500, delay_s=0.02)
    words: list[str] = []
    forgetting: asyncio.Task[Outcome] | None = None
    async for event in locket.turn("Tell me of my dog", conversation=told.conversation):
        if isinstance(event, TokenDelta):
            words.append(event.text)
        if forgetting is None and "And" in "".join(words):
            forgetting = asyncio.create_task(locket.forget(selection))
    assert forgetting is not None
    outcome = await forgetting
    kept = await locket.read(lambda reader: reader.messages(told.conversation))
    assert [message.text for message in kept if "Zubrowka" in message.text] == []
    assert outcome.certificate is not None, outcome.retry
