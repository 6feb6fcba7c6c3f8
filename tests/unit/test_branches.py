"""Branches: memories come and go with the branch they were said on, and nothing is lost on the way."""

import pytest
from talk_builders import Chat

from memory.errors import BadInput
from memory.records import Episode, FactState, WorkingState


@pytest.fixture
def chat() -> Chat:
    return Chat()


def test_an_edited_message_takes_what_was_remembered_of_it_along(chat: Chat) -> None:
    turn, answer = chat.turn("My dog is called Biscuit")
    chat.turn("My dog is called Waffle", conversation=turn.conversation, instead_of=turn.message.id)
    assert chat.values("dog", "name") == ["Waffle"]
    states = {fact.value: fact.state for fact in chat.memory.reader.list_facts(states=None)}
    assert states == {"Biscuit": FactState.SET_ASIDE, "Waffle": FactState.ACTIVE}
    assert chat.states(turn.message.id) == chat.states(answer.id) == {"set_aside"}


def test_the_first_message_can_be_edited_and_the_old_one_stays_beside_it(chat: Chat) -> None:
    turn, _ = chat.turn("My dog is called Biscuit")
    other, _ = chat.turn("My cat is called Tom", conversation=turn.conversation, instead_of=turn.message.id)
    assert other.message.parent is None
    beside = chat.memory.reader.branches(other.message.id)
    assert [message.id for message in beside] == [turn.message.id, other.message.id]


def test_who_returns_to_a_branch_finds_what_was_remembered_there(chat: Chat) -> None:
    turn, answer = chat.turn("My dog is called Biscuit")
    before = chat.memory.reader.list_facts()
    _, other = chat.turn(
        "My dog is called Waffle", conversation=turn.conversation, instead_of=turn.message.id
    )
    chat.memory.switch_branch(turn.conversation, answer.id)
    assert chat.memory.reader.list_facts() == before
    assert chat.states(turn.message.id) == {"active"}
    chat.memory.switch_branch(turn.conversation, other.id)
    assert chat.values("dog", "name") == ["Waffle"]


def test_what_a_left_branch_had_replaced_is_believed_again_until_it_returns(chat: Chat) -> None:
    home, here = chat.turn("I live in Lisbon")
    _, moved = chat.turn("I moved to Porto", conversation=home.conversation)
    assert chat.values("user", "home") == ["Porto"]
    chat.memory.switch_branch(home.conversation, here.id)
    assert chat.values("user", "home") == ["Lisbon"]
    assert chat.states(home.message.id) == {"active"}
    chat.memory.switch_branch(home.conversation, moved.id)
    assert chat.values("user", "home") == ["Porto"]
    assert chat.states(home.message.id) == {"outdated"}


def test_a_value_said_elsewhere_meanwhile_is_not_pushed_out_by_a_branch_that_returns(chat: Chat) -> None:
    home, here = chat.turn("I live in Lisbon")
    _, moved = chat.turn("I moved to Porto", conversation=home.conversation)
    chat.memory.switch_branch(home.conversation, here.id)
    chat.turn("I moved to Faro")
    chat.memory.switch_branch(home.conversation, moved.id)
    assert chat.values("user", "home") == ["Faro"]


def test_what_was_said_elsewhere_too_stays(chat: Chat) -> None:
    chat.turn("I'm allergic to peanuts")
    turn, answer = chat.turn("Good morning")
    chat.turn("I'm allergic to peanuts", conversation=turn.conversation)
    chat.memory.switch_branch(turn.conversation, answer.id)
    assert chat.values("user", "allergy") == ["peanuts"]


def test_what_the_user_worded_by_hand_stays(chat: Chat) -> None:
    turn, _ = chat.turn("My dog is called Biscuit")
    (fact,) = chat.memory.reader.list_facts()
    chat.memory.edit_fact(fact.id, "My dog is called Biscuit the Second")
    chat.turn("Good morning", conversation=turn.conversation, instead_of=turn.message.id)
    assert [fact.text for fact in chat.memory.reader.list_facts()] == ["My dog is called Biscuit the Second"]


def test_a_left_branch_is_out_of_recall_and_in_the_users_own_search(chat: Chat) -> None:
    turn, answer = chat.turn("Good morning")
    chat.turn("My dog is called Biscuit", "A dog named Biscuit!", conversation=turn.conversation)
    assert chat.recall("What is my dog called?").hits
    chat.memory.switch_branch(turn.conversation, answer.id)
    assert not [h for h in chat.recall("What is my dog called?").hits if "Biscuit" in h.item.text]
    assert [found for found in chat.memory.search("Biscuit") if found.item.kind == "message"]


def test_what_waits_for_a_yes_waits_on_its_own_branch(chat: Chat) -> None:
    turn, answer = chat.turn("Good morning")
    _, later = chat.turn("From now on always answer in metric units", conversation=turn.conversation)
    assert len(chat.memory.reader.review_list()) == 1
    chat.memory.switch_branch(turn.conversation, answer.id)
    assert chat.memory.reader.review_list() == []
    chat.memory.switch_branch(turn.conversation, later.id)
    assert len(chat.memory.reader.review_list()) == 1


