"""Recall over a store: what is found, what is left out, and why.

More than 300 lines: one sentence after the other about one pipeline.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest
from builders import World, day, make_candidate
from retrieval_builders import BagEmbedder, FakeIdentity, count_words, new_store, put_item
from sqlite_utils import Database

from memory.records import DEFAULT_PROFILE, Recall, Stability, Supersede
from memory.retrieval import vectors
from memory.retrieval.recall import RecallRequest, RecallSettings, recall
from memory.retrieval.search import search
from memory.store.settle import later_notes

SMALL_TALK_APART = ("The kettle in the kitchen whistles", "The train to Basel leaves from platform nine")


def never() -> bool:
    return False


def ask(db: Database, text: str, embedder: BagEmbedder | None = None, **fields: Any) -> Recall:
    settings = fields.pop("settings", None)
    notes = fields.pop("notes", None)
    values: dict[str, Any] = {"profile": DEFAULT_PROFILE, "text": text, "now": day(30)} | fields
    request = RecallRequest(**values)
    more = {} if notes is None else {"notes": notes}
    return recall(db, request, embedder, count_words, settings, **more)


def texts(found: Recall) -> list[str]:
    return [hit.item.text for hit in found.hits]


def embed(db: Database, embedder: BagEmbedder) -> None:
    with db.atomic():
        vectors.ensure_embedder(db, embedder.identity, day(0))
        while vectors.embed_pending(db, embedder, 500, never):
            pass


def test_an_empty_store_answers_at_once() -> None:
    found = ask(new_store(), "What is my dog called?")
    assert found.hits == ()
    assert found.left_out == ()


def test_small_talk_recalls_nothing_and_embeds_nothing() -> None:
    db, embedder = new_store(), BagEmbedder()
    put_item(db, "Hello, good to see you")
    embed(db, embedder)
    embedder.asked.clear()
    assert ask(db, "hello!", embedder).hits == ()
    assert embedder.asked == []


def test_words_alone_find_and_say_so() -> None:
    db = new_store()
    for text in ("My dog is called Biscuit", *SMALL_TALK_APART):
        put_item(db, text)
    found = ask(db, "What is my dog called?")
    assert texts(found) == ["My dog is called Biscuit"]
    assert "words only" in found.notice


def test_vectors_and_words_find_together() -> None:
    db, embedder = new_store(), BagEmbedder()
    for text in ("My dog is called Biscuit", *SMALL_TALK_APART):
        put_item(db, text)
    embed(db, embedder)
    found = ask(db, "What is my dog called?", embedder)
    assert texts(found)[0] == "My dog is called Biscuit"
    assert found.notice == ""
    assert found.hits[0].parts["raw_cosine"] > 0.5


def test_every_candidate_has_parts_that_add_up_and_a_reason() -> None:
    db, embedder = new_store(), BagEmbedder()
    for number in range(20):
        put_item(db, f"The dog ran round tree number {number}")
    embed(db, embedder)
    found = ask(db, "which tree did the dog run round?", embedder, max_items=3)
    assert len(found.hits) == 3
    scored = [(hit.parts, hit.score) for hit in found.hits] + [
        (one.parts, one.score) for one in found.left_out
    ]
    for named_parts, score in scored:
        counted = sum(value for name, value in named_parts.items() if not name.startswith("raw_"))
        assert counted == pytest.approx(score)
    assert all(one.reason and one.tokens for one in found.left_out)


def test_what_was_left_out_is_capped() -> None:
    db = new_store()
    for number in range(60):
        put_item(db, f"The dog ran round tree number {number}")
    assert len(ask(db, "dog tree", max_items=1).left_out) == RecallSettings().left_out


@pytest.mark.parametrize("field", ["state", "recallable", "expires_at", "profile"])
@pytest.mark.parametrize("with_vectors", [False, True])
def test_what_may_not_be_recalled_is_not_found(field: str, with_vectors: bool) -> None:
    db, embedder = new_store(), BagEmbedder()
    odd: dict[str, Any] = {"state": "outdated", "recallable": False, "expires_at": 5, "profile": "other"}
    put_item(db, "My dog is called Biscuit", **{field: odd[field]})
    put_item(db, "The dog next door is called Rex")
    embed(db, embedder)
    found = ask(db, "What is my dog called?", embedder if with_vectors else None)
    seen = [*texts(found), *(one.text for one in found.left_out)]
    assert seen == ["The dog next door is called Rex"]


def test_one_own_item_is_found_among_ten_thousand_foreign_ones() -> None:
    db, embedder = new_store(), BagEmbedder()
    with db.atomic():
        for number in range(10_000):
            put_item(db, f"My dog is called Biscuit {number}", profile="other")
        put_item(db, "My hound answers to Waffle")
    embed(db, embedder)
    found = ask(db, "my hound answers", embedder)
    assert texts(found) == ["My hound answers to Waffle"]


def test_a_named_subject_and_attribute_come_first() -> None:
    world = World()
    world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    for number in range(5):
        world.say(f"The dog called again about dog name tag number {number}")
    found = ask(world.db, "what is my dog called?", slots=(("dog", "name"),))
    assert texts(found)[0] == "My dog is called Biscuit"
    assert found.hits[0].parts["exact"] == 1.0


def test_a_lookup_needs_no_words_to_search_for() -> None:
    world = World()
    world.tell("My name is Ada", "user", "name", "Ada")
    assert texts(ask(world.db, "Who am I?", slots=(("user", "name"),))) == ["My name is Ada"]


def test_a_fact_hides_its_message() -> None:
    world = World()
    fact = world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    found = ask(world.db, "what is my dog called?")
    assert [hit.item.ref for hit in found.hits] == [fact.id]
    assert [one.reason for one in found.left_out] == [f"said by {fact.id}"]


def test_a_superseded_fact_never_comes_back() -> None:
    world = World()
    old = world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    world.now = day(1)
    message = world.say("My dog is called Waffle now")
    newer = make_candidate(
        "dog", "name", "Waffle", text="My dog is called Waffle", start=17, end=23, said_at=day(1)
    )
    world.decide(newer, Supersede((old.id,), "newer"), message=message)
    found = ask(world.db, "What is my dog called? Biscuit?")
    seen = [*texts(found), *(one.text for one in found.left_out)]
    assert seen
    assert not any("Biscuit" in text for text in seen)


def test_a_message_that_is_partly_out_of_date_says_what_came_later() -> None:
    world = World()
    message = world.say("My dog is called Biscuit and my cat is called Olive")
    old = world.decide(
        make_candidate("dog", "name", "Biscuit", text="My dog is called Biscuit", start=17, end=24),
        message=message,
    )
    world.decide(
        make_candidate("cat", "name", "Olive", text="My cat is Olive", start=46, end=51), message=message
    )
    world.now = day(1)
    later = world.say("He goes by Waffle these days")
    assert old.id is not None
    world.decide(
        make_candidate("dog", "name", "Waffle", text="My dog is Waffle", start=11, end=17, said_at=day(1)),
        Supersede((old.id,), "newer"),
        message=later,
    )
    facts = frozenset(row[0] for row in world.db.execute("SELECT id FROM fact").fetchall())

    def notes(idents: Sequence[str]) -> Mapping[str, str]:
        return later_notes(world.db, world.profile, idents)

    found = ask(world.db, "dog cat called", exclude_refs=facts, notes=notes)
    (hit,) = [hit for hit in found.hits if hit.item.ref == message.id]
    assert hit.note == "later: Waffle"


def test_what_is_in_the_window_is_named_and_not_sent() -> None:
    world = World()
    message = world.say("My dog is called Biscuit")
    found = ask(world.db, "what is my dog called?", exclude_refs=frozenset({message.id}))
    assert found.hits == ()
    assert [one.reason for one in found.left_out] == ["in the conversation already"]


def test_the_answer_beside_the_words_asked_about_is_lifted() -> None:
    world = World()
    world.say("Where shall we put the telescope?")
    world.say("On the balcony, behind the ferns.")
    world.say("Something else entirely about taxes.")
    found = ask(world.db, "where did we put the telescope")
    everything = {hit.item.text for hit in found.hits} | {one.text for one in found.left_out}
    assert "On the balcony, behind the ferns." in everything


def test_a_slow_fact_not_confirmed_for_long_is_tentative() -> None:
    world = World()
    world.tell("I work at Acme", "user", "employer", "Acme", stability=Stability.SLOW)
    request = RecallRequest(DEFAULT_PROFILE, "where do I work", day(0) + timedelta(days=200))
    assert [hit.tentative for hit in recall(world.db, request).hits] == [True]
    assert [hit.tentative for hit in ask(world.db, "where do I work").hits] == [False]


def test_imported_words_do_not_outrank_the_users_own() -> None:
    db = new_store()
    put_item(db, "The home address in Berlin is Elm Street", origin="imported")
    put_item(db, "My home address in Berlin is Oak Street, the yellow house by the park")
    found = ask(db, "home address in Berlin?")
    assert [hit.item.origin for hit in found.hits] == ["user_said", "imported"]


def test_the_present_is_preferred_when_asked_for() -> None:
    db = new_store()
    put_item(db, "I live in the flat in Oslo", said_at=day(0))
    put_item(db, "I live in the flat in Lisbon", said_at=day(20))
    assert texts(ask(db, "which flat do I live in now?"))[0].endswith("Lisbon")


def test_the_time_a_question_names_is_preferred() -> None:
    db = new_store()
    put_item(db, "We had a picnic by the lake", said_at=day(0))
    put_item(db, "We had a picnic by the river", said_at=day(20))
    assert texts(ask(db, "where was the picnic on 1 January 2026?"))[0].endswith("lake")


def test_a_question_asked_before_is_not_its_own_answer() -> None:
    db = new_store()
    put_item(db, "What is my dog called?")
    put_item(db, "My dog is called Biscuit")
    assert texts(ask(db, "What is my dog called?"))[0] == "My dog is called Biscuit"


def test_a_bigger_budget_keeps_what_a_smaller_one_held() -> None:
    db = new_store()
    for number in range(12):
        put_item(db, f"The dog ran round tree number {number} " + "again " * number)
    held: list[str] = []
    for budget in range(0, 120, 7):
        now = texts(ask(db, "dog tree", token_budget=budget))
        assert now[: len(held)] == held
        held = now


def test_an_embedder_this_store_does_not_know_is_not_mixed_in() -> None:
    db, embedder = new_store(), BagEmbedder()
    put_item(db, "My dog is called Biscuit")
    embed(db, embedder)
    stranger = BagEmbedder(FakeIdentity(sha256="0" * 64))
    found = ask(db, "What is my dog called?", stranger)
    assert texts(found) == ["My dog is called Biscuit"]
    assert "prepared" in found.notice
    assert stranger.asked == []


def test_a_large_store_is_chosen_from_by_bits_and_ranked_by_floats() -> None:
    db, embedder = new_store(), BagEmbedder(FakeIdentity(dims=128))
    with db.atomic():
        for number in range(400):
            put_item(db, f"entry {number} about subject {number % 37} and place {number % 11}")
        put_item(db, "the telescope stands on the balcony behind the ferns")
    embed(db, embedder)
    settings = RecallSettings(prefilter_rows=10)
    found = ask(db, "telescope balcony ferns", embedder, settings=settings)
    assert texts(found)[0] == "the telescope stands on the balcony behind the ferns"
    assert found.hits[0].parts["raw_cosine"] > 0.4


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("我的狗叫饼干。", "狗叫什么？"),
        ("東京に住んでいます", "東京のどこ？"),
        ("저는 서울에서 살아요", "서울 어디?"),
        ("मेरे कुत्ते का नाम शेरू है", "कुत्ते का नाम क्या है?"),
        ("Mein Hund heißt Keks", "Wie heißt mein Hund?"),
        ("The error was ERR_CONN_RESET on port 8080", "what was ERR_CONN_RESET?"),
        ("Reach me at +49 170 1234567", "whose number is +49 170 1234567"),
    ],
)
def test_words_of_any_script_are_found(text: str, question: str) -> None:
    db = new_store()
    put_item(db, text)
    for other in SMALL_TALK_APART:
        put_item(db, other)
    assert texts(ask(db, question))[:1] == [text]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("My brother is called Bo.", "Who is Bo?"),
        ("I met Sue at the lake.", "Who is Sue?"),
        ("I write C++ at work.", "Do I know C++?"),
        ("I am learning Go.", "What do I think of Go?"),
        ("My T is a size L.", "What size is my T?"),
    ],
)
def test_a_short_name_that_looks_like_a_common_word_is_found(text: str, question: str) -> None:
    db = new_store()
    put_item(db, text)
    for other in SMALL_TALK_APART:
        put_item(db, other)
    assert texts(ask(db, question)) == [text]
    assert search(db, DEFAULT_PROFILE, question)[0].item.text == text


def test_a_subject_spelled_like_a_common_word_is_found_in_lower_case_too() -> None:
    world = World()
    fact = world.tell("My cousin Sue plays the horn", "sue", "plays", "horn")
    assert [hit.item.ref for hit in ask(world.db, "who is sue").hits] == [fact.id]
    assert search(world.db, DEFAULT_PROFILE, "sue horn")[0].item.ref == fact.id


def test_a_large_store_is_searched_by_pairs_of_words_and_then_by_the_rarest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    db = new_store()
    for number in range(60):
        put_item(db, f"The kettle number {number} is in the harbour office")
    put_item(db, "The telescope is in the attic")
    put_item(db, "A telescope stands near the harbour, said Tara")
    monkeypatch.setattr("memory.retrieval.lexical.LARGE", 1)
    monkeypatch.setattr("memory.retrieval.lexical.RANKED_AT_ONCE", 5)
    monkeypatch.setattr("memory.retrieval.lexical.ALONE", 2)
    found = ask(db, "telescope harbour Tara?")
    assert texts(found)[0] == "A telescope stands near the harbour, said Tara"
    everything = [*texts(found), *(one.text for one in found.left_out)]
    assert "The telescope is in the attic" in everything
    assert not any("kettle" in text for text in everything)
    assert texts(ask(db, "telescopes")) == [
        "The telescope is in the attic",
        "A telescope stands near the harbour, said Tara",
    ]
