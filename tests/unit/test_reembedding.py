"""Another embedding model: words meanwhile, all or nothing in the order, and back again as if nothing had been.

More than 300 lines: the one before, the one after and the verbs that go between them.
"""

import hashlib
import os
import signal
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from scripted_engines import ScriptedEngines
from talk_builders import Chat

from assistant.locket import PREPARING, Locket
from assistant.settings import load_settings
from assistant.verbs import reembed as verb
from assistant.verbs.model import model
from assistant.wiring import create_store, memory_of, open_locket, open_store
from memory.errors import AmbiguousId, BadInput, NotFound
from memory.memory import Memory
from memory.retrieval.ranking import FILLING
from memory.retrieval.reembedding import list_kept
from memory.retrieval.vectors import list_tables
from models.ports import EmbedRuntime
from models.scripted import HashEmbedder, ScriptedChat
from models.types import EmbedIdentity

SAID = (
    "My sister Ida lives in Tromsø",
    "I keep bees behind the mill",
    "The blue kayak belongs to Ida",
    "I am allergic to hazelnuts",
    "We bought the kayak in Bergen",
)
QUESTIONS = ("Where does Ida live?", "Whose kayak is it?", "What am I allergic to?", "bees")


class Other(HashEmbedder):
    """Another model that makes vectors of the same size."""

    @property
    def identity(self) -> EmbedIdentity:
        digest = hashlib.sha256(b"another").hexdigest()
        return EmbedIdentity("another", digest, self.dims, normalised=True)

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        return super().embed([text[::-1] for text in texts])


def opened(model: HashEmbedder) -> HashEmbedder:
    model.open()
    return model


def orders(memory: Memory, chat: Chat) -> list[list[tuple[str, float]]]:
    return [[(hit.item.ref, hit.score) for hit in chat.recall(text).hits] for text in QUESTIONS]


def everything(chat: Chat, table: str) -> list[tuple[object, ...]]:
    rows = chat.core.db.execute(f"SELECT id, profile, embedding, bits, state FROM {table} ORDER BY id")
    return list(rows.fetchall())


@pytest.fixture
def chat() -> Chat:
    chat = Chat()
    for text in SAID:
        chat.memory.add_fact(text)
    while chat.memory.embed_some():
        pass
    return chat


def fill(memory: Memory) -> None:
    while memory.embed_some(2):
        pass


def test_going_to_another_model_and_back_changes_nothing(chat: Chat) -> None:
    memory, before = chat.memory, chat.embedder
    (table,) = list_tables(chat.core.db)
    order, vectors = orders(memory, chat), everything(chat, table)
    memory.use_embedder(opened(Other()))
    fill(memory)
    assert orders(memory, chat) != order
    before.texts.clear()
    memory.use_embedder(before)
    now = memory.filling()
    assert now is not None
    assert (now.left, now.in_use) == (0, True)
    assert before.texts == []
    assert everything(chat, table) == vectors
    assert orders(memory, chat) == order


def test_words_are_searched_until_the_last_vector_is_there(chat: Chat) -> None:
    memory = chat.memory
    memory.use_embedder(opened(Other()))
    memory.embed_some(2)
    now = memory.filling()
    assert now is not None
    assert (now.done, now.total, now.in_use) == (2, len(SAID), False)
    found = chat.recall("Where does Ida live?")
    assert found.notice == FILLING
    assert "Tromsø" in found.hits[0].item.text
    fill(memory)
    assert chat.recall("Where does Ida live?").notice == ""


def test_what_was_said_in_between_is_made_when_the_old_model_is_back(chat: Chat) -> None:
    memory, before = chat.memory, chat.embedder
    memory.use_embedder(opened(Other()))
    fill(memory)
    memory.add_fact("The ferry leaves at noon")
    fill(memory)
    before.texts.clear()
    memory.use_embedder(before)
    fill(memory)
    assert [text for text in before.texts if "ferry" in text] == ["The ferry leaves at noon"]
    assert not set(SAID) & set(before.texts)


def test_an_earlier_models_vectors_can_be_let_go_and_are_made_anew_when_it_comes_back(chat: Chat) -> None:
    memory, before = chat.memory, chat.embedder
    order = orders(memory, chat)
    memory.use_embedder(opened(Other()))
    fill(memory)
    gone = memory.drop_embedder(before.identity.name)
    assert (gone.state, gone.vectors) == ("kept", len(SAID))
    assert [(one.name, one.state) for one in list_kept(chat.core.db)] == [("another", "active")]
    assert list_tables(chat.core.db) == ["item_vec_2"]
    assert orders(memory, chat)[0]
    memory.use_embedder(before)
    fill(memory)
    assert orders(memory, chat) == order


def test_vectors_that_are_not_finished_can_be_let_go_and_the_model_in_use_goes_on(chat: Chat) -> None:
    memory, before = chat.memory, chat.embedder
    order = orders(memory, chat)
    memory.use_embedder(opened(Other()))
    memory.embed_some(2)
    assert memory.drop_embedder("another").vectors == 2
    before.texts.clear()
    memory.use_embedder(before)
    fill(memory)
    assert not set(SAID) & set(before.texts)
    assert orders(memory, chat) == order


