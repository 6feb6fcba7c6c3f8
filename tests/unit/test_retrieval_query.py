from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.retrieval.intent import asks_for_advice, asks_for_latest, is_only_questions, leans_on_previous
from memory.retrieval.period import find_period
from memory.retrieval.query import match_expression, named_in, parse, search_terms, without_names
from memory.retrieval.stems import split, stem, stems

NOW = datetime(2025, 6, 15, 12, tzinfo=UTC)


def looked_for(text: str) -> list[str]:
    return [term.text for term in parse(text, NOW).terms]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is my dog called?", ["dog", "called"]),
        ("Wie heißt mein Hund?", ["heißt", "hund"]),
        ("¿Dónde vive mi hermana?", ["vive", "hermana"]),
        ("Comment s'appelle mon chien ?", ["appelle", "chien"]),
        ("मेरे कुत्ते का नाम क्या है?", ["कुत्ते", "नाम"]),
    ],
)
def test_question_words_are_left_out(text: str, expected: list[str]) -> None:
    assert looked_for(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "hello!",
        "Good morning",
        "thanks, see you tomorrow",
        "ok",
        "",
        "   ",
        "😀😀",
        "?!",
        "你好",
        "谢谢",
        "Danke!",
        "привет",
    ],
)
def test_small_talk_looks_for_nothing(text: str) -> None:
    assert parse(text, NOW).is_empty


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who is Bo?", ["bo"]),
        ("What did Will say about Sue?", ["will", "sue"]),
        ("Where does May live?", ["may", "live"]),
        ("Is Don's brother older?", ["don", "brother", "older"]),
        ("What do I think of C++?", ["c"]),
        ("do i use c#", ["use", "c"]),
        ("What is my IT password?", ["it", "password"]),
        ("Was sagt Sue?", ["sagt", "sue"]),
    ],
)
def test_a_name_spelled_like_a_common_word_is_looked_for(text: str, expected: list[str]) -> None:
    assert looked_for(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Can I do it? Will you? Don't you?",
        "and Don't you",
        "WHAT WILL IT BE",
        "What Will It Be",
        "Was sagen Sie dazu, und was du?",
        "ja, Guten Morgen",
        "many Thanks",
        "who is sue",
    ],
)
def test_a_capital_letter_that_is_manners_makes_no_name(text: str) -> None:
    assert not {"will", "don", "it", "sie", "morgen", "thanks", "sue"} & set(looked_for(text))


def test_a_month_in_a_time_expression_is_no_name() -> None:
    assert looked_for("Where did I travel in May?") == ["travel"]


def test_a_known_subject_needs_no_capital_letter_unless_it_is_an_everyday_word() -> None:
    assert [term.text for term in parse("who is sue", NOW, (), ["sue"]).terms] == ["sue"]
    assert parse("what will it be", NOW, (), ["will"]).is_empty


def test_an_irregular_form_is_looked_for_as_well() -> None:
    (term,) = [one for one in parse("what did Tom buy", NOW).terms if one.text == "buy"]
    assert ("bought",) in term.phrases


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Where is order A-1234?", "a 1234"),
        ("what about /etc/hosts", "etc hosts"),
        ("my number +49 170 1234567", "49 170 1234567"),
        ("ERR_CONN_RESET again", "err conn reset"),
    ],
)
def test_an_identifier_is_one_phrase(text: str, phrase: str) -> None:
    assert phrase in [" ".join(*term.phrases) for term in parse(text, NOW).identifiers]


def test_a_single_han_character_between_common_ones_is_a_word() -> None:
    assert "狗" in looked_for("我的狗叫什么名字？")


def test_user_text_never_leaves_its_quotes() -> None:
    match = match_expression(parse('a" OR x* NEAR(b) -c {text}: "quoted', NOW).terms)
    assert all(part.count('"') == 2 for part in match.split(" OR "))


def test_the_names_of_subjects_leave_the_text_to_embed() -> None:
    assert without_names("When did Caroline's dog run?", {"caroline"}) == "When did dog run?"
    assert without_names("Caroline?", {"caroline"}) == "Caroline?"


def test_a_subject_of_two_words_needs_both() -> None:
    asked = parse("what does cat Olive eat", NOW).words
    assert named_in("cat olive", asked)
    assert not named_in("cat olive", parse("what does my cat eat", NOW).words)
    assert not named_in("", asked)


def test_a_leaning_message_takes_the_named_things_along() -> None:
    query = parse("and her birthday?", NOW, ("My sister Anna lives in Oslo.",))
    assert query.leans
    assert {term.text for term in query.terms} >= {"birthday", "anna"}
    assert "Anna" in query.embed


def test_a_leaning_message_takes_a_name_along_that_looks_common() -> None:
    query = parse("and his birthday?", NOW, ("I was at the lake with Don, who can swim by now.",))
    assert {term.text for term in query.terms} == {"birthday", "don"}


def test_a_message_that_stands_alone_takes_nothing_along() -> None:
    query = parse("What is the name of my dentist in Hamburg?", NOW, ("My sister Anna lives in Oslo.",))
    assert not query.leans
    assert "anna" not in {term.text for term in query.terms}


def test_the_users_own_search_looks_for_any_word() -> None:
    assert [term.text for term in search_terms("hello")] == ["hello"]
    assert [term.text for term in search_terms("我")] == ["我"]


@pytest.mark.parametrize(
    "text",
    [
        "Can you recommend a restaurant?",
        "What should I cook?",
        "Welches Buch empfiehlst du mir? Tipps?",
        "有什么推荐吗",
    ],
)
def test_asking_for_advice_is_seen(text: str) -> None:
    assert asks_for_advice(text)


