from __future__ import annotations

from dataclasses import replace

import pytest

from memory.records import Item, ItemKind, Origin
from memory.retrieval.candidate import Candidate, ordered
from memory.retrieval.floor import FloorNumbers, Measured, passes
from memory.retrieval.fusion import fuse, min_max, spread
from memory.retrieval.scoring import parts, relevance
from memory.retrieval.selection import distinct, fill, own_words_behind, shorten
from memory.retrieval.stems import split

FLOOR = FloorNumbers()


def candidate(ident: str, text: str, score: float = 0.5, **fields: object) -> Candidate:
    kind = ItemKind.FACT if fields.get("sources") else ItemKind.MESSAGE
    item = Item(key=1, id=ident, kind=kind, ref=ident, profile="p", text=text)
    return Candidate(item, tuple(split(text)), score=score)._replace(**fields)  # type: ignore[arg-type]


def words(texts: object) -> list[int]:
    return [len(text.split()) for text in texts]  # type: ignore[attr-defined]


def test_scores_are_stretched_over_the_whole_range() -> None:
    assert min_max({"a": -2.0, "b": 2.0, "c": 0.0}) == {"a": 0.0, "b": 1.0, "c": 0.5}


def test_of_two_that_are_nearly_as_good_none_becomes_nothing() -> None:
    assert min_max({"a": 9.0, "b": 10.0})["a"] > 0.8


def test_a_lone_score_counts_as_full() -> None:
    assert min_max({"a": 0.1}) == {"a": 1.0}
    assert min_max({"a": 0.1, "b": 0.1}) == {"a": 1.0, "b": 1.0}
    assert min_max({}) == {}


def test_what_is_mute_sets_no_scale_unless_there_is_nothing_else() -> None:
    assert min_max({"asks": 9.0, "a": 2.0, "b": -2.0, "c": 0.0}, {"asks"}) == {
        "asks": 1.0,
        "a": 1.0,
        "b": 0.0,
        "c": 0.5,
    }
    assert min_max({"asks": 9.0, "also": -9.0}, {"asks", "also"}) == {"asks": 1.0, "also": 0.0}
    assert fuse({"asks": 4.0, "a": 1.0}, {"asks": 0.9, "a": 0.5}, 1.0, 1.0, {"asks"})["a"] == 1.0


def test_fusion_adds_by_weight() -> None:
    fused = fuse({"a": 1.0, "b": 0.0}, {"b": 1.0, "c": 0.0}, 1.5, 1.0)
    assert fused == pytest.approx({"a": 0.6, "b": 0.4, "c": 0.0})
    assert fuse({"a": 1.0}, {}, 0.0, 0.0) == {"a": 0.0}


def test_a_neighbour_takes_the_best_share_only() -> None:
    assert spread({1: 1.0, 2: 0.5, 3: 0.0}, [(1, 3), (2, 3), (1, 4)], 0.3) == {1: 1.0, 2: 0.5, 3: 0.3, 4: 0.3}


def test_the_parts_add_up_to_the_score() -> None:
    assert sum(parts(1.0, 1.0, Origin.USER_SAID).values()) == pytest.approx(1.0)
    assert parts(0.5, 0.5, Origin.DOCUMENT)["origin"] < parts(0.5, 0.5, Origin.USER_SAID)["origin"]


def test_relevance_knows_person_time_and_questions() -> None:
    plain = relevance(1.0)
    assert relevance(1.0, named=True) > plain
    assert relevance(1.0, in_period=True) > plain
    assert relevance(1.0, only_asks=True) < plain
    assert relevance(1.0, newness=1.0) > relevance(1.0, newness=0.0) == plain


@pytest.mark.parametrize(
    "one",
    [
        Measured(5.5, 0.0, rare=False),
        Measured(5.0, 0.1, rare=False),
        Measured(3.1, 0.4, rare=False, held=2),
        Measured(4.0, 0.4, rare=False),
        Measured(6.5, 0.4, rare=False, empty=True),
        Measured(0.0, 0.0, rare=False, of_the_day=True),
        Measured(3.1, 0.0, rare=False, named=True),
        Measured(2.5, 0.6, rare=True),
        Measured(None, 0.6, rare=True),
        Measured(0.0, 0.0, rare=False, identifier=True),
        Measured(-1.0, 0.0, rare=False, exact=True),
        Measured(0.0, 0.4, rare=False, named=True),
    ],
)
def test_what_is_near_enough_says_why(one: Measured) -> None:
    assert passes(one, FLOOR, advice=False)


@pytest.mark.parametrize(
    "one",
    [
        Measured(5.4, 0.0, rare=False),
        Measured(3.9, 0.4, rare=False),
        Measured(6.0, 0.9, rare=True, empty=True),
        Measured(9.0, 0.0, rare=False, empty=True),
        Measured(9.0, 0.0, rare=False, empty=True, of_the_day=True),
        Measured(1.0, 0.9, rare=True),
        Measured(2.5, 0.6, rare=False),
        Measured(2.5, 0.4, rare=True),
        Measured(None, 0.0, rare=False),
    ],
)
def test_what_is_far_is_left_out(one: Measured) -> None:
    assert passes(one, FLOOR, advice=False) == ""


