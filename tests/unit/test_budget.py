from collections.abc import Sequence

import pytest
from prompt_builders import count

from memory.budget import SECTIONS, BudgetSettings, CountCache, TurnRoom, Wish, allocate, fill
from memory.errors import BadInput, BudgetImpossible


def test_the_default_window_keeps_a_fifth_for_the_answer_and_gives_a_turn_655_tokens_of_memory() -> None:
    allocation = allocate(BudgetSettings())
    assert (allocation.window, allocation.reserve, allocation.room) == (16_384, 3_276, 13_108)
    assert allocation.turn_memory == 655


def test_the_caps_divide_the_room_without_a_rest() -> None:
    assert sum(allocate(BudgetSettings()).grants.values()) == 13_108


def test_unused_room_goes_to_the_turns() -> None:
    allocation = allocate(BudgetSettings(), {"system": 100})
    assert allocation.grants["turns"] == 13_108 - 100


def test_a_section_that_wants_more_than_its_cap_gets_its_cap() -> None:
    assert allocate(BudgetSettings(), {"pinned": 5_000}).grants["pinned"] == 655


def test_memory_borrows_unused_room_up_to_its_own_limit() -> None:
    assert allocate(BudgetSettings(), {"memory": 9_000}).grants["memory"] == 5_243


def test_a_window_below_the_least_is_refused_with_words() -> None:
    with pytest.raises(BudgetImpossible, match="4,096 are needed"):
        allocate(BudgetSettings(window=4_095))


@pytest.mark.parametrize(
    "wrong",
    [
        {"turns": 0.9},
        {"state": -0.1},
        {"reserve_share": 1.0},
        {"low_water": 0.95},
        {"high_water": 1.2},
        {"memory_borrow": 0.1},
        {"per_turn_memory": -1},
    ],
)
def test_numbers_that_divide_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        BudgetSettings(**wrong)  # type: ignore[arg-type]


ROOMY = TurnRoom(memory=100, episodes=100, attachments=100, together=100, everything=300)


def test_filling_stops_at_the_first_wish_that_does_not_fit() -> None:
    reasons = fill([Wish("memory", 60), Wish("memory", 50), Wish("memory", 10)], ROOMY)
    assert [not reason for reason in reasons] == [True, False, False]


def test_a_full_section_does_not_close_another() -> None:
    room = TurnRoom(memory=100, episodes=10, attachments=100, together=100, everything=300)
    reasons = fill([Wish("episodes", 20), Wish("memory", 50)], room)
    assert reasons == ("over the episodes budget", "")


def test_memory_and_episodes_share_what_one_turn_may_add() -> None:
    reasons = fill([Wish("episodes", 60), Wish("memory", 50)], ROOMY)
    assert reasons == ("", "over what one turn may add")


def test_attachments_have_their_own_part_of_a_turn() -> None:
    assert fill([Wish("memory", 100), Wish("attachments", 100)], ROOMY) == ("", "")


def test_nothing_is_granted_past_the_room_of_the_window() -> None:
    room = TurnRoom(memory=100, episodes=100, attachments=100, together=100, everything=90)
    assert fill([Wish("memory", 80), Wish("attachments", 20)], room)[1] == "no room left in the window"


def test_every_section_has_a_share() -> None:
    assert sum(BudgetSettings().share(name) for name in SECTIONS) == pytest.approx(1.0)


def test_each_text_is_counted_once_and_unknown_ones_in_one_call() -> None:
    asked: list[list[str]] = []

    def slow_count(texts: Sequence[str]) -> list[int]:
        asked.append(list(texts))
        return count(texts)

    cached = CountCache(slow_count)
    assert cached(["one", "two words", "one"]) == count(["one", "two words", "one"])
    assert cached(["two words", "three"]) == count(["two words", "three"])
    assert asked == [["one", "two words"], ["three"]]


def test_a_small_cache_still_counts_right() -> None:
    cached = CountCache(count, most=2)
    texts = [f"text number {n}" * n for n in range(6)]
    assert cached(texts) == count(texts)
    assert cached(texts) == count(texts)
