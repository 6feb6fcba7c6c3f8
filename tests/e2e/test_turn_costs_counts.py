"""What turns of the whole program evaluate, with a real model and a small window: the numbers, not the words."""

import asyncio
import itertools
import os
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from assistant.chat.events import AnswerFinished, PromptAssembled, TurnBegan, TurnEvent, TurnFailed
from assistant.locket import Locket
from assistant.settings import Settings, load_settings
from assistant.wiring import create_store, open_locket
from memory.records import AssembledPrompt, Usage
from models.engine.client import ChatEngine
from models.errors import ModelMissing
from models.ports import ChatRuntime, EmbedRuntime
from models.types import EngineSettings

pytestmark = [pytest.mark.model, pytest.mark.timeout(900)]

PASSPHRASE = "otter lamp violet harbour"
FRESH = 140
"""More tokens than one short message has with its date, memory and framing."""
STORY = "The lighthouse stood above the harbour and its keeper wrote down the ships that passed. " * 6


class Engines:
    """Starts one real chat model, and no embedder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.started: list[ChatEngine] = []

    def chat(self, settings: Settings) -> ChatRuntime:
        engine = ChatEngine(self.path, EngineSettings(n_ctx=settings.window), sha256="0" * 64)
        engine.open()
        self.started.append(engine)
        return engine

    def embed(self, settings: Settings) -> EmbedRuntime:
        raise ModelMissing("none")

    def give_up(self) -> None:
        """Whoever starts one here waits for it."""


@dataclass
class Heard:
    """One turn."""

    conversation: str = ""
    prompt: AssembledPrompt | None = None
    usage: Usage | None = None

    @property
    def evaluated(self) -> int:
        assert self.usage is not None
        return self.usage.evaluated

    @property
    def tokens(self) -> int:
        assert self.usage is not None
        return self.usage.prompt_tokens

    @property
    def dropped(self) -> int:
        assert self.prompt is not None
        return len(self.prompt.dropped_turns)


@pytest.fixture
def settings(locket_home: Path) -> Settings:
    made = replace(load_settings(os.environ), window=4096, max_answer=6, temperature=0.0, seed=1)
    create_store(made, PASSPHRASE)
    return made


@pytest.fixture
def engines(smoke_model: Path) -> Engines:
    return Engines(smoke_model)


@pytest.fixture
def locket(settings: Settings, engines: Engines) -> Iterator[Locket]:
    opened = open_locket(settings, PASSPHRASE, engines)
    yield opened
    opened.close_now()


async def hear(events: AsyncIterator[TurnEvent]) -> Heard:
    heard = Heard()
    async for event in events:
        match event:
            case TurnBegan(turn):
                heard.conversation = turn.conversation
            case PromptAssembled(prompt, _):
                heard.prompt = prompt
            case AnswerFinished(_, _, usage):
                heard.usage = usage
            case TurnFailed(problem):
                pytest.fail(problem.title)
            case _:
                pass
    return heard


async def say(locket: Locket, text: str, conversation: str | None = None) -> Heard:
    return await hear(locket.turn(text, conversation=conversation))


async def until_read(locket: Locket) -> None:
    """Wait until the open conversation has been read ahead."""
    for _ in range(6000):
        await asyncio.sleep(0.05)
        if locket._ahead._read is not None:
            return
    pytest.fail("it was never read ahead")


def fresh(heard: Heard) -> int:
    """Tokens evaluated beside the memories that this turn's block brought."""
    assert heard.prompt is not None
    return heard.evaluated - sum(item.tokens for item in heard.prompt.items)


async def test_a_turn_a_memory_an_answer_anew_and_a_switch_each_cost_only_what_is_new(locket: Locket) -> None:
    # long enough that its cache is worth setting aside while another conversation is read
    first = await say(locket, f"Remember that my dog is called Biscuit. {STORY * 3}")
    costs = {}
    costs["append"] = fresh(await say(locket, "And how are you today?", first.conversation))
    await locket.act(lambda memory: memory.add_fact("My sister lives in Porto and paints boats"))
    costs["memory"] = fresh(await say(locket, "Where does my sister live?", first.conversation))
    again = await hear(locket.regenerate(first.conversation))
    costs["again"] = again.evaluated
    other = await say(locket, f"Something else. {STORY * 3}")
    costs["back"] = fresh(await say(locket, "Where were we?", first.conversation))
    costs["there"] = fresh(await say(locket, "And here?", other.conversation))
    assert all(cost < FRESH for cost in costs.values()), costs
    assert costs["again"] < 24, costs
    assert first.tokens > 150


