"""Looks for forgotten words in every decrypted page, and explains each place where the same bytes stand.

A place is explained by the record it lies in: a text that a row left alone holds, a word that the index still
needs, numbers. Whatever lies in no record, or in one that no row accounts for, is a trace of what should be
gone. One surprise: nothing is compared by count; each single place needs its own explanation.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.blocks import neutral
from memory.forgetting.wording import Wordings, evenly, has_words
from memory.policy import normalise
from memory.store import leftovers
from memory.store.leftovers import Stored
from memory.vault import btree
from memory.vault.pages import PageHit, PageReader

if TYPE_CHECKING:
    from sqlite_utils import Database

SHORTEST = 3
"""Bytes: shorter words stand in every page by chance."""
LONGEST = 200
"""Characters of one text that are looked for."""
MOST = 300
"""Texts that are looked for at once; of more, so many spread over all."""
INDEX_WORDS = "secure-delete version"
"""What the index itself keeps beside words."""


@dataclass(frozen=True, slots=True)
class PageCheck:
    """What the search found."""

    searched: int
    """Texts looked for."""
    skipped: int
    """Texts that were too short, or more than one search takes."""
    hits: int
    unexplained: int
    pages: int
    damaged: int
    """Pages that could not be read, so that nothing is known of them."""


def needles_of(words: Iterable[str]) -> tuple[list[str], int]:
    """Return the forms in which words may be stored, and how many words are left out."""
    texts = list(dict.fromkeys(word.strip() for word in words if word.strip()))
    usable = [word for word in texts if len(word.encode()) >= SHORTEST and has_words(word)]
    chosen = evenly(usable, MOST)
    forms: dict[str, None] = {}
    for word in chosen:
        short = word[:LONGEST]
        folded = unicodedata.normalize("NFKC", short).casefold()
        for form in (short, short.split("\n")[0], neutral(short), _in_json(short), folded, normalise(short)):
            if len(form.encode()) >= SHORTEST:
                forms.setdefault(form)
    return list(forms), len(texts) - len(chosen)


def _in_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def search_pages(
    db: Database,
    reader: PageReader,
    words: Iterable[str],
    wordings: Wordings,
    *,
    profile: str,
    left: Collection[str],
    newer_than: str,
) -> PageCheck:
    """Search all pages and explain every hit."""
    needles, skipped = needles_of(words)
    damaged = len(reader.damaged_pages())
    hits = reader.search([needle.encode() for needle in needles])
    found = sorted({hit.needle_index for hit in hits})
    unexplained = 0
    if hits:
        wanted = [needles[index] for index in found]
        allowed = _allowed(leftovers.texts_holding(db, wanted), wanted, wordings, profile, left, newer_than)
        explaining = _Explaining(
            reader,
            needles,
            allowed,
            terms="\n".join([*leftovers.searchable_terms(db), INDEX_WORDS]),
            index=leaves(reader, leftovers.roots_of(db, "item_fts")),
            numbers=leaves(reader, leftovers.roots_of(db, "item_vec_")),
        )
        unexplained = sum(not explaining.explains(hit) for hit in hits)
    return PageCheck(len(needles), skipped, len(hits), unexplained, reader.page_count, damaged)


def _allowed(
    stored: Sequence[Stored],
    needles: Sequence[str],
    wordings: Wordings,
    profile: str,
    left: Collection[str],
    newer_than: str,
) -> set[str]:
    """Return the texts that may hold the words: they are left alone, newer, or only hold the same letters."""
    kept = {one.text for one in stored if one.table in ("message", "fact") and one.owner in left}
    allowed: set[str] = set()
    for one in stored:
        foreign = bool(one.profile) and one.profile not in (profile, "*")
        owned = one.owner in left or one.owner > newer_than
        beside = one.column == "context" and one.text in kept
        if (
            not one.is_words
            or foreign
            or owned
            or beside
            or _only_letters(one.text, needles, wordings)
            or (one.table == "trace" and any(ident in one.text for ident in left))
            or (
                one.table == "trace"
                and one.column == "block"
                and any(neutral(text) in one.text for text in kept)
            )
        ):
            allowed.add(one.text)
    return allowed


def _only_letters(text: str, needles: Sequence[str], wordings: Wordings) -> bool:
    """Tell whether a text holds a word's letters only inside other words."""
    spans = wordings.spans(text)
    if not spans:
        return True
    for needle in needles:
        at = text.find(needle)
        while at >= 0:
            if any(start < at + len(needle) and at < end for start, end in spans):
                return False
            at = text.find(needle, at + 1)
    return True


def leaves(reader: PageReader, roots: Iterable[int]) -> set[int]:
    """Return every page of these trees, overflow pages included."""
    seen: set[int] = set()
    waiting = list(roots)
    while waiting:
        number = waiting.pop()
        if number in seen or not 0 < number <= reader.page_count:
            continue
        seen.add(number)
        content = reader.read(number)
        if content is None:
            continue
        waiting.append(btree.rightmost_child(number, content))
        for cell in btree.iter_cells(number, content):
            waiting.append(cell.child)
            if cell.overflow:
                seen.update(page for page, _ in reader.iter_chain(cell.overflow))
    return seen


class _Explaining:
    """Finds the record that a hit lies in."""

    def __init__(
        self,
        reader: PageReader,
        needles: Sequence[str],
        allowed: Collection[str],
        *,
        terms: str,
        index: Collection[int],
        numbers: Collection[int],
    ) -> None:
        self.reader, self.needles, self.allowed = reader, needles, allowed
        self.terms, self.index, self.numbers = terms, index, numbers
        self._records: dict[tuple[int, int], list[btree.Value] | None] = {}
        self._chains: dict[int, tuple[int, int]] | None = None

    def explains(self, hit: PageHit) -> bool:
        """Tell whether something that stays accounts for a hit."""
        needle = self.needles[hit.needle_index]
        if hit.page in self.numbers:
            return True
        if hit.page in self.index:
            return needle in self.terms
        place = self._cell_at(hit) or self._chain_of(hit.page)
        if place is None:
            return False
        record = self._record(place)
        if record is None:
            return False
        holding = [value for value in record if isinstance(value, str) and needle in value]
        return all(text in self.allowed for text in holding)

    def _cell_at(self, hit: PageHit) -> tuple[int, int] | None:
        for cell in self._cells(hit.page):
            if cell.length and cell.offset <= hit.offset < cell.offset + len(cell.local):
                return hit.page, cell.offset
        return None

    def _chain_of(self, page: int) -> tuple[int, int] | None:
        """Find the cell whose overflow chain a page belongs to."""
        if self._chains is None:
            self._chains = {}
            for number in range(1, self.reader.page_count + 1):
                for cell in self._cells(number):
                    if cell.overflow:
                        for linked, _ in self.reader.iter_chain(cell.overflow):
                            self._chains[linked] = (number, cell.offset)
        return self._chains.get(page)

    def _record(self, place: tuple[int, int]) -> list[btree.Value] | None:
        if place not in self._records:
            number, offset = place
            cell = next(cell for cell in self._cells(number) if cell.offset == offset)
            payload = self.reader.payload(cell)
            self._records[place] = None if payload is None else btree.read_record(payload)
        return self._records[place]

    def _cells(self, number: int) -> Iterator[btree.Cell]:
        content = self.reader.read(number)
        return iter(()) if content is None else btree.iter_cells(number, content)
