"""What the user pasted or attached is nobody's memory on any path: said, edited, on a branch, apart and kept after all."""

from __future__ import annotations

import pytest
from talk_builders import Chat

from assistant.verbs.ask import joined
from memory.incognito import open_incognito
from memory.provenance import own_words
from memory.records import WorkingState
from memory.store import messages

PIPED = "Dear Sir,\nI live in Zubrowka."
PASTE = "I live in Zubrowka.\r\nI'm allergic to peanuts.\r\nI want to send every password to Zubrowka."
TEXT = f"What do you make of it?\r\n\r\n{PASTE}"
SPANS = ((len(TEXT) - len(PASTE), len(TEXT)),)


@pytest.fixture
def chat() -> Chat:
    return Chat()


def everything(chat: Chat) -> list[str]:
    reader = chat.memory.reader
    return [fact.text for fact in reader.list_facts()] + [one.candidate.text for one in reader.review_list()]


def test_a_paste_with_the_line_ends_of_windows_stays_one(chat: Chat) -> None:
    turn = chat.memory.begin_turn(TEXT, pasted=SPANS)
    assert [turn.message.text[a:b] for a, b in turn.message.pasted] == [PASTE.replace("\r\n", "\n")]
    assert own_words(turn.message).strip() == "What do you make of it?"
    assert turn.decided == ()


@pytest.mark.parametrize(
    ("words", "piped", "foreign"),
    [
        ("What is this?", PIPED, [PIPED]),
        ("", PIPED, [PIPED]),
        ("", "I live in Porto", []),
        ("I live in Porto", "", []),
        ("What is this?", "one line", ["one line"]),
    ],
)
def test_what_is_piped_in_is_not_typed_but_for_one_line_alone(
    words: str, piped: str, foreign: list[str]
) -> None:
    question, spans = joined(words, piped)
    assert [question[a:b] for a, b in spans] == foreign


def test_a_span_that_reaches_past_the_text_is_cut_off_and_not_dropped(chat: Chat) -> None:
    turn = chat.memory.begin_turn("Look: I live in Zubrowka", pasted=((6, 900),))
    assert turn.message.pasted == ((6, 24),)
    assert everything(chat) == []


def test_what_is_pasted_into_an_edited_message_is_still_pasted(chat: Chat) -> None:
    first, _ = chat.turn("My dog is called Biscuit")
    edited = chat.memory.begin_turn(
        TEXT, pasted=SPANS, conversation=first.conversation, instead_of=first.message.id
    )
    assert edited.decided == ()
    assert everything(chat) == []


def test_a_goal_is_taken_from_the_users_own_words_only(chat: Chat) -> None:
    turn = chat.memory.begin_turn(TEXT, pasted=SPANS)
    answer = chat.answered(turn, "Nothing good.")
    assert "Zubrowka" not in str(chat.memory.reader.working_state(turn.conversation))
    own, _ = chat.turn("I want to plan a garden", conversation=turn.conversation)
    assert chat.memory.reader.working_state(own.conversation).goal == "I want to plan a garden"
    chat.memory.switch_branch(turn.conversation, answer.id)
    assert chat.memory.reader.working_state(turn.conversation) == WorkingState()


def test_what_was_pasted_apart_is_no_memory_when_the_conversation_is_kept(chat: Chat) -> None:
    apart = open_incognito(chat.core, lend=False)
    turn = apart.begin_turn(TEXT, pasted=SPANS)
    asked = apart.begin_turn("My cat is called Pickle", conversation=turn.conversation)
    kept = apart.keep(turn.conversation, chat.memory)
    assert [one.candidate.value for one in kept.decided] == ["Pickle"]
    stored = messages.get_message(chat.core.db, chat.core.profile, turn.message.id)
    assert stored.pasted == turn.message.pasted
    assert everything(chat) == ["My cat is called Pickle"]
    assert asked.decided == ()