def test_a_request_for_advice_reaches_further_for_preferences() -> None:
    one = Measured(3.4, 0.0, rare=False, preference=True)
    assert passes(one, FLOOR, advice=True)
    assert not passes(one, FLOOR, advice=False)
    assert not passes(one._replace(preference=False), FLOOR, advice=True)


def test_what_must_not_be_missed_needs_less() -> None:
    assert passes(Measured(3.6, 0.0, rare=False, important=True), FLOOR, advice=False)


def test_a_fact_stands_for_its_message() -> None:
    message = candidate("m", "My dog is called Biscuit and it rains", 0.9)
    fact = candidate("f", "My dog is called Biscuit", 0.85, sources=("m",))
    kept, dropped = distinct([message, fact])
    assert [one.item.id for one in kept] == ["f"]
    assert [(one.candidate.item.id, one.reason) for one in dropped] == [("m", "said by f")]


def test_a_message_that_fits_much_better_than_its_fact_stays() -> None:
    message = candidate("m", "The dentist is in Elm Street, my dog is Biscuit", 0.9)
    fact = candidate("f", "My dog is called Biscuit", 0.3, sources=("m",))
    kept, dropped = distinct([message, fact])
    assert [one.item.id for one in kept] == ["m"]
    assert dropped[0].reason == "said by m"


def test_a_fact_keeps_the_pass_of_the_message_it_stands_for() -> None:
    message = candidate("m", "long story about Biscuit", 0.9, passed="similar in meaning")
    fact = candidate("f", "My dog is called Biscuit", 0.85, sources=("m",))
    assert distinct([message, fact])[0][0].passed == "similar in meaning"


def test_the_same_words_are_sent_once() -> None:
    kept, dropped = distinct([candidate("a", "I like tea."), candidate("b", "And I really like tea!")])
    assert [one.item.id for one in kept] == ["a"]
    assert dropped[0].reason == "says the same as a"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I like tea", "I do not like tea"),
        ("I paid 300 euros", "I paid 400 euros"),
        ("Meet at 5", "Meet at 6"),
    ],
)
def test_a_small_difference_that_matters_keeps_both(one: str, other: str) -> None:
    assert len(distinct([candidate("a", one), candidate("b", other)])[0]) == 2


def test_only_two_passages_of_one_text_are_recalled() -> None:
    parts_of_one = [
        one._replace(item=replace(one.item, ref="doc"))
        for one in (candidate(f"doc.{n}", f"passage {n} about something") for n in range(4))
    ]
    assert len(distinct(parts_of_one)[0]) <= 2


def test_filling_stops_at_the_first_that_does_not_fit() -> None:
    assert fill([10, 50, 5], 40, 12) == 1
    assert fill([10, 30, 5], 40, 12) == 2
    assert fill([10, 30, 5], None, 2) == 2
    assert fill([], 10, 12) == 0


def test_a_long_item_is_cut_around_its_best_match() -> None:
    text = ". ".join(f"Filler sentence number {n} says little" for n in range(40))
    item = Item(1, "a", ItemKind.MESSAGE, "a", "p", f"{text}. The lock code is hidden in the shed. {text}.")
    cut, cost = shorten(item, frozenset({"lock", "code"}), words, 40)
    assert "The lock code is hidden in the shed." in cut.text
    assert cost <= 40
    assert cut.text.startswith("…")


def test_one_endless_sentence_is_cut_too() -> None:
    item = Item(1, "a", ItemKind.MESSAGE, "a", "p", "word " * 500)
    assert shorten(item, frozenset(), words, 40)[1] <= 40


def test_a_tie_goes_to_the_newer_and_then_to_the_id() -> None:
    from retrieval_builders import NOW

    old = candidate("a", "x")
    new = candidate("b", "y")._replace(item=replace(candidate("b", "y").item, said_at=NOW))
    assert [one.item.id for one in ordered([old, new])] == ["b", "a"]
    assert [one.item.id for one in ordered([candidate("d", "x"), candidate("c", "x")])] == ["c", "d"]


def test_without_a_counter_a_long_text_of_an_unspaced_script_is_cut_too() -> None:
    text = "我们在湖边的小屋里住了三天。" * 30
    short, cost = shorten(candidate("m", text, 0.9).item, frozenset(), None, 120)
    assert len(short.text) <= 140
    assert cost <= 120


def test_what_locket_said_is_left_out_behind_a_fact_unless_it_fits_as_well() -> None:
    fact = candidate("f", "My sister moved to Bergen", 0.93, sources=("m",))
    said = candidate("m2", "I moved to Porto", 0.4)
    behind, level = (
        one._replace(item=replace(one.item, kind=ItemKind.ANSWER))
        for one in (candidate("a", "The user lives in Porto.", 0.49), candidate("b", "In Bergen.", 0.92))
    )
    assert own_words_behind([fact, level, behind, said]) == {"a"}
    assert own_words_behind([level, behind, said]) == frozenset()
