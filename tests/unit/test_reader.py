from dataclasses import replace

import pytest
from builders import World, day, make_candidate, make_episode, make_rule, multi

from memory.errors import AmbiguousId, BadInput, NotFound
from memory.reader import Reader
from memory.records import Add, Fact, Message, Review, Trace, WorkingState
from memory.store.act import Act
from memory.store.conversations import set_archived, set_title
from memory.store.episodes import insert_episode
from memory.store.items import write_episode_item
from memory.store.messages import path
from memory.store.rules import insert_rule
from memory.store.traces import insert_trace
from memory.store.undo import undo
from memory.store.working_states import put_working_state
from memory.vault.vault import Vault


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def reader(world: World) -> Reader:
    return Reader(world.db, world.profile)


def test_conversations_are_found_by_the_beginning_of_their_id(world: World, reader: Reader) -> None:
    for name in ("abc1", "abd2"):
        world.say("hello", conversation=name)
    assert reader.get_conversation("ABC").id == "abc1"
    with pytest.raises(AmbiguousId, match="start of 2 ids"):
        reader.get_conversation("ab")
    with pytest.raises(NotFound):
        reader.get_conversation("x")
    with pytest.raises(BadInput):
        reader.get_conversation(" ")


def test_a_whole_id_that_begins_another_names_itself(world: World, reader: Reader) -> None:
    for name in ("abc", "abcd"):
        world.say("hello", conversation=name)
    assert reader.get_conversation("abc").id == "abc"


def test_conversations_are_listed_by_title(world: World, reader: Reader) -> None:
    world.say("hello")
    set_title(world.db, world.profile, "talk", "Trip plan")
    assert [talk.title for talk in reader.list_conversations("trip")] == ["Trip plan"]
    set_archived(world.db, world.profile, "talk", True)
    assert reader.list_conversations() == []
    assert len(reader.list_conversations(archived=True)) == 1


def test_the_messages_shown_are_the_current_path(world: World, reader: Reader) -> None:
    first = world.say("hello")
    left = world.say("tell me of Rome")
    world.now = day(1)
    taken = world.say("tell me of Oslo", parent=first.id)
    assert reader.messages("talk") == [first, taken]
    assert reader.branches(taken.id) == [left, taken]


def test_any_kind_of_memory_is_found_by_its_id(world: World, reader: Reader) -> None:
    fact = world.tell("I live in Porto", "user", "home", "Porto")
    insert_rule(world.db, make_rule("rule1", "Be brief"))
    insert_rule(world.db, make_rule("rule2", "Use metric units", profile="*"))
    insert_episode(world.db, make_episode("episode1", "Trip"))
    asked = world.decide(make_candidate("user", "rent", "900"), Review("imported"))
    for ident in (fact.id, "rule1", "rule2", "episode1", asked.id, fact.message):
        assert ident is not None
        assert reader.get_any(ident).id == ident
        assert reader.full_id(ident) == ident
    assert reader.get_any("epi").id == "episode1"
    with pytest.raises(AmbiguousId):
        reader.get_any("rule")


def test_other_profiles_are_out_of_sight(world: World) -> None:
    fact = world.tell("I live in Porto", "user", "home", "Porto")
    stranger = Reader(world.db, "work")
    with pytest.raises(NotFound):
        stranger.get_any(fact.id)
    assert stranger.list_facts(states=None) == []
    assert stranger.listing_by_subject() == []
    assert stranger.changes() == []
    assert stranger.review_list() == []
    assert stranger.stats().counts == {}
    assert stranger.provenance(fact).message is None


def test_the_listing_is_complete_and_by_subject(world: World, reader: Reader) -> None:
    for number in range(60):
        world.decide(multi("user", "likes", f"thing {number}", said_at=day(number)))
    world.decide(make_candidate("dog", "name", "Biscuit", said_at=day(0)))
    world.decide(make_candidate("dog", "name", "Waffle", said_at=day(1)))
    listing = reader.listing_by_subject()
    assert [(each.subject, each.count) for each in listing] == [("user", 60), ("dog", 1)]
    assert listing[1].facts[0].value == "Waffle"


def test_a_fact_shows_where_it_comes_from(world: World, reader: Reader) -> None:
    fact = world.tell("I live in Porto", "user", "home", "Porto")
    again = world.say("As I said, Porto")
    world.decide(make_candidate("user", "home", "Porto", said_at=day(1)), message=again)
    shown = reader.provenance(fact)
    assert shown.message is not None
    assert (shown.message.text, shown.quote) == ("I live in Porto", "Porto")
    assert shown.also == (again,)


def test_the_quote_shown_is_what_the_message_says_now(world: World, reader: Reader) -> None:
    """A redacted message must not give its old words away through the fact's own copy."""
    fact = world.tell("I live in Porto", "user", "home", "Porto")
    message = reader.provenance(fact).message
    assert message is not None
    with world.db.atomic():
        act = Act(world.db, world.profile, day(1), world.new_id, "user")
        act.write(message, replace(message, text="I live in ▒▒▒▒▒"))
        act.close("redact", "message", message.id)
    assert reader.provenance(fact).quote == "▒▒▒▒▒"


def test_a_fact_without_a_message_says_so(world: World, reader: Reader) -> None:
    decided = world.decide(make_candidate("user", "home", "Porto"), actor="user")
    fact = reader.get_any(str(decided.id))
    assert isinstance(fact, Fact)
    shown = reader.provenance(fact)
    assert (shown.message, shown.quote, shown.also) == (None, "", ())


