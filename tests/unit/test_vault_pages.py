from __future__ import annotations

import os
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import vault_builders as build

from memory.vault import btree, wal
from memory.vault.cipher import PAGE_BYTES, USABLE_BYTES, PageCipher
from memory.vault.needles import Needles
from memory.vault.pages import PageHit, PageReader, _find_across
from memory.vault.vault import Vault

NEEDLE = build.CANARY.encode()


@pytest.fixture
def vault(tmp_path: Path) -> Any:
    with build.make(tmp_path / "v") as vault:
        yield vault


def found(vault: Vault, *needles: bytes) -> list[PageHit]:
    with vault.pages() as reader:
        return reader.search(needles or (NEEDLE,))


def test_every_page_opens_with_the_key_and_none_with_another(vault: Vault) -> None:
    build.say(vault, *["some words"] * 200)
    assert vault.checkpoint_truncate()
    with vault.pages() as reader:
        pages = list(reader.iter_pages())
        assert reader.page_count == len(pages) == vault.db.conn.execute("PRAGMA page_count").fetchone()[0]
        assert all(page.content is not None and len(page.content) == USABLE_BYTES for page in pages)
        assert reader.damaged_pages() == ()
    with PageReader(vault.layout.store, b"x" * 32) as stranger:
        assert all(page.content is None for page in stranger.iter_pages())


def test_a_text_is_found_in_the_log_and_then_in_the_store(vault: Vault) -> None:
    build.say(vault, build.CANARY)
    assert {hit.source for hit in found(vault)} == {"log"}
    assert vault.checkpoint_truncate()
    hits = found(vault)
    assert {hit.source for hit in hits} == {"store"}
    with vault.pages() as reader:
        content = reader.read(hits[0].page)
    assert content is not None
    assert content[hits[0].offset :].startswith(NEEDLE)


def test_a_deleted_text_is_gone_once_the_log_is_emptied(vault: Vault) -> None:
    build.say(vault, build.CANARY, "other")
    vault.db.conn.execute("DELETE FROM note WHERE key = 1")
    assert found(vault) != []
    assert vault.checkpoint_truncate()
    assert found(vault) == []


def test_the_search_notices_when_deleted_text_is_not_wiped(vault: Vault) -> None:
    """Else the test above could never fail."""
    from memory.vault.guard import off_guard

    build.say(vault, build.CANARY, "other")
    with off_guard(vault.db.conn):
        vault.db.conn.execute("PRAGMA secure_delete = OFF")
    vault.db.conn.execute("DELETE FROM note WHERE key = 1")
    assert vault.checkpoint_truncate()
    assert found(vault) != []


@pytest.mark.parametrize("gap", [*range(420, 560, 7), 3900, 4000, *range(4440, 4540, 7), 8500, 9000])
def test_a_text_cut_in_two_by_a_pages_end_is_found(vault: Vault, gap: int) -> None:
    vault.db.conn.execute("INSERT INTO note (text) VALUES (?)", ("x" * gap + build.CANARY + "y" * 9000,))
    assert vault.checkpoint_truncate()
    hits = found(vault)
    assert len(hits) == 1
    with vault.pages() as reader:
        content = reader.read(hits[0].page)
    assert content is not None
    start = content[hits[0].offset : hits[0].offset + len(NEEDLE)]
    assert start
    assert NEEDLE.startswith(start)


def test_a_text_longer_than_three_pages_is_found(vault: Vault) -> None:
    rng = random.Random(1)
    long = " ".join(rng.randbytes(4).hex() for _ in range(1500))
    vault.db.conn.execute("INSERT INTO note (text) VALUES (?)", ("head" + long + "tail",))
    assert vault.checkpoint_truncate()
    assert len(found(vault, long.encode())) == 1
    assert found(vault, long.encode() + b"?") == []


def test_a_cut_text_in_a_chain_that_no_row_owns_is_found(vault: Vault) -> None:
    from memory.vault.guard import off_guard

    text = "x" * (479 + 4012 * 2 - 20) + build.CANARY + "y" * 9000
    for words in ("first", text, "last"):
        vault.db.conn.execute("INSERT INTO note (text) VALUES (?)", (words,))
    with off_guard(vault.db.conn):
        vault.db.conn.execute("PRAGMA secure_delete = OFF")
    vault.db.conn.execute("DROP TABLE note_fts")
    vault.db.conn.execute("DROP TABLE note")
    assert vault.checkpoint_truncate()
    assert found(vault) != []


def test_several_needles_are_told_apart(vault: Vault) -> None:
    build.say(vault, "alpha beta alpha")
    assert vault.checkpoint_truncate()
    hits = found(vault, b"alpha beta", b"nowhere", b"beta alpha")
    assert {hit.needle_index for hit in hits} == {0, 2}
    assert found(vault, b"nowhere") == []
    with vault.pages() as reader, pytest.raises(ValueError, match="everywhere"):
        reader.search([b""])


