"""Whether the terminal is still there, and how to leave once it is not.

Owns the two things a screen needs when its window was closed: to notice, also where no signal tells, and to stop
writing to it. One surprise: the thread that writes dies with the terminal and its queue then blocks whoever
writes next, so that nothing may be written any more, and a last guard ends the process whatever hangs.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App

HUNG_UP = 129
"""The exit code of a program whose terminal went away (128 + SIGHUP)."""
LAST_SECONDS = 30.0
"""How long closing the store may take when nobody can see it."""


def is_gone() -> bool:
    """Tell whether standard input was a terminal that has been closed."""
    stream = sys.__stdin__
    if stream is None:
        return False
    try:
        return not stream.isatty()
    except (ValueError, OSError):
        return True


def _to_nowhere(_text: str) -> None:
    """Write nothing."""


def fall_silent(app: App[Any]) -> None:
    """Write nothing to the terminal any more, and end the process even if something waits for it."""
    driver = app._driver  # noqa: SLF001 - textual has no other way to let go of a terminal
    if driver is not None:
        setattr(driver, "write", _to_nowhere)  # noqa: B010 - a method of one object only
    guard = threading.Timer(LAST_SECONDS, os._exit, (HUNG_UP,))
    guard.daemon = True
    guard.start()
