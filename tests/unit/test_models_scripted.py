import hashlib
from collections.abc import Iterator
from threading import Event

import pytest
from contract_engine import EmbedContract, OwnCacheContract, finished, text_of, user

from models.errors import EngineUnavailable
from models.scripted import HashEmbedder, ScriptedChat
from models.types import Sampling, StopReason, Thinking

LONG = "one two three four five six seven eight nine ten " * 3


class TestScriptedChat(OwnCacheContract):
    @pytest.fixture
    def chat(self) -> Iterator[ScriptedChat]:
        chat = ScriptedChat(lambda _: LONG, n_ctx=8192)
        chat.open()
        yield chat
        chat.close()

    def test_prompts_are_recorded(self, chat: ScriptedChat) -> None:
        list(chat.stream([user("hello")], Sampling(), Event()))
        assert chat.prompts == [(user("hello"),)]

    def test_scripted_answers_come_in_order(self, chat: ScriptedChat) -> None:
        chat.enqueue("first")
        chat.enqueue("second", thinking="hm")
        assert text_of(list(chat.stream([user("a")], Sampling(), Event()))) == "first"
        events = list(chat.stream([user("b")], Sampling(), Event()))
        assert text_of(events) == "second"
        assert [event.text for event in events if isinstance(event, Thinking)] == ["hm"]

    def test_a_death_after_words_keeps_them(self, chat: ScriptedChat) -> None:
        chat.enqueue("one two three", dies_after=3)
        events = list(chat.stream([user("a")], Sampling(), Event()))
        assert text_of(events) == "one two"
        assert finished(events).stop_reason is StopReason.ENGINE_DIED

    def test_a_death_before_words_is_an_error(self, chat: ScriptedChat) -> None:
        chat.enqueue("one", dies_after=0)
        with pytest.raises(EngineUnavailable):
            list(chat.stream([user("a")], Sampling(), Event()))


def test_the_default_answer_repeats_the_memory_block() -> None:
    chat = ScriptedChat()
    chat.open()
    events = list(chat.stream([user("<memory>\ndog: Biscuit\n</memory>\nname?")], Sampling(), Event()))
    assert text_of(events) == "dog: Biscuit"


class TestHashEmbedder(EmbedContract):
    @pytest.fixture
    def embedder(self) -> Iterator[HashEmbedder]:
        embedder = HashEmbedder()
        embedder.open()
        yield embedder
        embedder.close()

    def test_the_vectors_never_change(self, embedder: HashEmbedder) -> None:
        (vector,) = embedder.embed(["My dog is called Biscuit."])
        assert hashlib.sha256(vector).hexdigest()[:16] == "9d7fb61c1b087b11"