def test_a_hit_across_pieces_is_reported_where_it_starts_and_once() -> None:
    rng = random.Random(7)
    for _ in range(300):
        whole = bytes(rng.choice(b"ab") for _ in range(rng.randrange(2, 60)))
        cuts = sorted(rng.sample(range(1, len(whole)), min(rng.randrange(1, 5), len(whole) - 1)))
        edges = [0, *cuts, len(whole)]
        pieces = [(number, 100, whole[a:b]) for number, (a, b) in enumerate(pairwise(edges))]
        needle = bytes(rng.choice(b"ab") for _ in range(rng.randrange(1, 9)))
        expected = set()
        for start in range(len(whole)):
            if whole.startswith(needle, start):
                piece = max(number for number, edge in enumerate(edges[:-1]) if edge <= start)
                if start + len(needle) > edges[piece + 1]:
                    expected.add(PageHit(piece, 100 + start - edges[piece], 0))
        assert set(_find_across(pieces, Needles([needle]))) == expected


def test_the_reader_sees_what_the_last_commit_left(vault: Vault) -> None:
    build.say(vault, "one")
    assert vault.checkpoint_truncate()
    build.say(vault, "two", "three")
    vault.db.conn.execute("BEGIN")
    vault.db.conn.execute("INSERT INTO note (text) VALUES ('never')")
    with vault.pages() as reader:
        assert read_notes(reader, vault) == ["one", "two", "three"]
    vault.db.conn.execute("ROLLBACK")


def read_notes(reader: PageReader, vault: Vault) -> list[Any]:
    (root,) = vault.db.conn.execute("SELECT rootpage FROM sqlite_master WHERE name = 'note'").fetchone()
    content = reader.read(root)
    assert content is not None
    texts = []
    for cell in btree.iter_cells(root, content):
        payload = reader.payload(cell)
        assert payload is not None
        record = btree.read_record(payload)
        assert record is not None
        texts.append(record[1])
    return texts


def test_records_come_back_as_sqlite_wrote_them(vault: Vault) -> None:
    vault.db.conn.execute("CREATE TABLE odd (key INTEGER PRIMARY KEY, a, b, c, d, e, f, g)")
    rows: list[tuple[Any, ...]] = [
        (1, None, 0, 1, -1, 127, 2.5, "text"),
        (-5, 128, -32769, 2**31, -(2**47), 2**62, b"", "é日本"),
        (2**60, -(2**63), 8388607, b"\x00\xff", "", -1e300, "x" * 20000, os.urandom(5000)),
    ]
    for row in rows:
        vault.db.conn.execute("INSERT INTO odd VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    (root,) = vault.db.conn.execute("SELECT rootpage FROM sqlite_master WHERE name = 'odd'").fetchone()
    with vault.pages() as reader:
        content = reader.read(root)
        assert content is not None
        got = []
        for cell in btree.iter_cells(root, content):
            payload = reader.payload(cell)
            assert payload is not None
            record = btree.read_record(payload)
            assert record is not None
            got.append((cell.rowid, *record[1:]))
    assert got == sorted(rows)


def test_garbage_never_stops_the_reading_of_cells() -> None:
    rng = random.Random(3)
    for kind in (2, 5, 10, 13):
        for _ in range(20):
            content = bytearray(rng.randbytes(USABLE_BYTES))
            content[0] = kind
            for cell in btree.iter_cells(2, bytes(content)):
                btree.read_record(cell.local)


def test_a_page_of_another_number_does_not_open() -> None:
    cipher = PageCipher(b"k" * 32, b"s" * 16)
    assert cipher.open_page(3, os.urandom(PAGE_BYTES)) is None
    assert cipher.open_page(3, bytes(PAGE_BYTES)) == bytes(USABLE_BYTES)
    assert cipher.open_page(3, b"short") is None


def test_a_damaged_frame_ends_the_committed_part_of_the_log(vault: Vault) -> None:
    build.say(vault, "one", "two", "three")
    log = vault.folder / "vault.db-wal"
    copy = vault.folder / "copy-wal"
    content = bytearray(log.read_bytes())
    frames = list(wal.iter_frames(log))
    assert all(frame.chained for frame in frames)
    content[wal.HEADER_BYTES + (len(frames) - 1) * (wal.FRAME_HEADER_BYTES + PAGE_BYTES) + 100] ^= 1
    copy.write_bytes(content)
    assert [frame.chained for frame in wal.iter_frames(copy)] == [True] * (len(frames) - 1) + [False]
    assert wal.iter_frames(vault.folder / "absent") is not None
    assert wal.committed(vault.folder / "absent") == ({}, 0)
