"""A whole Locket spoken with in a test, over a scripted engine that counts: what one turn brought, and waiting for idle."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence

import pytest
from scripted_engines import ScriptedEngines

from assistant.chat.events import AnswerFinished, Notice, PromptAssembled, TurnBegan, TurnEvent, TurnFailed
from assistant.locket import Locket
from memory.records import AssembledPrompt
from models.scripted import ScriptedChat
from models.types import ChatMessage, Prefilled


class Reader(ScriptedChat):
    """A scripted chat that tells what it was asked to read ahead."""

    def __init__(self, n_ctx: int) -> None:
        super().__init__(n_ctx=n_ctx)
        self.read: list[int] = []
        self.hold: threading.Event | None = None
        self.began = threading.Event()

    def prefill(self, messages: Sequence[ChatMessage], stop: threading.Event) -> Prefilled:
        self.began.set()
        if self.hold is not None:
            while not (stop.wait(0.01) or self.hold.is_set()):
                pass
        done = super().prefill(messages, stop)
        self.read.append(done.evaluated)
        return done


class Engines(ScriptedEngines[Reader]):
    """The chat that tells what it was asked to read, and no embedder."""

    def __init__(self, n_ctx: int = 4096) -> None:
        super().__init__(Reader(n_ctx))


class Heard:
    def __init__(self) -> None:
        self.conversation = ""
        self.message = ""
        self.answer = ""
        self.prompt: AssembledPrompt | None = None
        self.evaluated = -1
        self.notices: list[str] = []
        self.failure: TurnFailed | None = None


async def hear(events: AsyncIterator[TurnEvent]) -> Heard:
    heard = Heard()
    async for event in events:
        match event:
            case TurnBegan(turn):
                heard.conversation, heard.message = turn.conversation, turn.message.id
            case PromptAssembled(prompt, _):
                heard.prompt = prompt
            case Notice(words):
                heard.notices.append(words)
            case AnswerFinished(message, _, usage):
                heard.answer = message.id
                heard.evaluated = usage.evaluated if usage else -1
            case TurnFailed():
                heard.failure = event
            case _:
                pass
    return heard


def model_of(locket: Locket) -> str | None:
    return locket.status.model


async def say(locket: Locket, text: str, conversation: str | None = None) -> Heard:
    return await hear(locket.turn(text, conversation=conversation))


async def until_read(locket: Locket, engines: Engines) -> None:
    """Wait until nothing is left to be read ahead."""
    for _ in range(400):
        before = len(engines.talker.read)
        await asyncio.sleep(0.02)
        idle = await locket.act(lambda memory: memory.profile)
        await asyncio.sleep(0.02)
        if idle and len(engines.talker.read) == before and locket.status.reading is None:
            return
    pytest.fail("reading ahead never ended")