def test_an_episode_of_a_left_branch_is_set_aside_with_it(chat: Chat) -> None:
    def told() -> list[Episode]:
        return chat.memory.reader.list_episodes()

    turn, answer = chat.turn("Good morning")
    chat.memory.close_episode(turn.conversation)
    _, later = chat.turn(
        "I want to plan a trip to Porto. We decided to take the train.", conversation=turn.conversation
    )
    chat.memory.close_episode(turn.conversation)
    assert len(told()) == 1
    chat.memory.switch_branch(turn.conversation, answer.id)
    assert told() == []
    chat.memory.switch_branch(turn.conversation, later.id)
    assert len(told()) == 1


def test_the_goal_is_the_one_of_the_branch(chat: Chat) -> None:
    turn, answer = chat.turn("I want to plan a trip to Porto")
    goal = chat.memory.reader.working_state(turn.conversation).goal
    chat.turn("I want to write a letter to my landlord", conversation=turn.conversation)
    chat.memory.switch_branch(turn.conversation, answer.id)
    assert chat.memory.reader.working_state(turn.conversation).goal == goal
    chat.turn("Good morning", conversation=turn.conversation, instead_of=turn.message.id)
    assert chat.memory.reader.working_state(turn.conversation) == WorkingState()


def test_an_answer_made_again_puts_the_old_one_out_of_recall(chat: Chat) -> None:
    turn, old = chat.turn("What is a good name?", "Biscuit is a good name.")
    new = chat.answered(chat.memory.turn_again(turn.conversation), "Waffle is a good name.")
    assert chat.states(old.id) == {"set_aside"}
    assert chat.states(new.id) == chat.states(turn.message.id) == {"active"}


def test_the_prompt_after_an_edit_says_nothing_of_the_branch_left_behind(chat: Chat) -> None:
    turn, _ = chat.turn("My dog is called Biscuit")
    chat.clock.advance(minutes=1)
    edited = chat.memory.begin_turn(
        "What is my dog called?", conversation=turn.conversation, instead_of=turn.message.id
    )
    prompt = chat.memory.assemble(
        edited, chat.memory.recall(edited), lambda texts: [len(t.split()) for t in texts], 0, 8192
    )
    assert not [message for message in prompt.messages if "Biscuit" in message.text]


def test_leaving_a_branch_can_be_undone_and_that_undone_again(chat: Chat) -> None:
    turn, answer = chat.turn("Good morning")
    chat.turn("My dog is called Biscuit", conversation=turn.conversation)
    chat.memory.switch_branch(turn.conversation, answer.id)
    done = chat.memory.undo()
    assert chat.values("dog", "name") == ["Biscuit"]
    chat.memory.undo(done.journal)
    assert chat.values("dog", "name") == []


def test_an_undo_of_what_was_remembered_still_works_after_leaving_and_returning(chat: Chat) -> None:
    home, here = chat.turn("I live in Lisbon")
    _, moved = chat.turn("I moved to Porto", conversation=home.conversation)
    line = chat.memory.reader.changes(home.conversation)[0].entry.id
    chat.memory.switch_branch(home.conversation, here.id)
    chat.memory.switch_branch(home.conversation, moved.id)
    chat.memory.undo(line)
    assert chat.values("user", "home") == ["Lisbon"]


def test_following_the_same_path_again_changes_nothing(chat: Chat) -> None:
    home, here = chat.turn("I live in Lisbon")
    chat.turn("I moved to Porto", conversation=home.conversation)
    chat.memory.switch_branch(home.conversation, here.id)
    lines = len(chat.memory.reader.changes(home.conversation))
    chat.memory.switch_branch(home.conversation, here.id)
    assert len(chat.memory.reader.changes(home.conversation)) == lines


def test_a_message_of_another_conversation_is_no_place_to_go_on_from(chat: Chat) -> None:
    one, _ = chat.turn("Good morning")
    other, there = chat.turn("Good evening")
    with pytest.raises(BadInput):
        chat.memory.switch_branch(one.conversation, there.id)
    with pytest.raises(BadInput):
        chat.memory.begin_turn("Hello", conversation=one.conversation, instead_of=other.message.id)


def test_the_working_state_of_a_branch_is_back_when_one_is_back_there(chat: Chat) -> None:
    home, first = chat.turn("I want to plan a trip to Oslo")
    _, second = chat.turn("I want to plan a trip to Bergen", conversation=home.conversation)

    def goal() -> str:
        return chat.memory.reader.working_state(home.conversation).goal

    chat.memory.switch_branch(home.conversation, first.id)
    assert goal() == "I want to plan a trip to Oslo"
    chat.memory.switch_branch(home.conversation, second.id)
    assert goal() == "I want to plan a trip to Bergen"


def test_a_branch_without_a_working_state_gives_it_back_too(chat: Chat) -> None:
    home, first = chat.turn("Good morning")
    _, second = chat.turn("I want to plan a trip to Bergen", conversation=home.conversation)
    chat.memory.switch_branch(home.conversation, first.id)
    assert chat.memory.reader.working_state(home.conversation).is_empty
    chat.memory.switch_branch(home.conversation, second.id)
    assert chat.memory.reader.working_state(home.conversation).goal == "I want to plan a trip to Bergen"
