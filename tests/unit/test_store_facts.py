import pytest
from builders import World, day, make_candidate, make_fact

from memory.records import (
    Cardinality,
    FactState,
    Kind,
    Origin,
    Stability,
)
from memory.store import (
    facts,
)

P = "default"


@pytest.fixture
def world() -> World:
    return World()


def test_a_fact_comes_back_as_it_was_kept(world: World) -> None:
    fact = make_fact(
        "f",
        "dog",
        "name",
        "Biscuit",
        kind=Kind.PREFERENCE,
        origin=Origin.INFERRED,
        state=FactState.SUPERSEDED,
        cardinality=Cardinality.MULTI,
        stability=Stability.SLOW,
        language="de",
        message="m",
        start=3,
        end=9,
        quote="Biscuit",
        confidence=0.75,
        importance=0.25,
        valid_from=day(1),
        valid_to=day(2),
        superseded_at=day(3),
        superseded_by="g",
        expires_at=day(4),
        confirmed_at=day(5),
        pinned=True,
        recalled=6,
        recalled_at=day(7),
        source="export:1",
        said_at=day(8),
    )
    facts.insert_fact(world.db, fact)
    assert facts.get_fact(world.db, P, "f") == fact
    assert facts.find_fact(world.db, "work", "f") is None


def test_the_store_itself_refuses_a_second_open_fact(world: World) -> None:
    facts.insert_fact(world.db, make_fact("a", "dog", "name", "Biscuit"))
    with pytest.raises(Exception, match="UNIQUE constraint failed"):
        facts.insert_fact(world.db, make_fact("b", "dog", "name", "Waffle"))


def test_a_value_is_found_however_it_is_written(world: World) -> None:
    facts.insert_fact(world.db, make_fact("a", "user", "home", "Lisbon"))
    facts.insert_fact(world.db, make_fact("b", "sister", "home", "Lisbon"))

    def found(value: str, **where: str) -> list[str]:
        return [fact.id for fact in facts.find_by_value(world.db, P, value, **where)]

    assert found(" LISBON.") == ["a", "b"]
    assert found("lisbon", subject="user") == ["a"]
    assert found("lisbon", subject="user", attribute="home") == ["a"]
    assert found("lisbon", attribute="origin") == []


def test_facts_are_listed_by_subject_with_the_user_first(world: World) -> None:
    for ident, subject, state in (
        ("1", "cat", FactState.ACTIVE),
        ("2", "user", FactState.ACTIVE),
        ("3", "cat", FactState.ARCHIVED),
    ):
        facts.insert_fact(
            world.db, make_fact(ident, subject, "name", ident, state=state, pinned=ident == "2")
        )

    def listed(**where: object) -> list[str]:
        return [fact.id for fact in facts.list_facts(world.db, P, **where)]  # type: ignore[arg-type]

    assert listed() == ["2", "1"]
    assert listed(states=None) == ["2", "1", "3"]
    assert listed(states=[FactState.ARCHIVED]) == ["3"]
    assert listed(subject="cat") == ["1"]
    assert listed(pinned=True) == ["2"]
    assert listed(states=None, limit=1, offset=1) == ["1"]


def test_use_is_counted(world: World) -> None:
    facts.insert_fact(world.db, make_fact("a", "user", "home", "Lisbon"))
    for number in (1, 2):
        facts.record_recalled(world.db, P, ["a", "gone"], day(number))
    fact = facts.get_fact(world.db, P, "a")
    assert (fact.recalled, fact.recalled_at) == (2, day(2))


def test_what_a_conversation_touched_last_comes_first(world: World) -> None:
    dog = world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    world.now = day(1)
    home = world.tell("I live in Porto", "user", "home", "Porto")
    elsewhere = world.say("I like jam", conversation="other")
    jam = world.decide(make_candidate("user", "likes", "jam"), message=elsewhere)

    def touched() -> list[str]:
        return [fact.id for fact in facts.facts_touched(world.db, P, "talk")]

    assert touched() == [home.id, dog.id]
    world.now = day(2)
    world.answer("With jam, for Biscuit?", str(jam.id), dog.id)
    assert touched() == [jam.id, dog.id, home.id]


def test_writes_are_counted_for_the_limits(world: World) -> None:
    world.tell("I live in Porto", "user", "home", "Porto")
    world.now = day(3)
    world.tell("I live in Faro", "user", "home", "Faro")
    world.decide(make_candidate("user", "age", "40"), actor="user")
    assert facts.count_writes(world.db, P, day(0)) == 2
    assert facts.count_writes(world.db, P, day(2)) == 1
    assert facts.count_writes(world.db, P, day(0), "other") == 0


def test_what_rests_on_a_message_is_found(world: World) -> None:
    fact = world.tell("I live in Porto", "user", "home", "Porto")
    assert facts.facts_resting_on(world.db, P, [str(fact.message)]) == [fact]
    assert facts.facts_with_ids(world.db, P, [fact.id, "gone"]) == [fact]
