"""What becomes of a candidate, reason by reason. More than 300 lines: one decision after the other."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memory import policy
from memory.records import (
    Add,
    Candidate,
    Cardinality,
    Confirm,
    Fact,
    FactState,
    Ignore,
    Kind,
    Merge,
    Message,
    Origin,
    Review,
    Role,
    Stability,
    Supersede,
)
from memory.secrets import Secret

THEN = datetime(2026, 3, 11, 12, 0, tzinfo=UTC)
LATER = THEN + timedelta(days=2)


def candidate(value: str = "Porto", *, attribute: str = "home", said_at: datetime = LATER) -> Candidate:
    text = f"I live in {value}"
    return Candidate(
        Kind.FACT, "user", attribute, value, text, text, 0, len(text), said_at=said_at, valid_from=said_at
    )


def several(value: str, attribute: str = "allergy") -> Candidate:
    return replace(candidate(value, attribute=attribute), cardinality=Cardinality.MULTI)


def fact(
    value: str = "Lisbon", *, attribute: str = "home", ident: str = "f1", since: datetime = THEN
) -> Fact:
    return Fact(
        id=ident,
        profile="default",
        subject="user",
        attribute=attribute,
        value=value,
        text=f"I live in {value}",
        kind=Kind.FACT,
        origin=Origin.USER_SAID,
        recorded_at=since,
        valid_from=since,
    )


def slot(*facts: Fact) -> policy.Neighbours:
    return policy.Neighbours(slot=facts)


def said(text: str) -> Message:
    return Message("m", "default", "c", None, Role.USER, text, THEN)


def test_the_first_statement_is_added() -> None:
    assert isinstance(policy.decide(candidate(), policy.Neighbours()), Add)


def test_the_same_again_is_confirmed() -> None:
    known = fact("Porto")
    assert policy.decide(candidate("porto!"), policy.Neighbours(same=(known,), slot=(known,))) == Confirm(
        "f1", "said again"
    )


def test_a_newer_value_closes_the_older_one() -> None:
    assert policy.decide(candidate(), slot(fact())) == Supersede(("f1",), "a newer value")


def test_an_older_statement_becomes_closed_history() -> None:
    old = candidate("Ghent", said_at=THEN - timedelta(days=9))
    decision = policy.decide(old, slot(fact()))
    assert decision == Add(policy.REASON_HISTORY)
    assert policy.closes_at(old, [fact()]) == THEN


def test_a_value_that_returns_supersedes_instead_of_confirming_history() -> None:
    past = replace(fact("Porto", ident="f0"), state=FactState.SUPERSEDED, valid_to=THEN)
    assert policy.decide(candidate(), policy.Neighbours(same=(past,), slot=(fact(),))) == Supersede(
        ("f1",), "a newer value"
    )


def test_fewer_of_the_same_words_are_merged() -> None:
    assert isinstance(policy.decide(candidate("Lisbon"), slot(fact("Lisbon, Portugal"))), Merge)


def test_more_exact_words_replace_the_shorter_ones() -> None:
    assert isinstance(policy.decide(candidate("Lisbon, Portugal"), slot(fact("Lisbon"))), Supersede)


def test_a_multi_valued_attribute_adds() -> None:
    assert isinstance(policy.decide(several("kiwi"), slot(fact("walnuts", attribute="allergy"))), Add)


def test_a_correction_that_names_a_value_closes_that_one_only() -> None:
    known = (fact("walnuts", attribute="allergy"), fact("kiwi", attribute="allergy", ident="f2"))
    named = replace(several("cashews"), is_correction=True, closes="walnuts")
    assert policy.decide(named, slot(*known)) == Supersede(("f1",), "you corrected this")


def test_a_new_job_replaces_the_only_one() -> None:
    new = replace(several("teacher", "role"), is_correction=True)
    assert isinstance(policy.decide(new, slot(fact("nurse", attribute="role"))), Supersede)


def test_a_new_job_among_several_is_asked() -> None:
    new = replace(several("teacher", "role"), is_correction=True)
    known = (fact("nurse", attribute="role"), fact("cook", attribute="role", ident="f2"))
    assert policy.decide(new, slot(*known)) == Review(policy.REASON_SEVERAL)


def test_a_change_of_heart_closes_the_opposite() -> None:
    turned = several("coriander", "dislikes")
    assert isinstance(policy.decide(turned, slot(fact("coriander", attribute="likes"))), Supersede)


def test_near_sentences_with_other_numbers_are_not_merged() -> None:
    new = replace(several("size 43", "value"), text="My shoe size is 43")
    known = replace(fact("size 42", attribute="value"), text="My shoe size is 42")
    near = policy.Neighbours(near=((known, 0.99),))
    assert isinstance(policy.decide(new, near), Add)


def test_near_sentences_of_opposite_polarity_are_not_merged() -> None:
    new = replace(several("fish", "note"), text="I don't mind fish")
    known = replace(fact("eat fish", attribute="note"), text="I mind fish")
    assert isinstance(policy.decide(new, policy.Neighbours(near=((known, 0.99),))), Add)


def test_a_pinned_fact_is_not_overwritten_silently() -> None:
    assert policy.decide(candidate(), slot(replace(fact(), pinned=True))) == Review(policy.REASON_PINNED)


def test_what_was_forgotten_stays_forgotten() -> None:
    assert policy.decide(candidate(), policy.Neighbours(tombstoned=True)) == Ignore(policy.REASON_FORGOTTEN)


def test_an_explicit_remember_of_something_forgotten_is_asked() -> None:
    asked = replace(candidate(), rule="remember:home")
    assert policy.decide(asked, policy.Neighbours(tombstoned=True)) == Review(policy.REASON_FORGOTTEN)


def test_what_was_rejected_for_good_is_ignored() -> None:
    assert policy.decide(candidate(), policy.Neighbours(rejected_always=True)) == Ignore(
        policy.REASON_REJECTED
    )


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"kind": Kind.RULE}, policy.REASON_RULE),
        ({"origin": Origin.DOCUMENT}, policy.REASON_NOT_YOURS),
        ({"origin": Origin.IMPORTED}, "imported"),
        ({"origin": Origin.INFERRED}, "proposed by a model"),
        ({"value": "administrator"}, policy.REASON_PERMISSION),
        ({"confidence": 0.3}, policy.REASON_UNSURE),
        ({"confidence": 0.3, "pronoun": True}, policy.REASON_UNBOUND),
    ],
)
def test_what_must_be_asked_is_asked(changed: dict[str, object], reason: str) -> None:
    assert policy.decide(replace(candidate(), **changed), policy.Neighbours()) == Review(reason)  # type: ignore[arg-type]


def test_trusted_models_and_imports_may_write() -> None:
    trusting = policy.Limits(keep_inferred=True, keep_imported=True)
    for origin in (Origin.INFERRED, Origin.IMPORTED):
        assert isinstance(
            policy.decide(replace(candidate(), origin=origin), policy.Neighbours(), trusting), Add
        )


def test_a_burst_goes_to_review_but_a_repetition_does_not() -> None:
    full = policy.Neighbours(writes_in_conversation=policy.WRITES_PER_CONVERSATION)
    assert policy.decide(candidate(), full) == Review(policy.REASON_BURST_CONVERSATION)
    assert isinstance(policy.decide(candidate("Lisbon"), replace(full, same=(fact(),))), Confirm)


def test_a_busy_day_goes_to_review() -> None:
    assert policy.decide(candidate(), policy.Neighbours(writes_today=60)) == Review(policy.REASON_BURST_DAY)


def test_values_compare_without_case_articles_plural_and_marks() -> None:
    assert policy.normalise("The  Peanuts!") == policy.normalise("peanut")
    assert policy.normalise("Москве") == policy.normalise("Москва")
    assert policy.normalise("ﬁsh") == "fish"
    assert policy.normalise("कमल") != policy.normalise("कमला")


def test_a_value_of_articles_only_is_kept() -> None:
    assert policy.normalise("The An") == "an"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C++", "C#"),
        ("C", "C++"),
        ("F", "F#"),
        ("A+", "A-"),
        ("O negative", "A negative"),
        ("vitamin A", "vitamin"),
        ("-5", "5"),
        ("50 %", "50 €"),
        (".NET", "net"),
    ],
)
def test_signs_that_make_another_thing_are_kept(one: str, other: str) -> None:
    assert policy.normalise(one) != policy.normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("50%", "50 %"),
        ("the C++ language", "C++ language"),
        ("*tea*", "tea"),
        ("rock 'n' roll", "rock n roll"),
    ],
)
def test_signs_that_only_dress_a_word_are_not(one: str, other: str) -> None:
    assert policy.normalise(one) == policy.normalise(other)


def test_the_slot_hash_tells_parts_apart() -> None:
    assert policy.slot_hash_input("p", "ab", "c", "d") != policy.slot_hash_input("p", "a", "bc", "d")
    assert policy.slot_hash(b"k", "p", "user", "home", "Lisbon") == policy.slot_hash(
        b"k", "p", "user", "home", "the lisbon"
    )
    assert policy.slot_hash(b"k", "p", "user", "home", "Lisbon") != policy.slot_hash(
        b"l", "p", "user", "home", "Lisbon"
    )


def test_the_timeline_follows_event_time() -> None:
    first, last = fact("A", ident="a", since=THEN), fact("B", ident="b", since=LATER)
    assert policy.timeline([last, first]) == (("a", LATER, "b"), ("b", None, None))


def test_importance_follows_from_how_it_was_said() -> None:
    plain = candidate()
    assert policy.importance(plain) == policy.IMPORTANCE_OTHER
    assert policy.importance(replace(plain, kind=Kind.CONSTRAINT)) == policy.IMPORTANCE_PREFERENCE
    assert policy.importance(replace(plain, rule="remember:note")) == policy.IMPORTANCE_REMEMBER
    assert policy.importance(replace(plain, is_correction=True)) == policy.IMPORTANCE_CORRECTION


def test_expiry_follows_stability_origin_and_the_plans_own_date() -> None:
    plain = candidate()
    assert policy.expiry(plain, LATER) is None
    assert policy.expiry(replace(plain, stability=Stability.VOLATILE), LATER) == LATER + timedelta(days=30)
    assert policy.expiry(replace(plain, origin=Origin.INFERRED), LATER) == LATER + timedelta(days=180)
    assert policy.expiry(replace(plain, expires_at=THEN), LATER) == THEN


def test_a_slow_fact_unconfirmed_for_long_is_tentative() -> None:
    slow = replace(fact(), stability=Stability.SLOW)
    assert policy.is_tentative(slow, THEN + timedelta(days=181))
    assert not policy.is_tentative(slow, THEN + timedelta(days=179))
    assert not policy.is_tentative(replace(slow, confirmed_at=LATER), THEN + timedelta(days=181))
    assert not policy.is_tentative(fact(), THEN + timedelta(days=999))


def test_confidence_grows_but_never_reaches_certainty() -> None:
    assert policy.confirmed_confidence(0.9) == pytest.approx(0.95)
    assert policy.confirmed_confidence(0.99) == 0.99


def test_a_sound_candidate_passes() -> None:
    assert policy.validate(candidate(), said("I live in Porto"), (), ()) is None


@pytest.mark.parametrize(
    ("changed", "foreign", "secrets"),
    [
        ({"quote": "I live in Rome"}, (), ()),
        ({"value": "Rome"}, (), ()),
        ({"value": "Porto 4000"}, (), ()),
        ({"value": "  "}, (), ()),
        ({"start": 3, "end": 3, "quote": ""}, (), ()),
        ({}, ((2, 5),), ()),
        ({}, (), (Secret(10, 15, "password"),)),
    ],
)
def test_an_unsound_candidate_is_refused(
    changed: dict[str, object], foreign: tuple[tuple[int, int], ...], secrets: tuple[Secret, ...]
) -> None:
    tampered = replace(candidate(), **changed)  # type: ignore[arg-type]
    assert policy.validate(tampered, said("I live in Porto"), foreign, secrets) is not None


def test_a_resolved_date_need_not_be_in_the_quote() -> None:
    assert policy.unsupported("Porto (2026-04-04)", "I live in Porto") == ()


def test_an_answers_words_never_become_a_fact() -> None:
    answer = replace(said("I live in Porto"), role=Role.ASSISTANT)
    assert policy.validate(candidate(), answer, (), ()) is not None


def test_what_is_known_already_is_not_asked_about_again() -> None:
    known = replace(fact("peanuts", attribute="allergy"), cardinality=Cardinality.MULTI, said_at=THEN)
    beside = policy.Neighbours(same=(known,), slot=(known,))
    proposed = replace(several("peanuts"), origin=Origin.INFERRED)
    assert policy.decide(replace(proposed, said_at=THEN), beside) == Ignore("known already")
    assert policy.decide(proposed, beside) == Confirm(known.id, "said again")
    for origin in (Origin.IMPORTED, Origin.DOCUMENT):
        assert policy.decide(replace(proposed, origin=origin), beside) == Ignore("known already")
    assert policy.decide(replace(proposed, value="kiwi"), beside) == Review("proposed by a model")
