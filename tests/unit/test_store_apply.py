import pytest
from builders import World, day, make_candidate, multi

from memory.records import (
    NEVER,
    Add,
    Confirm,
    FactState,
    Ignore,
    Kind,
    Merge,
    Origin,
    Review,
    Supersede,
)
from memory.store.candidates import pending_candidates
from memory.store.derivations import list_parents
from memory.store.facts import get_fact, list_facts
from memory.store.journal import get_line, list_lines
from memory.store.versions import versions_of


@pytest.fixture
def world() -> World:
    return World()


def test_a_fact_keeps_the_words_it_came_from(world: World) -> None:
    message = world.say("My dog is called Biscuit")
    decided = world.decide(
        make_candidate("dog", "name", "Biscuit", start=17, end=24, said_at=day(0)), message=message
    )
    fact = get_fact(world.db, world.profile, str(decided.id))
    assert (fact.message, fact.start, fact.end, fact.quote) == (message.id, 17, 24, "Biscuit")
    (parent,) = list_parents(world.db, [fact.id])
    assert (parent.parent, parent.role, parent.start, parent.end) == (message.id, "source", 17, 24)


def test_a_fact_is_findable_at_once(world: World) -> None:
    fact = world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    found = world.db.execute(
        "SELECT item.ref FROM item_fts JOIN item ON item.key = item_fts.rowid WHERE item_fts MATCH 'biscuit' AND kind = 'fact'"
    ).fetchall()
    assert found == [(fact.id,)]


def test_a_newer_fact_closes_the_older_one(world: World) -> None:
    old = world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    world.now = day(3)
    new = world.tell("Actually, he's called Waffle", "dog", "name", "Waffle")
    closed = get_fact(world.db, world.profile, old.id)
    assert closed.state is FactState.SUPERSEDED
    assert closed.valid_to == day(3)
    assert (closed.superseded_at, closed.superseded_by) == (day(3), new.id)
    assert world.believed("dog", "name") == ["Waffle"]


def test_several_values_stand_side_by_side(world: World) -> None:
    world.decide(multi("user", "allergy", "peanuts", said_at=day(0)))
    world.decide(multi("user", "allergy", "shrimp", said_at=day(1)))
    assert world.believed("user", "allergy") == ["peanuts", "shrimp"]


def test_a_correction_closes_only_the_value_it_names(world: World) -> None:
    nuts = world.decide(multi("user", "allergy", "peanuts", said_at=day(0)))
    world.decide(multi("user", "allergy", "shrimp", said_at=day(1)))
    fix = multi("user", "allergy", "walnuts", said_at=day(2), is_correction=True, closes="peanuts")
    decided = world.decide(fix, Supersede((str(nuts.id),), "you corrected this"))
    assert world.believed("user", "allergy") == ["shrimp", "walnuts"]
    assert [fact.value for fact in decided.superseded] == ["peanuts"]


def test_saying_it_again_refreshes_and_strengthens(world: World) -> None:
    fact = world.tell("I live in Lisbon", "user", "home", "Lisbon")
    world.now = day(100)
    message = world.say("As I said, Lisbon")
    decided = world.decide(
        make_candidate("user", "home", "Lisbon", said_at=day(100)),
        Confirm(fact.id, "said again"),
        message=message,
    )
    after = get_fact(world.db, world.profile, fact.id)
    assert decided.id == fact.id
    assert after.confirmed_at == day(100)
    assert after.confidence > fact.confidence
    assert len(list_parents(world.db, [fact.id])) == 2


def test_the_same_message_read_twice_changes_nothing(world: World) -> None:
    message = world.say("I live in Lisbon")
    candidate = make_candidate("user", "home", "Lisbon", said_at=day(0))
    first = world.decide(candidate, message=message)
    before = list_lines(world.db, world.profile)
    again = world.decide(candidate, message=message)
    assert (again.id, again.journal) == (first.id, None)
    assert isinstance(again.decision, Confirm)
    assert list_lines(world.db, world.profile) == before


