"""Floors of the write path by rules alone, on a corpus written for it."""

from __future__ import annotations

from collections import Counter

import pytest
from eval.write_path import Ledger, rows

from memory import policy
from memory.languages import CODES
from memory.records import Ignore, Review
from memory.secrets import find_secrets, mask

EIGHT_WAYS = (
    "I'm allergic to peanuts",
    "I am allergic to peanuts!",
    "Just so you know, I'm allergic to peanuts.",
    "Remember that I'm allergic to peanuts",
    "I have a peanut allergy",
    "I've got an allergy to peanuts",
    "My allergy is peanuts",
    "Peanuts give me hives",
)


def test_the_rules_are_precise_and_find_what_was_said_plainly() -> None:
    right = extra = missing = 0
    for row in rows("write_corpus.jsonl"):
        ledger = Ledger()
        for line in row.get("before", ()):
            ledger.say(line)
        got = {
            (c.subject, c.attribute, policy.normalise(c.value), type(decision).__name__.lower())
            for c, decision in ledger.say(row["text"], asked=row.get("context", ""))
            if not isinstance(decision, Ignore)
        }
        wanted = {
            (w["subject"], w["attribute"], policy.normalise(w["value"]), w["decision"]) for w in row["expect"]
        }
        right, extra, missing = (
            right + len(got & wanted),
            extra + len(got - wanted),
            missing + len(wanted - got),
        )
    precision, recall = right / (right + extra), right / (right + missing)
    print(f"write path: precision {precision:.3f}, recall {recall:.3f}")
    assert precision >= 0.97
    assert recall >= 0.95


@pytest.mark.parametrize("code", CODES)
def test_what_states_nothing_stores_nothing_in_any_language(code: str) -> None:
    quiet = [row["text"] for row in rows("write_corpus.jsonl") if row["lang"] == code and not row["expect"]]
    loud = [
        text
        for text in quiet
        if any(not isinstance(decision, Ignore | Review) for _, decision in Ledger().say(text))
    ]
    assert len(quiet) >= 30
    assert len(loud) / len(quiet) <= 0.05, loud


@pytest.mark.parametrize("code", CODES)
def test_every_language_finds_most_of_what_is_said_plainly(code: str) -> None:
    found = wanted = 0
    for row in rows("write_corpus.jsonl"):
        if row["lang"] != code or row.get("before"):
            continue
        said = Ledger().say(row["text"], asked=row.get("context", ""))
        got = {(c.subject, c.attribute, policy.normalise(c.value)) for c, _ in said}
        want = {(w["subject"], w["attribute"], policy.normalise(w["value"])) for w in row["expect"]}
        found, wanted = found + len(got & want), wanted + len(want)
    assert found / wanted >= 0.9


def test_the_corpus_is_large_mixed_and_mostly_quiet() -> None:
    corpus = list(rows("write_corpus.jsonl"))
    assert len(corpus) >= 1600
    assert sum(not row["expect"] for row in corpus) / len(corpus) >= 0.4
    assert {row["lang"] for row in corpus} == set(CODES)


def test_poisoned_text_writes_nothing_outside_review() -> None:
    corpus = list(rows("poisoned.jsonl"))
    assert len(corpus) >= 140
    for row in corpus:
        text = row["text"]
        decided = Ledger().say(text, pasted=((0, len(text)),) if row["pasted"] else ())
        assert [c for c, decision in decided if not isinstance(decision, Review | Ignore)] == [], text


def test_no_secret_is_stored_and_no_daily_number_is_masked() -> None:
    corpus = list(rows("secrets.jsonl"))
    assert sum(row["kind"] is not None for row in corpus) >= 170
    for row in corpus:
        text, found = row["text"], find_secrets(row["text"])
        assert (row["kind"] in {secret.kind for secret in found}) if row["kind"] else not found, text
        for candidate, _ in Ledger().say(text):
            for secret in found:
                assert (
                    text[secret.start : secret.end]
                    not in f"{candidate.text} {candidate.value} {candidate.quote}"
                )
        assert not found or all(text[s.start : s.end] not in (mask(text) or "") for s in found), text


def test_the_same_fact_said_eight_ways_is_one() -> None:
    ledger = Ledger()
    for line in EIGHT_WAYS:
        assert ledger.say(line), line
    assert Counter(fact.attribute for fact in ledger.current) == {"allergy": 1}


def test_recalled_facts_said_back_do_not_grow_the_store() -> None:
    ledger = Ledger()
    for line in (
        "My dog is called Pickle",
        "I live in Ghent",
        "I'm allergic to walnuts and kiwi",
        "I prefer tea over coffee",
    ):
        ledger.say(line)
    before = len(ledger.facts)
    for turn in range(50):
        ledger.say(ledger.facts[turn % before].text)
    assert len(ledger.facts) == before


def test_a_hundred_turns_of_small_talk_store_nothing() -> None:
    quiet = [row["text"] for row in rows("write_corpus.jsonl") if not row["expect"]]
    ledger = Ledger()
    for line in quiet[:100]:
        ledger.say(line)
    assert len(quiet) >= 100
    assert (ledger.facts, ledger.reviews) == ([], [])


@pytest.mark.parametrize("code", CODES)
def test_every_language_keeps_a_name_and_a_home(code: str) -> None:
    kept = [
        {want["attribute"] for want in row["expect"]}
        for row in rows("write_corpus.jsonl")
        if row["lang"] == code and row["expect"]
    ]
    assert {"name", "home"} <= set().union(*kept)
