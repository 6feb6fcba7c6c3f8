"""What was forgotten for real stays forgotten, whichever file it tries to come back with."""

import itertools
import json
from pathlib import Path

import pytest
from builders import World, day
from transfer_builders import KEY, picture, sealed, take

from memory.core import Core
from memory.forget import Selection, preview
from memory.forgetting import applying
from memory.records import Fact
from memory.store.conversations import list_conversations
from memory.store.facts import list_facts
from memory.transfer.foreign import import_pieces
from memory.transfer.report import ImportReport
from memory.transfer.sources.opening import walk_source


@pytest.fixture
def world() -> World:
    world = World(_numbers=itertools.count(1))
    world.now = day(1)
    return world


def core_of(world: World) -> Core:
    return Core(world.db, world.profile, lambda: world.now, world.new_id, KEY)


def forget(world: World, selection: Selection) -> None:
    core = core_of(world)
    world.now = day(2)
    with core.atomic():
        applying.apply(core, preview(core, selection))


def held(world: World, word: str) -> list[str]:
    return [row for rows in picture(world.db).values() for row in rows if word in row.casefold()]


def told(world: World) -> tuple[Fact, bytes]:
    """Tell something, have it repeated, and export it."""
    fact = world.tell("I live in Lisbon", "user", "city", "Lisbon")
    world.answer("Lisbon is a fine place.", fact.id)
    world.say("thanks")
    return fact, sealed(world.db)


def test_a_forgotten_fact_does_not_come_back_with_an_archive_from_before(world: World) -> None:
    fact, archive = told(world)
    forget(world, Selection(ids=(fact.id,)))
    report = take(world, archive, key=KEY)
    assert report.refused["fact"] == 1
    assert held(world, "lisbon") == []


def test_a_forgotten_conversation_does_not_come_back_with_an_archive_from_before(world: World) -> None:
    _, archive = told(world)
    forget(world, Selection(conversation="talk"))
    report = take(world, archive, key=KEY)
    assert (report.refused["message"], report.refused["conversation"]) == (3, 1)
    assert held(world, "lisbon") == []


def bring(world: World, path: Path) -> ImportReport:
    kind, pieces = walk_source(path)
    return import_pieces(core_of(world), kind, pieces, trust=True)


def test_a_forgotten_talk_of_another_program_does_not_come_back_with_the_same_file(
    world: World, tmp_path: Path
) -> None:
    entry = {
        "uuid": "m1",
        "sender": "human",
        "text": "I live in Lisbon",
        "created_at": "2026-01-01T10:00:00Z",
    }
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{"uuid": "k1", "name": "Home", "chat_messages": [entry]}]))
    bring(world, path)
    (home,) = list_conversations(world.db, "default")
    forget(world, Selection(conversation=home.id))
    report = bring(world, path)
    assert (report.added, report.refused) == ({}, {"message": 1, "conversation": 1})
    assert held(world, "lisbon") == []


def test_a_forgotten_memory_of_another_program_does_not_come_back_with_the_same_file(
    world: World, tmp_path: Path
) -> None:
    path = tmp_path / "paste.txt"
    path.write_text("[unknown] - Lives in Lisbon\n")
    bring(world, path)
    (fact,) = list_facts(world.db, "default")
    forget(world, Selection(ids=(fact.id,)))
    assert bring(world, path).refused == {"fact": 1}
    assert held(world, "lisbon") == []
