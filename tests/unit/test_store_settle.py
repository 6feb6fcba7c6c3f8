from dataclasses import replace

import pytest
from builders import World, day, make_candidate, multi

from memory.store.settle import later_notes, settle_answer


@pytest.fixture
def world() -> World:
    return World()


def test_the_words_of_a_closed_fact_leave_recall(world: World) -> None:
    old = world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    world.now = day(3)
    new = world.tell("He's called Waffle", "dog", "name", "Waffle")
    assert world.item_states(old.id) == ["outdated"]
    assert world.item_states(str(old.message)) == ["outdated"]
    assert world.item_states(new.id) == ["active"]
    assert world.item_states(str(new.message)) == ["active"]


def test_a_message_with_another_current_fact_stays_and_gets_a_note(world: World) -> None:
    message = world.say("My dog is called Biscuit and I'm allergic to peanuts")
    dog = world.decide(make_candidate("dog", "name", "Biscuit", said_at=day(0)), message=message)
    world.decide(multi("user", "allergy", "peanuts", said_at=day(0)), message=message)
    world.now = day(3)
    world.tell("He's called Waffle", "dog", "name", "Waffle")
    assert world.item_states(message.id) == ["active"]
    assert later_notes(world.db, world.profile, [message.id]) == {message.id: "later: Waffle"}
    assert world.item_states(str(dog.id)) == ["outdated"]


def test_a_note_tells_the_present_value_after_several_changes(world: World) -> None:
    first = world.tell("I live in Lisbon", "user", "home", "Lisbon")
    for number, place in enumerate(("Porto", "Faro"), start=1):
        world.now = day(number)
        world.tell(f"I moved to {place}", "user", "home", place)
    assert later_notes(world.db, world.profile, [str(first.message)]) == {str(first.message): "later: Faro"}


def test_a_message_that_says_both_values_needs_no_note(world: World) -> None:
    world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    message = world.say("Not Biscuit: Waffle")
    biscuit = make_candidate("dog", "name", "Biscuit", said_at=day(0))
    world.decide(biscuit, message=message)
    world.decide(replace(biscuit, value="Waffle", said_at=day(1)), message=message)
    assert later_notes(world.db, world.profile, [message.id]) == {}


def test_an_answer_that_repeats_the_old_value_leaves_recall(world: World) -> None:
    dog = world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    praise = world.answer("What a lovely name, Biscuit!")
    other = world.answer("I like dogs.", dog.id)
    elsewhere = world.answer("Your dog BISCUIT needs a walk.", dog.id, conversation="other")
    world.now = day(3)
    world.tell("He's called Waffle", "dog", "name", "Waffle")
    assert world.item_states(praise.id) == ["outdated"]
    assert world.item_states(other.id) == ["active"]
    assert world.item_states(elsewhere.id) == ["outdated"]


def test_an_answer_that_tells_of_the_change_stays(world: World) -> None:
    world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    world.now = day(3)
    new = world.tell("He's called Waffle", "dog", "name", "Waffle")
    told = world.answer("So Biscuit is now Waffle.", new.id)
    world.now = day(4)
    again = make_candidate("dog", "name", "Waffle", said_at=day(4))
    world.decide(again, message=world.say("Waffle, as I said"))
    assert world.item_states(told.id) == ["active"]
    world.now = day(5)
    world.tell("He's called Rex", "dog", "name", "Rex")
    assert world.item_states(told.id) == ["outdated"]


def test_a_fresh_answer_that_repeats_the_old_value_is_not_recalled(world: World) -> None:
    world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    world.now = day(1)
    new = world.tell("He's called Waffle", "dog", "name", "Waffle")
    wrong = world.answer("Biscuit it is.", new.id)
    right = world.answer("Waffle it is.", new.id)
    for answer in (wrong, right):
        settle_answer(world.db, world.profile, answer.id)
    assert world.item_states(wrong.id) == ["outdated"]
    assert world.item_states(right.id) == ["active"]
