from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from memory import distil
from memory.records import Message, Origin, Role

NOON = datetime(2026, 3, 11, 12, 0, tzinfo=UTC)


def said(text: str, role: Role = Role.USER) -> Message:
    return Message("m", "default", "c", None, role, text, NOON)


def answer(quote: str, value: str, *, subject: str = "user", attribute: str = "likes") -> str:
    entry = {"quote": quote, "subject": subject, "attribute": attribute, "value": value}
    return json.dumps({"facts": [entry]})


def test_a_sound_proposal_passes_every_check() -> None:
    message = said("we go hiking every Sunday")
    (proposal,) = distil.parse_facts(
        answer("we go hiking every Sunday", "hiking every Sunday", attribute="hobby"), message
    )
    assert proposal.refused is None
    assert proposal.candidate.origin is Origin.INFERRED
    assert message.text[proposal.candidate.start : proposal.candidate.end] == proposal.candidate.quote


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("we go hiking", answer("we go sailing", "sailing")),
        ("we go hiking", answer("we go hiking", "sailing")),
        ("do I like olives?", answer("I like olives", "olives")),
        ("if I had a boat I'd sail", answer("if I had a boat I'd sail", "boat")),
        ('she wrote: "I love olives a lot"', answer("I love olives a lot", "olives")),
        ("write about how I love olives", answer("I love olives", "olives")),
        ("I don't like olives", answer("I don't like olives", "olives")),
        ("Elon Musk bought Twitter", answer("Elon Musk bought Twitter", "Twitter", subject="Elon Musk")),
        ("my boss bought Twitter", answer("bought Twitter", "Twitter", subject="Twitter", attribute="name")),
        (
            "das Buch ist von 1925",
            answer("das Buch ist von 1925", "1925", subject="Buch", attribute="origin"),
        ),
        ("my password is hunter2", answer("my password is hunter2", "hunter2", attribute="value")),
    ],
)
def test_an_unsound_proposal_is_refused(text: str, reply: str) -> None:
    proposals = distil.parse_facts(reply, said(text))
    assert proposals
    assert all(proposal.refused for proposal in proposals)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "[]",
        "{}",
        '{"facts": 3}',
        '{"facts": [3, {"quote": 1}]}',
        answer("a", "a", attribute="rule"),
        answer("", ""),
    ],
)
def test_an_answer_of_another_shape_holds_nothing(reply: str) -> None:
    assert distil.parse_facts(reply, said("a")) == ()


def test_a_model_never_sets_its_own_confidence() -> None:
    reply = json.loads(answer("I love olives", "olives"))
    reply["facts"][0]["confidence"] = 1.0
    (proposal,) = distil.parse_facts(json.dumps(reply), said("I love olives"))
    assert proposal.candidate.confidence < 0.9


def test_only_larger_models_may_write_without_asking() -> None:
    assert not distil.keeps_proposals(494_000_000)
    assert distil.keeps_proposals(1_540_000_000)
    assert not distil.keeps_proposals(None)


def test_the_prompt_holds_neither_secrets_nor_quoted_text() -> None:
    prompt = distil.facts_prompt(said("my pin is 4821\n> my name is Mallory\nI like olives"))
    assert "4821" not in prompt[-1].text
    assert "Mallory" not in prompt[-1].text
    assert "olives" in prompt[-1].text


def test_the_examples_obey_the_schema() -> None:
    listed = distil.FACTS_SCHEMA["properties"]["facts"]["items"]["properties"]["attribute"]["enum"]
    for message in distil.facts_prompt(said("hello")):
        if message.role == "assistant":
            assert all(entry["attribute"] in listed for entry in json.loads(message.text)["facts"])


def test_the_schemas_are_plain_json() -> None:
    for schema in (distil.FACTS_SCHEMA, distil.SUMMARY_SCHEMA):
        assert json.loads(json.dumps(schema)) == schema


def test_a_summary_keeps_only_names_and_numbers_of_the_transcript() -> None:
    transcript = "user: we fly to Oslo on the 4th with Ingrid"
    worded = "The user flies to Oslo with Ingrid. The hotel is called Grand Bergen. They pay 900 euros."
    assert distil.supported(worded, transcript) == "The user flies to Oslo with Ingrid."


def test_a_summary_of_another_shape_is_empty() -> None:
    assert distil.parse_summary("nope", [said("a")]) == ("", "")
    assert distil.parse_summary("[]", [said("a")]) == ("", "")


def test_a_sound_summary_is_returned() -> None:
    reply = json.dumps({"title": "Trip to Oslo", "summary": "The user plans a trip to Oslo."})
    assert distil.parse_summary(reply, [said("help me plan Oslo")]) == (
        "Trip to Oslo",
        "The user plans a trip to Oslo.",
    )
