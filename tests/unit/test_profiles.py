"""Profiles: two people in one store who never meet, and one who leaves without a trace."""

from typing import Any

import pytest
from talk_builders import Chat, count

from memory.errors import BadInput, NotFound
from memory.records import DEFAULT_PROFILE
from memory.store.profile_removal import ENDS, OWNED
from memory.store.registry import ENTRIES
from memory.store.sql import select


@pytest.fixture
def mine() -> Chat:
    return Chat()


@pytest.fixture
def hers(mine: Chat) -> Chat:
    return Chat(mine.memory.add_profile("Ana").id, beside=mine, seed=8)


def prompt_of(chat: Chat, text: str) -> str:
    turn = chat.memory.begin_turn(text)
    prompt = chat.memory.assemble(turn, chat.memory.recall(turn), count, 0, 8192)
    return "\n".join(message.text for message in prompt.messages)


def test_nothing_crosses_in_recall_search_listing_or_prompt(mine: Chat, hers: Chat) -> None:
    talk, _ = mine.turn("My dog is called Biscuit and I live in Porto")
    mine.memory.pin(mine.memory.add_fact("I'm allergic to peanuts", attribute="allergy").id)
    mine.memory.add_rule("Answer in metric units")
    mine.turn("From now on always call me Captain", conversation=talk.conversation)
    mine.memory.close_episodes()
    hers.turn("My dog is called Waffle")
    assert not hers.memory.search("Biscuit") or all(
        "Biscuit" not in found.item.text for found in hers.memory.search("Biscuit")
    )
    assert [fact.value for fact in hers.memory.reader.list_facts(states=None)] == ["Waffle"]
    assert hers.memory.reader.list_rules() == []
    assert hers.memory.reader.list_episodes() == []
    assert hers.memory.reader.review_list() == []
    assert len(hers.memory.reader.list_conversations()) == 1
    assert all("Biscuit" not in hit.item.text for hit in hers.recall("What is my dog called?").hits)
    said = prompt_of(hers, "What is my dog called?")
    assert "Waffle" in said
    for word in ("Biscuit", "Porto", "peanuts", "metric"):
        assert word not in said
    with pytest.raises(NotFound):
        hers.memory.reader.get_conversation(talk.conversation)
    with pytest.raises(NotFound):
        hers.memory.reader.full_id(talk.message.id)


def test_only_a_rule_for_everybody_is_followed_in_both(mine: Chat, hers: Chat) -> None:
    mine.memory.add_rule("Answer in metric units", everywhere=True)
    mine.memory.add_rule("Call me Captain")
    said = prompt_of(hers, "How far is it?")
    assert "metric" in said
    assert "Captain" not in said


def test_the_same_slot_is_open_once_in_each(mine: Chat, hers: Chat) -> None:
    mine.turn("I live in Porto")
    hers.turn("I live in Faro")
    assert mine.values("user", "home") == ["Porto"]
    assert hers.values("user", "home") == ["Faro"]


def test_an_undo_takes_back_only_ones_own_change(mine: Chat, hers: Chat) -> None:
    hers.turn("I live in Faro")
    mine.turn("I live in Porto")
    hers.memory.undo()
    assert hers.values("user", "home") == []
    assert mine.values("user", "home") == ["Porto"]


def test_a_deleted_profile_is_gone_from_every_table_and_the_other_is_as_it_was(
    mine: Chat, hers: Chat
) -> None:
    db = mine.core.db
    mine.turn("My dog is called Biscuit")
    before = {table: select(db, f"SELECT * FROM {table} WHERE profile = 'default'") for table in OWNED}
    talk, _ = hers.turn("My dog is called Zubrowka")
    hers.turn("From now on always call me Zubrowka", conversation=talk.conversation)
    hers.memory.close_episodes()
    hers.memory.keep_unsent(talk.conversation, "Zubrowka")
    hers.memory.set_setting("remote", "Zubrowka")
    deleted = mine.memory.delete_profile("Ana")
    assert deleted.rows["fact"] == 1
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for row in db.execute(f'SELECT * FROM "{name}"').fetchall():
            assert hers.core.profile not in row, name
            assert all(not isinstance(cell, str) or "Zubrowka" not in cell for cell in row), name
            assert all(not isinstance(cell, bytes) or b"zubrowka" not in cell for cell in row), name
    after = {table: select(db, f"SELECT * FROM {table} WHERE profile = 'default'") for table in OWNED}
    assert after == before
    live = set().union(*({row[0] for row in db.execute(f"SELECT id FROM {end}").fetchall()} for end in ENDS))
    links = db.execute("SELECT child, parent FROM derivation").fetchall()
    assert {end for link in links for end in link} <= live
    ids = {row[0] for row in db.execute("SELECT key FROM item").fetchall()}
    assert {row[0] for row in db.execute("SELECT id FROM item_vec_1").fetchall()} == ids


def test_deleting_takes_as_many_statements_for_a_lot_as_for_a_little(
    mine: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []
    execute = mine.core.db.execute
    for number, facts in enumerate((40, 90)):
        other = Chat(mine.memory.add_profile(f"p{number}").id, beside=mine, seed=20 + number)
        for n in range(facts):
            other.memory.add_fact(f"Note {n}")
        run: list[str] = []

        def counted(statement: str, *values: Any, run: list[str] = run) -> Any:
            run.append(statement)
            return execute(statement, *values)

        monkeypatch.setattr(mine.core.db, "execute", counted)
        mine.memory.delete_profile(f"p{number}")
        monkeypatch.setattr(mine.core.db, "execute", execute)
        taken.append(len(run))
    assert taken[0] == taken[1] < 60


def test_every_table_with_a_profile_is_emptied(mine: Chat) -> None:
    with_profile = {entry.name for entry in ENTRIES if "profile" in entry.plain and not entry.is_family}
    assert with_profile == set(OWNED)


def test_a_name_is_taken_once_and_must_be_readable(mine: Chat) -> None:
    mine.memory.add_profile("work")
    for name in ("work", "default", "", "  ", "*", "a\x00b", "x" * 61, "../x", "a\\b"):
        with pytest.raises(BadInput):
            mine.memory.add_profile(name)
    with pytest.raises(BadInput):
        mine.memory.rename_profile("work", "default")


def test_a_renamed_profile_keeps_what_it_remembers(mine: Chat, hers: Chat) -> None:
    hers.turn("My dog is called Waffle")
    assert mine.memory.rename_profile("Ana", "Anna").id == hers.core.profile
    assert hers.values("dog", "name") == ["Waffle"]


def test_neither_the_first_profile_nor_the_one_in_use_can_be_deleted(mine: Chat, hers: Chat) -> None:
    with pytest.raises(BadInput):
        mine.memory.delete_profile(DEFAULT_PROFILE)
    with pytest.raises(BadInput):
        hers.memory.delete_profile("Ana")
    with pytest.raises(NotFound):
        mine.memory.delete_profile("nobody")
