import pytest
from builders import World, day, make_conversation, make_message

from memory.errors import BadInput, NotFound
from memory.reader import Reader
from memory.records import Message, Role, WorkingState
from memory.store import attachments, conversations, drafts, messages, profiles, working_states
from memory.store.stored import Attachment, Profile


@pytest.fixture
def world() -> World:
    return World()


def texts(found: list[Message]) -> list[str]:
    return [message.text for message in found]


def test_a_conversation_comes_back_as_it_was_kept(world: World) -> None:
    talk = make_conversation(title="Trip", leaf="m", remembering=False, source="export:1", head="You are …")
    conversations.create_conversation(world.db, talk)
    assert conversations.get_conversation(world.db, world.profile, "talk") == talk
    assert conversations.find_imported_conversation(world.db, world.profile, "export:1") == talk


def test_a_conversation_of_another_profile_is_not_there(world: World) -> None:
    world.say("hello")
    with pytest.raises(NotFound):
        conversations.get_conversation(world.db, "work", "talk")
    with pytest.raises(NotFound):
        conversations.set_title(world.db, "work", "talk", "x")
    assert conversations.list_conversations(world.db, "work") == []


def test_the_last_used_conversation_comes_first(world: World) -> None:
    for number, name in enumerate(("old", "new", "used")):
        world.now = day(number)
        world.say("hello", conversation=name)
    world.now = day(9)
    world.say("again", conversation="old")
    listed = conversations.list_conversations(world.db, world.profile)
    assert [talk.id for talk in listed] == ["old", "used", "new"]
    assert listed[0].updated_at == day(9)


def test_titles_are_searched_without_case_and_archived_ones_only_on_request(world: World) -> None:
    for ident, title in (("a", "Trip to 100% Rome"), ("b", "Taxes")):
        conversations.create_conversation(world.db, make_conversation(ident, title=title))
    conversations.set_archived(world.db, world.profile, "b", True)

    def found(query: str, archived: bool = False) -> list[str]:
        listed = conversations.list_conversations(world.db, world.profile, query=query, archived=archived)
        return [talk.id for talk in listed]

    assert found("ROME") == ["a"]
    assert found("0%") == ["a"]
    assert found("tax") == []
    assert found("tax", archived=True) == ["b"]


def test_small_changes_touch_only_their_field(world: World) -> None:
    world.say("hello")
    db, profile = world.db, world.profile
    conversations.set_title(db, profile, "talk", "Greeting")
    conversations.set_remembering(db, profile, "talk", False)
    conversations.set_head(db, profile, "talk", "top")
    conversations.set_mark(db, profile, "talk", "window_from", "m7")
    talk = conversations.get_conversation(db, profile, "talk")
    assert (talk.title, talk.remembering, talk.head, talk.archived) == ("Greeting", False, "top", False)
    assert conversations.find_mark(db, profile, "talk", "window_from") == "m7"
    assert conversations.find_mark(db, profile, "talk", "episode_upto") is None


def test_a_deleted_conversation_takes_its_messages_along(world: World) -> None:
    message = world.say("hello")
    world.say("hello", conversation="other")
    conversations.delete_conversation(world.db, world.profile, "talk")
    assert messages.find_message(world.db, world.profile, message.id) is None
    assert len(messages.all_messages(world.db, world.profile, "other")) == 1


def test_a_message_comes_back_as_it_was_said(world: World) -> None:
    said = world.say(
        "my pin is 1234\x07 😀",
        masked="my pin is [pin]",
        zone="+05:30",
        speaker="Ann",
        pasted=((0, 2), (5, 9)),
        source="export:m1",
    )
    assert messages.get_message(world.db, world.profile, said.id) == said


def test_half_a_character_is_refused_in_words(world: World) -> None:
    world.say("hello")
    with pytest.raises(BadInput):
        messages.insert_message(world.db, make_message("m", "broken \ud83d"))


def test_the_path_runs_from_the_root_to_the_leaf(world: World) -> None:
    for text in ("one", "two", "three"):
        last = world.say(text)
    assert texts(messages.path(world.db, world.profile, last.id)) == ["one", "two", "three"]
    assert messages.path(world.db, world.profile, None) == []
    assert messages.path(world.db, "work", last.id) == []


def test_branches_stand_at_the_same_place(world: World) -> None:
    root = world.say("hello")
    first = world.say("tell me of Rome")
    after = world.say("and of food")
    world.now = day(1)
    second = world.say("tell me of Oslo", parent=root.id)
    assert messages.branches(world.db, world.profile, first.id) == [first, second]
    assert messages.branches(world.db, world.profile, root.id) == [root]
    assert texts(messages.path(world.db, world.profile, second.id)) == ["hello", "tell me of Oslo"]
    assert messages.newest_leaf(world.db, world.profile, first.id) == after.id
    assert messages.children(world.db, world.profile, root.id) == [first, second]


def test_an_edited_beginning_is_a_branch_too(world: World) -> None:
    first = world.say("hello")
    second = world.say("hi", parent=None)
    assert messages.branches(world.db, world.profile, first.id) == [first, second]


