"""No statement of a turn reads a whole table: the store stays quick at ten thousand facts."""

import re

import pytest
from builders import World, day, open_memory_store
from sqlite_utils import Database

from memory import reader
from memory.retrieval import candidate, links, lookups, recall
from memory.store import (
    candidates,
    conversations,
    derivations,
    episodes,
    facts,
    items,
    jobs,
    journal,
    messages,
    settle,
    tombstones,
    traces,
    versions,
)

HOT = {
    "message by id": messages.BY_ID,
    "path": messages.PATH,
    "branches": messages.BRANCHES,
    "undistilled": messages.UNDISTILLED,
    "conversation by id": conversations.BY_ID,
    "fact by id": facts.BY_ID,
    "slot": facts.SLOT,
    "open facts of a slot": facts.OPEN,
    "value in a slot": facts.SLOT_BY_VALUE,
    "facts by ids": facts.BY_IDS,
    "touched": facts.TOUCHED,
    "writes": facts.WRITES,
    "facts on a message": facts.RESTING_ON,
    "recalled": facts.RECALLED,
    "episodes on a message": episodes.RESTING_ON,
    "queue": candidates.PENDING,
    "like in queue": candidates.SAME_SLOT,
    "parents": derivations.PARENTS,
    "children": derivations.CHILDREN,
    "descendants": derivations.DESCENDANTS,
    "parts": items.PARTS,
    "items of": items.KEYS_OF,
    "context": items.CLEAR_CONTEXT,
    "sources": settle.SOURCES,
    "stale messages": settle.MESSAGES,
    "stale answers": settle.ANSWERS,
    "known to an answer": settle.KNOWN_TO,
    "later": settle.LATER,
    "movable": settle.MOVABLE,
    "receipt": traces.FOR,
    "receipts": traces.OF_CONVERSATION,
    "versions": versions.OF_REF,
    "line by id": journal.BY_ID,
    "tombstones by place": tombstones.OVER,
    "tombstones by hash": tombstones.BY_HASH,
    "values": settle.VALUES,
    "words of changes": reader.TEXTS_OF,
    "forgetting facts": facts.DELETE,
    "forgetting episodes": episodes.DELETE,
    "forgetting links": derivations.DELETE,
    "forgetting versions": versions.DELETE,
    "forgetting items": items.DELETE,
    "next job": jobs.NEXT,
    "id prefix": reader.ANY_WITH_PREFIX,
    "sources of a fact": reader.SOURCES,
    "candidates of recall": candidate.BY_KEY,
    "what was said beside": links.BESIDE,
    "what facts rest on": links.SOURCES,
    "facts named": lookups.EXACT,
    "what advice minds": lookups.MINDED,
    "dates of facts": recall.DATES,
}
WHOLE = re.compile(r"SCAN (?!json_each|upwards|below|chain|touch\b)|\(profile=\?\)")
"""Lists handed in and the steps of a recursion are read whole; tables, or a profile's part of one, are not."""


@pytest.fixture(scope="module")
def db() -> Database:
    return open_memory_store()


def whole_reads(db: Database, statement: str) -> list[str]:
    values = dict.fromkeys(re.findall(r":(\w+)", statement), "[]")
    plan = db.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
    return [row[3] for row in plan if WHOLE.search(row[3])]


def test_reading_a_whole_table_would_be_noticed(db: Database) -> None:
    assert whole_reads(db, "SELECT answer.id FROM message AS answer WHERE text = :text") == ["SCAN answer"]
    assert whole_reads(db, "SELECT id FROM fact WHERE profile = :profile AND text = :text") != []


@pytest.mark.parametrize("name", HOT)
def test_no_table_is_read_from_end_to_end(db: Database, name: str) -> None:
    assert whole_reads(db, HOT[name]) == []


def test_a_decision_takes_as_many_statements_among_many_facts_as_among_few() -> None:
    world = World()
    seen: list[str] = []

    def statements(number: int) -> int:
        seen.clear()
        with world.db.tracer(lambda sql, _: seen.append(sql)):
            world.tell(f"I like thing {number}", "user", "likes", f"thing {number}", said_at=day(number))
        return len(seen)

    world.say("hello")
    statements(1)
    few = statements(2)
    for number in range(3, 40):
        statements(number)
    assert statements(40) == few
