"""Vectors as bytes: little-endian float32 of length one.

Owns the byte form in which vectors leave this package; needs no numpy, so any process may use it.
"""

import math
import sys
from array import array
from collections.abc import Sequence

from models.errors import ModelUnusable


def normalised(values: Sequence[float]) -> bytes:
    """Give a vector of length one as little-endian float32; a zero vector stays zero."""
    length = math.sqrt(math.fsum(value * value for value in values)) or 1.0
    if not math.isfinite(length):
        raise ModelUnusable("The embedding model gave numbers that are none.")
    return to_bytes([value / length for value in values])


def to_bytes(values: Sequence[float]) -> bytes:
    """Give numbers as little-endian float32."""
    row = array("f", values)
    if sys.byteorder == "big":
        row.byteswap()
    return row.tobytes()
