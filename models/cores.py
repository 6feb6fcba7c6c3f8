"""How many cores there are for a model; apart, so that asking it loads no native library."""

import os


def usable_cores() -> int:
    """Give the cores this process may run on, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
