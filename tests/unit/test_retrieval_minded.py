"""Advice minds what somebody must avoid, and the conversation's goal turns a question a little towards itself."""

from __future__ import annotations

import math
from array import array

from builders import DAY_ZERO
from talk_builders import Chat

from memory.records import Recall, WorkingState
from memory.retrieval.floats import mixed, normalised
from memory.retrieval.recall import RecallRequest, recall


def texts(found: Recall) -> list[str]:
    return [hit.item.text for hit in found.hits]


def test_a_request_for_advice_brings_the_allergy_whatever_its_words() -> None:
    chat = Chat()
    chat.turn("I'm allergic to peanuts")
    chat.turn("My sister lives in Oslo")
    found = chat.recall("Can you suggest a snack for the train?")
    assert "I'm allergic to peanuts" in texts(found)
    assert "I'm allergic to peanuts" not in texts(chat.recall("How long is the train ride to Hamburg?"))


def test_an_allergy_that_holds_no_more_is_not_minded() -> None:
    chat = Chat()
    chat.turn("I'm allergic to peanuts")
    (fact,) = [one for one in chat.memory.reader.list_facts() if one.attribute == "allergy"]
    chat.memory.archive(fact.id)
    assert "I'm allergic to peanuts" not in texts(chat.recall("Can you suggest a snack for the train?"))


def test_what_advice_has_to_mind_is_not_crowded_out() -> None:
    chat = Chat()
    chat.turn("I'm allergic to peanuts")
    for number in range(20):
        chat.memory.add_fact(f"Snack number {number} on the train was a train snack of kind {number}")
    while chat.memory.embed_some():
        pass
    request = RecallRequest("default", "Can you suggest a snack for the train?", chat.core.now(), max_items=5)
    found = recall(chat.core.db, request, chat.embedder)
    assert len(found.hits) == 5
    assert "I'm allergic to peanuts" in texts(found)


def test_the_goal_of_the_conversation_turns_the_question() -> None:
    chat = Chat()
    turn, _ = chat.turn("Which boots should it be?")
    chat.memory.set_working(turn.conversation, WorkingState(goal="plan the hike"))
    chat.embedder.texts.clear()
    chat.memory.recall(chat.memory.begin_turn("And the boots?", conversation=turn.conversation))
    assert "plan the hike" in chat.embedder.texts
    assert not [text for text in chat.embedder.texts if "boots" in text and "hike" in text]


def test_a_mixed_vector_has_length_one_and_leans_towards_the_other() -> None:
    one, other = (normalised(array("f", values).tobytes()) for values in ([1.0, 0.0], [0.0, 1.0]))
    x, y = array("f", mixed(one, other, 0.2))
    assert math.isclose(math.hypot(x, y), 1.0, rel_tol=1e-6)
    assert math.isclose(y / x, 0.2, rel_tol=1e-6)


def test_nothing_is_minded_in_an_empty_store() -> None:
    assert texts(recall(Chat().core.db, RecallRequest("default", "Suggest a snack", DAY_ZERO))) == []
