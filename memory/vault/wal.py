"""The write-ahead log's frames, encrypted as they lie there.

Tells which frames belong to committed transactions (salts and running checksum fit) and which are left over
from earlier rounds; both can hold pages. Knows nothing of keys.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from memory.vault.cipher import PAGE_BYTES

HEADER_BYTES: Final = 32
FRAME_HEADER_BYTES: Final = 24
_MAGIC_LITTLE: Final = 0x377F0682
_MAGIC_BIG: Final = 0x377F0683


@dataclass(frozen=True, slots=True)
class Frame:
    """One page as a transaction wrote it."""

    index: int
    page: int
    commits: int
    """The store's size in pages after this frame's transaction; 0 for a frame that does not end one."""
    chained: bool
    """Whether the frame belongs to the log's present round and follows undamaged ones."""
    raw: bytes = field(repr=False)


def iter_frames(path: Path) -> Iterator[Frame]:
    """Yield every frame in the file, also those no reader would use any more."""
    try:
        stream = path.open("rb")
    except FileNotFoundError:
        return
    with stream:
        yield from _frames(stream)


def committed(path: Path) -> tuple[dict[int, int], int]:
    """Return page → index of its last committed frame, and the store's size in pages (0: no commit here)."""
    last: dict[int, int] = {}
    pending: dict[int, int] = {}
    size = 0
    for frame in iter_frames(path):
        if not frame.chained:
            break
        pending[frame.page] = frame.index
        if frame.commits:
            last.update(pending)
            pending.clear()
            size = frame.commits
    return {page: index for page, index in last.items() if page <= size}, size


def read_frame(path: Path, index: int) -> bytes:
    """Return the page bytes of one frame."""
    with path.open("rb") as stream:
        stream.seek(HEADER_BYTES + index * (FRAME_HEADER_BYTES + PAGE_BYTES) + FRAME_HEADER_BYTES)
        return stream.read(PAGE_BYTES)


def _frames(stream: BinaryIO) -> Iterator[Frame]:
    header = stream.read(HEADER_BYTES)
    if len(header) < HEADER_BYTES:
        return
    magic, _, page_bytes, _, *_ = struct.unpack(">8I", header)
    order = {_MAGIC_LITTLE: "<", _MAGIC_BIG: ">"}.get(magic)
    salts, chain = header[16:24], (0, 0)
    chained = order is not None and page_bytes == PAGE_BYTES
    if order is not None:
        chain = _checksum(order, header[:24], chain)
        chained = chained and chain == struct.unpack(">2I", header[24:])
    index = 0
    while len(head := stream.read(FRAME_HEADER_BYTES)) == FRAME_HEADER_BYTES:
        raw = stream.read(PAGE_BYTES)
        if len(raw) < PAGE_BYTES:
            return
        page, commits = struct.unpack(">2I", head[:8])
        if chained and order is not None:
            chain = _checksum(order, raw, _checksum(order, head[:8], chain))
            chained = head[8:16] == salts and chain == struct.unpack(">2I", head[16:])
        yield Frame(index, page, commits, chained, raw)
        index += 1


def _checksum(order: str, content: bytes, start: tuple[int, int]) -> tuple[int, int]:
    first, second = start
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second
