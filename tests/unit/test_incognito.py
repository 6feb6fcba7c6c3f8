"""Incognito: nothing is written until the user says so, and then everything is as if it always had been."""

import asyncio
import hashlib
import io
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from scripted_engines import PlainEngines, plain_engines
from talk_builders import Chat

from assistant import wiring
from assistant.chat.events import AnswerFinished, TurnBegan, TurnEvent, TurnFailed
from assistant.cli import main
from assistant.locket import Locket
from assistant.paths import Paths
from assistant.settings import Settings, load_settings
from memory import policy
from memory.errors import NotFound
from memory.incognito import Incognito
from memory.records import FactState, Ignore, Message
from memory.store import tombstones
from memory.store.stored import Tombstone
from models.errors import RemoteRefused

PASSPHRASE = "otter lamp violet harbour"
SECRET_WORDS = "My cat is called Zubrowka"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    environment = {"LOCKET_HOME": str(tmp_path / "home"), "LOCKET_TEST_CHEAP_KDF": "1"}
    settings = load_settings(environment)
    assert isinstance(settings.paths, Paths)
    wiring.create_store(settings, PASSPHRASE)
    with opened(settings) as locket:
        say(locket, "My dog is called Biscuit")
        drained(locket)
    return settings


@contextmanager
def opened(
    settings: Settings, *, sealed: bool = False, engines: PlainEngines | None = None
) -> Iterator[Locket]:
    locket = wiring.open_locket(settings, PASSPHRASE, engines or plain_engines(), sealed=sealed)
    try:
        yield locket
    finally:
        locket.close_now()


def say(locket: Locket, text: str, **how: object) -> list[TurnEvent]:
    async def heard() -> list[TurnEvent]:
        return [event async for event in locket.turn(text, **{"conversation": None} | how)]  # type: ignore[arg-type]

    return asyncio.run(heard())


def answer_of(events: list[TurnEvent]) -> Message:
    (message,) = [event.message for event in events if isinstance(event, AnswerFinished)]
    return message


def drained(locket: Locket) -> None:
    """Wait until nothing is left to do, the day's backup included."""
    locket._loader.join(20)
    while locket.act_now(lambda memory: memory.idle(lambda: False)):
        pass
    locket.act_now(lambda _: locket._daily.step(threading.Event()))


def trace_of(settings: Settings) -> tuple[str, dict[str, str]]:
    """Return what the store file hashes to, and every file of the vault folder but the lock, with its hash."""
    folder = settings.paths.vault
    files = {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "vault.lock"
    }
    return files["vault.db"], files


