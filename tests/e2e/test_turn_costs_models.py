"""What the program says when its model's file or process is in trouble, and what goes on all the same."""

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.chat.events import AnswerFinished, TurnBegan, TurnEvent, TurnFailed
from assistant.locket import Locket
from assistant.settings import Settings, load_settings
from assistant.wiring import create_store, open_locket

pytestmark = [
    pytest.mark.model,
    pytest.mark.timeout(600),
    pytest.mark.skipif(os.name != "posix", reason="files in use cannot be replaced elsewhere"),
]

PASSPHRASE = "otter lamp violet harbour"


@pytest.fixture
def model(locket_home: Path, smoke_model: Path) -> Path:
    folder = locket_home / "models"
    folder.mkdir(parents=True)
    path = folder / smoke_model.name
    shutil.copyfile(smoke_model, path)
    return path


@pytest.fixture
def settings(model: Path) -> Settings:
    made = replace(load_settings(os.environ), window=4096, max_answer=6, temperature=0.0, seed=1)
    create_store(made, PASSPHRASE)
    return made


@pytest.fixture
def locket(settings: Settings) -> Iterator[Locket]:
    opened = open_locket(settings, PASSPHRASE)
    yield opened
    opened.close_now()


async def hear(events: AsyncIterator[TurnEvent]) -> tuple[str, str | TurnFailed]:
    """Give the conversation, and the answer's end or what went wrong."""
    conversation, outcome = "", ""
    async for event in events:
        match event:
            case TurnBegan(turn):
                conversation = turn.conversation
            case AnswerFinished(_, reason, _):
                outcome = reason
            case TurnFailed():
                return conversation, event
            case _:
                pass
    return conversation, outcome


async def say(locket: Locket, text: str, conversation: str | None = None) -> tuple[str, str | TurnFailed]:
    return await hear(locket.turn(text, conversation=conversation))


def remove(path: Path) -> None:
    path.unlink()


def kill(locket: Locket) -> None:
    os.kill(locket.chat_pid, signal.SIGKILL)


async def test_a_file_that_was_replaced_is_not_started_again_and_the_status_says_so(
    locket: Locket, model: Path, smoke_model: Path
) -> None:
    conversation, outcome = await say(locket, "Hello")
    assert isinstance(outcome, str), outcome
    remove(model)
    shutil.copyfile(smoke_model, model)
    kill(locket)
    _, outcome = await say(locket, "Still there?", conversation)
    assert isinstance(outcome, TurnFailed)
    assert outcome.problem.title == "The model file has changed"
    assert locket.status.model is None
    assert "has changed" in locket.status.notice
    said = await locket.read(lambda reader: reader.messages(conversation))
    assert said[-1].text == "Still there?", "the words are safe"


async def test_a_file_that_vanished_is_missed_only_when_it_is_needed(locket: Locket, model: Path) -> None:
    conversation, _ = await say(locket, "Hello")
    remove(model)
    _, outcome = await say(locket, "Still there?", conversation)
    assert isinstance(outcome, str), outcome
    kill(locket)
    _, outcome = await say(locket, "And now?", conversation)
    assert isinstance(outcome, TurnFailed)
    assert outcome.problem.title == "There is no model"
    assert locket.status.model is None


async def test_an_engine_killed_between_two_turns_is_started_again_unseen(locket: Locket) -> None:
    conversation, _ = await say(locket, "Hello")
    kill(locket)
    _, outcome = await say(locket, "Still there?", conversation)
    assert isinstance(outcome, str), outcome
    assert locket.status.model is not None


async def test_an_engine_killed_while_it_reads_ahead_costs_nothing(locket: Locket) -> None:
    conversation, _ = await say(locket, "Hello. " * 100)
    kill(locket)
    locket.open_conversation(conversation)
    for _ in range(20):
        if locket.chat_pid:
            kill(locket)
            break
        await asyncio.sleep(0.05)
    _, outcome = await say(locket, "Still there?", conversation)
    assert isinstance(outcome, str), outcome