def test_adding_exactly_the_same_twice_keeps_one_fact(world: World) -> None:
    for number in range(8):
        world.now = day(number)
        world.tell("I'm allergic to peanuts", "user", "allergy", "peanuts")
    assert len(list_facts(world.db, world.profile, states=None)) == 1


def test_other_words_for_the_same_are_merged(world: World) -> None:
    fact = world.decide(multi("user", "likes", "green tea", said_at=day(0)))
    message = world.say("I love tea, the green one")
    decided = world.decide(
        multi("user", "likes", "tea, green"), Merge(str(fact.id), "the same"), message=message
    )
    assert decided.id == fact.id
    assert world.believed("user", "likes") == ["green tea"]
    assert [parent.parent for parent in list_parents(world.db, [str(fact.id)])] == [message.id]


def test_the_users_own_word_makes_an_inferred_fact_confirmed(world: World) -> None:
    guess = world.decide(multi("user", "hobby", "chess", origin=Origin.INFERRED, expires_at=day(180)))
    world.decide(multi("user", "hobby", "chess", said_at=day(2)), message=world.say("I play chess"))
    fact = get_fact(world.db, world.profile, str(guess.id))
    assert (fact.origin, fact.expires_at) == (Origin.USER_CONFIRMED, None)


def test_an_expired_fact_said_again_is_current_again(world: World) -> None:
    fact = world.tell("I plan to paint", "user", "plan", "paint", expires_at=day(30))
    world.db.execute("UPDATE fact SET state = 'expired' WHERE id = ?", [fact.id])
    world.now = day(60)
    world.decide(
        make_candidate("user", "plan", "paint", said_at=day(60), expires_at=day(90)),
        Confirm(fact.id, "said again"),
    )
    after = get_fact(world.db, world.profile, fact.id)
    assert (after.state, after.expires_at) == (FactState.ACTIVE, day(90))
    assert world.item_states(fact.id) == ["active"]


def test_confirming_what_is_closed_takes_it_up_anew(world: World) -> None:
    old = world.tell("I live in Lisbon", "user", "home", "Lisbon")
    world.now = day(5)
    world.tell("I live in Porto", "user", "home", "Porto")
    world.now = day(9)
    decided = world.decide(make_candidate("user", "home", "Lisbon", said_at=day(9)), Confirm(old.id, "again"))
    assert decided.id != old.id
    assert isinstance(decided.decision, Supersede)
    assert world.believed("user", "home") == ["Lisbon"]


def test_what_needs_a_yes_waits_and_is_nowhere_else(world: World) -> None:
    message = world.say("The contract says rent is 900")
    candidate = make_candidate("user", "rent", "900", said_at=day(0))
    decided = world.decide(candidate, Review("not your own words"), message=message)
    (queued,) = pending_candidates(world.db, world.profile)
    assert queued.id == decided.id
    assert queued.candidate == candidate
    assert queued.reason == "not your own words"
    assert list_facts(world.db, world.profile, states=None) == []
    assert world.item_states(queued.id) == []


def test_the_same_question_waits_once(world: World) -> None:
    first = world.decide(make_candidate("user", "rent", "900"), Review("imported"))
    second = world.decide(make_candidate("user", "rent", " 900 "), Review("imported"))
    assert second.id == first.id
    assert len(pending_candidates(world.db, world.profile)) == 1


def test_what_is_believed_is_not_asked_about(world: World) -> None:
    fact = world.decide(make_candidate("user", "rent", "900"))
    decided = world.decide(make_candidate("user", "rent", "900", origin=Origin.IMPORTED), Review("imported"))
    assert (decided.decision, decided.id) == (Ignore("already known"), fact.id)
    assert pending_candidates(world.db, world.profile) == []


