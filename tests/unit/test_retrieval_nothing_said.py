"""What asks, greets or admires is no knowledge, and a question about a day is answered by that day."""

from __future__ import annotations

from datetime import timedelta

import pytest
from builders import day
from retrieval_builders import BagEmbedder, new_store, put_item
from sqlite_utils import Database

from memory.records import DEFAULT_PROFILE, Recall
from memory.retrieval import vectors
from memory.retrieval.intent import is_only_questions, says_nothing
from memory.retrieval.ranking import AGAIN
from memory.retrieval.recall import RecallRequest, recall
from memory.retrieval.selection import asked_words, asks_again


def ask(db: Database, text: str, embedder: BagEmbedder | None = None) -> Recall:
    if embedder is not None:
        vectors.ensure_embedder(db, embedder.identity, day(0))
        vectors.embed_pending(db, embedder, 500, lambda: False)
    return recall(db, RecallRequest(profile=DEFAULT_PROFILE, text=text, now=day(30)), embedder)


def texts(found: Recall) -> list[str]:
    return [hit.item.text for hit in found.hits]


@pytest.mark.parametrize(
    "text",
    ["Where is it?", "Wow, gorgeous! Where is it?", "太棒了！你去了哪里？", "Glückwunsch! Und wie war es?"],
)
def test_a_question_with_a_politeness_beside_it_is_only_a_question(text: str) -> None:
    assert is_only_questions(text)
    assert says_nothing(text)


@pytest.mark.parametrize("text", ["Thanks, that's lovely!", "hi there", "Great!"])
def test_a_greeting_says_nothing_and_asks_nothing(text: str) -> None:
    assert not is_only_questions(text)
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text", ["It is in Basel. Where is yours?", "We saw the harbour!", "我住在里斯本。你呢？"]
)
def test_one_statement_makes_it_say_something(text: str) -> None:
    assert not is_only_questions(text)
    assert not says_nothing(text)


@pytest.mark.parametrize("with_vectors", [True, False])
def test_having_asked_before_is_no_answer(with_vectors: bool) -> None:
    db = new_store()
    put_item(db, "What is my dog called?")
    put_item(db, "So what's my dog called?", kind="answer")
    put_item(db, "My dog is called Waffle")
    found = ask(db, "What is my dog called?", BagEmbedder() if with_vectors else None)
    assert texts(found) == ["My dog is called Waffle"]
    assert {one.text for one in found.left_out if one.reason == AGAIN} == {
        "What is my dog called?",
        "So what's my dog called?",
    }


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("What is my dog called?", "what's my dog called", True),
        ("我的狗叫什么名字？", "我的狗叫什么名字", True),
        ("What is my dog called?", "What is my cat called?", False),
        ("My dog is called Waffle.", "What is my dog called?", False),
    ],
)
def test_the_same_question_is_told_by_its_words(one: str, other: str, same: bool) -> None:
    assert asks_again(one, asked_words(other)) is same


@pytest.mark.parametrize(
    "question",
    [
        "What did we talk about on 11 January?",
        "在1月11号我们聊了哪些话题？",
        "what did I tell you on 11 January",
    ],
)
@pytest.mark.parametrize("with_vectors", [True, False])
def test_a_question_about_a_day_is_answered_by_what_was_said_then(question: str, with_vectors: bool) -> None:
    db = new_store()
    put_item(db, "The roof leaks above the stairs", said_at=day(10) + timedelta(hours=1))
    put_item(db, "Ida wants to sell her boat", said_at=day(10) + timedelta(hours=2))
    put_item(db, "Thanks!", said_at=day(10) + timedelta(hours=3))
    put_item(db, "An older roof", state="outdated", said_at=day(10))
    put_item(db, "Somebody else's day", profile="other", said_at=day(10))
    put_item(db, "The harbour froze over", said_at=day(12))
    found = ask(db, question, BagEmbedder() if with_vectors else None)
    assert set(texts(found)) == {"The roof leaks above the stairs", "Ida wants to sell her boat"}


@pytest.mark.parametrize("with_vectors", [True, False])
def test_what_was_said_today_is_asked_for_by_no_other_word(with_vectors: bool) -> None:
    db = new_store()
    put_item(db, "The roof leaks above the stairs", said_at=day(30) - timedelta(hours=2))
    put_item(db, "Ida wants to sell her boat", said_at=day(28))
    for question in ("What did I tell you today?", "what did I say this morning", "我今天说了什么？"):
        found = ask(db, question, BagEmbedder() if with_vectors else None)
        assert texts(found) == ["The roof leaks above the stairs"]


@pytest.mark.parametrize(
    "words",
    [
        "What is the weather like today?",
        "Write me a haiku about today",
        "How do I poach a pear tonight?",
        "I was in the sauna today",
        "Good morning! How are you today?",
        "It rained on 11 January, Torben says",
    ],
)
def test_a_day_that_is_mentioned_and_not_asked_about_brings_nothing(words: str) -> None:
    db = new_store()
    for at in (day(30) - timedelta(hours=2), day(10) + timedelta(hours=1)):
        put_item(db, "The roof leaks above the stairs", said_at=at)
        put_item(db, "Ida wants to sell her boat", said_at=at + timedelta(minutes=1))
    assert texts(ask(db, words)) == []
