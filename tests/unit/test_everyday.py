"""What people tell of their lives in a chat is read as what it says, of the one it is about, or not at all."""

from __future__ import annotations

import pytest
from eval.write_path import Ledger

from memory.records import Ignore, Review

Said = tuple[str, str, str]


def read(*texts: str, asked: str = "") -> list[Said]:
    """Return what the last text adds after the others."""
    ledger = Ledger()
    for text in texts[:-1]:
        ledger.say(text)
    decided = ledger.say(texts[-1], asked=asked)
    return [(c.subject, c.attribute, c.value) for c, d in decided if not isinstance(d, Ignore | Review)]


@pytest.mark.parametrize(
    "text", ["Ich bin Kölner", "Ich bin Optimist", "Ich bin Einzelkind", "Ich bin beim Arzt"]
)
def test_a_german_noun_is_no_name(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ich bin Ärztin", ("user", "role", "Ärztin")),
        ("Mein Bruder ist Koch", ("brother", "role", "Koch")),
        ("Hallo, ich bin Peter", ("user", "name", "Peter")),
        ("Hallo, ich bin Lehrer", ("user", "role", "Lehrer")),
    ],
)
def test_a_german_job_is_a_role_and_a_name_follows_a_greeting(text: str, said: Said) -> None:
    assert read(text) == [said]


def test_what_a_wife_also_does_is_hers() -> None:
    assert read("Ma femme est infirmière et habite à Lyon.") == [
        ("wife", "role", "infirmière"),
        ("wife", "home", "Lyon"),
    ]
    assert all(subject != "user" for subject, _, _ in read("My wife is a nurse and work in Leeds"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("犬を飼っています。名前はポチです", ("dog", "name", "ポチ")),
        ("We have a dog. His name is Rex", ("dog", "name", "Rex")),
        ("Tenemos un perro, se llama Rex", ("dog", "name", "Rex")),
        ("abbiamo un gatto, si chiama Micio", ("cat", "name", "Micio")),
    ],
)
def test_a_name_after_an_animal_is_the_animals(text: str, said: Said) -> None:
    assert said in read(text)
    assert not any(subject == "user" and attribute == "name" for subject, attribute, _ in read(text))


def test_animals_named_in_passing_are_told_apart() -> None:
    assert read("I have two cats, Miso and Tofu, and they hate each other") == [
        ("cat Miso", "name", "Miso"),
        ("cat Tofu", "name", "Tofu"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I don't live in Ghent any more, I'm in Leeds now", ("user", "home", "Leeds")),
        ("Ya no vivo en Lugo, ahora estoy en Vigo", ("user", "home", "Vigo")),
        ("Je bosse plus chez Orange, maintenant je suis chez Doctolib", ("user", "employer", "Doctolib")),
        ("Non abito più a Lecce, adesso sono a Bari", ("user", "home", "Bari")),
        ("Я больше не живу в Твери, теперь в Туле", ("user", "home", "Туле")),
    ],
)
def test_what_follows_an_end_takes_its_place(text: str, said: Said) -> None:
    assert said in read(text)


@pytest.mark.parametrize(
    "text", ["Ahora estoy en Vigo", "Maintenant je suis chez Marie", "Adesso sono a Bari"]
)
def test_being_somewhere_now_is_no_home_by_itself(text: str) -> None:
    assert not any(attribute in ("home", "employer") for _, attribute, _ in read(text))


def test_the_end_of_what_never_held_changes_nothing() -> None:
    assert read("I live in Leeds", "I left Barclays in May") == []
    assert read("I live in Leeds", "I don't live in Paris any more") == []
    assert read("I live in Leeds", "I don't live in Leeds any more") != []


def test_a_french_negation_without_its_first_word_is_one() -> None:
    assert read("J'aime pas le fromage") == [("user", "dislikes", "fromage")]
    assert read("Je suis végétarienne", "je suis plus végétarienne") == [
        ("user", "diet", "je suis plus végétarienne")
    ]


@pytest.mark.parametrize("text", ["I'm Ana 😊", "I'm Ana :D", "I'm Ana, nice to meet you!"])
def test_faces_and_greetings_around_a_statement_say_nothing(text: str) -> None:
    assert read(text) == [("user", "name", "Ana")]


def test_a_list_of_likes_ends_where_a_habit_begins() -> None:
    assert read("me encanta el senderismo, salgo cada domingo")[0] == ("user", "likes", "senderismo")
    assert ("user", "likes", "别啰嗦") not in read("我比较喜欢简短的回答，别啰嗦")


@pytest.mark.parametrize(
    ("asked", "answer", "said"),
    [
        ("Freut mich! Und wo wohnst du denn?", "in Ulm", ("user", "home", "Ulm")),
        ("Wie heißt dein Hund?", "Keks", ("dog", "name", "Keks")),
        ("¿Tienes alergias?", "sí, a las nueces", ("user", "allergy", "nueces")),
        ("¿A qué te dedicas?", "enfermera", ("user", "role", "enfermera")),
        ("Tu as des allergies ?", "oui, aux noix", ("user", "allergy", "noix")),
        ("Comment s'appelle ta chienne ?", "Olive", ("dog", "name", "Olive")),
        ("Dove lavori?", "alla Fiat", ("user", "employer", "Fiat")),
        ("Quanti anni hai?", "34", ("user", "age", "34")),
        ("Onde você mora?", "Curitiba", ("user", "home", "Curitiba")),
        ("Como se chama o seu cachorro?", "Biscoito", ("dog", "name", "Biscoito")),
    ],
)
def test_a_short_answer_becomes_a_statement_in_its_language(asked: str, answer: str, said: Said) -> None:
    assert read(answer, asked=asked) == [said]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Hast du Allergien?", "nein"),
        ("Wollen wir weitermachen?", "ja gern"),
        ("¿Quieres otra versión?", "la segunda"),
        ("Tu veux continuer ?", "oui, le deuxième"),
        ("Vuoi altro?", "un caffè"),
        ("Você quer continuar?", "sim, o segundo"),
    ],
)
def test_answers_to_other_questions_are_not_kept(asked: str, answer: str) -> None:
    assert read(answer, asked=asked) == []


def test_short_quotations_with_elisions_are_somebody_elses() -> None:
    assert read("« J'habite à Rome », elle est correcte cette phrase ?") == []