def test_only_one_models_vectors_go_and_never_those_that_find_the_memories(chat: Chat) -> None:
    memory = chat.memory
    memory.use_embedder(opened(Other()))
    fill(memory)
    before, now = list_kept(chat.core.db)
    with pytest.raises(BadInput, match="find your memories now"):
        memory.drop_embedder("another")
    for unknown in ("nobody", ""):
        with pytest.raises(NotFound):
            memory.drop_embedder(unknown)
    chat.core.db.execute("UPDATE embedder SET name = 'another'")
    with pytest.raises(AmbiguousId):
        memory.drop_embedder("another")
    assert list_kept(chat.core.db) == [replace(before, name="another"), now]
    assert memory.drop_embedder(before.sha256[:8]).vectors == len(SAID)


def test_work_cut_off_and_taken_up_again_measures_chance_like_work_in_one_go() -> None:
    figures = []
    for pieces in ((100,), (3, 30, 100)):
        chat = Chat()
        for number in range(60):
            chat.memory.add_fact(f"Number {number} of the list is {number * 7919}")
        while chat.memory.embed_some():
            pass
        for size in pieces:
            chat.memory.use_embedder(opened(Other()))
            chat.memory.embed_some(size)
        row = chat.core.db.execute(
            "SELECT background_mean, background_sd FROM embedder WHERE state = 'active' AND name = 'another'"
        )
        figures.append(row.fetchone())
    assert figures[0] is not None
    assert figures[0] == figures[1]


def test_a_running_locket_makes_them_in_quiet_moments_and_says_how_far_it_is(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.memory.EMBED_AT_ONCE", 2)
    monkeypatch.setattr(Memory.embed_some, "__defaults__", (2,))
    said: list[str] = []
    real = Locket._tell_filling

    def heard(self: Locket) -> None:
        real(self)
        said.append(self.status.notice)

    monkeypatch.setattr(Locket, "_tell_filling", heard)
    settings = replace(load_settings(os.environ), embedder="another")
    engines = ScriptedEngines(ScriptedChat(n_ctx=8192), Other())
    locket = open_locket(settings, "otter lamp violet harbour", engines)
    try:
        deadline = time.monotonic() + 30
        while not (said and said[-1] == "") and time.monotonic() < deadline:
            time.sleep(0.02)
        now = locket.act_now(lambda memory: memory.filling())
        assert now is not None
        assert (now.left, now.in_use) == (0, True)
        assert f"{PREPARING} another: 2 of 5" in said
        assert locket.status.notice == ""
    finally:
        locket.close_now()


# -- the verb ---------------------------------------------------------------------------------------------


class Models:
    """Gives one of two models by the name that was asked for."""

    def __init__(self, _settings: object) -> None:
        """Take what the real ones take."""

    def embed(self, settings: object) -> EmbedRuntime:
        return opened(Other() if "another" in getattr(settings, "embedder", "") else HashEmbedder())


@pytest.fixture
def home(locket_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    settings = load_settings(os.environ)
    for name in ("first", "another"):
        (settings.paths.models / name).mkdir(parents=True)
        (settings.paths.models / name / "modules.json").write_text("[]")
    monkeypatch.setattr("assistant.runtimes.LocalRuntimes", Models)
    monkeypatch.setenv("LOCKET_PASSPHRASE", "otter lamp violet harbour")
    create_store(settings, "otter lamp violet harbour")
    with open_store(settings, "otter lamp violet harbour") as vault:
        memory = memory_of(settings, vault)
        memory.use_embedder(opened(HashEmbedder()))
        for text in SAID:
            memory.add_fact(text)
        fill(memory)
    return locket_home


def run(*arguments: str) -> Result:
    done = CliRunner().invoke(verb.reembed, list(arguments), standalone_mode=False)
    assert done.exception is None, done.output
    return done


def test_the_verb_makes_all_vectors_and_then_changes_the_setting(home: Path) -> None:
    done = run("another")
    assert done.return_value == 0
    assert f"{len(SAID)} made" in done.stdout
    assert load_settings(os.environ).embedder == str(home / "models" / "another")
    again = run()
    assert "0 made" in again.stdout


def test_an_interrupt_keeps_what_is_made_and_the_setting_as_it_was(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verb, "AT_ONCE", 2)
    real = Memory.embed_some

    def interrupted(self: Memory, limit: int = 2) -> bool:
        more = real(self, limit)
        os.kill(os.getpid(), signal.SIGINT)
        return more

    with monkeypatch.context() as patched:
        patched.setattr(Memory, "embed_some", interrupted)
        done = run("another")
    assert done.return_value == 130
    assert "3 of 5 left" in done.stdout
    assert load_settings(os.environ).embedder == ""
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finished = run("another")
    assert "3 made" in finished.stdout
    assert finished.return_value == 0


def test_adding_a_folder_says_which_verb_takes_it(home: Path) -> None:
    done = CliRunner().invoke(model, ["add", str(home / "models" / "another")])
    assert done.exit_code == 2
    assert "locket model reembed" in done.stderr


def test_the_verb_lists_whose_vectors_there_are_and_drops_those_of_an_earlier_model(home: Path) -> None:
    def told(*arguments: str) -> str:
        done = CliRunner().invoke(model, list(arguments), standalone_mode=False)
        assert done.exception is None, done.output
        return str(done.stdout)

    run("another")
    listed = told("embedders").splitlines()
    assert [line.split()[0] for line in listed] == ["hash-384", "*"]
    assert "kept for going back" in listed[0]
    assert "finds your memories" in listed[1]
    refused = CliRunner().invoke(model, ["drop-embedder", "hash-384"], input="n\n", standalone_mode=False)
    assert isinstance(refused.exception, click.Abort)
    assert told("drop-embedder", "hash-384", "--yes") == f"Gone: {len(SAID)} vectors of hash-384.\n"
    assert len(told("embedders").splitlines()) == 1
