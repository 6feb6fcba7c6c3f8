"""What encryption costs: the same work with and without a key, and what unlocking costs.

The two sides take turns, and what counts is the median over the pairs: a machine that is busy for a while slows both
halves of a pair, and a pair that it splits is one of many. A search is the best of three, since it waits for nothing.
What differs is the key and nothing else: same driver, same pragmas, same process, hence the same allocator that
overwrites what it frees. The surprise: what a commit's ratio is worth depends on the disk. Encrypting its twenty pages
takes a third of a millisecond; beside a sync of four that is 1.08, beside one of one it is 1.2.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlcipher3 import dbapi2

from memory.retrieval import vectors
from memory.store.migrations import SCHEMA_VERSION, migrate
from memory.vault import connection, kdf
from memory.vault.kdf import derive
from memory.vault.keys import Passphrase
from memory.vault.vault import create_vault, open_vault, utc_now
from models.hash_embedder import HashEmbedder

ITEMS = 3000
BULK = 100
COMMITS = 150
SEARCHES = 60
UNLOCKINGS = 9
BEST_OF = 3
WORDS = [
    f"{a}{b}"
    for a in ("ka", "lo", "mi", "ru", "se", "ti")
    for b in ("bar", "den", "fol", "gim", "nar", "pos")
]

ITEM = """
INSERT INTO item (id, kind, ref, profile, text)
VALUES (:id, 'message', :id, 'default', :text)
"""
KEYWORDS = """
SELECT item.key, bm25(item_fts) AS rank
FROM item_fts
JOIN item ON item.key = item_fts.rowid
WHERE item_fts MATCH :match
ORDER BY rank, item.key
LIMIT 10
"""


class Side:
    """One of the two stores."""

    def __init__(self, name: str, db: Any) -> None:
        self.name, self.db = name, db
        self.embedder = HashEmbedder()
        self.embedder.open()
        self.draw = Random(5)
        self.count = 0
        with db.atomic():
            self.row = vectors.ensure_embedder(db, self.embedder.identity, utc_now())
        self.table = vectors.table_name(self.row.key)

    def text(self) -> str:
        return " ".join(self.draw.choice(WORDS) for _ in range(24))

    def add(self, number: int) -> Callable[[], object]:
        """Prepare writing items with postings and vectors in one commit."""
        texts = [self.text() for _ in range(number)]
        made = self.embedder.embed(texts)

        def write() -> None:
            with self.db.atomic():
                keys = []
                for text in texts:
                    self.count += 1
                    keys.append(self.db.execute(ITEM, {"id": f"i{self.count}", "text": text}).lastrowid)
                vectors.store(self.db, self.row.key, list(zip(keys, made, strict=True)))

        return write

    def keywords(self) -> Callable[[], list[Any]]:
        """Prepare a search by words."""
        match = " OR ".join(self.draw.sample(WORDS, 3))
        return lambda: list(self.db.execute(KEYWORDS, {"match": match}).fetchall())

    def nearest(self) -> Callable[[], list[Any]]:
        """Prepare a search by meaning."""
        (wanted,) = self.embedder.embed([self.text()])
        statement = f"SELECT id, distance FROM {self.table} WHERE profile = 'default' AND embedding MATCH ? AND k = 10"
        return lambda: list(self.db.execute(statement, [wanted]).fetchall())


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Side, Side]]:
    """The same store twice, with a key and without one; only a bench may do the second."""
    folder = tmp_path_factory.mktemp("bench")
    with ExitStack() as open_ones:
        vault = create_vault(folder / "vault", "bench", migrate=migrate, schema_version=SCHEMA_VERSION)
        open_ones.callback(vault.close)
        bare = dbapi2.connect(str(folder / "plain.db"), isolation_level=None, check_same_thread=False)
        open_ones.callback(bare.close)
        for pragma in (
            "journal_mode = WAL",
            *connection._WRITER_PRAGMAS,
            *connection._PRAGMAS,
        ):
            bare.execute(f"PRAGMA {pragma}")
        plain = connection._finish(bare)
        migrate(plain)
        assert (folder / "plain.db").read_bytes()[:15] == b"SQLite format 3"
        yield Side("encrypted", vault.db), Side("plain", plain)


def ratio(
    sides: tuple[Side, Side],
    prepare: Callable[[Side], Callable[[], object]],
    rounds: int,
    *,
    best_of: int = 1,
) -> tuple[float, float, float]:
    """Return the median of encrypted and of plain in milliseconds, and the median of the pairs' ratios."""
    taken: dict[str, list[float]] = {side.name: [] for side in sides}
    for round_ in range(rounds):
        works = [(side.name, prepare(side)) for side in sides]  # nothing but the work is between the two
        fastest: dict[str, float] = {}
        for _ in range(best_of):
            for name, work in works if round_ % 2 else works[::-1]:
                began = time.perf_counter()
                work()
                spent = (time.perf_counter() - began) * 1000
                fastest[name] = min(spent, fastest.get(name, spent))
        for name, spent in fastest.items():
            taken[name].append(spent)
    encrypted, plain = taken["encrypted"], taken["plain"]
    pairs = [one / other for one, other in zip(encrypted, plain, strict=True)]
    return statistics.median(encrypted), statistics.median(plain), statistics.median(pairs)


