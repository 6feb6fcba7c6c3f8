"""The inside of decrypted pages: cells, overflow chains and records.

Reads what SQLite wrote without SQLite, so that one damaged page does not hide the others. Everything is
distrusted: a cell that does not fit its page is left out, never an error.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from memory.vault.cipher import USABLE_BYTES

TABLE_LEAF: Final = 0x0D
TABLE_INTERIOR: Final = 0x05
INDEX_LEAF: Final = 0x0A
INDEX_INTERIOR: Final = 0x02
KINDS: Final = frozenset({TABLE_LEAF, TABLE_INTERIOR, INDEX_LEAF, INDEX_INTERIOR})
FIRST_PAGE_HEADER: Final = 100
_LEAST_LOCAL: Final = (USABLE_BYTES - 12) * 32 // 255 - 23
_MOST_LOCAL_INDEX: Final = (USABLE_BYTES - 12) * 64 // 255 - 23
_MOST_LOCAL_TABLE: Final = USABLE_BYTES - 35

Value = None | int | float | str | bytes


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a page: a child pointer, a payload, or both."""

    rowid: int | None
    child: int
    """0 on leaves."""
    length: int
    """Of the whole payload; 0 for cells that only point to a child."""
    offset: int
    """Where the local part of the payload begins in the page."""
    overflow: int
    """The first overflow page, 0 when the payload is all local."""
    local: bytes = field(repr=False)


def page_kind(number: int, content: bytes) -> int:
    """Return the page's b-tree kind, or 0 when it cannot be a b-tree page."""
    kind = content[_header_at(number)]
    return kind if kind in KINDS else 0


def iter_cells(number: int, content: bytes) -> Iterator[Cell]:
    """Yield the cells of a b-tree page, in key order."""
    start = _header_at(number)
    kind = page_kind(number, content)
    if not kind:
        return
    interior = kind in (TABLE_INTERIOR, INDEX_INTERIOR)
    pointers = start + (12 if interior else 8)
    (count,) = struct.unpack_from(">H", content, start + 3)
    for position in range(pointers, min(pointers + 2 * count, len(content) - 1), 2):
        (offset,) = struct.unpack_from(">H", content, position)
        cell = _cell(kind, content, offset) if pointers <= offset < len(content) - 3 else None
        if cell is not None:
            yield cell


def rightmost_child(number: int, content: bytes) -> int:
    """Return the last child of an interior page, 0 on leaves."""
    if page_kind(number, content) not in (TABLE_INTERIOR, INDEX_INTERIOR):
        return 0
    return int(struct.unpack_from(">I", content, _header_at(number) + 8)[0])


def read_record(payload: bytes) -> list[Value] | None:
    """Return the values of a record, or None when it is not one."""
    header, position = read_varint(payload, 0)
    if not 1 <= header <= len(payload):
        return None
    kinds: list[int] = []
    while position < header:
        kind, position = read_varint(payload, position)
        kinds.append(kind)
    values: list[Value] = []
    position = header
    for kind in kinds:
        size = _size(kind)
        if position + size > len(payload):
            return None
        try:
            values.append(_value(kind, payload[position : position + size]))
        except UnicodeDecodeError:
            return None
        position += size
    return values if position == len(payload) else None


def read_varint(content: bytes, position: int) -> tuple[int, int]:
    """Return the number at a position and the position after it; a cut one reads as far as it goes."""
    number = 0
    for step, byte in enumerate(content[position : position + 9]):
        if step == 8:
            return (number << 8) | byte, position + 9
        number = (number << 7) | (byte & 0x7F)
        if byte < 0x80:
            return number, position + step + 1
    return number, len(content)


def _header_at(number: int) -> int:
    return FIRST_PAGE_HEADER if number == 1 else 0


def _cell(kind: int, content: bytes, offset: int) -> Cell | None:
    child, rowid, position = 0, None, offset
    if kind in (TABLE_INTERIOR, INDEX_INTERIOR):
        if position + 4 > len(content):
            return None
        (child,) = struct.unpack_from(">I", content, position)
        position += 4
        if kind == TABLE_INTERIOR:
            rowid, position = read_varint(content, position)
            return Cell(_signed(rowid), child, 0, position, 0, b"")
    length, position = read_varint(content, position)
    if kind == TABLE_LEAF:
        rowid, position = read_varint(content, position)
        rowid = _signed(rowid)
    local = _local_length(length, _MOST_LOCAL_TABLE if kind == TABLE_LEAF else _MOST_LOCAL_INDEX)
    end = position + local
    overflow = 0
    if local < length:
        if end + 4 > len(content):
            return None
        (overflow,) = struct.unpack_from(">I", content, end)
    if end > len(content):
        return None
    return Cell(rowid, child, length, position, overflow, content[position:end])


def _local_length(length: int, most: int) -> int:
    if length <= most:
        return length
    kept = _LEAST_LOCAL + (length - _LEAST_LOCAL) % (USABLE_BYTES - 4)
    return kept if kept <= most else _LEAST_LOCAL


def _signed(number: int) -> int:
    return number - (1 << 64) if number >= 1 << 63 else number


def _size(kind: int) -> int:
    if kind >= 12:
        return (kind - 12) // 2
    return (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0)[kind]


def _value(kind: int, content: bytes) -> Value:
    match kind:
        case 0:
            return None
        case 7:
            return float(struct.unpack(">d", content)[0])
        case 8 | 9:
            return kind - 8
        case _ if kind >= 12:
            return content if kind % 2 == 0 else content.decode("utf-8")
        case _:
            return int.from_bytes(content, "big", signed=True)
