import itertools
from dataclasses import replace

import pytest
from builders import World, day, make_candidate, make_fact, make_rule, multi

from memory.errors import BadInput, CannotUndo
from memory.records import Add, Confirm, Fact, FactState, Review, Supersede
from memory.store.act import Act
from memory.store.candidates import pending_candidates
from memory.store.facts import find_fact, get_fact, list_facts, record_recalled
from memory.store.journal import get_line, list_lines
from memory.store.rules import current_rules
from memory.store.undo import Undone, undo
from memory.store.versions import delete_versions, versions_of


@pytest.fixture
def world() -> World:
    return World()


def take_back(world: World, journal: str | None = None, conversation: str | None = None) -> Undone:
    with world.db.atomic():
        return undo(
            world.db, world.profile, journal, conversation=conversation, now=world.now, new_id=world.new_id
        )


def everything(world: World) -> list[list[tuple[object, ...]]]:
    """Facts, queue and items as they are, local keys apart."""
    return [
        world.db.execute(statement).fetchall()
        for statement in (
            "SELECT id, value, state, valid_to, superseded_by, confirmed_at, confidence FROM fact ORDER BY id",
            "SELECT id, state FROM candidate ORDER BY id",
            "SELECT id, kind, text, state, expires_at FROM item ORDER BY id",
        )
    ]


def test_undoing_a_new_fact_leaves_the_store_as_it_was(world: World) -> None:
    message = world.say("I live in Lisbon")
    before = everything(world)
    world.decide(make_candidate("user", "home", "Lisbon", said_at=day(0)), message=message)
    undone = take_back(world)
    assert everything(world) == before
    assert [record.id for record in undone.removed] == [undone.entry.ref]
    assert undone.restored == ()


def test_undoing_a_change_brings_the_old_value_and_its_words_back(world: World) -> None:
    old = world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    answer = world.answer("Hello Biscuit!", old.id)
    message = world.say("He's called Waffle")
    before = everything(world)
    world.now = day(1)
    world.decide(make_candidate("dog", "name", "Waffle", said_at=day(1)), message=message)
    assert world.item_states(answer.id) == ["outdated"]
    take_back(world)
    assert everything(world) == before
    assert world.item_states(answer.id) == ["active"]


@pytest.mark.parametrize("kind", ["confirm", "review", "history"])
def test_every_automatic_write_can_be_undone(world: World, kind: str) -> None:
    world.decide(make_candidate("user", "home", "Lisbon", said_at=day(0)))
    world.decide(make_candidate("user", "home", "Porto", said_at=day(9)))
    before = everything(world)
    match kind:
        case "confirm":
            decided = world.decide(make_candidate("user", "home", "Porto", said_at=day(12)))
            assert isinstance(decided.decision, Confirm)
        case "review":
            world.decide(make_candidate("user", "home", "Faro"), Review("imported"))
        case _:
            world.decide(make_candidate("user", "home", "Faro", said_at=day(4)))
    assert everything(world) != before
    take_back(world)
    assert everything(world) == before


def test_an_undo_can_be_undone(world: World) -> None:
    world.decide(make_candidate("user", "home", "Lisbon", said_at=day(0)))
    world.decide(make_candidate("user", "home", "Porto", said_at=day(9)))
    after = everything(world)
    first = take_back(world)
    assert world.believed("user", "home") == ["Lisbon"]
    take_back(world, first.journal)
    assert everything(world) == after
    assert get_line(world.db, world.profile, first.entry.id).undone_by is None


def test_undoing_again_and_again_walks_back(world: World) -> None:
    empty = everything(world)
    for number, value in enumerate(("Lisbon", "Porto", "Faro")):
        world.decide(make_candidate("user", "home", value, said_at=day(number)))
    for _ in range(3):
        take_back(world)
    assert everything(world) == empty
    with pytest.raises(CannotUndo):
        take_back(world)


def test_the_same_act_is_undone_once(world: World) -> None:
    decided = world.decide(make_candidate("user", "home", "Lisbon"))
    take_back(world, decided.journal)
    with pytest.raises(CannotUndo, match="already"):
        take_back(world, decided.journal)


def test_what_was_built_upon_is_not_undone(world: World) -> None:
    first = world.decide(make_candidate("user", "home", "Lisbon", said_at=day(0)))
    world.decide(make_candidate("user", "home", "Porto", said_at=day(9)))
    with pytest.raises(CannotUndo, match="built upon"):
        take_back(world, first.journal)
    assert world.believed("user", "home") == ["Porto"]


def test_being_used_is_not_being_built_upon(world: World) -> None:
    decided = world.decide(make_candidate("user", "home", "Lisbon", said_at=day(0)))
    again = world.decide(make_candidate("user", "home", "Lisbon", said_at=day(2)))
    record_recalled(world.db, world.profile, [str(decided.id)], day(3))
    take_back(world, again.journal)
    fact = get_fact(world.db, world.profile, str(decided.id))
    assert (fact.recalled, fact.recalled_at) == (1, day(3))
    assert fact.confirmed_at == day(0)


