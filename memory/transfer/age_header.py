"""The first lines of an age file, read as strictly as the format asks and written in the one way it allows.

Owns stanzas, their base64 and the order of lines. Knows no cryptography and no recipient's rules. One surprise:
the bytes that the header's code covers are kept as they were read, never written anew.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO, Final

from memory.transfer.errors import HeaderDamaged, NotAnArchive

VERSION: Final = b"age-encryption.org/v1"
ARMOUR: Final = b"-----BEGIN AGE ENCRYPTED FILE-----"
COLUMNS: Final = 64
MAC_BYTES: Final = 32
MAX_LINE: Final = 4096
MAX_STANZAS: Final = 64
MAX_HEADER: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class Stanza:
    """One recipient's lines: its kind, its arguments and what is wrapped for it."""

    kind: str
    arguments: tuple[str, ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class Header:
    """Everything before the encrypted part."""

    stanzas: tuple[Stanza, ...]
    covered: bytes
    """The header up to and including ``---``, over which the code is made."""
    mac: bytes


def encoded(raw: bytes) -> bytes:
    """Write bytes as base64 without padding."""
    return base64.b64encode(raw).rstrip(b"=")


def decoded(text: bytes) -> bytes:
    """Read base64 without padding; any other spelling of the same bytes is refused."""
    try:
        raw = base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except binascii.Error as error:
        raise HeaderDamaged("the header holds text that is not base64") from error
    if encoded(raw) != text:
        raise HeaderDamaged("the header holds base64 in a spelling no writer uses")
    return raw


def covered_bytes(stanzas: Sequence[Stanza]) -> bytes:
    """Write a header as far as its code covers it."""
    lines = [VERSION]
    for stanza in stanzas:
        lines.append(b"-> " + " ".join((stanza.kind, *stanza.arguments)).encode("ascii"))
        text = encoded(stanza.body)
        lines += [text[at : at + COLUMNS] for at in range(0, len(text) + 1, COLUMNS)]
    return b"\n".join([*lines, b"---"])


def read_header(source: BinaryIO) -> Header:
    """Read a header and leave the source at the first byte after it."""
    first = _line(source, len(ARMOUR) + 2)
    if first.rstrip(b"\r\n") == ARMOUR:
        raise NotAnArchive(
            "this age file is armoured as text; `age -d` opens it, Locket reads the plain form"
        )
    if first != VERSION + b"\n":
        kind = HeaderDamaged if first.startswith(VERSION[:-2]) else NotAnArchive
        raise kind("this is no age file of version 1")
    covered = bytearray(first)
    stanzas: list[Stanza] = []
    line = _line(source)
    while line.startswith(b"-> "):
        covered += line
        stanza, lines = _stanza(line, source)
        covered += lines
        stanzas.append(stanza)
        if len(stanzas) > MAX_STANZAS or len(covered) > MAX_HEADER:
            raise HeaderDamaged("the header is far longer than any archive's")
        line = _line(source)
    if not stanzas or not line.startswith(b"--- ") or not line.endswith(b"\n"):
        raise HeaderDamaged("the header is cut or its lines are out of order")
    mac = decoded(line[4:-1])
    if len(mac) != MAC_BYTES:
        raise HeaderDamaged("the header's code has the wrong length")
    return Header(tuple(stanzas), bytes(covered) + b"---", mac)


def _stanza(first: bytes, source: BinaryIO) -> tuple[Stanza, bytes]:
    if not first.endswith(b"\n"):
        raise HeaderDamaged("the header is cut")
    words = first[3:-1].split(b" ")
    if any(not word or not all(0x21 <= byte <= 0x7E for byte in word) for word in words):
        raise HeaderDamaged("a line of the header holds an empty word or a strange character")
    kind, *arguments = (word.decode("ascii") for word in words)
    lines = bytearray()
    body = bytearray()
    while True:
        line = _line(source)
        if not line.endswith(b"\n") or len(line) > COLUMNS + 1:
            raise HeaderDamaged("a stanza's body is cut or has a line that is too long")
        lines += line
        body += decoded(line[:-1])
        if len(line) < COLUMNS + 1:
            return Stanza(kind, tuple(arguments), bytes(body)), bytes(lines)
        if len(lines) > MAX_HEADER:
            raise HeaderDamaged("the header is far longer than any archive's")


def _line(source: BinaryIO, most: int = MAX_LINE) -> bytes:
    """Read a line byte by byte, so that nothing after the header is taken; it may lack its end."""
    line = bytearray()
    while len(line) < most and not line.endswith(b"\n"):
        byte = source.read(1)
        if not byte:
            break
        line += byte
    return bytes(line)
