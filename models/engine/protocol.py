"""Frames on the two pipes between a program and its engine.

Owns how bytes become frames and what is too much; knows nothing of what the frames mean. A frame is two
big-endian lengths, a small JSON header and a payload of any bytes. Whatever does not fit that is broken,
and a broken line is never repaired: whoever sees it ends the process at the other end.
"""

import json
import struct
from dataclasses import dataclass
from typing import Any, Protocol

VERSION = 1
MAX_HEADER = 64 * 1024
MAX_PAYLOAD = 64 * 1024 * 1024
STREAM_CREDIT = 64
"""Events of one answer that may be on their way before the reader has taken any."""

_LENGTHS = struct.Struct(">II")


class ProtocolBrokenError(Exception):
    """The bytes on the line are not frames."""


class Readable(Protocol):
    """Something that gives up to `size` bytes, or none at its end."""

    def read(self, size: int, /) -> bytes | None:
        """Read some bytes."""
        ...


@dataclass(frozen=True, slots=True)
class Frame:
    """One header and its payload."""

    header: dict[str, Any]
    payload: bytes = b""


def encode(frame: Frame) -> bytes:
    """Turn a frame into bytes, refusing one that the other end would refuse."""
    header = json.dumps(frame.header, separators=(",", ":")).encode("ascii")
    if len(header) > MAX_HEADER or len(frame.payload) > MAX_PAYLOAD:
        raise ProtocolBrokenError("a frame would be larger than the line carries")
    return _LENGTHS.pack(len(header), len(frame.payload)) + header + frame.payload


def read_frame(stream: Readable) -> Frame | None:
    """Read one frame; None when the line ended between two frames."""
    prefix = _read_exactly(stream, _LENGTHS.size)
    if not prefix:
        return None
    if len(prefix) < _LENGTHS.size:
        raise ProtocolBrokenError("the line ended inside a frame")
    header_size, payload_size = _LENGTHS.unpack(prefix)
    if header_size > MAX_HEADER or payload_size > MAX_PAYLOAD:
        raise ProtocolBrokenError("a frame announces more bytes than are allowed")
    raw = _read_exactly(stream, header_size)
    payload = _read_exactly(stream, payload_size)
    if len(raw) < header_size or len(payload) < payload_size:
        raise ProtocolBrokenError("the line ended inside a frame")
    try:
        header = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise ProtocolBrokenError("a frame's header is not JSON") from error
    if not isinstance(header, dict):
        raise ProtocolBrokenError("a frame's header is not an object")
    return Frame(header, payload)


def _read_exactly(stream: Readable, size: int) -> bytes:
    """Read `size` bytes, or fewer when the line ends."""
    parts: list[bytes] = []
    missing = size
    while missing > 0:
        part = stream.read(min(missing, 1 << 20))
        if not part:
            break
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)
