"""The store's pages in clear, read without SQLite: to prove what is gone and to save what is left.

Owns the view of store and log together, and the search for byte strings in it. It cannot write. Search looks at
every page and every frame of the log, used or left over, and follows overflow chains, so that a text cut in two
by a page's end is found as well.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from memory.vault import btree, wal
from memory.vault.cipher import PAGE_BYTES, SALT_BYTES, USABLE_BYTES, PageCipher
from memory.vault.layout import sidecars
from memory.vault.needles import Needles
from memory.vault.rawfile import HeldFile

Source = Literal["store", "log"]


@dataclass(frozen=True, slots=True)
class Page:
    """One decrypted page; ``content`` is None when it did not authenticate."""

    number: int
    source: Source
    content: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class PageHit:
    """Where a needle begins; one that crosses a page's end is reported where it starts."""

    page: int
    offset: int
    needle_index: int
    source: Source = "store"


class PageReader:
    """Decrypts pages on demand; close it, or use it in a ``with``."""

    def __init__(self, store: Path, key: bytes) -> None:
        self._held = HeldFile(store)
        self._log = sidecars(store)[0]
        self._cipher = PageCipher(key, self._salt())
        self._frames, size = wal.committed(self._log)
        self.page_count = size or -(-self._held.size() // PAGE_BYTES)
        """Pages of the store as a reader of SQLite would see it now."""

    def close(self) -> None:
        """Let go of the store's file."""
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read(self, number: int) -> bytes | None:
        """Return a page as the last commit left it, or None when it is damaged or not there."""
        index = self._frames.get(number)
        if index is not None:
            return self._cipher.open_page(number, wal.read_frame(self._log, index))
        return self._cipher.open_page(number, self._held.read_at((number - 1) * PAGE_BYTES, PAGE_BYTES))

    def iter_pages(self) -> Iterator[Page]:
        """Yield every page of the store's file, then every frame of the log that holds one."""
        for number in range(1, -(-self._held.size() // PAGE_BYTES) + 1):
            raw = self._held.read_at((number - 1) * PAGE_BYTES, PAGE_BYTES)
            yield Page(number, "store", self._cipher.open_page(number, raw))
        for frame in wal.iter_frames(self._log):
            yield Page(frame.page, "log", self._cipher.open_page(frame.page, frame.raw))

    def damaged_pages(self) -> tuple[int, ...]:
        """Return the pages that the last commit left and that do not authenticate now."""
        return tuple(number for number in range(1, self.page_count + 1) if self.read(number) is None)

    def payload(self, cell: btree.Cell) -> bytes | None:
        """Return a cell's whole payload, or None when a page of its chain is damaged."""
        parts = [cell.local]
        missing = cell.length - len(cell.local)
        for _, piece in self.iter_chain(cell.overflow):
            parts.append(piece[:missing])
            missing -= len(parts[-1])
            if missing <= 0:
                break
        return b"".join(parts) if missing == 0 else None

    def iter_chain(self, first: int) -> Iterator[tuple[int, bytes]]:
        """Yield number and content of the overflow pages from the first on, as far as they can be read."""
        seen: set[int] = set()
        while 0 < first <= self.page_count and first not in seen:
            seen.add(first)
            content = self.read(first)
            if content is None:
                return
            yield first, content[4:]
            first = int.from_bytes(content[:4], "big")

    def search(self, needles: Sequence[bytes]) -> list[PageHit]:
        """Return every place where a needle begins, in page order."""
        if not needles:
            return []
        wanted = Needles(needles)
        hits: set[PageHit] = set()
        for page in self.iter_pages():
            if page.content is not None:
                found = wanted.find(page.content)
                hits.update(PageHit(page.number, offset, index, page.source) for offset, index in found)
        hits.update(self._across_pages(wanted))
        return sorted(hits, key=lambda hit: (hit.source != "store", hit.page, hit.offset, hit.needle_index))

    def _across_pages(self, needles: Needles) -> Iterator[PageHit]:
        strays: list[int] = []
        linked: set[int] = set()
        for number in range(1, self.page_count + 1):
            content = self.read(number)
            if content is None:
                continue
            if not btree.page_kind(number, content):
                strays.append(number)
                continue
            for cell in btree.iter_cells(number, content):
                if cell.overflow:
                    pieces = [(number, cell.offset, cell.local)]
                    for page, piece in self.iter_chain(cell.overflow):
                        linked.add(page)
                        pieces.append((page, 4, piece))
                    yield from _find_across(pieces, needles)
        enough = needles.longest // (USABLE_BYTES - 4) + 2
        for number in strays:
            if number not in linked:  # a chain that no cell leads to any more
                chain = islice(self.iter_chain(number), enough)
                yield from _find_across([(page, 4, piece) for page, piece in chain], needles)

    def _salt(self) -> bytes:
        salt = self._held.read_at(0, SALT_BYTES)
        return salt.ljust(SALT_BYTES, b"\0")


def _find_across(pieces: Sequence[tuple[int, int, bytes]], needles: Needles) -> Iterator[PageHit]:
    """Yield the hits that begin in one piece and end in a later one."""
    reach = needles.longest - 1
    starts: list[int] = []
    carry, position = b"", 0
    for _, _, piece in pieces:
        starts.append(position)
        if carry:
            base = position - len(carry)
            for offset, index in needles.find(carry + piece[:reach]):
                if offset < len(carry) < offset + len(needles.all[index]):
                    which = bisect_right(starts, base + offset) - 1
                    page, first, _ = pieces[which]
                    yield PageHit(page, first + base + offset - starts[which], index)
        carry = (carry + piece)[-reach:] if reach else b""
        position += len(piece)
