"""Keeps the process's memory off the disk and its files private.

Turns off core dumps, makes the process undumpable on Linux (which also keeps other processes of the same
user from attaching), sets the umask, and has freed memory overwritten. Cannot keep memory out of swap or
hibernation images.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys

PR_GET_DUMPABLE = 3
PR_SET_DUMPABLE = 4
M_PERTURB = -6
FILL = 0xFF
"""What freed memory is overwritten with; memory that is handed out is then filled with zeros."""


def harden_process() -> tuple[str, ...]:
    """Apply every protection this system offers and return words for each that could not be had."""
    missing: list[str] = []
    if sys.platform != "win32":
        os.umask(0o077)
        import resource  # noqa: PLC0415 - absent on Windows

        try:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        except (OSError, ValueError) as error:
            missing.append(f"core dumps stay on: {error}")
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
            missing.append(f"the process stays dumpable: {os.strerror(ctypes.get_errno())}")
    return tuple(missing)


@functools.cache
def wipe_freed_memory() -> bool:
    """Have whatever this process frees from now on overwritten; False where the system cannot."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "gnu_get_libc_version"):
        return False  # musl has a function of that name that does nothing
    return bool(libc.mallopt(M_PERTURB, FILL) == 1)
