from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.asks import asks_for_listing, forget_requests, named_slots
from memory.cues.message import candidates
from memory.records import USER, Candidate, Fact, Kind, Message, Origin, Role, Stability

WEDNESDAY = datetime(2026, 3, 11, 12, 0, tzinfo=UTC)


def said(text: str) -> Message:
    return Message("m", "default", "c", None, Role.USER, text, WEDNESDAY)


def read(text: str, *known: Fact) -> list[Candidate]:
    return list(candidates(said(text), known=known))


def told(text: str, *known: Fact) -> list[tuple[str, str, str]]:
    return [(c.subject, c.attribute, c.value) for c in read(text, *known)]


def name_of(subject: str, value: str) -> Fact:
    text = f"My {subject} is called {value}"
    return Fact("f1", "default", subject, "name", value, text, Kind.FACT, Origin.USER_SAID, WEDNESDAY)


def test_two_clauses_make_two_candidates() -> None:
    assert told("My dog is called Biscuit and I'm allergic to peanuts") == [
        ("dog", "name", "Biscuit"),
        (USER, "allergy", "peanuts"),
    ]


def test_the_quote_is_a_verbatim_span_of_the_message() -> None:
    text = "Well, by the way: remember that my name is Ana."
    (found,) = read(text)
    assert text[found.start : found.end] == found.quote == "my name is Ana"
    assert found.text == "My name is Ana"


def test_each_thing_of_a_list_has_its_own_sentence() -> None:
    assert [c.text for c in read("I'm allergic to peanuts, shellfish and cat hair.")] == [
        "I'm allergic to peanuts",
        "I'm allergic to shellfish",
        "I'm allergic to cat hair",
    ]


def test_a_subject_not_repeated_is_carried_over() -> None:
    assert told("I live in Lisbon and work as a nurse") == [(USER, "home", "Lisbon"), (USER, "role", "nurse")]


def test_a_preference_never_claims_that_the_other_thing_is_liked() -> None:
    (found,) = read("I prefer tea over coffee")
    assert (found.attribute, found.value, found.closes) == ("prefers", "tea", "coffee")


def test_a_pronoun_binds_to_the_last_fact_touched() -> None:
    message = said("Actually, he's called Waffle")
    (found,) = candidates(message, touched=(name_of("dog", "Biscuit"), name_of("cat", "Soot")))
    assert (found.subject, found.value, found.text) == ("dog", "Waffle", "My dog is called Waffle")
    assert found.is_correction
    assert found.pronoun


def test_a_pronoun_skips_a_subject_it_does_not_fit() -> None:
    message = said("Actually, she's called Ines")
    (found,) = candidates(message, touched=(name_of("brother", "Tom"), name_of("sister", "Ana")))
    assert found.subject == "sister"


def test_a_pronoun_binds_to_the_only_known_name() -> None:
    (found,) = read("Actually, he's called Waffle", name_of("dog", "Biscuit"))
    assert found.subject == "dog"


def test_an_unbound_pronoun_is_not_sure_enough_to_keep() -> None:
    (found,) = read("Actually, he's called Waffle")
    assert found.pronoun
    assert found.confidence < 0.5


def test_a_correction_finds_the_value_it_names() -> None:
    (found,) = read("it's Waffle, not Biscuit", name_of("dog", "Biscuit"))
    assert (found.subject, found.attribute, found.value, found.closes) == ("dog", "name", "Waffle", "Biscuit")


def test_a_contrast_without_a_known_value_is_nothing() -> None:
    assert told("it's Waffle, not Biscuit") == []


def test_a_later_sentence_knows_what_an_earlier_one_touched() -> None:
    assert told("My sister Ana lives in Porto. She works at Google.") == [
        ("sister Ana", "home", "Porto"),
        ("sister Ana", "employer", "Google"),
    ]


def test_no_longer_closes_the_value_it_names() -> None:
    (found,) = read("I no longer work at the bakery")
    assert (found.attribute, found.closes, found.is_correction) == ("employer", "bakery", True)
    assert found.stability is Stability.VOLATILE


def test_a_second_dog_is_a_subject_of_its_own() -> None:
    assert told("I have a dog named Rex", name_of("dog", "Biscuit")) == [("dog Rex", "name", "Rex")]


def test_a_plan_carries_its_resolved_day_and_expires_after_it() -> None:
    (found,) = read("I'm flying to Rome next Friday")
    assert found.text == "I'm flying to Rome next Friday (2026-03-20)"
    assert found.expires_at == datetime(2026, 3, 21, tzinfo=UTC)


def test_a_day_that_comes_again_every_year_does_not_expire() -> None:
    for text in ("My wedding anniversary is 12 June", "Mein Hochzeitstag ist am 12. Juni"):
        (found,) = read(text)
        assert (found.attribute, found.expires_at, found.stability) == ("date", None, Stability.STABLE)