@pytest.mark.parametrize("text", ["What is my dog called?", "When did I move?", "Wo wohne ich?"])
def test_asking_for_a_fact_is_not_asking_for_advice(text: str) -> None:
    assert not asks_for_advice(text)


def test_asking_for_the_present_is_seen() -> None:
    assert asks_for_latest("Where do I live now?")
    assert not asks_for_latest("Where did I live in 2019?")


def test_a_message_that_only_asks_states_nothing() -> None:
    assert is_only_questions("What is my dog called? And my cat?")
    assert not is_only_questions("My dog is called Biscuit. And yours?")
    assert not is_only_questions("")


def test_pointing_words_lean() -> None:
    assert leans_on_previous("What about him?")
    assert not leans_on_previous("hello")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("what did I do in March?", "2025-03-01", "2025-04-01"),
        ("what happened in December", "2024-12-01", "2025-01-01"),
        ("on 7 May 2023", "2023-05-07", "2023-05-08"),
        ("October 13, 2023", "2023-10-13", "2023-10-14"),
        ("am 3. März 2024", "2024-03-03", "2024-03-04"),
        ("2024-02-29 entry", "2024-02-29", "2024-03-01"),
        ("last summer", "2024-06-01", "2024-09-01"),
        ("in 2023", "2023-01-01", "2024-01-01"),
        ("yesterday", "2025-06-14", "2025-06-15"),
        ("last month", "2025-05-01", "2025-06-01"),
        ("last year", "2024-01-01", "2025-01-01"),
        ("2024年3月", "2024-03-01", "2024-04-01"),
        ("what did I say on 20 June?", "2024-06-20", "2024-06-21"),
        ("what did I say on Monday?", "2025-06-09", "2025-06-10"),
        ("what did we do last Sunday?", "2025-06-08", "2025-06-09"),
        ("last weekend", "2025-06-07", "2025-06-09"),
        ("what did I do last night?", "2025-06-14", "2025-06-15"),
        ("this week", "2025-06-09", "2025-06-16"),
        ("a couple of weeks ago", "2025-05-29", "2025-06-04"),
        ("in March last year", "2024-03-01", "2024-04-01"),
        ("summer of 2023", "2023-06-01", "2023-09-01"),
        ("vor zwei Wochen", "2025-05-29", "2025-06-04"),
        ("Was habe ich am Montag gesagt?", "2025-06-09", "2025-06-10"),
        ("im vergangenen Jahr", "2024-01-01", "2025-01-01"),
        ("el verano pasado", "2024-06-01", "2024-09-01"),
        ("en el verano de 2023", "2023-06-01", "2023-09-01"),
        ("hace tres días", "2025-06-11", "2025-06-13"),
        ("el lunes pasado", "2025-06-09", "2025-06-10"),
        ("Qu'ai-je dit hier ?", "2025-06-14", "2025-06-15"),
        ("l’été dernier", "2024-06-01", "2024-09-01"),
        ("il y a deux semaines", "2025-05-29", "2025-06-04"),
        ("la settimana scorsa", "2025-06-01", "2025-06-15"),
        ("l'anno scorso", "2024-01-01", "2025-01-01"),
        ("no mês passado", "2025-05-01", "2025-06-01"),
        ("no verão passado", "2024-06-01", "2024-09-01"),
        ("прошлым летом", "2024-06-01", "2024-09-01"),
        ("две недели назад", "2025-05-29", "2025-06-04"),
        ("मैंने कल क्या कहा था?", "2025-06-14", "2025-06-15"),
        ("पिछले महीने", "2025-05-01", "2025-06-01"),
        ("जुलाई में", "2024-07-01", "2024-08-01"),
        ("我上个月买了什么", "2025-05-01", "2025-06-01"),
        ("去年3月", "2024-03-01", "2024-04-01"),
        ("去年夏天", "2024-06-01", "2024-09-01"),
        ("三天前", "2025-06-11", "2025-06-13"),
        ("三月", "2025-03-01", "2025-04-01"),
        ("上周一", "2025-06-02", "2025-06-03"),
        ("一昨日", "2025-06-13", "2025-06-14"),
        ("先週の月曜日", "2025-06-02", "2025-06-03"),
        ("2주 전", "2025-05-29", "2025-06-04"),
        ("3월에", "2025-03-01", "2025-04-01"),
        ("작년 여름", "2024-06-01", "2024-09-01"),
        ("เมื่อวาน", "2025-06-14", "2025-06-15"),
    ],
)
def test_a_time_expression_is_a_range(text: str, start: str, end: str) -> None:
    found = find_period(text, NOW)
    assert found is not None
    period = found[0]
    assert found[1] in text.lower()
    assert (f"{period.start:%Y-%m-%d}", f"{period.end:%Y-%m-%d}") == (start, end)
    assert period.holds(period.start)
    assert not period.holds(period.end)
    assert not period.holds(None)


@pytest.mark.parametrize(
    "text",
    [
        "may I ask you something",
        "March on!",
        "call 2024",
        "13月",
        "in 9999-99",
        "hello",
        "See you on Monday",
        "Did I say what I do next Monday?",
        "Was steht hier?",
        "कल क्या करूँ?",
        "कलम कहाँ है?",
        "三个月",
        "a segunda vez",
        "there was no winter coat",
    ],
)
def test_no_time_expression_is_no_range(text: str) -> None:
    assert find_period(text, NOW) is None


def test_a_stem_is_what_the_index_keeps() -> None:
    assert stem("running") == "run"
    assert stem("cafés") == "cafe"
    assert stem("!") == ""
    assert stems("Dogs, dog's DOG") == {"dog", "s"}
    assert split("Don't पानी") == ["don", "t", "पानी"]
