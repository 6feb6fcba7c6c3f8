"""The working state edited by hand, piece by piece."""

import pytest

from memory.errors import BadInput
from memory.records import WorkingState
from memory.working import MAX_QUESTIONS
from memory.working_edits import added, edited, piece, places, removed, ticked

TRIP = WorkingState(
    "plan a trip", (("pack", "done"), ("book", "open")), ("two people", "in May"), ("When?", "Where?")
)


def test_every_piece_has_a_name() -> None:
    assert places(TRIP) == (
        ("goal", "plan a trip"),
        ("step-1", "pack"),
        ("step-2", "book"),
        ("known-1", "two people"),
        ("known-2", "in May"),
        ("question-1", "When?"),
        ("question-2", "Where?"),
    )
    assert places(WorkingState()) == ()
    assert piece(TRIP, "step-2") == "book"


def test_what_is_added_comes_last_and_a_goal_replaces_the_one_before() -> None:
    assert added(TRIP, "goal", "plan  a party").goal == "plan a party"
    assert added(TRIP, "step", "pay").steps[-1] == ("pay", "open")
    assert added(TRIP, "known", "by train").gathered == ("two people", "in May", "by train")
    assert added(TRIP, "question", "How?").questions == ("When?", "Where?", "How?")


def test_what_is_edited_keeps_its_place_and_a_step_its_status() -> None:
    assert edited(TRIP, "goal", "x").goal == "x"
    assert edited(TRIP, "step-1", "pack light").steps == (("pack light", "done"), ("book", "open"))
    assert edited(TRIP, "known-2", "in June").gathered == ("two people", "in June")
    assert edited(TRIP, "question-1", "In May?").questions == ("In May?", "Where?")


@pytest.mark.parametrize("place", [name for name, _ in places(TRIP)])
def test_what_is_removed_is_gone_and_nothing_else_is(place: str) -> None:
    left = [text for _, text in places(removed(TRIP, place))]
    assert left == [text for name, text in places(TRIP) if name != place]


def test_ticking_goes_round_and_can_name_a_status() -> None:
    once = ticked(TRIP, "step-2")
    assert once.steps[1] == ("book", "doing")
    assert ticked(once, "step-2").steps[1] == ("book", "done")
    assert ticked(TRIP, "step-1").steps[0] == ("pack", "open")
    assert ticked(TRIP, "step-2", "done").steps[1] == ("book", "done")


@pytest.mark.parametrize("place", ["step-3", "step-0", "question", "nothing", "goal-2", "known--1"])
def test_a_name_of_nothing_is_refused_with_what_there_is(place: str) -> None:
    with pytest.raises(BadInput, match="question-2"):
        removed(TRIP, place)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(BadInput, match="only a step"):
        ticked(TRIP, "goal")
    with pytest.raises(BadInput, match="none of"):
        ticked(TRIP, "step-1", "later")
    with pytest.raises(BadInput, match="none of"):
        added(TRIP, "dream", "x")
    with pytest.raises(BadInput, match="no text"):
        edited(TRIP, "goal", "  ")
    full = WorkingState(questions=tuple(f"{n}?" for n in range(MAX_QUESTIONS)))
    with pytest.raises(BadInput, match="remove one"):
        added(full, "question", "One more?")
