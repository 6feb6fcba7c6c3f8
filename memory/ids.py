"""Ids that sort by time: 16 characters of Crockford base32 in lower case.

The first nine characters are milliseconds since 1970, the other seven are random. One surprise: within a
process ids never go backwards, even when the clock does; a late clock only means smaller steps.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from memory.ports import Clock, NewId

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
LENGTH: Final = 16
RANDOM_BITS: Final = 35
STEP_BITS: Final = 25
RandomBits = Callable[[int], int]
"""So many random bits, as a whole number; ``secrets.randbits`` is one."""


def new_id_maker(clock: Clock, random: RandomBits, *, after: str | None = None) -> NewId:
    """Return a source of ids, each greater than the one before and than ``after``."""
    last = -1 if after is None else decode(after)
    turn = threading.Lock()

    def new_id() -> str:
        nonlocal last
        with turn:
            milliseconds = int(clock().timestamp() * 1000)
            fresh = (max(milliseconds, 0) << RANDOM_BITS) | random(RANDOM_BITS)
            # a step of its own size, so that ids of one moment differ early enough to be shortened
            last = fresh if fresh > last else last + 1 + random(STEP_BITS)
            return encode(last)

    return new_id


def encode(number: int) -> str:
    """Write a number as an id."""
    if not 0 <= number < 1 << (5 * LENGTH):
        raise ValueError(f"{number} does not fit an id")
    return "".join(ALPHABET[(number >> shift) & 31] for shift in range(5 * (LENGTH - 1), -1, -5))


def decode(ident: str) -> int:
    """Read an id as a number; raise ValueError for anything else."""
    if len(ident) != LENGTH:
        raise ValueError(f"an id has {LENGTH} characters, not {len(ident)}")
    number = 0
    for character in ident:
        number = number << 5 | ALPHABET.index(character)
    return number
