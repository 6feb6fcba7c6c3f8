"""A turn through the whole of Locket over a scripted engine that counts: what is evaluated, cut, read ahead, refused.

More than 300 lines: one kind of turn after the other.
"""

import asyncio
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from turn_builders import Engines, Heard, hear, model_of, say, until_read

from assistant.chat.events import Notice, TurnBegan, TurnFailed
from assistant.locket import Locket
from assistant.settings import Settings, load_settings
from assistant.wiring import create_store, open_locket
from memory.forget import Selection
from models.errors import EngineUnavailable, ModelMissing
from models.ports import ChatRuntime

PASSPHRASE = "otter lamp violet harbour"
LONG = "and then we walked along the river for a while " * 20
SHORTER = LONG[: len(LONG) // 4]


@pytest.fixture
def engines() -> Engines:
    return Engines()


@pytest.fixture
def locket(engines: Engines, locket_home: Path) -> Iterator[Locket]:
    settings = replace(load_settings(os.environ), window=4096)
    create_store(settings, PASSPHRASE)
    opened = open_locket(settings, PASSPHRASE, engines)
    yield opened
    opened.close_now()


async def test_a_first_prompt_leaves_what_the_engine_holds_of_other_conversations(
    locket: Locket, engines: Engines
) -> None:
    await say(locket, "Hello there")
    await say(locket, "Something else entirely")
    assert engines.talker.resets == 0


async def test_turns_that_leave_are_cut_out_of_the_cache_and_the_rest_is_not_read_again(
    locket: Locket, engines: Engines
) -> None:
    heard = await say(locket, SHORTER)
    costs: list[tuple[int, int, int]] = []
    for number in range(22):
        heard = await say(locket, f"Part {number}: {SHORTER}", heard.conversation)
        assert heard.prompt is not None
        costs.append((len(heard.prompt.dropped_turns), heard.evaluated, heard.prompt.tokens))
    gone = [cost for cost in costs if cost[0]]
    assert gone, "the window was never full"
    assert engines.talker.evicted
    assert all(dropped > 1 for dropped, _, _ in gone), "turns leave in blocks"
    assert all(evaluated < tokens / 2 for _, evaluated, tokens in gone), costs
    assert engines.talker.resets == 0


async def test_turns_that_leave_another_conversation_are_not_cut_out_of_this_one(
    locket: Locket, engines: Engines
) -> None:
    full = await say(locket, LONG)
    while full.prompt is not None and full.prompt.tokens < 2500:
        full = await say(locket, LONG, full.conversation)
    await say(locket, "A conversation beside it")
    locket.stop()
    locket._ahead.give_up()  # nothing is read ahead, so the other conversation stays live
    while full.prompt is not None and not full.prompt.dropped_turns:
        before = len(engines.talker.evicted)
        await say(locket, "A conversation beside it")
        full = await say(locket, LONG, full.conversation)
    assert len(engines.talker.evicted) == before


async def test_answering_again_sends_the_same_prompt_to_the_last_character(
    locket: Locket, engines: Engines
) -> None:
    first = await say(locket, "My dog is called Biscuit")
    second = await say(locket, "What is my dog called?", first.conversation)
    await locket.act(lambda memory: memory.add_fact("My dog is three years old"))
    again = await hear(locket.regenerate(second.conversation))
    assert engines.talker.prompts[-1] == engines.talker.prompts[-2]
    assert again.prompt is not None
    assert second.prompt is not None
    assert again.prompt.block == second.prompt.block
    assert [item.id for item in again.prompt.items] == [item.id for item in second.prompt.items]


async def test_an_open_conversation_is_read_before_anybody_speaks(locket: Locket, engines: Engines) -> None:
    heard = await say(locket, f"Tell me more. {LONG}")
    engines.talker.reset()
    locket.open_conversation(heard.conversation)
    await until_read(locket, engines)
    assert sum(engines.talker.read) > 100
    after = await say(locket, "And then?", heard.conversation)
    assert after.evaluated < 60


async def test_a_message_does_not_wait_for_what_is_read_ahead(locket: Locket, engines: Engines) -> None:
    heard = await say(locket, "Hello there")
    await until_read(locket, engines)
    engines.talker.hold = threading.Event()
    engines.talker.began.clear()
    engines.talker.reset()
    locket.open_conversation(heard.conversation)
    assert await asyncio.to_thread(engines.talker.began.wait, 10)
    after = await asyncio.wait_for(say(locket, "And then?", heard.conversation), 20)
    assert after.answer
    engines.talker.hold.set()


async def test_a_pin_is_told_at_once_and_moves_to_the_top_when_nobody_speaks(
    locket: Locket, engines: Engines
) -> None:
    heard = await say(locket, "Good morning")
    fact = await locket.act(lambda memory: memory.add_fact("I live in Porto"))
    await locket.act(lambda memory: memory.pin(fact.id))
    for _ in range(200):
        head = (await locket.read(lambda reader: reader.get_conversation(heard.conversation))).head or ""
        if "Porto" in head:
            break
        await asyncio.sleep(0.05)
    assert "Porto" in head
    await until_read(locket, engines)
    after = await say(locket, "What now?", heard.conversation)
    assert after.prompt is not None
    assert not after.prompt.rebuilt
    assert "Porto" not in after.prompt.block
    assert "Porto" in engines.talker.prompts[-1][0].text
    assert after.evaluated < 60, "the new top was read in idle time"


async def test_a_forget_makes_the_engine_start_afresh_once(locket: Locket, engines: Engines) -> None:
    heard = await say(locket, "My cat is called Olive")
    heard = await say(locket, "What is my cat called?", heard.conversation)
    facts = await locket.read(lambda reader: reader.list_facts())
    await locket.forget(Selection(ids=(facts[0].id,)))
    assert engines.talker.resets >= 1
    await until_read(locket, engines)
    resets = engines.talker.resets
    after = await say(locket, "What is my cat called?", heard.conversation)
    assert after.prompt is not None
    assert after.prompt.rebuilt
    assert engines.talker.resets == resets, "what was read ahead since then is kept"
    assert after.evaluated < 60
    assert not any("Olive" in message.text for message in engines.talker.prompts[-1][:-1])


async def test_a_model_that_keeps_crashing_is_given_up_and_the_status_says_so(
    locket: Locket, engines: Engines
) -> None:
    await say(locket, "Hello")
    engines.talker.enqueue("no words", dies_after=0)
    heard = await say(locket, "Hello?")
    assert heard.failure is not None
    assert isinstance(heard.failure.error, EngineUnavailable)
    assert model_of(locket) is None
    assert "keeps crashing" in locket.status.notice
    again = await say(locket, "Anybody?", heard.conversation)
    assert again.failure is not None
    assert "crashing" in again.failure.problem.title
    await locket.use_model("another")
    assert model_of(locket) == "scripted"
    after = await say(locket, "Hello again", heard.conversation)
    assert after.answer


async def test_no_secret_leaves_for_a_model_that_is_not_on_this_computer(
    locket: Locket, engines: Engines
) -> None:
    await say(locket, "My card is 4111 1111 1111 1111, remember?")
    assert "4111" in engines.talker.prompts[-1][-1].text
    engines.talker._card = replace(engines.talker.card, path=None)
    await say(locket, "My card is 4111 1111 1111 1111, remember?")
    assert "4111" not in engines.talker.prompts[-1][-1].text


async def test_what_is_recalled_and_not_sent_is_not_sent_to_a_server_to_be_counted(
    locket: Locket, engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    await say(locket, "Torben the locksmith wants eighty for the new lock of the cellar door")
    await say(locket, "A door of the old cupboard is loose")
    counted: list[str] = []
    count = engines.talker.count

    def listen(texts: Sequence[str]) -> list[int]:
        counted.extend(texts)
        return count(texts)

    monkeypatch.setattr(engines.talker, "count", listen)
    engines.talker._card = replace(engines.talker.card, path=None)
    heard = await say(locket, "What does Torben the locksmith want for the door?")
    assert heard.prompt is not None
    assert any("Torben the locksmith wants" in text for text in counted)
    unsent = [one.text for one in heard.prompt.left_out if one.kind == "message"]
    assert unsent
    assert not set(unsent) & set(counted)


async def test_a_window_that_stays_full_is_said_once(locket: Locket, engines: Engines) -> None:
    heard = await say(locket, SHORTER)
    said: list[str] = []
    full = 0
    while full < 7 and heard.prompt is not None and not heard.prompt.dropped_turns:
        words = SHORTER if heard.prompt.tokens < 2400 else "Go on"
        heard = await say(locket, words, heard.conversation)
        said += [notice for notice in heard.notices if "four fifths" in notice]
        full += heard.prompt is not None and heard.prompt.tokens > 2621
    assert full > 5
    assert len(said) == 1


async def test_the_top_of_a_conversation_not_yet_begun_is_read_before_its_first_words(
    locket: Locket, engines: Engines
) -> None:
    locket.open_conversation(None)
    await until_read(locket, engines)
    heard = await say(locket, "Hello there")
    assert sum(engines.talker.read) > 60
    assert heard.evaluated < 60


async def test_stopping_ends_what_is_read_ahead(locket: Locket, engines: Engines) -> None:
    heard = await say(locket, f"Hello there. {LONG}")
    await until_read(locket, engines)
    engines.talker.hold = threading.Event()
    engines.talker.began.clear()
    locket.open_conversation(heard.conversation)
    assert await asyncio.to_thread(engines.talker.began.wait, 10)
    assert locket.status.reading is not None
    locket.stop()
    await locket.act(lambda memory: memory.profile)
    engines.talker.hold.set()
    await until_read(locket, engines)
    before = len(engines.talker.read)
    await locket.act(lambda memory: memory.profile)
    await until_read(locket, engines)
    assert len(engines.talker.read) == before
    assert locket.status.reading is None


async def test_a_model_that_cannot_be_loaded_does_not_cost_the_one_that_answers(
    locket: Locket, engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = await say(locket, "Hello")
    open_ = engines.chat

    def chat(settings: Settings) -> ChatRuntime:
        if settings.model == "typo":
            raise ModelMissing("There is no model typo here.")
        return open_(settings)

    monkeypatch.setattr(engines, "chat", chat)
    with pytest.raises(ModelMissing):
        await locket.use_model("typo")
    assert model_of(locket) == "scripted"
    assert "typo" not in locket.status.notice
    assert (await say(locket, "Hello again", said.conversation)).answer


async def test_escape_while_the_model_loads_ends_the_turn_and_keeps_the_words(
    locket_home: Path, engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    loading, loaded = threading.Event(), threading.Event()
    open_ = engines.chat

    def chat(settings: Settings) -> ChatRuntime:
        loading.set()
        loaded.wait(20)
        return open_(settings)

    monkeypatch.setattr(engines, "chat", chat)
    settings = load_settings(os.environ)
    create_store(settings, PASSPHRASE)
    locket = open_locket(settings, PASSPHRASE, engines)
    await asyncio.to_thread(loading.wait)
    heard = Heard()
    async for event in locket.turn("Hello", conversation=None):
        match event:
            case Notice():
                locket.stop()
            case TurnBegan(turn):
                heard.conversation = turn.conversation
            case TurnFailed():
                heard.failure = event
            case _:
                pass
    assert not loaded.is_set()
    assert heard.failure is not None
    assert "words are kept" in heard.failure.problem.hint
    loaded.set()
    again = await hear(locket.regenerate(heard.conversation))
    assert again.answer
    await locket.close()


async def test_layers_for_a_graphics_card_that_the_build_cannot_use_are_said(
    locket_home: Path, engines: Engines
) -> None:
    settings = replace(load_settings(os.environ), gpu_layers=20)
    create_store(settings, PASSPHRASE)
    engines.talker.open()
    engines.talker._card = replace(engines.talker.card, path=Path("model.gguf"))
    locket = open_locket(settings, PASSPHRASE, engines)
    await say(locket, "Hello")
    assert "without a graphics card" in locket.status.notice
    await locket.close()