def test_history_shows_every_value_in_order(world: World, reader: Reader) -> None:
    for number, value in ((5, "Porto"), (1, "Lisbon"), (9, "Faro")):
        world.decide(make_candidate("user", "home", value, said_at=day(number)))
    shown = [(fact.value, fact.valid_from, fact.valid_to) for fact in reader.history("user", "home")]
    assert shown == [("Lisbon", day(1), day(5)), ("Porto", day(5), day(9)), ("Faro", day(9), None)]
    assert len(reader.history("user")) == 3


def test_what_was_believed_is_a_matter_of_our_time(world: World, reader: Reader) -> None:
    """An old message read on day 20 was not known on day 15, whatever it says of day 2."""
    world.tell("I live in Porto", "user", "home", "Porto")
    world.now = day(10)
    world.tell("I live in Faro", "user", "home", "Faro")
    world.now = day(20)
    world.decide(make_candidate("user", "home", "Lisbon", said_at=day(-5)))

    def believed(at: float) -> list[str]:
        return [fact.value for fact in reader.believed_at(day(at), "user", "home")]

    assert believed(-1) == []
    assert believed(5) == ["Porto"]
    assert believed(15) == ["Faro"]
    assert believed(25) == ["Faro"]


def test_changes_have_words_and_can_be_undone_once(world: World, reader: Reader) -> None:
    world.tell("I live in Porto", "user", "home", "Porto")
    other = world.say("I like jam", conversation="other")
    world.decide(multi("user", "likes", "jam"), message=other)
    first, second = reader.changes()
    assert (first.entry.act, first.text) == ("add", "user likes: jam")
    assert (second.entry.act, second.text) == ("add", "I live in Porto")
    assert [change.entry.ref for change in reader.changes("talk")] == [second.entry.ref]
    assert second.can_be_undone
    with world.db.atomic():
        undo(world.db, world.profile, second.entry.id, now=day(1), new_id=world.new_id)
    (undone, undoing) = (reader.changes()[2], reader.changes()[0])
    assert (undone.text, undone.can_be_undone) == (None, False)
    assert (undoing.entry.act, undoing.entry.undone_by) == ("undo", None)


def test_receipts_are_found_by_a_shortened_id(world: World, reader: Reader) -> None:
    message = world.say("What is my dog called?")
    kept = Trace("t", world.profile, "talk", message.id, None, "", (), (), (), None, day(0))
    insert_trace(world.db, kept)
    assert reader.trace_for(message.id) == kept
    assert reader.trace_for(message.id[:-1]) == kept
    assert reader.find_trace("nothing") is None
    with pytest.raises(NotFound):
        reader.trace_for("nothing")


def test_working_state_and_queue_are_shown(world: World, reader: Reader) -> None:
    world.say("hello")
    state = WorkingState(goal="plan a trip")
    put_working_state(world.db, world.profile, "talk", state, message=None, now=day(0), new_id=world.new_id)
    world.decide(make_candidate("user", "rent", "900"), Review("imported"))
    assert reader.working_state("tal") == state
    assert [queued.reason for queued in reader.review_list()] == ["imported"]


def test_rules_and_episodes_are_listed(world: World, reader: Reader) -> None:
    rule = make_rule("r1", "Be brief")
    insert_rule(world.db, rule)
    episode = make_episode("e1", "Trip")
    insert_episode(world.db, episode)
    write_episode_item(world.db, episode)
    assert reader.list_rules() == [rule]
    assert reader.rule_versions(rule) == [rule]
    assert reader.list_episodes() == [episode]


def test_stats_count_what_there_is(world: World, reader: Reader) -> None:
    world.tell("I live in Porto", "user", "home", "Porto")
    world.now = day(1)
    world.tell("I live in Faro", "user", "home", "Faro")
    world.answer("Nice.")
    world.decide(make_candidate("user", "rent", "900"), Review("imported"))
    stats = reader.stats()
    assert stats.counts["fact"] == {"active": 1, "superseded": 1}
    assert stats.counts["message"] == {"assistant": 1, "user": 2}
    assert stats.counts["item"] == {"active": 3, "outdated": 2}
    assert stats.counts["candidate"] == {"pending": 1}
    assert stats.counts["conversation"] == {"active": 1}
    assert stats.unembedded == 5
    assert stats.bytes > stats.free_bytes


def test_reading_leaves_no_transaction_open(world: World, reader: Reader) -> None:
    fact = world.tell("I live in Porto", "user", "home", "Porto")
    reader.changes()
    reader.provenance(fact)
    reader.stats()
    reader.get_any(fact.id)
    assert not world.db.conn.in_transaction
    world.decide(make_candidate("user", "home", "Faro", said_at=day(3)), Add("said so"))
    assert [each.value for each in reader.list_facts()] == ["Faro"]


def test_the_reader_sees_each_commit_from_its_own_connection(vault: Vault) -> None:
    """As in the product: the writer on one connection, the inspector on a second that can only read."""
    world = World(db=vault.db)
    reader = Reader(vault.read_only(), world.profile)
    assert reader.list_facts() == []
    fact = world.tell("I live in Porto", "user", "home", "Porto")
    assert reader.list_facts() == [fact]
    assert reader.get_any(fact.id) == fact
    assert reader.provenance(fact).quote == "Porto"
    assert [change.text for change in reader.changes()] == ["I live in Porto"]
    assert reader.stats().counts["fact"] == {"active": 1}
    assert reader.messages("talk") == world_messages(world)
    assert vault.checkpoint_truncate()


def world_messages(world: World) -> list[Message]:
    return path(world.db, world.profile, Reader(world.db, world.profile).get_conversation("talk").leaf)
