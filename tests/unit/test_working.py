import pytest

from memory.errors import BadInput
from memory.records import WorkingState
from memory.working import (
    MAX_STATE_BYTES,
    MAX_SUMMARY_CHARS,
    advance,
    cut,
    from_json,
    render_state,
    running_summary,
    to_json,
    trimmed,
)

EMPTY = WorkingState()


@pytest.mark.parametrize(
    "words",
    [
        "I want to plan a trip to Porto in May.",
        "Can you help me write a letter to my landlord?",
        "I'm trying to fix my bike.",
        "Let's plan the party.",
        "Ich möchte einen Garten anlegen.",
        "Quiero aprender a cocinar.",
        "Je voudrais apprendre le piano.",
        "Помоги мне написать письмо.",
        "मुझे एक योजना चाहिए।",
        "帮我写一封信。",
    ],
)
def test_a_wish_becomes_the_goal(words: str) -> None:
    assert advance(EMPTY, words, "Gladly.").goal == words


@pytest.mark.parametrize(
    "words", ["What is my dog called?", "Thanks, that helps.", "I like tea.", "Es regnet."]
)
def test_other_words_leave_the_goal_alone(words: str) -> None:
    assert advance(WorkingState(goal="plan a trip"), words, "Fine.").goal == "plan a trip"


def test_a_question_is_open_until_it_is_answered() -> None:
    asked = advance(EMPTY, "Where is the key?", None)
    assert asked.questions == ("Where is the key?",)
    assert advance(asked, "Hello again.", "On the shelf.").questions == ()


def test_a_question_of_the_answer_is_open_until_the_user_speaks_again() -> None:
    asked = advance(EMPTY, "Plan my trip.", "Sure. When do you leave?")
    assert asked.questions == ("When do you leave?",)
    assert advance(asked, "On Friday.", "Noted.").questions == ()


PLAN = "Here is a plan:\n1. **Pack** the bags\n2. Book a room\n3. Call Ana"


def test_a_numbered_answer_to_a_wish_becomes_the_steps() -> None:
    state = advance(EMPTY, "I want to travel to Porto.", PLAN)
    assert state.steps == (("Pack the bags", "open"), ("Book a room", "open"), ("Call Ana", "open"))


def test_a_numbered_list_that_nobody_asked_a_plan_for_is_no_plan() -> None:
    assert advance(EMPTY, "Name three rivers.", "1. Rhine\n2. Elbe\n3. Oder").steps == ()


def test_a_list_that_does_not_count_up_is_no_plan() -> None:
    assert advance(EMPTY, "I want to travel.", "3. Rhine\n7. Elbe").steps == ()


def test_steps_move_when_the_user_says_so() -> None:
    state = advance(EMPTY, "I want to travel to Porto.", PLAN)
    state = advance(state, "Step 1 is done, I'm working on step 2.", "Good.")
    assert [status for _, status in state.steps] == ["done", "doing", "open"]


def test_gathered_facts_are_kept_once_and_the_newest_last() -> None:
    state = advance(EMPTY, "a", "b", ["Budget is 500", "Two people"])
    assert advance(state, "a", "b", ["Budget is 500"]).gathered == ("Two people", "Budget is 500")


def test_the_state_never_grows_past_its_cap() -> None:
    state = EMPTY
    for n in range(200):
        state = advance(
            state,
            f"I want to do thing {n} " + "ж" * 500,
            PLAN.replace("Ana", "я" * 400),
            [f"{n} " + "ы" * 300],
        )
        assert len(to_json(state).encode()) <= MAX_STATE_BYTES
    assert state.goal


def test_trimming_drops_finished_steps_first_and_the_goal_last() -> None:
    state = WorkingState("goal", (("a", "done"), ("b", "open")), ("known",), ("why?",))
    seen: list[WorkingState] = []

    def never(smaller: WorkingState) -> bool:
        seen.append(smaller)
        return False

    assert trimmed(state, never) == EMPTY
    assert seen[1].steps == (("b", "open"),)
    assert seen[2].gathered == ()
    assert seen[3].questions == ()
    assert seen[4].steps == ()
    assert all(smaller.goal for smaller in seen)


def test_a_state_survives_its_json() -> None:
    state = WorkingState("Ziel", (("a", "done"),), ("известно",), ("为什么?",))
    assert from_json(to_json(state)) == state


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"goal": "x"}', '{"goal":"","steps":[1],"gathered":[],"questions":[]}']
)
def test_a_state_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        from_json(text)


def test_a_state_is_written_one_line_a_field() -> None:
    state = WorkingState(
        "plan a trip", (("pack", "done"), ("book", "open")), ("two people",), ("When?", "Where?")
    )
    assert render_state(state) == (
        "goal: plan a trip",
        "steps: [done] pack; [open] book",
        "known so far: two people",
        "open questions: When? Where?",
    )
    assert render_state(EMPTY) == ()


def test_what_leaves_is_summed_up_by_first_sentences() -> None:
    summary = running_summary("", [("I moved. It was hard.", "Welcome! How is it?"), ("Fine.", None)])
    assert summary == "The user: I moved. Locket: Welcome! The user: Fine."


def test_a_running_summary_grows_and_loses_its_oldest_part_first() -> None:
    summary = ""
    for n in range(60):
        summary = running_summary(summary, [(f"This is what I said in turn {n}.", f"Answer {n} it was.")])
        assert len(summary) <= MAX_SUMMARY_CHARS
    assert "turn 59" in summary
    assert "turn 0." not in summary


def test_cutting_keeps_whole_words_and_says_that_something_went() -> None:
    assert cut("one two three four", 12) == "one two…"
    assert cut("short", 12) == "short"
