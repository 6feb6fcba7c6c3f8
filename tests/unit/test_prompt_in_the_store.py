"""Prompts over a real store: what is counted as recalled, what a receipt can tell later, what a changed fact says."""

from dataclasses import replace

import pytest
from forget_builders import Life, count

from memory import remembering
from memory.as_sent import OTHER_TOP, as_sent, replayed, trace_named
from memory.forget import Selection
from memory.head import minded_in, pinned_in
from memory.records import Fact, Recall
from memory.replay import ReplayOutcome
from memory.store import conversations, facts
from memory.vault.vault import Vault

WINDOW = 8192


@pytest.fixture
def life(vault: Vault) -> Life:
    return Life(vault, embedder=False)


def recalled(life: Life, ident: str) -> int:
    return facts.get_fact(life.core.db, life.core.profile, ident).recalled


def pinned(life: Life, text: str, **slot: str) -> Fact:
    return life.memory.pin(life.memory.add_fact(text, **slot).id)


def last_updates(life: Life) -> list[tuple[str, str | None]]:
    return [(item.text, item.replaces) for item in life.prompts[-1].items if item.replaces]


def test_a_pinned_fact_is_not_counted_as_recalled_by_every_turn(life: Life) -> None:
    fact = pinned(life, "I am vegetarian")
    turn, _ = life.turn("Good morning")
    life.turn("How are you?", conversation=turn.conversation)
    assert [item.id for item in life.prompts[0].items] == [fact.id]
    assert recalled(life, fact.id) == 0


def test_a_fact_said_anew_under_its_own_id_is_told_as_a_change(life: Life) -> None:
    said = life.memory.add_fact("My boat is called Seagull")
    turn, _ = life.turn("What is my boat called?")
    assert said.id in [item.id for item in life.prompts[-1].items]
    with life.core.atomic():
        facts.update_fact(life.core.db, replace(said, text="My boat is called Puffin"))
    life.turn("Thank you", conversation=turn.conversation)
    assert last_updates(life) == [("My boat is called Puffin", "My boat is called Seagull")]


def test_a_replaced_fact_in_the_top_is_corrected_again_once_its_correction_has_left(life: Life) -> None:
    old = pinned(life, "I live in Lisbon", attribute="lives_in")
    turn, _ = life.turn("Good morning")
    life.memory.edit_fact(old.id, "I live in Porto")
    life.turn("What a day", conversation=turn.conversation)
    assert [text for text, _ in last_updates(life)] == ["I live in Porto"]
    third, _ = life.turn("Indeed", conversation=turn.conversation)
    assert last_updates(life) == []
    with life.core.atomic():  # as if the turns above had left the window
        conversations.set_mark(
            life.core.db, life.core.profile, turn.conversation, "window_from", third.message.id
        )
    life.turn("And now?", conversation=turn.conversation)
    assert pinned_in(life.prompts[-1].head)[0].endswith("I live in Lisbon")
    assert [text for text, _ in last_updates(life)] == ["I live in Porto"]


def test_a_top_is_only_replaced_once_it_has_been_read(life: Life) -> None:
    turn, _ = life.turn("Good morning")
    assert life.memory.standing(turn.conversation, count, WINDOW).replaces is None
    pinned(life, "I am vegetarian")
    fresh = life.memory.standing(turn.conversation, count, WINDOW)
    assert "vegetarian" in fresh.head
    assert "vegetarian" not in (life.memory.reader.get_conversation(turn.conversation).head or "")
    life.memory.keep_head(fresh)
    assert life.memory.reader.get_conversation(turn.conversation).head == fresh.head
    again = life.memory.standing(turn.conversation, count, WINDOW)
    assert (again.head, again.replaces) == (fresh.head, None)
    assert again.messages == fresh.messages


