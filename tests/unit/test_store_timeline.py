from datetime import datetime

import pytest
from builders import World, day, make_candidate, multi

from memory.records import (
    Add,
    FactState,
    Supersede,
)
from memory.store.facts import find_slot, get_fact


@pytest.fixture
def world() -> World:
    return World()


def timeline(world: World, subject: str, attribute: str) -> list[tuple[str, datetime | None]]:
    return [(fact.value, fact.valid_to) for fact in find_slot(world.db, world.profile, subject, attribute)]


def test_an_older_statement_never_replaces_a_newer_one(world: World) -> None:
    newer = world.tell("I live in Porto", "user", "home", "Porto", said_at=day(10))
    decided = world.decide(make_candidate("user", "home", "Lisbon", said_at=day(2)), message=world.say("x"))
    assert world.believed("user", "home") == ["Porto"]
    old = get_fact(world.db, world.profile, str(decided.id))
    assert old.state is FactState.SUPERSEDED
    assert (old.valid_from, old.valid_to, old.superseded_by) == (day(2), day(10), newer.id)
    assert decided.superseded == ()
    assert isinstance(decided.decision, Add)


def test_a_statement_between_two_others_takes_its_place(world: World) -> None:
    for number, value in ((1, "Lisbon"), (9, "Faro"), (5, "Porto")):
        world.decide(make_candidate("user", "home", value, said_at=day(number)))
    assert timeline(world, "user", "home") == [("Lisbon", day(5)), ("Porto", day(9)), ("Faro", None)]


def test_a_value_taken_again_has_two_spells(world: World) -> None:
    for number, value in ((1, "Lisbon"), (5, "Porto"), (9, "Lisbon")):
        world.decide(make_candidate("user", "home", value, said_at=day(number)))
    assert timeline(world, "user", "home") == [("Lisbon", day(5)), ("Porto", day(9)), ("Lisbon", None)]


def test_an_older_statement_of_the_present_value_moves_its_beginning(world: World) -> None:
    world.decide(make_candidate("user", "home", "Lisbon", said_at=day(9)))
    world.decide(make_candidate("user", "home", "Lisbon", said_at=day(2)))
    (fact,) = find_slot(world.db, world.profile, "user", "home")
    assert (fact.said_at, fact.valid_from, fact.confirmed_at) == (day(2), day(2), day(9))


def test_an_older_statement_does_not_bring_back_what_was_archived(world: World) -> None:
    fact = world.tell("I live in Porto", "user", "home", "Porto", said_at=day(10))
    world.db.execute("UPDATE fact SET state = 'archived' WHERE id = ?", [fact.id])
    world.decide(make_candidate("user", "home", "Lisbon", said_at=day(2)))
    assert world.believed("user", "home") == []


def test_the_world_time_of_a_change_closes_the_old_fact(world: World) -> None:
    world.tell("I live in Lisbon", "user", "home", "Lisbon")
    world.now = day(30)
    world.tell("I moved to Porto in January", "user", "home", "Porto", valid_from=day(12))
    assert timeline(world, "user", "home") == [("Lisbon", day(12)), ("Porto", None)]


def test_a_fact_never_ends_before_it_began(world: World) -> None:
    world.tell("I live in Lisbon", "user", "home", "Lisbon", said_at=day(20))
    world.now = day(30)
    world.tell("I moved to Porto in January", "user", "home", "Porto", valid_from=day(2))
    assert timeline(world, "user", "home") == [("Lisbon", day(20)), ("Porto", None)]


def test_an_older_correction_leaves_a_newer_statement_open(world: World) -> None:
    nuts = world.decide(multi("user", "allergy", "peanuts", said_at=day(9)))
    fix = multi("user", "allergy", "walnuts", said_at=day(2))
    decided = world.decide(fix, Supersede((str(nuts.id),), "you corrected this"))
    assert world.believed("user", "allergy") == ["walnuts", "peanuts"]
    assert isinstance(decided.decision, Add)


def test_a_changed_mind_orders_opposites_by_when_they_were_said(world: World) -> None:
    world.decide(multi("user", "dislikes", "coffee", said_at=day(9)))
    world.decide(multi("user", "likes", "coffee", said_at=day(2)))
    assert world.believed("user", "dislikes") == ["coffee"]
    assert world.believed("user", "likes") == []
    assert timeline(world, "user", "likes") == [("coffee", day(9))]
