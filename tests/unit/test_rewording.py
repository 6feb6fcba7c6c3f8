"""Clauses are read in a plainer wording and kept in the user's own."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.cues.message import candidates
from memory.cues.rewording import as_first_person, asks_a_puzzle, mentioned, plain, split_up
from memory.patterns import reader
from memory.records import Candidate, Message, Role

NOON = datetime(2026, 3, 11, 12, 0, tzinfo=UTC)


def read(text: str) -> tuple[Candidate, ...]:
    return candidates(Message("m", "default", "c", None, Role.USER, text, NOON))


def said(text: str) -> list[tuple[str, str, str]]:
    return [(c.subject, c.attribute, c.value) for c in read(text)]


@pytest.mark.parametrize(
    ("code", "text", "plainly"),
    [
        ("en", "im into chess", "I'm into chess"),
        ("en", "I've been living in Ghent", "I'm living in Ghent"),
        ("en", "not a fan of raisins", "I'm not a fan of raisins"),
        ("de", "Ich hab Zöliakie", "Ich habe Zöliakie"),
        ("fr", "Je supporte pas le bruit", "je déteste le bruit"),
        ("ja", "私たちは京都に住んでいます", "私は京都に住んでいます"),
    ],
)
def test_a_chatty_clause_is_read_in_full_words(code: str, text: str, plainly: str) -> None:
    assert plain(text, reader(code)) == plainly


def test_what_is_kept_is_how_it_was_said() -> None:
    (candidate,) = read("Seafood isn't my thing")
    assert (candidate.attribute, candidate.value) == ("dislikes", "Seafood")
    assert candidate.text == candidate.quote == "Seafood isn't my thing"


def test_what_is_said_of_a_relative_is_read_as_they_would_say_it() -> None:
    text = "My dad has asthma"
    assert ("My dad has ", "I have ", "asthma") in [
        parts[:3] for parts in as_first_person(text, reader("en"))
    ]
    assert said(text) == [("father", "condition", "asthma")]


def test_a_pronoun_means_the_relative_just_spoken_of() -> None:
    text = "I need a gift for my mom, she loves gardening and lives in Tucson"
    assert mentioned(text, reader("en")) == ["mother"]
    assert said(text) == [("mother", "likes", "gardening"), ("mother", "home", "Tucson")]


def test_an_introduction_holds_several_statements() -> None:
    assert split_up("I'm Aisha, 29, a baker from Leeds", reader("en")) == [
        "I'm Aisha",
        "I'm 29",
        "I'm a baker",
        "I'm from Leeds",
    ]
    assert split_up("I'm from Leeds", reader("en")) == []


def test_the_people_of_a_sum_are_made_up() -> None:
    text = "Tom works at a bakery and sells 40 loaves a day. How many in a week?"
    assert asks_a_puzzle(text, reader("en"))
    assert said(text) == []
    assert not asks_a_puzzle("How many pets do I have?", reader("en"))


def test_a_place_of_work_is_no_employer() -> None:
    assert said("I work as a nurse in Leipzig") == [("user", "role", "nurse")]
    assert said("I work as a nurse at Charité") == [
        ("user", "role", "nurse"),
        ("user", "employer", "Charité"),
    ]
    assert said("Ich arbeite als Koch in Halle") == [("user", "role", "Koch")]


def test_a_stranger_s_birthplace_is_general_knowledge() -> None:
    assert said("Einstein was born in Ulm") == []


def test_people_in_general_are_not_the_user() -> None:
    assert said("Most people hate Mondays") == said("Muchos españoles odian madrugar") == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("私の名前は健太です", ("user", "name", "健太")),
        ("大阪に住んでいます", ("user", "home", "大阪")),
        ("そばアレルギーがあります", ("user", "allergy", "そば")),
        ("パクチーが苦手です", ("user", "dislikes", "パクチー")),
        ("猫の名前はタマです", ("cat", "name", "タマ")),
        ("弟は東京で働いています", ("brother", "employer", "東京")),
    ],
)
def test_japanese_states_facts_without_saying_i(text: str, fact: tuple[str, str, str]) -> None:
    assert said(text) == [fact]


@pytest.mark.parametrize(
    "text", ["彼は医者です", "漱石は東京で生まれました", "二番目の方が好き", "どこに住んでいますか"]
)
def test_japanese_of_others_and_of_the_answer_is_left_alone(text: str) -> None:
    assert said(text) == []
