"""How hard a passphrase is to guess, roughly, and a way to make a good one.

An estimate for a meter, never a gate beyond the shortest length. It errs low: repeats, runs and words that
everybody tries count for almost nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

SHORTEST = 8
_COMMON = (
    *("password", "passwort", "contraseña", "motdepasse", "пароль", "qwerty", "qwertz", "azerty", "letmein"),
    *(
        "welcome",
        "iloveyou",
        "admin",
        "dragon",
        "monkey",
        "master",
        "secret",
        "locket",
        "sunshine",
        "football",
    ),
)
_ROWS = ("abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm", "01234567890")
_CONSONANTS = "bdfghjklmnprstvz"
_VOWELS = "aeiou"
_GROUPS = 6


@dataclass(frozen=True, slots=True)
class Strength:
    """An estimate in bits with a word for it."""

    bits: float
    word: str

    @property
    def share(self) -> float:
        """How full a meter should be, 0 to 1."""
        return min(1.0, self.bits / 80)


def strength(passphrase: str) -> Strength:
    """Estimate the guesses that finding a passphrase takes."""
    bits = _bits(passphrase)
    for least, word in ((70, "strong"), (50, "good"), (32, "fair"), (1, "weak")):
        if bits >= least:
            return Strength(bits, word)
    return Strength(bits, "empty" if not passphrase else "weak")


def _bits(text: str) -> float:
    lowered = text.lower()
    bits = 0.0
    for word in _COMMON:
        if word in lowered:
            lowered = lowered.replace(word, "")
            bits += 6
    kept = [c for i, c in enumerate(lowered) if not _follows(lowered, i)]
    if not kept:
        return bits
    words = "".join(kept).split()
    letters = sum(c.isalpha() for c in kept)
    if len(words) >= 3 and letters >= 0.8 * len("".join(words)):
        return bits + min(13.0 * len(set(words)), len(kept) * math.log2(27))
    pool = 26 if letters else 0
    pool += 10 if any(c.isdigit() for c in kept) else 0
    pool += 20 if any(not c.isalnum() for c in kept) else 0
    pool += 26 if text != text.lower() else 0
    pool += 60 if any(ord(c) > 127 for c in kept) else 0
    return bits + len(kept) * math.log2(pool) * 0.75


def _follows(text: str, index: int) -> bool:
    """Whether a character only repeats or continues a run before it."""
    if index == 0:
        return False
    pair = text[index - 1 : index + 1]
    return pair[0] == pair[1] or any(pair in row or pair[::-1] in row for row in _ROWS)


def generate(choose: Callable[[str], str]) -> str:
    """Make a passphrase of pronounceable groups, worth 75 bits when ``choose`` is fair."""
    return "-".join("".join(choose(_CONSONANTS) + choose(_VOWELS) for _ in range(2)) for _ in range(_GROUPS))
