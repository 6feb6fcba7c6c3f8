import struct
from dataclasses import replace

import pytest
from builders import World, day, make_episode, make_fact, make_message

from memory.records import FactState, ItemKind, ItemState, Role
from memory.retrieval import vectors
from memory.store.items import (
    Searchable,
    clear_context,
    delete_items,
    set_state,
    write_attachment_items,
    write_episode_item,
    write_fact_item,
    write_item,
    write_message_items,
)
from memory.store.stored import Attachment


class Identity:
    name = "letters"
    sha256 = "00" * 32
    dims = 8
    normalised = True


@pytest.fixture
def world() -> World:
    return World()


def with_vectors(world: World) -> int:
    """Give every item a vector, as embedding would."""
    with world.db.atomic():
        embedder = vectors.ensure_embedder(world.db, Identity(), day(0))
        waiting = vectors.pending(world.db, embedder.key, 1000)
        vectors.store(world.db, embedder.key, [(key, struct.pack("<8f", 1, *[0] * 7)) for key, _ in waiting])
    return embedder.key


def vector_states(world: World, embedder: int) -> dict[int, tuple[str, int]]:
    found = world.db.execute(f"SELECT id, state, expires_at FROM item_vec_{embedder}").fetchall()
    return {row[0]: (row[1], row[2]) for row in found}


def column(world: World, name: str, ref: str) -> list[object]:
    found = world.db.execute(f"SELECT {name} FROM item WHERE ref = ? ORDER BY part", [ref]).fetchall()
    return [row[0] for row in found]


def found_by(world: World, word: str) -> list[str]:
    statement = "SELECT item.id FROM item_fts JOIN item ON item.key = item_fts.rowid WHERE item_fts MATCH ? ORDER BY key"
    return [row[0] for row in world.db.execute(statement, [f'"{word}"']).fetchall()]


def passage(text: str, **fields: object) -> Searchable:
    searchable = Searchable(ItemKind.ATTACHMENT, "ref", "default", text)
    return replace(searchable, **fields)  # type: ignore[arg-type]


def test_only_masked_words_are_searchable(world: World) -> None:
    world.say("my card is 4111 1111 1111 1111", masked="my card is [card number]")
    assert found_by(world, "4111") == []
    assert len(found_by(world, "card")) == 1


def test_the_message_before_is_context_while_both_are_short(world: World) -> None:
    first = world.say("Shall we go to Kyoto?")
    second = world.say("Yes, in April")
    long = world.say("word " * 100)
    third = world.say("Fine")
    assert column(world, "context", second.id) == [first.text]
    assert column(world, "context", long.id) == [""]
    assert column(world, "context", third.id) == [""]
    assert found_by(world, "Kyoto") == [first.id, second.id]


def test_a_neighbours_words_can_be_taken_out(world: World) -> None:
    first = world.say("Shall we go to Kyoto?")
    second = world.say("Yes, in April")
    with world.db.atomic():
        delete_items(world.db, [first.id])
        assert clear_context(world.db, [first.id]) == 1
    assert found_by(world, "Kyoto") == []
    assert found_by(world, "April") == [second.id]


def test_a_long_answer_is_searchable_but_not_recalled(world: World) -> None:
    short = world.answer("Briefly, yes.")
    long = world.answer("At length. " * 80)
    assert column(world, "recallable", short.id) == [1]
    assert set(column(world, "recallable", long.id)) == {0}
    mine = world.say("At length. " * 80)
    assert set(column(world, "recallable", mine.id)) == {1}


def test_parts_are_numbered_after_what_they_stand_for(world: World) -> None:
    message = world.say("Sentence number one. " * 100)
    ids = column(world, "id", message.id)
    assert ids == [message.id, *(f"{message.id}.{number}" for number in range(1, len(ids)))]
    assert len(ids) > 1


def test_chinese_words_are_found_by_their_grams(world: World) -> None:
    message = world.say("我的狗叫饼干")
    assert column(world, "grams", message.id) != [""]


def test_a_fact_is_found_by_what_it_is_about(world: World) -> None:
    fact = make_fact("f", "dog", "favourite_food", "liver", text="He loves liver")
    write_fact_item(world.db, fact)
    assert found_by(world, "favourite") == ["f"]
    assert found_by(world, "dog") == ["f"]
    assert column(world, "subject", "f") == ["dog"]


