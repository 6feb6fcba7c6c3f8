"""The session thread: one writer, commands between chunks, streams in order, idle work that gives way."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from assistant.chat.bridge import SessionThread


@pytest.fixture
def session() -> Iterator[SessionThread]:
    thread = SessionThread()
    thread.start()
    yield thread
    thread.close()


async def test_all_values_arrive_in_order_from_one_thread(session: SessionThread) -> None:
    threads: set[str] = set()

    def numbers() -> Iterator[int]:
        for n in range(500):
            threads.add(threading.current_thread().name)
            yield n

    assert [n async for n in session.stream(numbers)] == list(range(500))
    assert threads == {"session"}


async def test_a_command_runs_between_two_chunks_of_a_stream(session: SessionThread) -> None:
    started, commanded = threading.Event(), threading.Event()

    def slow() -> Iterator[str]:
        yield "first"
        started.set()
        while not commanded.is_set():
            session.run_waiting()
        yield "second"

    heard: list[str] = []

    async def consume() -> None:
        async for word in session.stream(slow):
            heard.append(word)

    task = asyncio.create_task(consume())
    await asyncio.to_thread(started.wait, 5)

    def command() -> str:
        commanded.set()
        return threading.current_thread().name

    name = await asyncio.wrap_future(session.submit(command))
    await task
    assert name == "session"
    assert heard == ["first", "second"]


async def test_a_second_stream_waits_for_the_first(session: SessionThread) -> None:
    order: list[str] = []

    def stream(name: str) -> Iterator[str]:
        order.append(f"{name} begins")
        yield name
        session.run_waiting()
        order.append(f"{name} ends")

    async def consume(name: str) -> None:
        async for _ in session.stream(lambda: stream(name)):
            pass

    await asyncio.gather(consume("a"), consume("b"))
    assert order == ["a begins", "a ends", "b begins", "b ends"]


async def test_a_consumer_that_leaves_does_not_cut_the_generator_short(session: SessionThread) -> None:
    finished = threading.Event()

    def numbers() -> Iterator[int]:
        yield from range(200)
        finished.set()

    stream = session.stream(numbers)
    async for _ in stream:
        break
    await stream.aclose()  # type: ignore[attr-defined]
    assert await asyncio.to_thread(finished.wait, 5)


async def test_what_was_handed_over_runs_though_nobody_ever_asks_for_its_values(
    session: SessionThread,
) -> None:
    finished = threading.Event()

    def numbers() -> Iterator[int]:
        yield from range(200)
        finished.set()

    session.stream(numbers)  # let go of at once
    assert await asyncio.to_thread(finished.wait, 5)


async def test_a_stream_of_a_closed_session_fails_for_who_asks(session: SessionThread) -> None:
    session.close()
    stream = session.stream(lambda: iter([1]))
    with pytest.raises(RuntimeError, match="closed"):
        await anext(stream)


def test_a_loop_that_ends_under_a_full_stream_does_not_cut_the_generator_short(
    session: SessionThread,
) -> None:
    full, ended, finished = threading.Event(), threading.Event(), threading.Event()

    def numbers() -> Iterator[int]:
        for number in range(1000):
            if number == 100:  # more than fits: the next one waits to be taken
                ended.wait(10)
            if number == 60:
                full.set()
            yield number
        finished.set()

    async def leave() -> None:
        stream = session.stream(numbers)
        assert await anext(stream) == 0
        await asyncio.to_thread(full.wait, 10)
        await asyncio.sleep(0.2)  # until the box is full

    asyncio.run(leave())
    ended.set()
    assert finished.wait(10)
    assert session.submit(lambda: "still there").result(10) == "still there"


async def test_an_error_in_a_command_or_a_stream_reaches_who_asked(session: SessionThread) -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise LookupError("no more")

    with pytest.raises(ZeroDivisionError):
        await asyncio.wrap_future(session.submit(lambda: 1 // 0))
    with pytest.raises(LookupError, match="no more"):
        _ = [n async for n in session.stream(broken)]
    assert await asyncio.wrap_future(session.submit(lambda: "alive")) == "alive"


async def test_idle_work_gives_way_to_a_command_and_goes_on_afterwards() -> None:
    done = 0
    enough = threading.Event()

    def idle(disturbed: threading.Event) -> bool:
        nonlocal done
        done += 1
        if done > 20:
            enough.set()
        disturbed.wait(0.001)
        return done < 50

    thread = SessionThread(idle)
    thread.start()
    try:
        assert await asyncio.wrap_future(thread.submit(lambda: 7)) == 7
        assert await asyncio.to_thread(enough.wait, 5)
    finally:
        thread.close()
    with pytest.raises(RuntimeError, match="closed"):
        thread.submit(lambda: 1)


async def test_idle_work_that_fails_is_told_to_the_next_command_and_answers_go_on() -> None:
    failed = threading.Event()

    def idle(disturbed: threading.Event) -> bool:
        failed.set()
        raise KeyError("something nobody foresaw")

    thread = SessionThread(idle)
    thread.start()
    try:
        assert await asyncio.to_thread(failed.wait, 5)
        heard = [word async for word in thread.stream(lambda: iter(["still", "here"]))]
        assert heard == ["still", "here"]
        with pytest.raises(KeyError):
            thread.submit(lambda: 1)
        assert await asyncio.wrap_future(thread.submit(lambda: 2)) == 2
    finally:
        thread.close()