def test_a_top_read_too_late_does_not_replace_a_newer_one(life: Life) -> None:
    turn, _ = life.turn("Good morning")
    pinned(life, "I am vegetarian")
    fresh = life.memory.standing(turn.conversation, count, WINDOW)
    with life.core.atomic():
        conversations.set_head(life.core.db, life.core.profile, turn.conversation, None)
    life.memory.keep_head(fresh)
    assert life.memory.reader.get_conversation(turn.conversation).head is None


def test_what_stands_in_a_prompt_is_what_the_next_one_begins_with(life: Life) -> None:
    turn, _ = life.turn("My dog is called Biscuit")
    life.turn("What is my dog called?", conversation=turn.conversation)
    standing = life.memory.standing(turn.conversation, count, WINDOW)
    life.turn("Thank you", conversation=turn.conversation)
    assert life.prompts[-1].messages[:-1] == standing.messages


def test_a_message_from_another_branch_has_the_top_made_anew(life: Life) -> None:
    turn, answer = life.turn("Good morning")
    life.turn("The wrong question", conversation=turn.conversation)
    life.memory.begin_turn("The right question", conversation=turn.conversation, parent=answer.id)
    assert life.memory.reader.get_conversation(turn.conversation).head is None
    standing = life.memory.standing(turn.conversation, count, WINDOW)
    assert standing.rebuilt
    assert not any("wrong" in message.text for message in standing.messages)


def test_a_sent_prompt_can_be_read_back_to_the_last_character(life: Life) -> None:
    life.memory.add_fact("My boat is called Seagull")
    turn, _ = life.turn("Good morning")
    second, _ = life.turn("What is my boat called?", conversation=turn.conversation)
    trace = trace_named(life.memory.reader, "last")
    assert trace.message == second.message.id
    back = as_sent(life.memory.reader, trace)
    assert (back.messages, back.gaps) == (life.prompts[-1].messages, ())


def test_a_prompt_whose_top_was_replaced_says_so(life: Life) -> None:
    turn, _ = life.turn("Good morning")
    trace = trace_named(life.memory.reader, "last")
    pinned(life, "I am vegetarian")
    life.memory.keep_head(life.memory.standing(turn.conversation, count, WINDOW))
    back = as_sent(life.memory.reader, trace)
    assert back.gaps == (OTHER_TOP,)
    assert [message.role for message in back.messages] == ["user"]


def test_replaying_a_turn_says_equal_until_something_of_it_is_forgotten(life: Life) -> None:
    said = life.memory.add_fact("My boat is called Seagull")
    life.turn("What is my boat called?")
    reader = life.memory.reader
    assert replayed(reader, trace_named(reader, "last")).outcome is ReplayOutcome.EQUAL
    with life.core.atomic():
        facts.delete_facts(life.core.db, life.core.profile, [said.id])
    compared = replayed(reader, trace_named(reader, "last"))
    assert compared.outcome is ReplayOutcome.FORGOTTEN
    assert compared.forgotten == (said.id,)


def test_a_secret_of_the_newest_words_is_masked_for_a_model_elsewhere(life: Life) -> None:
    turn = life.memory.begin_turn("My card is 4111 1111 1111 1111, is that a good number?")
    here = life.memory.assemble(turn, life.recall(turn), count, 0, WINDOW)
    elsewhere = life.memory.assemble(turn, life.recall(turn), count, 0, WINDOW, masked=True)
    assert "4111" in here.messages[-1].text
    assert "4111" not in "".join(message.text for message in elsewhere.messages)


def head_of(life: Life, conversation: str) -> str:
    return life.memory.reader.get_conversation(conversation).head or ""


def minds(text: str) -> list[str]:
    return [line.partition(": ")[2] for line in minded_in(text)]


def test_a_constraint_is_in_every_later_conversation_whatever_is_asked(life: Life) -> None:
    life.turn("I'm allergic to peanuts.")
    (allergy,) = life.memory.reader.list_facts()
    life.turn("Good morning")
    assert minds(life.prompts[-1].head) == [allergy.text]
    assert [(item.id, item.reason) for item in life.prompts[-1].items] == [
        (allergy.id, "at the top: important")
    ]
    assert recalled(life, allergy.id) == 0


