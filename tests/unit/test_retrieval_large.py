"""A large store is searched by two words together; a name or a number that hardly any item holds is found alone."""

from __future__ import annotations

import pytest
from retrieval_builders import NOW, new_store, put_item

from memory.records import DEFAULT_PROFILE
from memory.retrieval.recall import RecallRequest, recall


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What came of the blue kettle from the harbour office, order A-1234-XZ?", "A-1234-XZ was sent back"),
        ("Did Waffle break the blue kettle in the harbour office?", "Waffle hates thunder"),
        ("办公室的蓝色水壶是不是糯米打破的？", "糯米怕打雷"),
    ],
)
def test_a_word_that_hardly_any_item_holds_is_found_without_a_second_one(
    question: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.retrieval.lexical.LARGE", 100)
    db = new_store()
    for number in range(110):
        put_item(db, f"The blue kettle of the harbour office got the mark {number}，办公室的蓝色水壶")
    put_item(db, told)
    found = recall(db, RecallRequest(DEFAULT_PROFILE, question, NOW))
    assert told in [*(hit.item.text for hit in found.hits), *(one.text for one in found.left_out)]