def test_the_same_words_are_not_asked_about_twice(world: World) -> None:
    message, other = world.say("Rent is 900"), world.say("Rent is 900, I tell you")
    candidate = make_candidate("user", "rent", "900")
    asked = world.decide(candidate, Review("not sure enough"), message=message)
    world.db.execute("UPDATE candidate SET state = 'rejected' WHERE id = ?", [asked.id])
    again = world.decide(candidate, Review("not sure enough"), message=message)
    assert again.decision == Ignore("you decided about this before")
    elsewhere = world.decide(candidate, Review("not sure enough"), message=other)
    assert isinstance(elsewhere.decision, Review)


def test_a_rule_is_never_written_without_a_yes(world: World) -> None:
    decided = world.decide(make_candidate("user", "rule", "answer briefly", kind=Kind.RULE), Add("said so"))
    assert isinstance(decided.decision, Review)
    assert len(pending_candidates(world.db, world.profile)) == 1


def test_an_accepted_candidate_leaves_the_queue_in_the_same_act(world: World) -> None:
    asked = world.decide(make_candidate("user", "rent", "900"), Review("imported"))
    (queued,) = pending_candidates(world.db, world.profile)
    decided = world.decide(queued.candidate, Add("you accepted it"), actor="user", accepted=queued.id)
    assert pending_candidates(world.db, world.profile) == []
    row = world.db.execute("SELECT state, result FROM candidate WHERE id = ?", [asked.id]).fetchone()
    assert row == ("accepted", decided.id)
    assert [parent.parent for parent in list_parents(world.db, [str(decided.id)])] == [queued.id]


def test_ignoring_writes_nothing(world: World) -> None:
    before = world.db.execute("SELECT total_changes()").fetchone()
    decided = world.decide(make_candidate("user", "mood", "tired"), Ignore("small talk"))
    assert decided.id is None
    assert world.db.execute("SELECT total_changes()").fetchone() == before


def test_each_act_is_one_line_of_ids_with_its_versions(world: World) -> None:
    old = world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    message = world.say("He's called Waffle")
    world.now = day(1)
    decided = world.decide(make_candidate("dog", "name", "Waffle", said_at=day(1)), message=message)
    line = get_line(world.db, world.profile, str(decided.journal))
    assert (line.act, line.kind, line.ref, line.actor) == ("supersede", "fact", decided.id, "auto")
    assert (line.conversation, line.message) == ("talk", message.id)
    assert len(line.versions) == 2
    made, closed = versions_of(world.db, world.profile, old.id)
    assert made.before is None
    assert made.after == closed.before
    assert closed.after is not None
    assert closed.after["state"] == "superseded"


def test_a_pin_moves_on_to_the_new_value(world: World) -> None:
    old = world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    world.db.execute("UPDATE fact SET pinned = 1 WHERE id = ?", [old.id])
    world.now = day(1)
    new = world.tell("He's called Waffle", "dog", "name", "Waffle")
    pinned = list_facts(world.db, world.profile, states=None, pinned=True)
    assert [fact.id for fact in pinned] == [new.id]


def test_what_expires_leaves_recall_by_its_date(world: World) -> None:
    fact = world.tell("I plan to paint", "user", "plan", "paint", expires_at=day(30))
    other = world.tell("I live in Lisbon", "user", "home", "Lisbon")
    dates = dict(world.db.execute("SELECT ref, expires_at FROM item WHERE kind = 'fact'").fetchall())
    assert dates == {fact.id: int(day(30).timestamp()), other.id: NEVER}


def test_profiles_do_not_touch_each_other(world: World) -> None:
    world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    other = World(db=world.db, profile="work", now=day(5))
    other._numbers = iter(range(1000, 2000))
    other.say("hello", conversation="work talk")
    other.decide(make_candidate("dog", "name", "Rex", said_at=day(5)))
    assert world.believed("dog", "name") == ["Biscuit"]
    assert other.believed("dog", "name") == ["Rex"]
