"""What must not run inside an answer waits until it has ended, and later answers wait for it."""

import asyncio
import threading
from collections.abc import Iterator

from assistant.chat.bridge import SessionThread


async def test_a_command_that_must_be_alone_waits_for_the_answer_and_goes_before_the_next() -> None:
    thread = SessionThread()
    thread.start()
    order: list[str] = []
    began, stop = asyncio.Event(), threading.Event()

    def answer(name: str) -> Iterator[int]:
        order.append(f"{name} begins")
        yield 1
        while name == "first" and not stop.is_set():
            thread.run_waiting()
        order.append(f"{name} ends")

    async def listen(name: str) -> None:
        async for _ in thread.stream(lambda: answer(name)):
            began.set()

    try:
        first = asyncio.create_task(listen("first"))
        await began.wait()
        alone = thread.submit_alone(lambda: order.append("alone"))
        second = asyncio.create_task(listen("second"))
        await asyncio.wrap_future(thread.submit(lambda: order.append("between chunks")))
        stop.set()
        await asyncio.wrap_future(alone)
        await first
        await second
    finally:
        thread.close()
    assert order == ["first begins", "between chunks", "first ends", "alone", "second begins", "second ends"]
