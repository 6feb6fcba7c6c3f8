"""Rules: only the user's own yes makes, changes or ends one, and every prompt follows the current version."""

from collections.abc import Callable

import pytest
from talk_builders import Chat, count

from memory.errors import BadInput
from memory.records import EVERY_PROFILE, Rule
from memory.store import conversations


@pytest.fixture
def chat() -> Chat:
    return Chat()


def prompt_of(chat: Chat, conversation: str | None = None) -> str:
    turn = chat.memory.begin_turn("How far is it?", conversation=conversation)
    prompt = chat.memory.assemble(turn, chat.memory.recall(turn), count, 0, 8192)
    return "\n".join(message.text for message in prompt.messages)


def in_force(chat: Chat) -> list[str]:
    return [rule.text for rule in chat.memory.reader.list_rules()]


def head_of(chat: Chat, conversation: str) -> str | None:
    return conversations.get_conversation(chat.core.db, chat.core.profile, conversation).head


def test_a_rule_stands_in_the_next_prompt(chat: Chat) -> None:
    chat.memory.add_rule("  Answer in  metric units ")
    assert in_force(chat) == ["Answer in metric units"]
    assert "Answer in metric units" in prompt_of(chat)


def test_an_edited_rule_is_a_new_version_and_the_old_one_is_followed_no_more(chat: Chat) -> None:
    first = chat.memory.add_rule("Answer in metric units")
    second = chat.memory.edit_rule(first.id, "Answer in imperial units")
    assert (second.version, second.lineage) == (2, first.lineage)
    said = prompt_of(chat)
    assert "imperial" in said
    assert "metric" not in said


def test_going_back_is_a_version_of_its_own(chat: Chat) -> None:
    first = chat.memory.add_rule("Answer in metric units")
    chat.memory.edit_rule(first.id, "Answer in imperial units")
    third = chat.memory.rule_back(first.id)
    assert (third.version, third.text) == (3, "Answer in metric units")
    assert in_force(chat) == ["Answer in metric units"]
    with pytest.raises(BadInput):
        chat.memory.rule_back(third.id)


def test_a_retired_rule_is_not_followed_and_can_be_taken_up_again(chat: Chat) -> None:
    rule = chat.memory.add_rule("Answer in metric units")
    chat.memory.retire_rule(rule.id)
    assert in_force(chat) == []
    with pytest.raises(BadInput):
        chat.memory.retire_rule(rule.id)
    with pytest.raises(BadInput):
        chat.memory.edit_rule(rule.id, "No")
    assert chat.memory.rule_back(rule.id).version == 2
    assert in_force(chat) == ["Answer in metric units"]


@pytest.mark.parametrize("how", ["add", "edit", "retire", "back", "undo"])
def test_every_change_asks_for_a_new_top_in_every_conversation(chat: Chat, how: str) -> None:
    rule = chat.memory.add_rule("Answer in metric units")
    newer = chat.memory.edit_rule(rule.id, "Answer in imperial units")
    one, _ = chat.turn("Good morning")
    other, _ = chat.turn("Good evening")
    assert head_of(chat, one.conversation)
    assert head_of(chat, other.conversation)
    changes: dict[str, Callable[[], object]] = {
        "add": lambda: chat.memory.add_rule("Be brief"),
        "edit": lambda: chat.memory.edit_rule(newer.id, "Answer in cubits"),
        "retire": lambda: chat.memory.retire_rule(newer.id),
        "back": lambda: chat.memory.rule_back(rule.id),
        "undo": chat.memory.undo,
    }
    changes[how]()
    assert head_of(chat, one.conversation) is None
    assert head_of(chat, other.conversation) is None


def test_a_change_of_a_rule_can_be_undone(chat: Chat) -> None:
    rule = chat.memory.add_rule("Answer in metric units")
    chat.memory.edit_rule(rule.id, "Answer in imperial units")
    chat.memory.undo()
    assert in_force(chat) == ["Answer in metric units"]


def test_a_rule_for_everybody_is_kept_as_such_through_its_versions(chat: Chat) -> None:
    rule = chat.memory.add_rule("Answer in metric units", everywhere=True)
    assert rule.profile == EVERY_PROFILE
    edited: Rule = chat.memory.edit_rule(rule.id, "Answer in imperial units")
    assert edited.profile == EVERY_PROFILE


@pytest.mark.parametrize("text", ["", "   ", "x" * 1001, "Always use my card 4111 1111 1111 1111"])
def test_what_is_no_rule_is_refused(chat: Chat, text: str) -> None:
    with pytest.raises(BadInput):
        chat.memory.add_rule(text)