def tell(what: str, found: tuple[float, float, float], goal: float) -> None:
    encrypted, plain, share = found
    met = "met" if share <= goal else "MISSED"
    times = f"encrypted {encrypted:8.2f} ms   plain {plain:8.2f} ms"
    print(f"\n{what:18} {times}   ratio {share:5.2f}   goal {goal:.1f} {met}")


def test_bulk_insert(sides: tuple[Side, Side]) -> None:
    tell(f"insert {BULK} a time", ratio(sides, lambda side: side.add(BULK), ITEMS // BULK), 1.5)
    for side in sides:
        connection.size_cache(side.db.conn)  # as at the next opening
    assert {side.count for side in sides} == {ITEMS}


def test_commit(sides: tuple[Side, Side], tmp_path: Path) -> None:
    spent: dict[str, list[float]] = {side.name: [] for side in sides}

    def adding(side: Side) -> Callable[[], object]:
        write = side.add(1)

        def counted() -> None:
            began = time.thread_time()
            write()
            spent[side.name].append((time.thread_time() - began) * 1000)

        return counted

    tell("commit of one", ratio(sides, adding, COMMITS), 1.1)
    more = statistics.median(one - other for one, other in zip(*spent.values(), strict=True))
    print(
        f"{'':18} encrypting takes {more:.2f} ms of it; a sync of this disk takes {sync_ms(tmp_path):.2f} ms"
    )


def sync_ms(folder: Path) -> float:
    """Return what the disk takes to keep as much as a commit writes."""
    taken = []
    with (folder / "sync").open("wb", buffering=0) as file:
        for _ in range(COMMITS):
            file.seek(0)
            file.write(os.urandom(20 * 4096))
            began = time.perf_counter()
            os.fsync(file.fileno())
            taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def test_searches(sides: tuple[Side, Side]) -> None:
    for side in sides:
        side.draw = Random(9)
        side.nearest()()  # warm
        side.keywords()()
    for side in sides:
        side.draw = Random(11)
    tell("keyword search", ratio(sides, lambda side: side.keywords(), SEARCHES, best_of=BEST_OF), 1.1)
    tell("vector search", ratio(sides, lambda side: side.nearest(), SEARCHES, best_of=BEST_OF), 1.1)
    for side in sides:
        side.draw = Random(13)
    assert sides[0].keywords()() == sides[1].keywords()()


def test_unlocking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create_vault(tmp_path / "vault", "bench", migrate=migrate, schema_version=SCHEMA_VERSION).close()
    derived: list[float] = []

    def timed(*given: Any, **named: Any) -> bytes:
        began = time.perf_counter()
        key = derive(*given, **named)
        derived.append((time.perf_counter() - began) * 1000)
        return key

    monkeypatch.setattr(kdf, "derive", timed)
    whole = []
    for _ in range(UNLOCKINGS):
        began = time.perf_counter()
        with open_vault(
            tmp_path / "vault", Passphrase("bench"), migrate=migrate, schema_version=SCHEMA_VERSION
        ):
            whole.append((time.perf_counter() - began) * 1000)
    assert len(derived) == len(whole)
    rest = statistics.median(all_ - key for all_, key in zip(whole, derived, strict=True))
    print(
        f"\nunlocking          Argon2id {statistics.median(derived):.1f} ms; everything else {rest:.1f} ms   goal 100"
    )
