"""Words that stay behind when their widgets are gone: in the caches of the libraries that draw, and in circles.

Knows no screen. The surprise: only caches of those libraries are emptied, since others hold more than speed.
"""

from __future__ import annotations

import functools
import gc
from typing import Final

from textual.cache import FIFOCache, LRUCache

DRAWING: Final = ("rich", "textual")


def drop_leftovers() -> None:
    """Empty the caches that are keyed by what was on the screen, and free what refers to itself."""
    for one in gc.get_objects():
        kind = type(one)  # isinstance would ask the object itself, and a proxy of what is gone raises then
        if kind is functools._lru_cache_wrapper:  # noqa: SLF001 - the only name of that type
            if (one.__module__ or "").partition(".")[0] in DRAWING:
                one.cache_clear()
        elif issubclass(kind, LRUCache | FIFOCache):
            one.clear()
    gc.collect()
