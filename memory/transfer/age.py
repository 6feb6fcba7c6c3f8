"""age files, version 1, with a passphrase: written and read as a stream, with nothing but ``cryptography``.

Owns the scrypt stanza, the header's code and the chunks. Knows nothing of what is inside. The surprise: pieces
are handed out as soon as each is authentic, before the end has been seen, so whoever reads must be able to
take everything back when a later piece is refused.
"""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from memory.transfer.age_header import VERSION, Header, Stanza, covered_bytes, decoded, encoded, read_header
from memory.transfer.errors import (
    ForAKey,
    HeaderChanged,
    HeaderDamaged,
    PayloadDamaged,
    WrongArchivePassphrase,
)

COST: Final = 17
"""scrypt's work factor as a power of two: 128 MiB and about half a second."""
COST_AT_MOST: Final = 20
"""A file that asks for more would take a gigabyte and more before it says anything."""
CHEAPEST: Final = 1
"""Protects nothing; for tests that try thousands of files."""
CHUNK: Final = 64 * 1024
TAG: Final = 16
FILE_KEY: Final = 16
SALT: Final = 16
NONCE: Final = 16
KIND: Final = "scrypt"
_NO_NONCE: Final = bytes(12)
_DECIMAL: Final = re.compile(r"[1-9][0-9]{0,8}")

Random = Callable[[int], bytes]


class Encryptor:
    """Takes clear bytes and writes an age file; ``finish`` must be called, or the file stays unreadable."""

    def __init__(
        self, sink: BinaryIO, passphrase: str, *, cost: int = COST, allow_cheap: bool = False
    ) -> None:
        if not (COST <= cost <= COST_AT_MOST or (allow_cheap and CHEAPEST <= cost < COST)):
            raise ValueError(f"a work factor of 2^{cost} is not for files that leave")
        self._sink = sink
        self._cipher = _start(sink, passphrase, cost, os.urandom)
        self._waiting = bytearray()
        self._number = 0

    def write(self, content: bytes) -> None:
        """Encrypt some more; the last chunk waits, because only ``finish`` knows that it is the last."""
        self._waiting += content
        while len(self._waiting) > CHUNK:
            self._chunk(bytes(self._waiting[:CHUNK]), last=False)
            del self._waiting[:CHUNK]

    def finish(self) -> None:
        """Write the last chunk, which says that it is the last."""
        self._chunk(bytes(self._waiting), last=True)
        self._waiting.clear()

    def _chunk(self, content: bytes, *, last: bool) -> None:
        self._sink.write(self._cipher.encrypt(_nonce(self._number, last=last), content, None))
        self._number += 1


def decrypt(source: BinaryIO, passphrase: str) -> Iterator[bytes]:
    """Check the header at once and return the clear pieces, each authentic when it is handed out."""
    header = read_header(source)
    return open_payload(header, _unwrapped(header, passphrase), source)


def open_payload(header: Header, file_key: bytes, source: BinaryIO) -> Iterator[bytes]:
    """Check the header's code with the file's own key and return the clear pieces."""
    if not hmac.compare_digest(_mac(file_key, header.covered), header.mac):
        raise HeaderChanged("the archive's first lines were changed")
    nonce = _read(source, NONCE)
    if len(nonce) != NONCE:
        raise HeaderDamaged("the archive ends with its header")
    return _pieces(ChaCha20Poly1305(_derived(file_key, b"payload", nonce)), source)


def _pieces(cipher: ChaCha20Poly1305, source: BinaryIO) -> Iterator[bytes]:
    number = 0
    sealed = _read(source, CHUNK + TAG)
    while True:
        following = _read(source, CHUNK + TAG) if len(sealed) == CHUNK + TAG else b""
        last = not following
        if len(sealed) < TAG or (last and number > 0 and len(sealed) == TAG):
            raise PayloadDamaged("the archive is cut off")
        try:
            piece = cipher.decrypt(_nonce(number, last=last), sealed, None)
        except InvalidTag:
            raise PayloadDamaged("the archive was changed, cut or appended to") from None
        yield piece
        if last:
            return
        number += 1
        sealed = following


def _start(sink: BinaryIO, passphrase: str, cost: int, random: Random) -> ChaCha20Poly1305:
    file_key, salt = random(FILE_KEY), random(SALT)
    wrapped = _passphrase_cipher(passphrase, salt, cost).encrypt(_NO_NONCE, file_key, None)
    covered = covered_bytes([Stanza(KIND, (encoded(salt).decode("ascii"), str(cost)), wrapped)])
    sink.write(covered + b" " + encoded(_mac(file_key, covered)) + b"\n")
    nonce = random(NONCE)
    sink.write(nonce)
    return ChaCha20Poly1305(_derived(file_key, b"payload", nonce))


def _unwrapped(header: Header, passphrase: str) -> bytes:
    """Return the file's key; a passphrase must be the only way in, as the format demands."""
    if not any(stanza.kind == KIND for stanza in header.stanzas):
        raise ForAKey
    if len(header.stanzas) != 1:
        raise HeaderDamaged("a passphrase and another recipient stand side by side, which no writer does")
    (stanza,) = header.stanzas
    if len(stanza.arguments) != 2 or not _DECIMAL.fullmatch(stanza.arguments[1]):
        raise HeaderDamaged("the passphrase line is not spelled as it must be")
    salt, cost = decoded(stanza.arguments[0].encode("ascii")), int(stanza.arguments[1])
    if len(salt) != SALT or len(stanza.body) != FILE_KEY + TAG:
        raise HeaderDamaged("the passphrase line holds values of the wrong length")
    if cost > COST_AT_MOST:
        raise HeaderDamaged(
            f"opening it would take 2^{cost} units of work; more than 2^{COST_AT_MOST} is refused"
        )
    try:
        return _passphrase_cipher(passphrase, salt, cost).decrypt(_NO_NONCE, stanza.body, None)
    except InvalidTag:
        raise WrongArchivePassphrase from None


def _passphrase_cipher(passphrase: str, salt: bytes, cost: int) -> ChaCha20Poly1305:
    key = Scrypt(salt=VERSION + b"/scrypt" + salt, length=32, n=1 << cost, r=8, p=1)
    return ChaCha20Poly1305(key.derive(passphrase.encode()))


def _derived(file_key: bytes, use: bytes, salt: bytes | None = None) -> bytes:
    return HKDF(hashes.SHA256(), 32, salt, use).derive(file_key)


def _mac(file_key: bytes, covered: bytes) -> bytes:
    return hmac.digest(_derived(file_key, b"header"), covered, "sha256")


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


def _read(source: BinaryIO, length: int) -> bytes:
    """Read exactly so many bytes, fewer only at the end."""
    content = bytearray()
    while len(content) < length:
        more = source.read(length - len(content))
        if not more:
            break
        content += more
    return bytes(content)