@pytest.mark.parametrize(
    ("state", "wanted"),
    [
        (FactState.ACTIVE, "active"),
        (FactState.SUPERSEDED, "outdated"),
        (FactState.EXPIRED, "outdated"),
        (FactState.ARCHIVED, "archived"),
        (FactState.SET_ASIDE, "set_aside"),
    ],
)
def test_only_an_active_fact_is_recalled(world: World, state: FactState, wanted: str) -> None:
    write_fact_item(world.db, make_fact("f", "user", "home", "Porto", state=state, superseded_at=day(1)))
    assert world.item_states("f") == [wanted]


def test_an_episode_is_found_by_its_lists(world: World) -> None:
    write_episode_item(world.db, make_episode("e", "Trip plan", decisions=("take the night train",)))
    assert found_by(world, "train") == ["e"]


def test_an_attachment_is_found_by_its_name_and_passages(world: World) -> None:
    text = "\n\n".join(f"Clause {number}. {'Words. ' * 60}" for number in range(8))
    attachment = Attachment("a", "default", "talk", None, "lease.txt", "text/plain", text, "00", day(0))
    write_attachment_items(world.db, attachment)
    assert found_by(world, "lease") == ["a"]
    assert len(column(world, "id", "a")) > 1
    assert set(column(world, "origin", "a")) == {"document"}


def test_unchanged_words_keep_their_vector(world: World) -> None:
    keys = write_item(world.db, passage("some words"))
    embedder = with_vectors(world)
    assert write_item(world.db, passage("some words", state=ItemState.ARCHIVED, expires_at=77)) == keys
    assert vector_states(world, embedder) == {keys[0]: ("archived", 77)}


def test_changed_words_lose_their_vector_and_wait_for_another(world: World) -> None:
    keys = write_item(world.db, passage("some words"))
    embedder = with_vectors(world)
    write_item(world.db, passage("other words"))
    assert vector_states(world, embedder) == {}
    assert [text for _, text in vectors.pending(world.db, embedder, 10)] == ["other words"]
    assert found_by(world, "some") == []
    assert keys


def test_shorter_text_leaves_no_parts_behind(world: World) -> None:
    write_item(world.db, passage("A sentence. " * 200))
    write_item(world.db, passage("Short."))
    assert column(world, "text", "ref") == ["Short."]
    write_item(world.db, passage(""))
    assert column(world, "text", "ref") == []


def test_a_state_is_set_everywhere(world: World) -> None:
    message = world.say("A sentence of mine. " * 100)
    embedder = with_vectors(world)
    number = len(column(world, "id", message.id))
    with world.db.atomic():
        assert set_state(world.db, [message.id], ItemState.SET_ASIDE) == number
        assert set_state(world.db, [message.id], ItemState.SET_ASIDE) == 0
    assert set(world.item_states(message.id)) == {"set_aside"}
    assert {state for state, _ in vector_states(world, embedder).values()} == {"set_aside"}


def test_deleted_items_leave_no_posting_and_no_vector(world: World) -> None:
    message = world.say("A sentence of mine. " * 100)
    embedder = with_vectors(world)
    with world.db.atomic():
        delete_items(world.db, [message.id])
    assert found_by(world, "sentence") == []
    assert vector_states(world, embedder) == {}
    assert world.db.execute("SELECT count(*) FROM item_vocab").fetchone() == (0,)


def test_rewriting_a_message_keeps_it_out_of_recall(world: World) -> None:
    message = world.say("my code is tulip")
    set_state(world.db, [message.id], ItemState.OUTDATED)
    write_message_items(world.db, replace(message, text="my code is …"))
    assert world.item_states(message.id) == ["outdated"]


def test_deleting_many_takes_no_more_statements_than_deleting_few(world: World) -> None:
    def statements(number: int) -> int:
        refs = [f"r{number}.{each}" for each in range(number)]
        for ref in refs:
            write_item(world.db, passage("a word", ref=ref))
        seen: list[str] = []
        with world.db.tracer(lambda sql, _: seen.append(sql)), world.db.atomic():
            delete_items(world.db, refs)
        return len(seen)

    assert statements(1000) == statements(40)


def test_an_assistants_words_are_answers(world: World) -> None:
    message = make_message("m", "Yes.", role=Role.ASSISTANT)
    write_message_items(world.db, message)
    assert column(world, "kind", "m") == ["answer"]
