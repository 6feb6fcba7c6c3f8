"""What a prompt is made of, sentence by sentence.

More than 300 lines: one sentence after the other about one function.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from prompt_builders import MORNING, count, episode, fact, hit, recalled, said, turn

from memory.budget import BudgetSettings
from memory.errors import BudgetImpossible
from memory.prompt import HeadParts, PromptRequest, SentTurn, assemble, render_head, summary_after
from memory.records import AssembledPrompt, ItemKind, LeftOut, Recall, WorkingState

DOG = fact("f1", "My dog is called Biscuit", "Biscuit")
WAFFLE = fact("f2", "My dog is called Waffle", "Waffle", day=9)
NUTS = fact("f3", "I'm allergic to peanuts", "peanuts")
SMALL = BudgetSettings(window=4_096)
LONG = "and then we walked along the river for a while " * 24


def first(words: str = "Hello", **more: object) -> tuple[PromptRequest, AssembledPrompt]:
    request = replace(PromptRequest(said(words), Recall(words)), **more)  # type: ignore[arg-type]
    return request, assemble(request, count)


def follow(
    request: PromptRequest, prompt: AssembledPrompt, words: str, answer: str | None = "Noted.", **more: object
) -> tuple[PromptRequest, AssembledPrompt]:
    number = len(request.turns) + len(prompt.dropped_turns) + 2
    message = said(words, f"m{number}", at=MORNING + timedelta(minutes=number))
    kept = request.turns[len(prompt.dropped_turns) :]
    following = PromptRequest(
        message,
        Recall(words),
        head=prompt.head,
        head_parts=request.head_parts,
        turns=(*kept, turn(request, prompt, answer)),
        settings=request.settings,
        earlier_summary=summary_after(request, prompt),
    )
    following = replace(following, **more)  # type: ignore[arg-type]
    return following, assemble(following, count)


def texts(prompt: AssembledPrompt) -> list[str]:
    return [item.text for item in prompt.items]


def out(prompt: AssembledPrompt) -> dict[str, str]:
    return {left.id: left.reason for left in prompt.left_out}


def test_a_first_prompt_is_the_top_and_the_users_words_below_their_memory() -> None:
    _, prompt = first("What is my dog called?", recall=recalled(hit(DOG)))
    top, newest = prompt.messages
    assert (top.role, newest.role) == ("system", "user")
    assert top.text == prompt.head
    assert newest.text == prompt.block + "What is my dog called?"
    assert "My dog is called Biscuit" in prompt.block
    assert prompt.rebuilt


def test_a_later_prompt_repeats_everything_before_it_to_the_letter() -> None:
    request, prompt = first("What is my dog called?", recall=recalled(hit(DOG)))
    _, after = follow(request, prompt, "And my allergies?", answer="Biscuit.", recall=recalled(hit(NUTS)))
    assert after.messages[:2] == prompt.messages
    assert (after.messages[2].role, after.messages[2].text) == ("assistant", "Biscuit.")
    assert not after.rebuilt


def test_a_stored_block_is_repeated_even_when_it_would_be_rendered_otherwise_today() -> None:
    old = SentTurn("m0", "<<an old form>>\n", "Hi", "Hello")
    _, prompt = first(turns=(old,), head="An old top.")
    assert [message.text for message in prompt.messages[:3]] == [
        "An old top.",
        "<<an old form>>\nHi",
        "Hello",
    ]


def test_without_anything_remembered_there_is_no_memory_block() -> None:
    _, prompt = first("Hello")
    assert prompt.block == "[Tuesday 2026-03-03 09:30 UTC+01:00]\n"


def test_an_item_in_the_window_is_not_sent_again_and_says_so() -> None:
    request, prompt = first(recall=recalled(hit(DOG)))
    _, after = follow(request, prompt, "Dog?", recall=recalled(hit(DOG, score=0.7)))
    assert after.items == ()
    assert after.left_out == (
        LeftOut(
            "f1", "fact", "My dog is called Biscuit", "already in the conversation", 0.7, {"relevance": 0.7}
        ),
    )


def test_a_changed_fact_is_sent_as_an_update_in_the_very_turn_that_changes_it() -> None:
    request, prompt = first(recall=recalled(hit(DOG)))
    _, after = follow(request, prompt, "Actually, he's called Waffle", updates=((DOG, WAFFLE),))
    (item,) = after.items
    assert (item.id, item.text, item.replaces) == ("f2", "My dog is called Waffle", "Biscuit")
    assert "Biscuit" in after.block


def test_an_update_is_repeated_when_recalled_while_the_older_wording_can_be_read() -> None:
    request, prompt = first(recall=recalled(hit(DOG)))
    request, prompt = follow(request, prompt, "He's called Waffle", updates=((DOG, WAFFLE),))
    _, quiet = follow(request, prompt, "Nice weather", updates=((DOG, WAFFLE),))
    assert quiet.items == ()
    _, asked = follow(request, prompt, "My dog?", updates=((DOG, WAFFLE),), recall=recalled(hit(WAFFLE)))
    assert [(item.id, item.replaces) for item in asked.items] == [("f2", "Biscuit")]


def test_an_update_is_not_repeated_once_the_older_wording_has_left() -> None:
    request, prompt = first("What is my dog called?", recall=recalled(hit(DOG)))
    request, prompt = follow(request, prompt, "He's called Waffle", updates=((DOG, WAFFLE),))
    sent = turn(request, prompt)
    _, asked = first("My dog?", head=prompt.head, turns=(sent,), recall=recalled(hit(WAFFLE)))
    assert asked.items == ()
    assert out(asked)["f2"] == "already in the conversation"


def test_the_users_own_older_words_count_as_the_older_wording() -> None:
    request, prompt = first("I have a dog named Biscuit")
    request, prompt = follow(request, prompt, "He's called Waffle", updates=((DOG, WAFFLE),))
    _, asked = follow(request, prompt, "My dog?", recall=recalled(hit(WAFFLE)))
    assert [(item.id, item.replaces) for item in asked.items] == [("f2", "Biscuit")]


def test_of_a_chain_of_changes_only_the_newest_is_sent() -> None:
    rex = fact("f9", "My dog is called Rex", "Rex", day=12)
    request, prompt = first(recall=recalled(hit(DOG)))
    _, after = follow(request, prompt, "Rex!", updates=((DOG, WAFFLE), (WAFFLE, rex)))
    assert [(item.id, item.replaces) for item in after.items] == [("f9", "Biscuit")]


def test_an_update_that_names_the_older_wording_itself_does_not_keep_it_alive() -> None:
    wordy = fact("f2", "My dog Biscuit is now called Waffle", "Waffle", day=9)
    request, prompt = first("Hello", updates=((DOG, wordy),))
    _, asked = follow(request, prompt, "My dog?", recall=recalled(hit(wordy)))
    assert out(asked) == {"f2": "already in the conversation"}


def test_an_item_that_was_found_twice_is_sent_once() -> None:
    _, prompt = first(recall=recalled(hit(DOG, score=0.9), hit(NUTS), hit(DOG, score=0.2)))
    assert [(item.id, item.score) for item in prompt.items] == [("f1", 0.9), ("f3", 0.5)]


def test_an_edited_fact_is_sent_as_an_update_of_itself() -> None:
    request, prompt = first(recall=recalled(hit(DOG)))
    edited = replace(DOG, text="My dog is called Biscuit Junior")
    _, after = follow(request, prompt, "Dog?", recall=recalled(hit(edited)))
    assert [(item.id, item.replaces) for item in after.items] == [("f1", "My dog is called Biscuit")]


def test_two_passages_of_one_message_are_two_items() -> None:
    parts = [hit(text, ident="m7", kind=ItemKind.MESSAGE) for text in ("The first half.", "The second half.")]
    request, prompt = first(recall=recalled(parts[0]))
    _, after = follow(request, prompt, "More", recall=recalled(*parts))
    assert texts(after) == ["The second half."]


def test_no_more_than_three_earlier_episodes_enter_one_turn() -> None:
    hits = [hit(f"Trip {n}", ident=f"e{n}", kind=ItemKind.EPISODE) for n in range(5)]
    _, prompt = first(recall=recalled(*hits, hit(NUTS)))
    assert texts(prompt) == ["Trip 0", "Trip 1", "Trip 2", "I'm allergic to peanuts"]
    assert "more than 3" in out(prompt)["e3"]


def test_memory_of_one_turn_stays_within_its_part_and_stops_at_the_first_that_does_not_fit() -> None:
    hits = [hit(f"{n} " + "sand " * 45, ident=f"i{n}", kind=ItemKind.MESSAGE) for n in range(9)]
    _, prompt = first(recall=recalled(*hits, hit(NUTS)))
    assert sum(item.tokens for item in prompt.items) <= 655
    assert texts(prompt) == [found.item.text for found in hits[: len(prompt.items)]]
    assert 0 < len(prompt.items) < len(hits)
    assert out(prompt)[f"i{len(prompt.items)}"] == "over the memory budget"
    assert "f3" in out(prompt)
    assert all(left.tokens > 0 for left in prompt.left_out)


def test_what_recall_left_out_is_in_the_receipt() -> None:
    unsure = LeftOut("f8", "fact", "I like tea", "below the floor", 0.1)
    _, prompt = first(recall=Recall("x", (hit(DOG),), (unsure,)))
    assert unsure in prompt.left_out


def test_pinned_facts_rules_and_episodes_stand_at_the_top() -> None:
    parts = HeadParts(
        persona="Speak plainly.",
        rules=("Use metric units",),
        pinned=(DOG,),
        episodes=(episode("e1", "Kitchen", "White tiles were chosen"),),
    )
    _, prompt = first(head_parts=parts)
    for part in ("Speak plainly.", "Use metric units", "My dog is called Biscuit", "White tiles were chosen"):
        assert part in prompt.head
    assert [(item.id, item.reason) for item in prompt.items] == [
        ("f1", "at the top: pinned"),
        ("e1", "at the top: recent conversation"),
    ]


def test_what_stands_at_the_top_is_not_sent_in_a_block() -> None:
    parts = HeadParts(pinned=(DOG,), episodes=(episode("e1", "Kitchen", "White tiles were chosen"),))
    found = hit("Kitchen, in other words", ident="e1", kind=ItemKind.EPISODE)
    _, prompt = first(head_parts=parts, recall=recalled(hit(DOG), found))
    assert out(prompt) == {"f1": "already in the conversation", "e1": "already in the conversation"}


def test_a_fact_pinned_later_is_sent_once_below() -> None:
    request, prompt = first()
    parts = HeadParts(pinned=(DOG,))
    request, prompt = follow(request, prompt, "Hi", head_parts=parts)
    assert texts(prompt) == ["My dog is called Biscuit"]
    _, prompt = follow(request, prompt, "Hi again")
    assert prompt.items == ()


def test_an_update_of_a_pinned_fact_leaves_the_top_as_it_was() -> None:
    request, prompt = first(head_parts=HeadParts(pinned=(DOG,)))
    _, after = follow(
        request, prompt, "Waffle", updates=((DOG, WAFFLE),), head_parts=HeadParts(pinned=(WAFFLE,))
    )
    assert after.head == prompt.head
    assert [(item.id, item.replaces) for item in after.items] == [("f2", "Biscuit")]


def test_a_rebuild_renders_the_top_anew_and_nothing_else() -> None:
    request, prompt = first(head_parts=HeadParts(rules=("Be brief",)))
    parts = HeadParts(rules=("Be thorough",))
    _, after = follow(
        request, prompt, "Hi", head_parts=parts, rebuild=True, earlier_summary="They talked of rivers."
    )
    assert after.rebuilt
    assert "Be thorough" in after.head
    assert "They talked of rivers." in after.head
    assert after.messages[1] == prompt.messages[1]


def test_a_summary_that_moved_to_the_top_is_not_repeated_below() -> None:
    request, prompt, _ = until_eviction()
    again = replace(request, rebuild=True, earlier_summary="They talked of rivers.")
    rebuilt = assemble(again, count)
    assert rebuilt.dropped_turns == prompt.dropped_turns
    assert "rivers" in rebuilt.head
    assert "rivers" not in rebuilt.block
    assert summary_after(again, rebuilt).startswith("They talked of rivers. The user: I keep bees.")


def test_episodes_of_the_top_count_against_the_episodes_of_a_turn() -> None:
    told = tuple(episode(f"e{n}", f"Day {n}", "We talked. " * 14) for n in range(3))
    found = recalled(
        *(hit(f"Trip {n} " + "far " * 20, ident=f"t{n}", kind=ItemKind.EPISODE) for n in range(3))
    )
    _, alone = first(settings=SMALL, recall=found)
    _, below = first(settings=SMALL, recall=found, head_parts=HeadParts(episodes=told))
    assert len(texts(alone)) > sum(item.id.startswith("t") for item in below.items)
    assert "over the episodes budget" in out(below).values()


def test_items_of_the_top_do_not_count_as_memory_of_a_turn() -> None:
    request, prompt = first(head_parts=HeadParts(pinned=(DOG,)))
    assert prompt.items
    _, after = follow(request, prompt, "Hi")
    assert {use.name: use.tokens for use in after.sections}["memory"] == 0


def test_the_turns_may_have_whatever_the_other_sections_leave() -> None:
    _, prompt = first(recall=recalled(hit(DOG)))
    uses = {use.name: use for use in prompt.sections}
    others = sum(use.tokens for name, use in uses.items() if name != "turns")
    assert uses["turns"].cap == prompt.window - prompt.reserve - others


def test_the_state_is_sent_only_when_given() -> None:
    request, prompt = first(state=WorkingState(goal="plan a trip"))
    assert "- this conversation: goal: plan a trip\n" in prompt.block
    _, after = follow(request, prompt, "Hi")
    assert "goal" not in after.block


def test_a_state_that_the_window_tells_already_is_not_sent_again() -> None:
    state = WorkingState(goal="plan a trip")
    request, prompt = first(state=state)
    request, prompt = follow(request, prompt, "Hi", state=state)
    assert "goal" not in prompt.block
    request, prompt = follow(request, prompt, "Hi", state=WorkingState(goal="plan a party"))
    assert "goal: plan a party" in prompt.block
    _, prompt = follow(request, prompt, "Hi", state=state)
    assert "goal: plan a trip" in prompt.block


def test_a_large_state_is_trimmed_to_its_share() -> None:
    state = WorkingState("plan", gathered=tuple(f"fact number {n} " * 8 for n in range(40)))
    request, prompt = first(state=state, settings=SMALL)
    use = {section.name: section for section in prompt.sections}["state"]
    assert 0 < use.tokens <= use.cap
    assert "goal: plan" in prompt.block
    assert out(prompt)["state"] == "over the state budget"
    _, after = follow(request, prompt, "Hi", state=state)
    assert "goal" not in after.block


def test_a_turn_without_an_answer_keeps_the_roles_alternating() -> None:
    request, prompt = first()
    _, after = follow(request, prompt, "Are you there?", answer=None)
    assert [message.role for message in after.messages] == ["system", "user", "assistant", "user"]
    assert after.messages[2].text


def test_the_sections_add_up_to_the_prompt() -> None:
    request, prompt = first(recall=recalled(hit(DOG)), state=WorkingState(goal="plan a trip"))
    _, after = follow(request, prompt, "Hi", recall=recalled(hit(NUTS)))
    assert sum(use.tokens for use in after.sections) == after.tokens
    memory = {use.name: use for use in after.sections}["memory"]
    assert memory.tokens == prompt.items[0].tokens + after.items[0].tokens


def until_eviction(settings: BudgetSettings = SMALL) -> tuple[PromptRequest, AssembledPrompt, int]:
    request, prompt = first("I keep bees. " + LONG, settings=settings, recall=recalled(hit(DOG)))
    for number in range(40):
        request, prompt = follow(request, prompt, f"Walk {number}. {LONG}", recall=recalled(hit(DOG)))
        if prompt.dropped_turns:
            return request, prompt, number
    raise AssertionError("nothing ever left")


def test_the_oldest_turns_leave_together_down_to_the_low_mark() -> None:
    _, prompt, _ = until_eviction()
    room = prompt.window - prompt.reserve
    assert len(prompt.dropped_turns) >= 2
    assert prompt.dropped_turns[0] == "m1"
    assert prompt.tokens <= room // 2


def test_nothing_leaves_before_the_high_mark() -> None:
    request, _, _ = until_eviction()
    earlier = assemble(replace(request, message=said("Hi"), recall=Recall("")), count)
    assert not earlier.dropped_turns
    assert earlier.tokens > (earlier.window - earlier.reserve) // 2


def test_what_left_is_summed_up_in_the_newest_block_and_nowhere_above() -> None:
    request, prompt, _ = until_eviction()
    assert "- earlier in this conversation: The user: I keep bees." in prompt.block
    assert prompt.head == request.head
    kept = request.turns[len(prompt.dropped_turns) :]
    assert [message.text for message in prompt.messages[1:-1:2]] == [
        sent.block + sent.text.strip() for sent in kept
    ]
    assert summary_after(request, prompt).startswith("The user: I keep bees.")


def test_what_left_with_its_turn_can_be_sent_again() -> None:
    request, prompt, _ = until_eviction()
    assert texts(prompt) == ["My dog is called Biscuit"]
    assert not any(sent.items for sent in request.turns[1:])


def test_the_turns_after_an_eviction_do_not_evict() -> None:
    request, prompt, _ = until_eviction()
    _, after = follow(request, prompt, "Short")
    assert not after.dropped_turns
    assert after.messages[: len(prompt.messages)] == prompt.messages


def test_pinned_facts_and_rules_survive_an_eviction() -> None:
    parts = HeadParts(rules=("Use metric units",), pinned=(NUTS,))
    request, prompt = first(LONG, settings=SMALL, head_parts=parts)
    while not prompt.dropped_turns:
        request, prompt = follow(request, prompt, LONG)
    assert "Use metric units" in prompt.messages[0].text
    assert "I'm allergic to peanuts" in prompt.messages[0].text


def test_memory_that_borrowed_all_it_may_makes_old_turns_leave() -> None:
    settings = BudgetSettings(window=8_192, memory=0.10, memory_borrow=0.16)
    request, prompt = first(settings=settings)
    number = 0
    while not prompt.dropped_turns:
        number += 1
        assert prompt.tokens < prompt.window // 2
        found = hit(f"{number} " + "sand " * 80, ident=f"x{number}", kind=ItemKind.MESSAGE)
        request, prompt = follow(request, prompt, "Hi", recall=recalled(found))
    assert len(prompt.dropped_turns) >= 2


def test_a_huge_message_makes_every_turn_leave_if_it_must() -> None:
    request, prompt = first(LONG, settings=SMALL)
    _, after = follow(request, prompt, "word " * 1_400)
    assert after.dropped_turns == ("m1",)
    assert after.tokens <= after.window - after.reserve


def test_a_large_message_leaves_the_newest_turn_in_place_when_both_fit() -> None:
    request, prompt = first(LONG, settings=SMALL)
    request, prompt = follow(request, prompt, LONG)
    request, prompt = follow(request, prompt, LONG)
    _, after = follow(request, prompt, "word " * 850)
    assert after.dropped_turns == ("m1", "m2")


def test_words_that_do_not_fit_alone_are_refused_with_both_numbers() -> None:
    with pytest.raises(BudgetImpossible, match=r"has 19,999 tokens, but only \d,\d\d\d fit"):
        first("word " * 10_000, settings=SMALL)


def test_as_many_words_as_the_refusal_names_do_fit() -> None:
    with pytest.raises(BudgetImpossible) as refusal:
        first("x" * 4 * 9_000, settings=SMALL)
    fits = int(str(refusal.value).split("only ")[1].split(" fit")[0].replace(",", ""))
    _, prompt = first("x" * 4 * fits, settings=SMALL)
    assert prompt.tokens == prompt.window - prompt.reserve
    with pytest.raises(BudgetImpossible):
        first("x" * 4 * (fits + 1), settings=SMALL)


def test_a_message_that_nearly_fills_the_window_leaves_its_memory_out_and_says_so() -> None:
    _, empty = first("x", settings=SMALL)
    words = "x" * 4 * (empty.window - empty.reserve - empty.tokens - 3)
    _, prompt = first(words, settings=SMALL, recall=recalled(hit(DOG)))
    assert prompt.items == ()
    assert out(prompt)["f1"] == "no room left in the window"


def test_the_summary_of_what_left_takes_half_of_a_small_rest_and_memory_the_other() -> None:
    settings = replace(SMALL, high_water=1.0)
    request, prompt = first("I keep bees and " + "they are very busy " * 8, settings=settings)
    for number in range(8):
        request, prompt = follow(request, prompt, f"Walk {number}, {'it was long ' * 12}", answer="so " * 120)
    room = prompt.window - prompt.reserve
    _, empty = first("x", settings=SMALL)
    words = "x" * 4 * (room - empty.tokens - 180)
    _, prompt = follow(request, prompt, words, answer="so " * 120, recall=recalled(hit(DOG)))
    assert len(prompt.dropped_turns) == 9
    assert texts(prompt) == ["My dog is called Biscuit"]
    assert "- earlier in this conversation: " in prompt.block


def test_a_state_without_room_is_left_out_and_named() -> None:
    _, empty = first("x", settings=SMALL)
    words = "x" * 4 * (empty.window - empty.reserve - empty.tokens - 3)
    _, prompt = first(
        words, settings=SMALL, state=WorkingState(goal="plan a trip"), notices=("It is short.",)
    )
    assert out(prompt) == {"state": "over the state budget", "notice": "no room left in the window"}


def test_a_tokenizer_that_joins_lines_badly_still_gives_a_prompt_that_fits() -> None:
    def greedy(parts: Sequence[str]) -> list[int]:
        """Count more for a whole than for its lines."""
        return [tokens * (1 + part.count("\n")) for tokens, part in zip(count(parts), parts, strict=True)]

    request = PromptRequest(said("x " * 150), recalled(hit(DOG), hit(NUTS)), settings=SMALL)
    assert assemble(request, greedy).tokens <= 4_096 - 819


def test_a_top_can_be_rendered_ahead_of_the_first_turn() -> None:
    parts = HeadParts(pinned=(DOG,), rules=("Be brief",))
    request, prompt = first(head_parts=parts)
    assert render_head(parts, request.settings, count) == prompt.head
    _, again = first(head_parts=parts, head=prompt.head)
    assert again.messages == prompt.messages
    assert not again.rebuilt


def test_a_secret_stays_masked_in_later_prompts() -> None:
    message = replace(said("My card is 4111"), masked="My card is [card number]")
    request, prompt = first(message=message)
    assert "4111" in prompt.messages[-1].text
    _, after = follow(request, prompt, "Hi")
    assert not any("4111" in part.text for part in after.messages)
