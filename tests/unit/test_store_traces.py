from dataclasses import replace

import pytest
from builders import World, day, make_conversation

from memory.errors import NotFound
from memory.records import (
    LeftOut,
    SectionUse,
    SentItem,
    Trace,
    Usage,
)
from memory.store import (
    traces,
)
from memory.store.conversations import create_conversation

P = "default"


@pytest.fixture
def world() -> World:
    return World()


def trace(ident: str, answer: str | None, **fields: object) -> Trace:
    made = Trace(
        id=ident,
        profile=P,
        conversation="talk",
        message="m1",
        answer=answer,
        block="<memory>dog: Biscuit</memory>",
        items=(
            SentItem(
                "f", "fact", "dog: Biscuit", day(1), "user_said", 0.5, {"relevance": 0.25}, 7, "named", None
            ),
        ),
        left_out=(LeftOut("g", "fact", "cat: Olive", "no room", 0.1, {"relevance": 0.1}, 9),),
        sections=(SectionUse("memory", 7, 655),),
        usage=Usage(10, 4, 6, 3, 12.5, 40.0, "ab", "model", "cd"),
        recorded_at=day(2),
    )
    return replace(made, **fields)  # type: ignore[arg-type]


def test_a_receipt_is_found_by_question_and_by_answer(world: World) -> None:
    create_conversation(world.db, make_conversation())
    kept = trace("t1", "m2")
    traces.insert_trace(world.db, kept, head_sha256="00")
    assert traces.trace_for(world.db, P, "m1") == kept
    assert traces.trace_for(world.db, P, "m2") == kept
    assert traces.traces_for(world.db, P, ["m1", "m9"]) == {"m1": kept}
    with pytest.raises(NotFound):
        traces.trace_for(world.db, "work", "m1")


def test_the_newest_receipt_of_a_message_counts(world: World) -> None:
    create_conversation(world.db, make_conversation())
    for ident, answer in (("t1", "m2"), ("t2", "m3")):
        traces.insert_trace(world.db, trace(ident, answer, usage=None))
    assert traces.trace_for(world.db, P, "m1").id == "t2"
    assert traces.trace_for(world.db, P, "m2").id == "t1"
    assert [kept.id for kept in traces.list_traces(world.db, P, "talk")] == ["t1", "t2"]


def test_what_was_not_sent_is_dropped_with_age(world: World) -> None:
    create_conversation(world.db, make_conversation())
    traces.insert_trace(world.db, trace("old", None))
    traces.insert_trace(world.db, trace("new", None, message="m5", recorded_at=day(50)))
    assert traces.trim_left_out(world.db, P, day(10)) == 1
    assert traces.trace_for(world.db, P, "m1").left_out == ()
    assert len(traces.trace_for(world.db, P, "m1").items) == 1
    assert len(traces.trace_for(world.db, P, "m5").left_out) == 1


def test_a_receipt_can_lose_words(world: World) -> None:
    create_conversation(world.db, make_conversation())
    kept = trace("t1", None)
    traces.insert_trace(world.db, kept)
    shorter = replace(kept, block="", items=(), left_out=())
    traces.rewrite_trace(world.db, shorter)
    assert traces.trace_for(world.db, P, "m1") == shorter
