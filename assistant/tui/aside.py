"""Waits for a call that may never return, such as one that shows a dialog of the system.

The surprise: unlike `asyncio.to_thread`, nobody waits for such a thread when the program ends.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def aside(call: Callable[[], T]) -> T:
    """Return what a call returns, made in a thread that dies with the program."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()
    found: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(call())
        except BaseException as error:  # noqa: BLE001 - the edge of a thread: raised where it is awaited
            failed.append(error)
        if not loop.is_closed():
            loop.call_soon_threadsafe(done.set)

    threading.Thread(target=run, daemon=True, name="aside").start()
    await done.wait()
    if failed:
        raise failed[0]
    return found[0]