async def test_turns_leave_in_a_block_and_what_stays_is_not_read_again(locket: Locket) -> None:
    heard = await say(locket, STORY)
    turns: list[tuple[int, int, int]] = []
    while len(turns) < 40 and not (turns and turns[-1][0]):
        heard = await say(locket, f"Chapter {len(turns)}: {STORY}", heard.conversation)
        turns.append((heard.dropped, heard.evaluated, heard.tokens))
    words = max(evaluated for dropped, evaluated, _ in turns if not dropped)
    dropped, evaluated, tokens = turns[-1]
    assert dropped > 3, turns
    assert tokens > 1200, turns
    assert evaluated < words + 400, "the summary of what left is new, the kept turns are not"
    after = await say(locket, "Go on.", heard.conversation)
    assert after.evaluated < FRESH


async def test_after_a_restart_an_open_conversation_is_read_before_the_first_message(
    settings: Settings, engines: Engines
) -> None:
    locket = open_locket(settings, PASSPHRASE, engines)
    first = await say(locket, STORY)
    await locket.close()
    locket = open_locket(settings, PASSPHRASE, engines)
    try:
        locket.open_conversation(first.conversation)
        await until_read(locket)
        after = await say(locket, "Hello again.", first.conversation)
        assert after.evaluated < FRESH
        assert after.tokens > after.evaluated + 100
    finally:
        await locket.close()


async def test_a_branch_is_read_whole_and_its_next_turn_is_cheap(locket: Locket) -> None:
    first = await say(locket, STORY)
    await say(locket, "The wrong question?", first.conversation)
    messages = await locket.read(lambda reader: reader.messages(first.conversation))
    parent = messages[1].id

    def branch() -> Iterator[TurnEvent]:
        turn = locket._memory.begin_turn(
            "The right question?", conversation=first.conversation, parent=parent
        )
        yield from locket._answer(turn)

    heard = await hear(locket._session.stream(branch))
    assert heard.prompt is not None
    assert heard.prompt.rebuilt
    assert heard.evaluated == heard.tokens
    after = await say(locket, "And then?", first.conversation)
    assert after.evaluated < FRESH


async def test_another_model_reads_the_conversation_once_and_goes_on(
    locket: Locket, engines: Engines
) -> None:
    first = await say(locket, STORY)
    await locket.use_model("the same file again")
    second = await say(locket, "Still there?", first.conversation)
    assert second.evaluated > 100
    third = await say(locket, "And now?", first.conversation)
    assert third.evaluated < FRESH
    assert len(engines.started) == 2


async def test_a_command_runs_and_the_loop_turns_while_a_long_prompt_is_read(locket: Locket) -> None:
    await say(locket, "Hello")
    ticks: list[float] = []
    acts: list[bool] = []
    reading = asyncio.Event()

    async def tick() -> None:
        loop = asyncio.get_running_loop()
        while True:
            ticks.append(loop.time())
            await asyncio.sleep(0.01)

    async def command() -> None:
        await reading.wait()
        fact = await locket.act(lambda memory: memory.add_fact("I keep bees"))
        acts.append(finished)
        await locket.act(lambda memory: memory.pin(fact.id))

    finished = False
    ticking, commanding = asyncio.create_task(tick()), asyncio.create_task(command())
    async for event in locket.turn(STORY * 16, conversation=None):
        if isinstance(event, PromptAssembled):
            assert event.prompt.tokens > 1500
            reading.set()
        finished = isinstance(event, AnswerFinished) or finished
    await commanding
    ticking.cancel()
    assert acts == [False], "the command ran before the answer was finished"
    gaps = sorted(b - a for a, b in itertools.pairwise(ticks))
    assert len(gaps) > 20
    assert gaps[len(gaps) // 2] < 0.2, "the loop was held up while the prompt was read"
