from dataclasses import replace

import pytest
from builders import World, day

from memory.store import (
    jobs,
)

P = "default"


@pytest.fixture
def world() -> World:
    return World()


def test_the_same_work_waits_once(world: World) -> None:
    first = jobs.enqueue(world.db, "distil", P, {"b": 1, "a": 2}, now=day(0), new_id=world.new_id)
    again = jobs.enqueue(world.db, "distil", P, {"a": 2, "b": 1}, now=day(1), new_id=world.new_id)
    other = jobs.enqueue(world.db, "distil", P, {"a": 3}, now=day(1), new_id=world.new_id)
    assert again.id == first.id
    assert [job.id for job in jobs.list_jobs(world.db, "pending")] == [first.id, other.id]


def test_work_noticed_while_it_is_done_waits_again(world: World) -> None:
    first = jobs.enqueue(world.db, "distil", P, {}, now=day(0), new_id=world.new_id)
    jobs.claim(world.db, now=day(0))
    second = jobs.enqueue(world.db, "distil", P, {}, now=day(1), new_id=world.new_id)
    assert second.id != first.id


def test_a_job_is_claimed_once_and_by_kind(world: World) -> None:
    made = jobs.enqueue(world.db, "distil", P, {"conversation": "talk"}, now=day(0), new_id=world.new_id)
    assert jobs.claim(world.db, now=day(0), kinds=["verify"]) is None
    assert jobs.claim(world.db, now=day(0), profile="work") is None
    claimed = jobs.claim(world.db, now=day(0), kinds=["distil"])
    assert claimed == replace(made, state="running", attempts=1)
    assert jobs.claim(world.db, now=day(0)) is None
    jobs.done(world.db, made.id, day(1))
    assert jobs.count_waiting(world.db) == 0
    assert jobs.sweep(world.db, day(2)) == 1


def test_a_job_that_gave_way_did_not_fail(world: World) -> None:
    made = jobs.enqueue(world.db, "distil", P, {}, now=day(0), new_id=world.new_id)
    jobs.claim(world.db, now=day(0))
    jobs.put_back(world.db, made.id, day(0))
    assert jobs.list_jobs(world.db) == [made]


def test_a_crash_makes_running_work_wait_again(world: World) -> None:
    jobs.enqueue(world.db, "distil", P, {}, now=day(0), new_id=world.new_id)
    jobs.claim(world.db, now=day(0))
    assert jobs.recover(world.db, day(1)) == 1
    assert jobs.claim(world.db, now=day(1)) is not None


def test_work_that_fails_too_often_is_left_alone_and_lets_others_go_first(world: World) -> None:
    bad = jobs.enqueue(world.db, "bad", P, {}, now=day(0), new_id=world.new_id)
    good = jobs.enqueue(world.db, "good", P, {}, now=day(0), new_id=world.new_id)
    first = jobs.claim(world.db, now=day(0))
    assert first is not None
    assert first.id == bad.id
    jobs.failed(world.db, first, day(0))
    second = jobs.claim(world.db, now=day(0))
    assert second is not None
    assert second.id == good.id
    for _ in range(jobs.ATTEMPTS - 1):
        again = jobs.claim(world.db, now=day(0))
        assert again is not None
        jobs.failed(world.db, again, day(0))
    assert jobs.claim(world.db, now=day(0)) is None
    assert [job.id for job in jobs.list_jobs(world.db, "failed")] == [bad.id]
