"""How one Locket asks another, of the same user, to lock itself.

Owns the way between the two processes: a signal where there are signals, else a file in the vault's private
folder that the other one looks for. The surprise: a signal goes only to the process that holds the store's lock
now and that started when the lock says, so that a number used again never gets it.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

    from memory.vault.lock import Holder

# ruff: noqa: PLC0415 - the vault is loaded only by who asks: this module is imported at every start

REQUEST = "lock.request"
PATIENCE_SECONDS = 10.0
"""An answer that is being made is stopped and committed first."""
_LOOK_EVERY = 0.05
LOCK_SIGNAL: signal.Signals | None = None if sys.platform == "win32" else signal.SIGUSR1
HANGUP: signal.Signals | None = None if sys.platform == "win32" else signal.SIGHUP


def ask_to_lock(folder: Path, *, patience: float = PATIENCE_SECONDS) -> Holder | None:
    """Have whoever has the store open for writing lock itself; return who that was, None when nobody had.

    Returns when the store is locked; raises TimeoutError when that did not happen.
    """
    from memory.vault.lock import find_holder

    lock = folder / "vault.lock"
    holder = find_holder(lock)
    if holder is None:
        (folder / REQUEST).unlink(missing_ok=True)
        return None
    _tell(folder, holder)
    deadline = time.monotonic() + patience
    while (now := find_holder(lock)) is not None and now.pid == holder.pid:
        if time.monotonic() >= deadline:
            (folder / REQUEST).unlink(missing_ok=True)
            raise TimeoutError
        time.sleep(_LOOK_EVERY)
    (folder / REQUEST).unlink(missing_ok=True)
    return holder


def is_same_process(holder: Holder) -> bool:
    """Say whether the process that took the lock still has its number, as far as the system tells."""
    from memory.vault.lock import process_start

    if holder.pid is None or holder.pid == os.getpid():
        return False
    started = process_start(holder.pid)
    return started is None or holder.started is None or started == holder.started


def take_request(folder: Path) -> bool:
    """Say whether a file asks this process to lock, and take it away."""
    try:
        (folder / REQUEST).unlink()
    except FileNotFoundError:
        return False
    return True


def obey_requests(
    loop: asyncio.AbstractEventLoop, lock: Callable[[], object], hang_up: Callable[[], object] | None = None
) -> None:
    """Have ``lock`` called when a signal asks for it, and ``hang_up`` (or ``lock``) when the terminal goes."""
    if LOCK_SIGNAL is None or HANGUP is None:
        return
    with suppress(NotImplementedError, ValueError, RuntimeError):  # no signals here: not the main thread
        loop.add_signal_handler(LOCK_SIGNAL, lock)
        loop.add_signal_handler(HANGUP, hang_up or lock)


def survive_requests() -> None:
    """Let a verb that ends soon by itself finish its work when it is asked to lock."""
    if LOCK_SIGNAL is not None:
        with suppress(ValueError):  # not the main thread
            signal.signal(LOCK_SIGNAL, lambda *_: None)


def _tell(folder: Path, holder: Holder) -> None:
    if LOCK_SIGNAL is None:
        (folder / REQUEST).touch(mode=0o600)
    elif holder.pid is not None and is_same_process(holder):
        os.kill(holder.pid, LOCK_SIGNAL)