def test_what_was_forgotten_is_not_undone(world: World) -> None:
    decided = world.decide(make_candidate("user", "home", "Lisbon"))
    with world.db.atomic():
        delete_versions(world.db, world.profile, [str(decided.id)])
    with pytest.raises(CannotUndo, match="forgotten"):
        take_back(world, decided.journal)


def test_a_taken_place_is_not_opened_again(world: World) -> None:
    """Lisbon was archived and Porto said; the archiving cannot be undone while Porto holds the place."""
    decided = world.decide(make_candidate("user", "home", "Lisbon", said_at=day(0)))
    fact = get_fact(world.db, world.profile, str(decided.id))
    with world.db.atomic():
        act = Act(world.db, world.profile, day(1), world.new_id, "user")
        act.write(fact, replace(fact, state=FactState.ARCHIVED))
        line = act.close("archive", "fact", fact.id)
    world.decide(make_candidate("user", "home", "Porto", said_at=day(2)))
    with pytest.raises(CannotUndo, match="taken this place"):
        take_back(world, line)
    with pytest.raises(BadInput, match="taken this place"):
        write_all(world, replace(fact, id="other"))
    assert world.believed("user", "home") == ["Porto"]


def test_the_last_act_of_one_conversation_is_found_among_others(world: World) -> None:
    here = world.decide(multi("user", "likes", "tea"), message=world.say("I like tea"))
    other = world.say("I like jam", conversation="other")
    there = world.decide(multi("user", "likes", "jam"), message=other)
    undone = take_back(world, conversation="talk")
    assert undone.entry.id == here.journal
    assert find_fact(world.db, world.profile, str(there.id)) is not None


def test_other_profiles_acts_are_out_of_reach(world: World) -> None:
    decided = world.decide(make_candidate("user", "home", "Lisbon"))
    stranger = World(db=world.db, profile="work")
    with pytest.raises(CannotUndo):
        take_back(stranger, decided.journal)


def test_an_accepted_candidate_waits_again_after_undo(world: World) -> None:
    world.decide(make_candidate("user", "rent", "900"), Review("imported"))
    (queued,) = pending_candidates(world.db, world.profile)
    world.decide(queued.candidate, Add("accepted"), actor="user", accepted=queued.id)
    take_back(world)
    assert pending_candidates(world.db, world.profile) == [queued]
    assert list_facts(world.db, world.profile, states=None) == []


def test_a_rule_goes_back_to_its_former_version(world: World) -> None:
    first = make_rule("r1", "Answer in metric units")
    second = replace(first, id="r2", version=2, text="Answer in imperial units")
    with world.db.atomic():
        act = Act(world.db, world.profile, day(0), world.new_id, "user")
        act.write(None, first)
        act.close("add", "rule", first.id)
        act = Act(world.db, world.profile, day(1), world.new_id, "user")
        act.write(first, replace(first, state="replaced"))
        act.write(None, second)
        act.close("edit", "rule", second.id)
    assert [rule.id for rule in current_rules(world.db, world.profile)] == ["r2"]
    take_back(world)
    assert current_rules(world.db, world.profile) == [first]


def test_redacted_words_come_back_with_their_items(world: World) -> None:
    world.say("hello")
    message = world.say("my code is tulip")
    with world.db.atomic():
        act = Act(world.db, world.profile, day(1), world.new_id, "user")
        act.write(message, replace(message, text="my code is …"))
        act.close("edit", "message", message.id)
    take_back(world)
    row = world.db.execute("SELECT text, context FROM item WHERE ref = ?", [message.id]).fetchall()
    assert row == [("my code is tulip", "hello")]


def test_versions_of_a_fact_chain_without_a_gap(world: World) -> None:
    decided = world.decide(make_candidate("user", "home", "Lisbon", said_at=day(0)))
    world.decide(make_candidate("user", "home", "Porto", said_at=day(2)))
    take_back(world)
    chain = versions_of(world.db, world.profile, str(decided.id))
    assert chain[0].before is None
    for earlier, later in itertools.pairwise(chain):
        assert earlier.after == later.before


def test_an_act_that_fails_half_way_leaves_no_trace(world: World) -> None:
    before = everything(world)
    first, second = make_fact("f1", "user", "home", "x"), make_fact("f2", "user", "home", "y")
    with pytest.raises(BadInput):
        write_all(world, first, second)
    assert everything(world) == before
    assert list_lines(world.db, world.profile) == []


def write_all(world: World, *facts: Fact) -> None:
    with world.db.atomic():
        act = Act(world.db, world.profile, day(1), world.new_id, "user")
        for fact in facts:
            act.write(None, fact)
        act.close("add", "fact", facts[0].id)


def test_a_supersede_names_what_it_closed(world: World) -> None:
    old = world.decide(make_candidate("user", "home", "Lisbon", said_at=day(0)))
    new = world.decide(make_candidate("user", "home", "Porto", said_at=day(2)))
    assert new.decision == Supersede((str(old.id),), "said so")
