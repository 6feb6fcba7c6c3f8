"""While a long prompt is read: the screen answers, commands run, and opening a conversation has it read ahead."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence

import pytest
from scripted_engines import ScriptedEngines
from tui.conftest import Patient, unlock, write

from assistant import wiring
from assistant.settings import load_settings
from assistant.tui.app import LocketApp
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.widgets.answer import AnswerView
from models.scripted import ScriptedChat
from models.types import ChatMessage, Sampling, StreamEvent

PASSPHRASE = "otter lamp violet harbour"


class Held(ScriptedChat):
    """Reads a prompt only as far as it is let, polling meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.reading = threading.Event()
        self.go_on = threading.Event()

    def stream(
        self,
        messages: Sequence[ChatMessage],
        sampling: Sampling,
        stop: threading.Event,
        poll: Callable[[], None] | None = None,
    ) -> Iterator[StreamEvent]:
        self.reading.set()
        while not self.go_on.wait(0.01):
            if poll is not None:
                poll()
        return super().stream(messages, sampling, stop, poll)


@pytest.fixture
def engines() -> ScriptedEngines[Held]:
    return ScriptedEngines(Held())


@pytest.fixture
def make_app(make_app: Callable[[], LocketApp]) -> Callable[[], LocketApp]:
    wiring.create_store(load_settings(os.environ), PASSPHRASE)
    return make_app


async def test_a_command_runs_while_a_prompt_is_read(
    make_app: Callable[[], LocketApp], engines: ScriptedEngines[Held], wait_for_workers: Patient
) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        screen = app.screen
        assert isinstance(screen, ChatScreen)
        await write(pilot, "A long story")
        await pilot.press("enter")
        await wait_for_workers(pilot, engines.talker.reading.is_set)
        await write(pilot, "/remember I keep bees")
        await pilot.press("enter")
        for _ in range(200):
            kept = await screen.locket.read(lambda reader: reader.list_facts())
            if kept:
                break
            await pilot.pause(0.02)
        assert [fact.text for fact in kept] == ["I keep bees"]
        assert screen.talking, "the prompt is still being read"
        engines.talker.go_on.set()
        await wait_for_workers(pilot, lambda: not screen.talking)
        assert screen.query(AnswerView).last(AnswerView).text


async def test_opening_a_conversation_has_it_read_before_anybody_speaks(
    make_app: Callable[[], LocketApp], engines: ScriptedEngines[Held], wait_for_workers: Patient
) -> None:
    engines.talker.go_on.set()
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await unlock(pilot, PASSPHRASE)
        await wait_for_workers(pilot, lambda: bool(engines.talker._held))
        assert not engines.talker.prompts, "nobody has spoken"