def tables(settings: Settings) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every table."""
    with wiring.open_store(settings, PASSPHRASE) as vault:
        names = [
            row[0]
            for row in vault.db.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
            ).fetchall()
        ]
        return {name: vault.db.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}


@pytest.fixture(params=[False, True], ids=["writer", "sealed"])
def sealed(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.mark.parametrize("lend", [False, True])
def test_the_store_is_the_same_to_the_byte(settings: Settings, sealed: bool, lend: bool) -> None:
    settings = replace(settings, incognito_recall=lend)
    before, rows = trace_of(settings), tables(settings)
    assert trace_of(settings) == before
    with opened(settings, sealed=sealed) as locket:
        first = say(locket, SECRET_WORDS, incognito=True)
        (began,) = [event.turn for event in first if isinstance(event, TurnBegan)]
        again = say(locket, "And what is it called?", incognito=True, conversation=began.conversation)
        assert answer_of(again).conversation == began.conversation
    assert trace_of(settings) == before
    assert tables(settings) == rows


def test_an_incognito_answer_knows_nothing_unless_memory_is_lent(settings: Settings) -> None:
    seen: dict[bool, str] = {}
    for lend in (False, True):
        engines = plain_engines()
        with opened(replace(settings, incognito_recall=lend), sealed=True, engines=engines) as locket:
            say(locket, "What is my dog called?", incognito=True)
            seen[lend] = " ".join(message.text for message in engines.talker.prompts[-1])
    assert "Biscuit" not in seen[False]
    assert "Biscuit" in seen[True]


def test_a_pinned_fact_is_lent_with_the_rest() -> None:
    chat = Chat()
    fact = chat.memory.add_fact("My blood type is zero")
    chat.memory.pin(fact.id)
    lent, alone = chat.memory.incognito(lend=True), chat.memory.incognito()
    assert [one.text for one in lent.reader.list_facts(pinned=True)] == ["My blood type is zero"]
    assert alone.reader.list_facts() == []


def test_a_question_beside_a_running_locket_writes_nothing_either(settings: Settings) -> None:
    with opened(settings) as running:
        running._loader.join(20)
        with opened(settings, sealed=True) as locket:
            assert answer_of(say(locket, SECRET_WORDS, incognito=True)).text
        assert len(running.act_now(lambda memory: memory.reader.list_conversations())) == 1


def test_nothing_said_apart_is_found_or_remembered(settings: Settings) -> None:
    with opened(settings) as locket:
        say(locket, SECRET_WORDS, incognito=True)
        locket.end_incognito()
        found = locket.act_now(lambda memory: memory.search("Zubrowka"))
        assert not [one for one in found if "Zubrowka" in one.item.text]
        facts = locket.act_now(lambda memory: memory.reader.list_facts(states=None))
        assert [fact.value for fact in facts] == ["Biscuit"]


def test_ending_it_makes_the_engine_forget_and_the_idle_work_go_on(settings: Settings) -> None:
    engines = plain_engines()
    with opened(settings, engines=engines) as locket:
        events = say(locket, SECRET_WORDS, incognito=True)
        before = engines.talker.resets
        assert not locket._idle(threading.Event())
        locket.end_incognito()
        conversation = answer_of(events).conversation

        async def gone() -> Message:
            return await locket.act_incognito(lambda memory: memory.reader.messages(conversation)[0])

        with pytest.raises(NotFound):
            asyncio.run(gone())
        assert engines.talker.resets > before


def test_a_remote_model_is_refused_unless_allowed(settings: Settings) -> None:
    with opened(settings) as locket:
        locket._loader.join(20)
        locket._status = replace(locket._status, remote=True)
        (failed,) = [e for e in say(locket, "Hello", incognito=True) if isinstance(e, TurnFailed)]
        assert isinstance(failed.error, RemoteRefused)
        locket.settings = replace(locket.settings, remote_incognito=True)
        assert answer_of(say(locket, "Hello", incognito=True)).text


def test_what_is_kept_is_an_ordinary_conversation_with_its_times(settings: Settings) -> None:
    with opened(settings) as locket:
        events = say(locket, SECRET_WORDS, incognito=True)
        answer = answer_of(events)
        kept = asyncio.run(locket.keep_incognito(answer.conversation))
        assert [one.candidate.value for one in kept.decided] == ["Zubrowka"]
        said = locket.act_now(lambda memory: memory.reader.messages(kept.conversation))
        assert said[-1] == answer
        assert locket.act_now(lambda memory: memory.reader.find_trace(answer.id)) is not None
        more = say(locket, "What is my cat called?", conversation=kept.conversation)
        assert answer_of(more).conversation == kept.conversation
    with opened(settings) as locket:
        assert locket.act_now(lambda memory: memory.search("Zubrowka"))


@pytest.fixture
def apart() -> tuple[Chat, Incognito, Callable[[str, str | None], str]]:
    chat = Chat()
    memory = chat.memory.incognito()
    talk = Chat(beside=chat)
    talk.core, talk.memory = memory._core, memory

    def tell(text: str, conversation: str | None) -> str:
        return talk.turn(text, conversation=conversation)[0].conversation

    return chat, memory, tell


def test_keeping_judges_by_the_time_of_the_words(
    apart: tuple[Chat, Incognito, Callable[[str, str | None], str]],
) -> None:
    chat, memory, tell = apart
    here = tell("I live in Lisbon", None)
    chat.turn("I moved to Porto")
    memory.keep(here, chat.memory)
    assert chat.values("user", "home") == ["Porto"]
    states = {fact.value: fact.state for fact in chat.memory.reader.list_facts(states=None)}
    assert states["Lisbon"] is FactState.SUPERSEDED


def test_what_was_forgotten_does_not_come_back_by_keeping(
    apart: tuple[Chat, Incognito, Callable[[str, str | None], str]],
) -> None:
    chat, memory, tell = apart
    digest = policy.slot_hash(chat.core.tombstone_key, chat.core.profile, "user", "home", "Lisbon")
    mark = Tombstone("t1", chat.core.profile, "fact", digest.hex(), chat.core.now())
    tombstones.insert_tombstone(chat.core.db, mark)
    here = tell("I live in Lisbon", None)
    kept = memory.keep(here, chat.memory)
    assert [type(one.decision) for one in kept.decided] == [Ignore]
    assert chat.values("user", "home") == []


def test_ask_incognito_answers_and_changes_no_byte(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LOCKET_HOME", str(settings.paths.vault.parent))
    monkeypatch.setenv("LOCKET_TEST_CHEAP_KDF", "1")
    monkeypatch.setenv("LOCKET_PASSPHRASE", PASSPHRASE)
    monkeypatch.setattr("assistant.runtimes.LocalRuntimes", lambda _: plain_engines())
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    before = trace_of(settings)
    assert main(["ask", "--incognito", "--json", SECRET_WORDS]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["answer"]
    assert printed["remembered"] == []
    assert trace_of(settings) == before
    assert main(["ask", "--incognito", "-c", "anything", "Hello"]) == 2
