"""Laws of recall: nothing that must stay hidden is ever found, whatever is asked, and order is never chance."""

from __future__ import annotations

from functools import cache

from builders import day
from hypothesis import given
from hypothesis import strategies as st
from retrieval_builders import BagEmbedder, count_words, new_store, put_item
from sqlite_utils import Database

from memory.records import DEFAULT_PROFILE
from memory.retrieval import vectors
from memory.retrieval.fusion import fuse
from memory.retrieval.grams import grams
from memory.retrieval.period import find_period
from memory.retrieval.query import match_expression, parse
from memory.retrieval.recall import RecallRequest, recall
from memory.retrieval.search import search
from memory.retrieval.selection import fill

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=60)
SYNTAX = st.lists(
    st.sampled_from(
        [
            '"',
            "'",
            "*",
            "(",
            ")",
            "NEAR(",
            "AND",
            "OR",
            "NOT",
            "-",
            "+",
            ":",
            "^",
            "text:",
            "{",
            "}",
            "dog",
            "狗",
            "\x00",
            "dog's",
        ]
    ),
    max_size=12,
).map(" ".join)
SCORES = st.dictionaries(st.integers(0, 30), st.floats(-50, 50), max_size=12)


@cache
def store() -> tuple[Database, BagEmbedder]:
    db, embedder = new_store(), BagEmbedder()
    for state in ("outdated", "archived", "review", "set_aside"):
        put_item(db, f"dog 狗 secret {state}", state=state)
    put_item(db, "dog 狗 secret expired", expires_at=5)
    put_item(db, "dog 狗 secret unrecalled", recallable=False)
    put_item(db, "dog 狗 secret of another", profile="other")
    for number in range(6):
        put_item(db, f"the dog 狗 walked {number} times round the house")
    vectors.ensure_embedder(db, embedder.identity, day(0))
    vectors.embed_pending(db, embedder, 100, lambda: False)
    return db, embedder


@given(ANYTHING | SYNTAX, st.booleans())
def test_any_text_is_a_safe_question_that_finds_nothing_hidden(text: str, with_vectors: bool) -> None:
    db, embedder = store()
    request = RecallRequest(DEFAULT_PROFILE, text, day(1), previous=(text,), goal=text)
    found = recall(db, request, embedder if with_vectors else None, count_words)
    seen = [hit.item.text for hit in found.hits] + [one.text for one in found.left_out]
    assert not any("secret" in one for one in seen)


@given(ANYTHING | SYNTAX)
def test_a_word_that_is_there_is_found_whatever_stands_beside_it(text: str) -> None:
    db, _ = store()
    found = recall(db, RecallRequest(DEFAULT_PROFILE, f"{text} 狗", day(1)))
    assert found.hits or found.left_out or parse(f"{text} 狗", day(1)).is_empty


@given(ANYTHING | SYNTAX)
def test_any_text_is_a_safe_search_that_finds_nothing_of_others(text: str) -> None:
    db, _ = store()
    assert not any("another" in one.item.text for one in search(db, DEFAULT_PROFILE, text))


@given(ANYTHING)
def test_a_match_expression_is_quoted_words_only(text: str) -> None:
    match = match_expression(parse(text, day(1)).terms)
    for part in match.split(" OR ") if match else []:
        assert part[0] == part[-1] == '"'
        assert all(char.isalnum() or char == " " or not char.isascii() for char in part[1:-1])


@given(ANYTHING)
def test_any_text_has_grams_and_maybe_a_time(text: str) -> None:
    assert grams(text) == grams(text)
    find_period(text, day(1))


@given(SCORES, SCORES, st.randoms())
def test_fusion_does_not_depend_on_the_order_of_its_input(
    keyword: dict[int, float], vector: dict[int, float], random: object
) -> None:
    def shuffled(scores: dict[int, float]) -> dict[int, float]:
        pairs = list(scores.items())
        random.shuffle(pairs)  # type: ignore[attr-defined]
        return dict(pairs)

    assert fuse(keyword, vector, 1.5, 1.0) == fuse(shuffled(keyword), shuffled(vector), 1.5, 1.0)


@given(SCORES, SCORES, st.floats(0.1, 5), st.floats(0.1, 5))
def test_fused_scores_stay_between_nothing_and_all(
    keyword: dict[int, float], vector: dict[int, float], first: float, second: float
) -> None:
    fused = fuse(keyword, vector, first, second)
    assert set(fused) == set(keyword) | set(vector)
    assert all(-1e-9 <= value <= 1 + 1e-9 for value in fused.values())


@given(
    st.lists(st.integers(1, 200), max_size=20), st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 15)
)
def test_more_budget_never_drops_what_fitted(costs: list[int], small: int, more: int, most: int) -> None:
    fewer, larger = fill(costs, small, most), fill(costs, small + more, most)
    assert fewer <= larger <= most
    assert sum(costs[:fewer]) <= small


@given(st.integers(0, 12), st.integers(0, 80))
def test_no_more_items_and_tokens_than_asked_for(most: int, budget: int) -> None:
    db, embedder = store()
    request = RecallRequest(
        DEFAULT_PROFILE, "dog walked round house", day(1), token_budget=budget, max_items=most
    )
    found = recall(db, request, embedder, count_words)
    assert len(found.hits) <= most
    assert sum(count_words([hit.item.text for hit in found.hits])) <= budget
