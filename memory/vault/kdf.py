"""From a passphrase to a key: Argon2id, with parameters that are judged before any memory is taken.

A key file names its own parameters, so a hostile one could ask for all memory or for next to no work; both
are refused. The surprise: ``CHEAPEST`` exists for tests only and must be allowed by the caller each time.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from memory.vault.errors import KdfOutOfBounds

KEY_BYTES = 32
SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Argon2Params:
    """Cost of one derivation: passes, memory in KiB, lanes."""

    t: int = 3
    m_kib: int = 65536
    p: int = 4

    def weaker_than(self, other: Argon2Params) -> bool:
        """Say whether these cost an attacker less memory or less work."""
        return self.m_kib < other.m_kib or self.t * self.m_kib < other.t * other.m_kib


DEFAULT = Argon2Params()
CHEAPEST = Argon2Params(t=1, m_kib=8, p=1)
LOWEST = Argon2Params(t=1, m_kib=19456, p=1)
HIGHEST = Argon2Params(t=16, m_kib=1048576, p=16)


def check_params(params: Argon2Params, *, allow_cheap: bool = False) -> None:
    """Raise KdfOutOfBounds unless every parameter is within its bounds."""
    if allow_cheap and params == CHEAPEST:
        return
    for name in ("t", "m_kib", "p"):
        value, low, high = (getattr(which, name) for which in (params, LOWEST, HIGHEST))
        if not low <= value <= high:
            raise KdfOutOfBounds(f"Argon2id parameter {name}={value} is outside {low} to {high}")


def derive(passphrase: str, salt: bytes, params: Argon2Params, *, allow_cheap: bool = False) -> bytes:
    """Return the key of a passphrase; equal-looking Unicode spellings give the same key."""
    check_params(params, allow_cheap=allow_cheap)
    spelled = unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")
    function = Argon2id(
        salt=salt, length=KEY_BYTES, iterations=params.t, lanes=params.p, memory_cost=params.m_kib
    )
    return function.derive(spelled)
