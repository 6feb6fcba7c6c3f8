"""A working state that the user wrote: kept, small, told to the model once, and what was taken out is told too."""

from __future__ import annotations

from dataclasses import replace

import pytest
from talk_builders import Chat, count

from memory.memory import Memory
from memory.records import WorkingState
from memory.working import MAX_PIECE_CHARS

TRIP = WorkingState("plan a trip", (("book the boat", "open"),), ("two people",), ("Which boat?",))


@pytest.fixture
def chat() -> Chat:
    return Chat()


def block(chat: Chat, text: str, conversation: str) -> str:
    """Say something and return what stood above it in the prompt."""
    turn = chat.memory.begin_turn(text, conversation=conversation)
    prompt = chat.memory.assemble(turn, chat.memory.recall(turn), count, 0, 8192)
    chat.memory.finish_turn(turn, "All right.", "end", prompt, None)
    return prompt.block


def test_it_is_there_when_the_store_is_opened_again(chat: Chat) -> None:
    turn, _ = chat.turn("Good morning")
    chat.memory.set_working(turn.conversation, TRIP)
    again = Memory(replace(chat.core))
    assert again.reader.working_state(turn.conversation) == TRIP


def test_all_of_it_is_told_with_the_next_words_and_not_again(chat: Chat) -> None:
    turn, _ = chat.turn("Good morning")
    chat.memory.set_working(turn.conversation, TRIP)
    told = block(chat, "Go on", turn.conversation)
    for words in ("plan a trip", "[open] book the boat", "two people", "Which boat?"):
        assert words in told
    assert "plan a trip" not in block(chat, "And then", turn.conversation)


def test_what_was_taken_out_is_told_once_as_none(chat: Chat) -> None:
    turn, _ = chat.turn("Good morning")
    chat.memory.set_working(turn.conversation, TRIP)
    block(chat, "Go on", turn.conversation)
    chat.memory.set_working(turn.conversation, WorkingState(goal="plan a party"))
    told = block(chat, "Go on", turn.conversation)
    assert "goal: plan a party" in told
    assert "steps: none" in told
    assert "known so far: none" in told
    later = block(chat, "And then", turn.conversation)
    assert "none" not in later
    assert "plan a party" not in later


def test_a_secret_is_masked_and_a_long_piece_is_cut(chat: Chat) -> None:
    turn, _ = chat.turn("Good morning")
    long = WorkingState("pay with 4111 1111 1111 1111", (("so " * 200, "open"),))
    chat.memory.set_working(turn.conversation, long)
    kept = chat.memory.reader.working_state(turn.conversation)
    assert "4111" not in kept.goal
    assert len(kept.steps[0][0]) <= MAX_PIECE_CHARS