def test_an_explicit_remember_matters_more() -> None:
    plain, asked = read("I live in Lisbon")[0], read("Remember that I live in Lisbon")[0]
    assert asked.importance > plain.importance


def test_what_no_pattern_reads_is_kept_as_a_note_when_asked() -> None:
    assert told("Remember that the spare key hangs behind the door") == [
        (USER, "note", "the spare key hangs behind the door")
    ]


def test_a_standing_order_is_only_proposed() -> None:
    (found,) = read("From now on, answer in short sentences")
    assert found.kind is Kind.RULE


def test_a_negated_like_is_never_a_like() -> None:
    for text in (
        "I don't like olives",
        "No me gusta el cilantro",
        "Je n'aime pas la coriandre",
        "Ich mag keinen Koriander",
        "Non mi piace il finocchio",
        "Não gosto de coentro",
        "Я не люблю оливки",
        "मुझे धनिया पसंद नहीं है",
        "我不喜欢香菜",
    ):
        assert {c.attribute for c in read(text)} <= {"dislikes", "avoids"}, text
        assert read(text), text


@pytest.mark.parametrize(
    "text",
    [
        "What is my dog called?",
        "If I lived in Rome I would be happy",
        "He said my name is Carlos",
        "Maybe I'm allergic to dust",
        "I'm not allergic to anything",
        "Let's pretend my name is Jack. I live on a ship.",
        "Write a poem about the sea",
        "Thanks, that helped a lot!",
        "My card is 4111 1111 1111 1111",
        "أعيش في القاهرة",
        "",
        "   \n ",
        "?!.",
    ],
)
def test_nothing_is_made_of_what_states_nothing(text: str) -> None:
    assert read(text) == []


def test_a_statement_before_a_question_counts() -> None:
    assert told("I'm allergic to nuts, what can I eat in Thailand?") == [(USER, "allergy", "nuts")]


def test_an_answer_is_never_read() -> None:
    assert candidates(replace(said("My name is Ana"), role=Role.ASSISTANT)) == ()


def test_an_imported_message_keeps_its_origin() -> None:
    (found,) = candidates(replace(said("My name is Ana"), origin=Origin.IMPORTED))
    assert found.origin is Origin.IMPORTED


@pytest.mark.parametrize(
    ("text", "language"),
    [("Ich heiße Anna", "de"), ("Меня зовут Анна", "ru"), ("我叫小明", "zh"), ("मेरा नाम अनिल है", "hi")],
)
def test_a_fact_keeps_the_language_it_was_said_in(text: str, language: str) -> None:
    (found,) = read(text)
    assert (found.language, found.text) == (language, text)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("What is my dog called?", ("dog", "name")),
        ("what's my name?", (USER, "name")),
        ("Where do I live?", (USER, "home")),
        ("Wie heißt meine Katze?", ("cat", "name")),
        ("¿Cómo se llama mi perro?", ("dog", "name")),
        ("Comment s'appelle mon lapin ?", ("rabbit", "name")),
        ("Как зовут мою собаку?", ("dog", "name")),
        ("मेरे कुत्ते का नाम क्या है?", ("dog", "name")),
        ("我的狗叫什么？", ("dog", "name")),
        ("what is my favourite colour?", ("favourite colour", "value")),
    ],
)
def test_a_question_names_the_slot_it_asks_for(text: str, slot: tuple[str, str]) -> None:
    assert slot in named_slots(text)


def test_small_talk_names_no_slot() -> None:
    assert named_slots("How are you?") == ()


@pytest.mark.parametrize(
    "text",
    [
        "What do you know about me?",
        "Was weißt du über mich?",
        "¿Qué sabes de mí?",
        "Que sais-tu de moi ?",
        "Что ты знаешь обо мне?",
        "तुम मेरे बारे में क्या जानते हो?",
        "你知道我的哪些事？",
    ],
)
def test_asking_for_everything_is_recognised(text: str) -> None:
    assert asks_for_listing(text)


def test_asking_about_somebody_else_is_no_listing() -> None:
    assert not asks_for_listing("What do you know about Lisbon?")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Please forget that I live in Lisbon", "I live in Lisbon"),
        ("Forget about my dog", "my dog"),
        ("Vergiss bitte, dass ich in Köln wohne", "ich in Köln wohne"),
        ("Olvida que vivo en Vigo", "vivo en Vigo"),
        ("Забудь, что я живу в Твери", "я живу в Твери"),
    ],
)
def test_a_request_to_forget_is_handed_on_in_the_users_words(text: str, what: str) -> None:
    assert forget_requests(said(text)) == (what,)
    assert read(text) == []


def test_a_quoted_request_to_forget_is_not_the_users() -> None:
    assert forget_requests(said("> forget that I live in Lisbon")) == ()
