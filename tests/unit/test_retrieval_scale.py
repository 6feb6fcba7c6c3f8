"""What is no answer changes nothing for what is one: the question's own message, the window, earlier questions."""

from __future__ import annotations

import pytest
from builders import day
from forget_builders import Life
from retrieval_builders import BagEmbedder, new_store, put_item
from sqlite_utils import Database

from memory.records import DEFAULT_PROFILE, Recall
from memory.retrieval import vectors
from memory.retrieval.ranking import AGAIN, KNOWN
from memory.retrieval.recall import RecallRequest, recall
from memory.retrieval.scoring import RELEVANCE
from memory.vault.vault import Vault

QUESTION = "Which telescope did we borrow from the observatory in April?"
SAID = (
    "We borrowed the small telescope from the observatory",
    "The observatory closes in April",
    "April was cold",
    "A telescope needs a steady table",
)


def ask(db: Database, text: str, *, with_vectors: bool, exclude: frozenset[str] = frozenset()) -> Recall:
    request = RecallRequest(DEFAULT_PROFILE, text, day(30), exclude_refs=exclude)
    if not with_vectors:
        return recall(db, request)
    embedder = BagEmbedder()
    vectors.ensure_embedder(db, embedder.identity, day(0))
    vectors.embed_pending(db, embedder, 500, lambda: False)
    return recall(db, request, embedder)


def texts(found: Recall) -> list[str]:
    return [hit.item.text for hit in found.hits]


@pytest.fixture
def db() -> Database:
    store = new_store()
    for text in SAID:
        put_item(store, text)
    return store


@pytest.mark.parametrize("with_vectors", [True, False])
@pytest.mark.parametrize("inside", [QUESTION, f"I wonder about this. {QUESTION} Please tell me."])
def test_what_is_in_the_window_sets_no_scale(db: Database, inside: str, with_vectors: bool) -> None:
    before = ask(db, QUESTION, with_vectors=with_vectors)
    put_item(db, inside, ref="asked")
    found = ask(db, QUESTION, with_vectors=with_vectors, exclude=frozenset({"asked"}))
    assert texts(found) == texts(before)
    assert found.hits[0].parts["relevance"] == RELEVANCE
    assert [one.text for one in found.left_out if one.reason == KNOWN] == [inside]


@pytest.mark.parametrize("with_vectors", [True, False])
@pytest.mark.parametrize("asked", [QUESTION, f"It was dark. {QUESTION}"])
def test_asking_a_second_time_brings_what_the_first_time_brought(
    db: Database, asked: str, with_vectors: bool
) -> None:
    before = ask(db, asked, with_vectors=with_vectors)
    put_item(db, asked)
    found = ask(db, asked, with_vectors=with_vectors)
    assert texts(found) == texts(before)
    assert found.hits[0].parts["relevance"] == RELEVANCE
    assert [one.text for one in found.left_out if one.reason == AGAIN] == [asked]


def test_a_message_that_says_more_than_the_question_is_not_taken_for_it(db: Database) -> None:
    put_item(db, f"The red one broke. {QUESTION}")
    assert f"The red one broke. {QUESTION}" in texts(ask(db, QUESTION, with_vectors=False))


@pytest.mark.parametrize("with_vectors", [True, False])
def test_earlier_questions_do_not_crowd_out_what_was_said(with_vectors: bool) -> None:
    store = new_store()
    put_item(
        store,
        "We did borrow a telescope from that observatory, a long time ago and only for one cloudy night",
    )
    for place in ("Basel", "Lisbon", "Oslo"):
        put_item(store, f"Which telescope did we borrow from the observatory in {place} in April?")
    found = ask(store, QUESTION, with_vectors=with_vectors)
    assert (
        texts(found)[0]
        == "We did borrow a telescope from that observatory, a long time ago and only for one cloudy night"
    )
    assert found.hits[0].parts["relevance"] == RELEVANCE


def test_a_turn_recalls_as_if_its_own_message_were_not_there_yet(vault: Vault) -> None:
    life = Life(vault, embedder=False)
    for text in SAID:
        life.turn(text)
    found = life.recall(life.memory.begin_turn(f"I wonder about something. {QUESTION}"))
    assert found.hits[0].item.text == SAID[0]
    assert found.hits[0].parts["relevance"] == RELEVANCE