def test_a_ring_in_a_damaged_tree_ends(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LONGEST_PATH", 5)
    first = world.say("one")
    second = world.say("two")
    world.db.execute("UPDATE message SET parent = ? WHERE id = ?", [second.id, first.id])
    assert len(messages.path(world.db, world.profile, second.id)) == 6
    assert messages.newest_leaf(world.db, world.profile, first.id)


def test_only_the_users_words_wait_to_be_distilled_and_only_once(world: World) -> None:
    mine = world.say("hello")
    world.say("hi", role=Role.ASSISTANT)
    later = world.say("bye")
    db, profile = world.db, world.profile
    assert messages.undistilled(db, profile, "talk") == [mine, later]
    messages.mark_distilled(db, profile, [mine.id], day(1))
    assert messages.undistilled(db, profile, "talk") == [later]


def test_a_redacted_message_keeps_its_place(world: World) -> None:
    message = world.say("my code is tulip")
    messages.rewrite_message(world.db, world.profile, message.id, "my code is …", None, day(1))
    after = messages.get_message(world.db, world.profile, message.id)
    assert (after.text, after.said_at) == ("my code is …", message.said_at)
    with pytest.raises(NotFound):
        messages.rewrite_message(world.db, "work", message.id, "x", None, day(1))


def test_several_messages_are_fetched_at_once(world: World) -> None:
    said = [world.say(text) for text in ("one", "two", "three")]
    wanted = [said[2].id, "nothing", said[0].id]
    assert messages.list_messages(world.db, world.profile, wanted) == [said[0], said[2]]


def test_working_state_is_one_thing_that_is_replaced(world: World) -> None:
    world.say("hello")
    db, profile = world.db, world.profile
    assert working_states.get_working_state(db, profile, "talk").is_empty
    for goal in ("plan a trip", "plan a trip to Rome"):
        state = WorkingState(goal, (("book", "open"),), ("two people",), ("when?",))
        working_states.put_working_state(
            db, profile, "talk", state, message="m", now=day(0), new_id=world.new_id
        )
    assert working_states.get_working_state(db, profile, "talk") == state
    assert working_states.get_working_state(db, "work", "talk").is_empty
    working_states.put_working_state(
        db, "default", "talk", WorkingState(), message=None, now=day(1), new_id=world.new_id
    )
    assert working_states.get_working_state(db, profile, "talk").is_empty


def test_the_input_line_is_kept_and_cleared(world: World) -> None:
    db, profile = world.db, world.profile
    for text in ("Hel", "Hello"):
        drafts.keep_unsent(db, profile, "talk", text, day(0), world.new_id)
    drafts.keep_unsent(db, profile, None, "elsewhere", day(0), world.new_id)
    assert drafts.unsent_text(db, profile, "talk") == "Hello"
    drafts.keep_unsent(db, profile, "talk", "", day(0), world.new_id)
    assert drafts.unsent_text(db, profile, "talk") == ""
    assert drafts.unsent_text(db, profile, None) == "elsewhere"


def test_conversations_in_which_something_waits_are_listed_the_last_first(world: World) -> None:
    db, profile = world.db, world.profile
    for name in ("one", "two", "three"):
        world.say("hello", conversation=name)
    drafts.keep_unsent(db, profile, "one", "half a thought", day(0), world.new_id)
    drafts.queue_draft(db, profile, "three", "and then?", day(0), world.new_id)
    drafts.queue_draft(db, profile, "three", "and now?", day(0), world.new_id)
    drafts.keep_unsent(db, profile, None, "elsewhere", day(0), world.new_id)
    reader = Reader(db, profile)
    assert [one.id for one in reader.unfinished()] == ["three", "one"]
    assert [one.id for one in reader.unfinished(1)] == ["three"]


def test_queued_messages_wait_in_order(world: World) -> None:
    db, profile = world.db, world.profile
    first = drafts.queue_draft(db, profile, "talk", "one", day(0), world.new_id)
    second = drafts.queue_draft(db, profile, "talk", "two", day(0), world.new_id)
    assert drafts.list_queued(db, profile, "talk") == [first, second]
    drafts.delete_draft(db, profile, first.id)
    assert drafts.list_queued(db, profile, "talk") == [second]


def test_input_history_is_short_and_says_nothing_twice_in_a_row(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "HISTORY_KEPT", 3)
    for text in ("a", "b", "b", "c", "d"):
        drafts.remember_typed(world.db, world.profile, text, day(0), world.new_id)
    assert drafts.input_history(world.db, world.profile, 10) == ["d", "c", "b"]


def test_an_attachment_is_bound_to_its_message(world: World) -> None:
    message = world.say("see this")
    kept = Attachment("a", "default", "talk", None, "x.txt", "text/plain", "words", "00", day(0))
    attachments.insert_attachment(world.db, kept)
    attachments.bind_attachment(world.db, "default", "a", message.id)
    (found,) = attachments.list_attachments(world.db, "default", "talk")
    assert found == attachments.get_attachment(world.db, "default", "a")
    assert found.message == message.id
    with pytest.raises(NotFound):
        attachments.get_attachment(world.db, "work", "a")


def test_profiles_are_found_by_name_or_id_and_renamed(world: World) -> None:
    profiles.insert_profile(world.db, Profile("p2", "Work", day(0)))
    assert profiles.get_profile(world.db, "Work") == profiles.get_profile(world.db, "p2")
    with pytest.raises(BadInput):
        profiles.insert_profile(world.db, Profile("p3", "Work", day(1)))
    with pytest.raises(BadInput):
        profiles.rename_profile(world.db, "p2", "default")
    profiles.rename_profile(world.db, "p2", "Office")
    assert [profile.name for profile in profiles.list_profiles(world.db)] == ["default", "Office"]
    with pytest.raises(NotFound):
        profiles.get_profile(world.db, "Work")