def test_a_conversation_does_not_open_with_what_is_said_in_it(life: Life) -> None:
    turn, _ = life.turn("I'm allergic to peanuts.")
    assert minds(life.prompts[-1].head) == []
    assert life.memory.standing(turn.conversation, count, WINDOW).replaces is None


def test_only_a_few_constraints_open_a_conversation_and_a_new_one_makes_none_be_read_again(
    life: Life,
) -> None:
    for food in ("peanuts", "shrimp", "milk", "sesame"):
        life.turn(f"I'm allergic to {food}.")
    turn, _ = life.turn("Good morning")
    assert len(minds(head_of(life, turn.conversation))) == 4
    life.turn("I'm allergic to celery.")
    assert life.memory.standing(turn.conversation, count, WINDOW).replaces is None
    life.turn("I'm allergic to mustard.")
    newest, _ = life.turn("Good evening")
    assert len(minds(head_of(life, newest.conversation))) == 5


def test_an_ordinary_preference_waits_until_it_is_asked_for(life: Life) -> None:
    life.turn("I like black coffee.")
    (coffee,) = life.memory.reader.list_facts()
    life.turn("Good morning")
    assert minds(life.prompts[-1].head) == []
    with life.core.atomic():
        facts.update_fact(life.core.db, replace(coffee, importance=0.9))
    life.turn("Good evening")
    assert minds(life.prompts[-1].head) == [coffee.text]


def test_a_constraint_that_ended_is_corrected_and_then_leaves_the_top(life: Life) -> None:
    life.turn("I'm allergic to peanuts.")
    (allergy,) = life.memory.reader.list_facts()
    turn, _ = life.turn("Good morning")
    life.memory.edit_fact(allergy.id, "I'm allergic to hazelnuts")
    life.turn("What a day", conversation=turn.conversation)
    assert [text for text, _ in last_updates(life)] == ["I'm allergic to hazelnuts"]
    fresh = life.memory.standing(turn.conversation, count, WINDOW)
    assert fresh.replaces is not None
    assert minds(fresh.head) == ["I'm allergic to hazelnuts"]


def test_a_forgotten_constraint_is_in_no_top(life: Life) -> None:
    life.turn("I'm allergic to peanuts.")
    (allergy,) = life.memory.reader.list_facts()
    turn, _ = life.turn("Good morning")
    assert "peanuts" in head_of(life, turn.conversation)
    life.memory.forget(life.memory.forget_preview(Selection(ids=(allergy.id,))))
    assert "peanuts" not in head_of(life, turn.conversation)
    assert minds(life.memory.standing(turn.conversation, count, WINDOW).head) == []


def test_without_memory_the_top_holds_rules_and_nothing_remembered(life: Life) -> None:
    pinned(life, "I am vegetarian")
    life.turn("I'm allergic to peanuts.")
    turn = life.memory.begin_turn("What am I allergic to?")
    prompt = life.memory.assemble(turn, Recall("", unasked=True), count, 0, WINDOW)
    assert prompt.items == ()
    assert "vegetarian" not in prompt.head
    assert "peanuts" not in prompt.head


def test_rules_that_fail_cost_a_memory_and_never_the_message(
    life: Life, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_args: object, **_kept: object) -> None:
        raise ZeroDivisionError("My cat is called Biscuit")

    monkeypatch.setattr(remembering, "candidates", fails)
    turn, answer = life.turn("My cat is called Biscuit")
    assert [said.text for said in life.memory.reader.messages(turn.conversation)] == [
        "My cat is called Biscuit",
        answer.text,
    ]
    assert caplog.messages == ["rules failed: ZeroDivisionError"]
    assert "Biscuit" not in caplog.text
