"""What stays behind when the screen has gone: it is dropped whatever else lives in the process."""

import functools
import weakref

from textual.cache import LRUCache

from assistant.tui.leftovers import drop_leftovers


class Gone:
    """Something that is referred to after its end."""


class Unwilling:
    """Something that does not tell what it is."""

    @property
    def __class__(self) -> type:
        raise RuntimeError("ask somebody else")

    @__class__.setter
    def __class__(self, _: type) -> None: ...


def test_words_in_the_caches_of_what_draws_are_dropped() -> None:
    cache: LRUCache[str, str] = LRUCache(4)
    cache["a sentence"] = "a sentence"
    drop_leftovers()
    assert len(cache) == 0


def test_other_caches_keep_what_they_hold() -> None:
    @functools.lru_cache
    def double(number: int) -> int:
        return 2 * number

    assert double(21) == 42
    drop_leftovers()
    assert double.cache_info().currsize == 1


def test_nothing_that_happens_to_be_alive_stands_in_the_way() -> None:
    gone = Gone()
    others = [weakref.proxy(gone), Unwilling()]
    del gone
    cache: LRUCache[str, str] = LRUCache(4)
    cache["a sentence"] = "a sentence"
    drop_leftovers()
    assert len(cache) == 0
    assert len(others) == 2
