"""Named places where a test can have the process killed, as a power cut would.

A point does nothing unless ``LOCKET_CRASH_AT`` names it (``name`` or ``name:3`` for the third passage), and
then sends SIGKILL to the process itself: no handler, no flush. Nothing else in the vault reads the
environment.
"""

from __future__ import annotations

import os
import signal

VARIABLE = "LOCKET_CRASH_AT"
_passed: dict[str, int] = {}


def point(name: str) -> None:
    """Die here when a test asked for it; otherwise do nothing."""
    wanted = os.environ.get(VARIABLE)
    if wanted is None:
        return
    chosen, _, count = wanted.partition(":")
    if chosen != name:
        return
    _passed[name] = _passed.get(name, 0) + 1
    if _passed[name] >= int(count or 1):
        os.kill(os.getpid(), signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
