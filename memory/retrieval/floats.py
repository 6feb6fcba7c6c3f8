"""Vectors as bytes: little-endian 32-bit floats, checked, scaled and padded without numpy."""

from __future__ import annotations

import math
from array import array

from memory.errors import EmbedderMismatch


def check_vector(vector: bytes, name: str, dims: int) -> None:
    """Raise EmbedderMismatch unless a vector has the stamped size and finite components."""
    if len(vector) != dims * 4:
        raise EmbedderMismatch(f"{name} makes vectors of {dims} numbers, not {len(vector) / 4:g}")
    if not math.isfinite(sum(array("f", vector))):
        raise EmbedderMismatch(f"{name} gave a vector that is not made of numbers")


def normalised(vector: bytes) -> bytes:
    """Scale a vector to length one; a vector of zeros stays as it is."""
    values = array("f", vector)
    length = math.hypot(*values)
    return vector if length == 0 else array("f", [value / length for value in values]).tobytes()


def mixed(vector: bytes, other: bytes, share: float) -> bytes:
    """Return a vector turned towards another one by a share of its length; both have length one."""
    pairs = zip(array("f", vector), array("f", other), strict=True)
    return normalised(array("f", [one + share * two for one, two in pairs]).tobytes())


def padded_dims(dims: int) -> int:
    """Return the size of a binary column for so many components, a whole number of bytes."""
    return -(-dims // 8) * 8


def padded(vector: bytes, dims: int) -> bytes:
    """Lengthen a vector with zeros to the size of its binary column."""
    return vector + bytes(4 * (padded_dims(dims) - dims))
