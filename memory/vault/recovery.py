"""A recovery key on paper: 32 random bytes as groups that can be read aloud and typed back.

Owns the spelling: Crockford's base 32 in 14 groups of four, the last five characters a checksum (the first 24
bits of a SHA-256), so that a slip of the pen is "mistyped" and not "wrong key". Easily confused characters are
read as what they stand for.
"""

from __future__ import annotations

import hashlib
import os
from typing import Final

from memory.vault.errors import BadRecoveryText
from memory.vault.keys import Recovery

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
SECRET_BYTES: Final = 32
CHECK_BYTES: Final = 3
GROUP: Final = 4
CHARACTERS: Final = (SECRET_BYTES + CHECK_BYTES) * 8 // 5
_READ_AS: Final = str.maketrans(
    {"O": "0", "I": "1", "L": "1", "-": "", " ": "", "\t": "", "\n": "", "\r": ""}
)


def new_recovery() -> Recovery:
    """Draw a recovery key."""
    return Recovery(os.urandom(SECRET_BYTES))


def recovery_groups(recovery: Recovery) -> tuple[str, ...]:
    """Return the key's groups as they are shown, once."""
    number = int.from_bytes(recovery.secret + _check(recovery.secret), "big")
    text = "".join(ALPHABET[number >> shift & 31] for shift in range((CHARACTERS - 1) * 5, -1, -5))
    return tuple(text[start : start + GROUP] for start in range(0, CHARACTERS, GROUP))


def recovery_from_text(text: str) -> Recovery:
    """Read a typed recovery key, or raise BadRecoveryText with where to look."""
    typed = _plain(text)
    if len(typed) != CHARACTERS:
        raise BadRecoveryText(f"a recovery key has {CHARACTERS} characters, {len(typed)} were typed")
    number = 0
    for place, character in enumerate(typed):
        value = ALPHABET.find(character)
        if value < 0:
            raise BadRecoveryText(
                f"group {place // GROUP + 1} holds {character!r}, which no recovery key does"
            )
        number = number << 5 | value
    content = number.to_bytes(SECRET_BYTES + CHECK_BYTES, "big")
    secret, check = content[:SECRET_BYTES], content[SECRET_BYTES:]
    if _check(secret) != check:
        raise BadRecoveryText("the recovery key is mistyped somewhere: its checksum does not fit")
    return Recovery(secret)


def find_recovery(text: str) -> Recovery | None:
    """Return the recovery key that a text spells without a mistake, or None."""
    try:
        return recovery_from_text(text)
    except BadRecoveryText:
        return None


def looks_like_recovery(text: str) -> bool:
    """Say whether somebody meant to type a recovery key, with or without mistakes: groups of four between hyphens."""
    groups = text.strip().split("-")
    return (
        len(groups) > CHARACTERS // GROUP // 2
        and sum(len(group) == GROUP for group in groups) > len(groups) - 3
    )


def group_matches(recovery: Recovery, place: int, typed: str) -> bool:
    """Say whether somebody typed one group (counted from 0) as it was shown, to confirm that it was kept."""
    return recovery_groups(recovery)[place] == _plain(typed)


def _plain(text: str) -> str:
    return text.upper().translate(_READ_AS)


def _check(secret: bytes) -> bytes:
    return hashlib.sha256(b"locket recovery 1 " + secret).digest()[:CHECK_BYTES]
