"""SQLCipher 4's page encryption, read side only.

Knows how one page is authenticated and decrypted with the raw key; nothing of files or of what pages hold. It
never encrypts: the store is written through the driver alone.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

PAGE_BYTES: Final = 4096
SALT_BYTES: Final = 16
IV_BYTES: Final = 16
TAG_BYTES: Final = 64
RESERVED_BYTES: Final = IV_BYTES + TAG_BYTES
USABLE_BYTES: Final = PAGE_BYTES - RESERVED_BYTES
SQLITE_START: Final = b"SQLite format 3\0"
_TAG_KEY_MASK: Final = 0x3A
_TAG_KEY_ROUNDS: Final = 2


class PageCipher:
    """Opens the pages of one store."""

    def __init__(self, key: bytes, salt: bytes) -> None:
        if len(key) != 32 or len(salt) != SALT_BYTES:
            raise ValueError("a store has a 32-byte key and a 16-byte salt")
        self._algorithm = algorithms.AES(key)
        masked = bytes(byte ^ _TAG_KEY_MASK for byte in salt)
        self._tag_key = hashlib.pbkdf2_hmac("sha512", key, masked, _TAG_KEY_ROUNDS, 32)

    def open_page(self, number: int, raw: bytes) -> bytes | None:
        """Return the page's usable bytes, or None when it does not authenticate as this page."""
        if len(raw) != PAGE_BYTES:
            return None
        if not any(raw):
            return bytes(USABLE_BYTES)  # SQLCipher takes a page of zeros for an empty one, too
        start = SALT_BYTES if number == 1 else 0
        sealed = raw[start : USABLE_BYTES + IV_BYTES]
        tag = hmac.digest(self._tag_key, sealed + number.to_bytes(4, "little"), "sha512")
        if not hmac.compare_digest(tag, raw[USABLE_BYTES + IV_BYTES :]):
            return None
        iv = raw[USABLE_BYTES : USABLE_BYTES + IV_BYTES]
        decryptor = Cipher(self._algorithm, modes.CBC(iv)).decryptor()
        plain = decryptor.update(raw[start:USABLE_BYTES]) + decryptor.finalize()
        return SQLITE_START + plain if number == 1 else plain
