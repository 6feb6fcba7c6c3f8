"""What would be remembered: the write path on any text, with its reasons and without a trace."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.verbs.consider import consider_verb
from memory.considering import consider, question_of
from memory.errors import BadInput
from memory.records import Add, Confirm, Supersede
from memory.store.migrations import migrate
from memory.vault.ephemeral import open_ephemeral

NOW = datetime(2026, 3, 2, 10, tzinfo=UTC)


def judged(line: dict[str, Any]) -> Any:
    return consider(open_ephemeral(migrate), question_of(line, NOW))


def run(text: str) -> list[dict[str, Any]]:
    done = CliRunner().invoke(consider_verb, ["-"], input=text, standalone_mode=False)
    assert done.exception is None
    return [json.loads(line) for line in done.output.splitlines()]


def test_two_statements_are_two_decisions_with_their_quotes() -> None:
    done = judged({"text": "My dog is called Biscuit and I'm allergic to peanuts"})
    assert [type(one.decision) for one in done.decided] == [Add, Add]
    assert all(one.candidate.quote in done.text for one in done.decided)


def test_small_talk_is_no_decision() -> None:
    assert judged({"text": "Thanks, that was great!"}).decided == ()


def test_an_answer_is_read_with_the_question_it_was_given_to() -> None:
    asked = {"role": "assistant", "text": "Nice! What are your cats called?"}
    (one,) = judged({"text": "Waffle and Pickle", "context": [asked]}).decided
    assert one.candidate.text == "My cats are called Waffle and Pickle"
    assert judged({"text": "Waffle and Pickle"}).decided == ()


def test_a_known_value_is_superseded_and_named_as_it_was_given() -> None:
    known = {
        "id": "home-1",
        "text": "I live in Lisbon",
        "subject": "user",
        "attribute": "home",
        "value": "Lisbon",
    }
    done = judged({"text": "I moved to Porto", "existing": [known]})
    (one,) = done.decided
    assert isinstance(one.decision, Supersede)
    assert [done.existing[fact.id] for fact in one.superseded] == ["home-1"]


def test_what_is_known_as_a_plain_text_is_read_by_the_rules_too() -> None:
    done = judged({"text": "My dog is called Biscuit", "existing": ["My dog is called Biscuit"]})
    assert [type(one.decision) for one in done.decided] == [Confirm]


def test_a_pronoun_finds_its_subject_in_the_context() -> None:
    done = judged({"text": "Actually, he's called Waffle", "context": ["My dog is called Biscuit"]})
    (one,) = done.decided
    assert (one.candidate.subject, one.candidate.value) == ("dog", "Waffle")


def test_what_the_assistant_said_before_is_never_a_source() -> None:
    context = [{"role": "assistant", "text": "Your dog is called Rex"}]
    assert judged({"text": "ok, thanks", "context": context}).decided == ()


def test_one_store_serves_any_number_of_texts_and_keeps_none() -> None:
    db = open_ephemeral(migrate)
    for _ in range(3):
        done = consider(db, question_of({"text": "My cat is called Olive"}, NOW))
        assert [type(one.decision) for one in done.decided] == [Add]
    assert db.execute("SELECT count(*) FROM fact").fetchone() == (0,)
    assert db.execute("SELECT count(*) FROM message").fetchone() == (0,)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({}, '"text"'),
        ({"text": "x", "said_at": "noon"}, '"said_at"'),
        ({"text": "x", "context": 3}, '"context"'),
        ({"text": "x", "existing": [3]}, '"existing"'),
        ({"text": "  "}, "empty"),
    ],
)
def test_a_field_that_cannot_be_taken_is_named(line: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        question_of(line, NOW)


def test_a_bad_line_is_answered_in_its_place_and_the_others_are_judged() -> None:
    good = json.dumps({"text": "I live in Porto"})
    first, second, third = run(f"{good}\nnot json\n{good}\n")
    assert first["decisions"] == third["decisions"]
    assert first["decisions"][0]["value"] == "Porto"
    assert (second["line"], "JSON" in second["error"]) == (2, True)


def test_a_secret_is_named_by_its_kind_and_nothing_is_remembered_of_it() -> None:
    (done,) = run('{"text": "my card is 4111 1111 1111 1111"}')
    assert (done["decisions"], done["secrets"]) == ([], ["card number"])
    assert run('{"text": "I live in Lisbon"}')[0]["secrets"] == []
