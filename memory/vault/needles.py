"""Many byte strings looked for at once.

A handful is looked for one by one. For more, the first eight bytes of every needle are compared with all places of
the text in one go with numpy (imported only then), so that ten thousand cost little more than a hundred.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

ANCHOR_BYTES: Final = 8
FEW: Final = 100


class Needles:
    """A set of byte strings, prepared for searching many texts."""

    def __init__(self, needles: Sequence[bytes]) -> None:
        if not all(needles):
            raise ValueError("an empty needle is everywhere")
        self.all = tuple(needles)
        self.longest = max(map(len, needles), default=0)
        many = len(needles) > FEW
        self._single = [(i, n) for i, n in enumerate(needles) if not many or len(n) < ANCHOR_BYTES]
        self._anchored: dict[bytes, list[int]] = {}
        for index, needle in enumerate(needles):
            if many and len(needle) >= ANCHOR_BYTES:
                self._anchored.setdefault(needle[:ANCHOR_BYTES], []).append(index)
        self._anchors: Any = None

    def find(self, text: bytes) -> Iterator[tuple[int, int]]:
        """Yield offset and needle index of every occurrence, overlapping ones too, in no particular order."""
        for index, needle in self._single:
            offset = text.find(needle)
            while offset >= 0:
                yield offset, index
                offset = text.find(needle, offset + 1)
        if self._anchored:
            for offset in self._candidates(text):
                for index in self._anchored.get(text[offset : offset + ANCHOR_BYTES], ()):
                    if text.startswith(self.all[index], offset):
                        yield offset, index

    def _candidates(self, text: bytes) -> Iterator[int]:
        import numpy as np  # noqa: PLC0415 - only when there are many needles

        if self._anchors is None:
            self._anchors = np.array(sorted(int.from_bytes(a, "little") for a in self._anchored), dtype="<u8")
        for shift in range(min(ANCHOR_BYTES, len(text) - ANCHOR_BYTES + 1)):
            count = (len(text) - shift) // ANCHOR_BYTES
            words = np.frombuffer(text, dtype="<u8", count=count, offset=shift)
            places = np.minimum(np.searchsorted(self._anchors, words), len(self._anchors) - 1)
            for place in np.nonzero(self._anchors[places] == words)[0]:
                yield shift + int(place) * ANCHOR_BYTES
