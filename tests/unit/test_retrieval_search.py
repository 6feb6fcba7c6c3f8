from __future__ import annotations

from collections.abc import Sequence

import pytest
from retrieval_builders import NOW, BagEmbedder, new_store, put_item

from memory.retrieval import vectors
from memory.retrieval.search import search


def test_every_state_is_found_but_no_other_profile() -> None:
    db = new_store()
    for state in ("active", "outdated", "archived", "review", "set_aside"):
        put_item(db, f"the telescope is {state}", state=state)
    put_item(db, "a long answer about the telescope", kind="answer", recallable=False)
    put_item(db, "an expired telescope", expires_at=5)
    put_item(db, "a foreign telescope", profile="other")
    assert len(search(db, "default", "telescope")) == 7


def test_matched_words_are_marked() -> None:
    db = new_store()
    put_item(db, "We bought the telescope in spring")
    (found,) = search(db, "default", "telescopes")
    assert "«telescope»" in found.snippet


def test_a_match_inside_an_unspaced_script_is_marked() -> None:
    db = new_store()
    put_item(db, "我的狗叫饼干，它很喜欢散步。")
    (found,) = search(db, "default", "饼干")
    assert "«饼干»" in found.snippet


def test_the_limit_is_kept_and_the_order_is_total() -> None:
    db = new_store()
    for number in range(30):
        put_item(db, f"telescope number {number}")
    found = search(db, "default", "telescope", 7)
    assert len(found) == 7
    assert found == search(db, "default", "telescope", 7)
    assert len(search(db, "default", "telescope", 25)) == 25
    assert search(db, "default", "telescope", 0) == []


def test_what_is_remembered_comes_before_what_asks_and_what_holds_no_more_comes_last() -> None:
    db = new_store()
    put_item(db, "What is my dog called?")
    put_item(db, "My dog is called Biscuit", kind="fact", state="outdated")
    put_item(db, "dog dog dog", state="outdated")
    put_item(db, "The dog ran to the beach")
    put_item(db, "Is the dog's name really Waffle?")
    put_item(db, "My dog, the one with the spots and the torn left ear, is called Waffle", kind="fact")
    texts = [one.item.text for one in search(db, "default", "dog")]
    assert "spots" in texts[0]
    assert "beach" in texts[1]
    assert {"What is my dog called?", "Is the dog's name really Waffle?"} == set(texts[2:4])
    assert {"dog dog dog", "My dog is called Biscuit"} == set(texts[4:])


def test_kind_and_conversation_narrow_the_search() -> None:
    db = new_store()
    put_item(db, "telescope as a fact", kind="fact")
    put_item(db, "telescope said here", conversation="here")
    put_item(db, "telescope said there", conversation="there")
    assert [one.item.kind for one in search(db, "default", "telescope", kinds=("fact",))] == ["fact"]
    assert [one.item.text for one in search(db, "default", "telescope", conversation="there")] == [
        "telescope said there"
    ]


class Astronomer(BagEmbedder):
    """Knows what an observatory is about."""

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        return super().embed([text.replace("observatory", "stars seen night") for text in texts])


def test_meaning_finds_what_words_do_not_and_nothing_else() -> None:
    db, embedder = new_store(), Astronomer()
    put_item(db, "stars seen at night")
    put_item(db, "a kettle on the stove")
    vectors.ensure_embedder(db, embedder.identity, NOW)
    vectors.embed_pending(db, embedder, 10, lambda: False)
    assert search(db, "default", "observatory") == []
    assert [one.item.text for one in search(db, "default", "observatory", embedder=embedder)] == [
        "stars seen at night"
    ]
    assert search(db, "default", "walnuts", embedder=embedder) == []


@pytest.mark.parametrize("text", ["hello", "the", "I", "我"])
def test_common_words_are_searched_when_they_are_all_there_is(text: str) -> None:
    db = new_store()
    put_item(db, "hello the I 我")
    assert len(search(db, "default", text)) == 1


@pytest.mark.parametrize("text", ["", "   ", '"', "* OR", "😀", "\x00"])
def test_nothing_to_look_for_finds_nothing(text: str) -> None:
    assert search(new_store(), "default", text) == []
