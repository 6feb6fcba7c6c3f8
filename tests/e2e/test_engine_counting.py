"""How many tokens a turn really evaluates, on a real model: the promise the whole prompt rests on."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from contract_engine import FACTS, SYSTEM, finished, started, text_of, user

from models.engine.client import ChatEngine
from models.types import ChatMessage, Chunk, EngineSettings, Sampling, StopReason, StreamEvent

pytestmark = pytest.mark.model

TURNS = 20
CONSTANT = 2
"""The last token of an answer may never have been evaluated, and the answer's opening is always new."""


@pytest.fixture(scope="module")
def loaded(smoke_model: Path) -> Iterator[ChatEngine]:
    engine = ChatEngine(smoke_model, EngineSettings(n_ctx=8192))
    engine.open()
    yield engine
    engine.close()


@pytest.fixture
def engine(loaded: ChatEngine) -> ChatEngine:
    loaded.reset()
    return loaded


class Talk:
    """A conversation that only grows."""

    def __init__(self, engine: ChatEngine) -> None:
        self.engine = engine
        self.messages = [SYSTEM]
        self.sent = 0

    def turn(self, text: str, *, seed: int = 0, max_tokens: int = 10, stop_after: int = 0) -> tuple[int, int]:
        """Say something; gives the tokens evaluated and the new ones among the prompt's."""
        self.messages.append(user(text))
        stop = Event()
        events: list[StreamEvent] = []
        sampling = Sampling(temperature=0.7, seed=seed, max_tokens=max_tokens)
        for event in self.engine.stream(self.messages, sampling, stop):
            events.append(event)
            if stop_after and sum(isinstance(e, Chunk) for e in events) >= stop_after:
                stop.set()
        if stop_after:
            assert finished(events).stop_reason in {StopReason.STOPPED, StopReason.END}
        begun = started(events)
        new = begun.prompt_tokens - self.sent
        self.messages.append(ChatMessage("assistant", text_of(events)))
        self.sent = begun.prompt_tokens + self.engine.count([text_of(events)])[0]
        return begun.evaluated, new


def test_a_turn_costs_its_new_words_and_a_constant(engine: ChatEngine) -> None:
    talk = Talk(engine)
    talk.turn("Hello. " * 20)
    costs = [talk.turn(f"Question {turn}: what is {turn} and {turn}?", seed=turn) for turn in range(TURNS)]
    assert all(evaluated <= new + CONSTANT for evaluated, new in costs), costs


def test_a_turn_after_a_stopped_answer_costs_its_new_words(engine: ChatEngine) -> None:
    talk = Talk(engine)
    talk.turn("Hello. " * 20)
    costs = [talk.turn(f"Tell story {turn}.", seed=turn, max_tokens=80, stop_after=6) for turn in range(5)]
    assert all(evaluated <= new + CONSTANT for evaluated, new in costs), costs


def test_background_work_does_not_make_the_next_turn_dearer(engine: ChatEngine) -> None:
    talk = Talk(engine)
    talk.turn("Hello. " * 30)
    for turn in range(2):
        extraction = [SYSTEM, user(f"Extract facts. I like tea number {turn}. " * 6)]
        engine.complete(extraction, FACTS, Sampling(temperature=0.0, max_tokens=20), Event())
        evaluated, new = talk.turn(f"And then, part {turn}?")
        assert evaluated <= new + CONSTANT


def test_background_work_says_the_same_whether_or_not_a_conversation_is_open(engine: ChatEngine) -> None:
    extraction = [SYSTEM, user("Extract facts. I like tea and my dog is called Biscuit. " * 8)]
    greedy = Sampling(temperature=0.0, max_tokens=20)
    alone = engine.complete(extraction, FACTS, greedy, Event())
    Talk(engine).turn("Hello. " * 20)
    assert engine.complete(extraction, FACTS, greedy, Event()) == alone


def test_a_conversation_says_the_same_with_and_without_background_work(engine: ChatEngine) -> None:
    greedy = Sampling(temperature=0.0, max_tokens=24)
    messages = [SYSTEM, user("Tell me about the sea. " * 8)]
    first = text_of(list(engine.stream(messages, greedy, Event())))
    messages += [ChatMessage("assistant", first), user("And the sky?")]
    undisturbed = text_of(list(engine.stream(messages, greedy, Event())))
    engine.reset()
    list(engine.stream(messages[:2], greedy, Event()))
    engine.complete([SYSTEM, user("Facts? " * 30)], FACTS, greedy, Event())
    assert text_of(list(engine.stream(messages, greedy, Event()))) == undisturbed


def test_switching_between_two_conversations_reads_neither_again(engine: ChatEngine) -> None:
    one, other = Talk(engine), Talk(engine)
    one.turn("The first conversation is about ships. " * 36)
    other.turn("The other conversation is about trees. " * 36)
    for turn in range(2):
        for talk in (one, other):
            evaluated, new = talk.turn(f"More, part {turn}?")
            assert evaluated <= new + CONSTANT


def test_after_an_eviction_only_the_new_words_are_read(engine: ChatEngine) -> None:
    talk = Talk(engine)
    for turn in range(4):
        talk.turn(f"Chapter {turn}. " + "Once upon a time there was a lighthouse. " * 3)
    sizes = engine.measure(talk.messages).per_message
    assert engine.evict(sizes[0], sum(sizes[:5]))
    del talk.messages[1:5]
    talk.sent -= sum(sizes[1:5])
    evaluated, new = talk.turn("And the end?")
    assert evaluated <= new + CONSTANT
    evaluated, new = talk.turn("Really?")
    assert evaluated <= new + CONSTANT


def test_a_state_saved_after_an_eviction_is_whole(engine: ChatEngine) -> None:
    greedy = Sampling(temperature=0.0, max_tokens=24)
    texts = [user("A story about a lighthouse. " * 8), user("A story about a forest. " * 8)]
    answers = []
    for disturbed in (False, True):
        engine.reset()
        full = [SYSTEM, texts[0], ChatMessage("assistant", "Yes."), texts[1]]
        list(engine.stream(full, greedy, Event()))
        sizes = engine.measure(full).per_message
        assert engine.evict(sizes[0], sum(sizes[:3]))
        if disturbed:
            engine.complete([SYSTEM, user("Facts? " * 30)], FACTS, greedy, Event())
        answers.append(text_of(list(engine.stream([SYSTEM, texts[1]], greedy, Event()))))
    assert answers[0] == answers[1]


def test_an_edited_turn_is_read_again_from_there(engine: ChatEngine) -> None:
    talk = Talk(engine)
    talk.turn("Hello. " * 30)
    talk.turn("The wrong question.")
    before = engine.measure(talk.messages[:3]).total
    edited = [*talk.messages[:3], user("The right question.")]
    events = list(engine.stream(edited, Sampling(temperature=0.0, max_tokens=4), Event()))
    assert started(events).reused >= before - 8


@pytest.mark.slow
@pytest.mark.timeout(900)  # half a minute on a quiet machine
def test_at_a_long_history_a_turn_of_the_starter_costs_its_new_words(starter_model: Path) -> None:
    starter = ChatEngine(starter_model, EngineSettings(n_ctx=8192))
    starter.open()
    talk = Talk(starter)
    talk.turn("A long story about a lighthouse and the sea around it. " * 290, max_tokens=2)
    before = talk.sent
    costs = [talk.turn(f"Question {turn}?", max_tokens=4) for turn in range(3)]
    starter.close()
    assert before > 3300
    assert all(evaluated <= new + CONSTANT for evaluated, new in costs), costs
