"""Every byte may rot: what was damaged is named, what was not is read, and nothing wrong is ever believed."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import vault_builders as build

from memory.vault import wal
from memory.vault.cipher import PAGE_BYTES
from memory.vault.connection import connect_reader
from memory.vault.driver_errors import store_errors
from memory.vault.errors import BackupUnusable, KeyFileDamaged, StoreDamaged, VaultError
from memory.vault.keys import Passphrase
from memory.vault.pages import PageReader
from memory.vault.restore import restore_backup
from memory.vault.vault import Vault

TEXTS = [f"text {number} " + "padding " * (number % 50) for number in range(120)]
LATER = [f"later {number}" for number in range(12)]


@pytest.fixture(scope="module")
def room() -> Iterator[Path]:
    """Return a folder in memory where there is one."""
    where = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="vault-damage-", dir=where) as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def original(room: Path) -> Path:
    """Return a vault as a power cut left it: some texts in the store, later ones still in the log."""
    folder = room / "original"
    with build.make(room / "open") as vault:
        vault.db.conn.executemany("INSERT INTO note (text) VALUES (?)", [(text,) for text in TEXTS])
        vault.backup()
        assert vault.checkpoint_truncate()
        build.say(vault, *LATER)
        shutil.copytree(room / "open", folder, ignore=shutil.ignore_patterns("*-shm", "vault.lock"))
    return folder


@pytest.fixture
def copy(room: Path, original: Path) -> Iterator[Path]:
    folder = room / "copy"
    shutil.copytree(original, folder)
    yield folder
    shutil.rmtree(folder)


def flipped(path: Path, place: int, mask: int) -> None:
    with path.open("r+b") as stream:
        stream.seek(place)
        (byte,) = stream.read(1)
        stream.seek(place)
        stream.write(bytes([byte ^ mask]))


def key_of(folder: Path) -> bytes:
    with build.reopen(folder, writer=False) as vault:
        return vault.key("db")


def read_what_it_says(path: Path, key: bytes) -> list[str] | None:
    """Return the texts, or None when the store says that it is damaged."""
    try:
        db = connect_reader(path, key)
    except StoreDamaged:
        return None
    try:
        with store_errors():
            return [row[0] for row in db.conn.execute("SELECT text FROM note ORDER BY key").fetchall()]
    except StoreDamaged:
        return None
    finally:
        db.close()


def test_every_damaged_place_of_the_store_is_named(copy: Path) -> None:
    """500 random places, and each byte of one page."""
    store, rng = copy / "vault.db", random.Random(1)
    key = key_of(copy)
    (copy / "vault.db-wal").unlink()
    size = store.stat().st_size
    places = [rng.randrange(size) for _ in range(500)] + list(range(3 * PAGE_BYTES, 4 * PAGE_BYTES, 3))
    for place in places:
        mask = rng.randrange(1, 256)
        flipped(store, place, mask)
        with PageReader(store, key) as reader:
            expected = range(1, reader.page_count + 1) if place < 16 else (place // PAGE_BYTES + 1,)
            assert reader.damaged_pages() == tuple(expected), place
        flipped(store, place, mask)


def test_a_damaged_store_never_reads_as_something_else(copy: Path) -> None:
    store, rng = copy / "vault.db", random.Random(2)
    key = key_of(copy)
    (copy / "vault.db-wal").unlink()
    refused = 0
    for _ in range(150):
        place, mask = rng.randrange(store.stat().st_size), rng.randrange(1, 256)
        flipped(store, place, mask)
        said = read_what_it_says(store, key)
        assert said in (None, TEXTS), place
        refused += said is None
        flipped(store, place, mask)
    assert refused > 50


def test_a_damaged_log_loses_its_tail_and_nothing_else(copy: Path) -> None:
    """SQLite drops everything from the damaged frame on, without a word: that is stated in FORMAT.md."""
    log, rng = copy / "vault.db-wal", random.Random(3)
    key, content = key_of(copy), log.read_bytes()
    everything = TEXTS + LATER
    shorter = 0
    for _ in range(200):
        place, mask = rng.randrange(len(content)), rng.randrange(1, 256)
        log.write_bytes(content)
        flipped(log, place, mask)
        (copy / "vault.db-shm").unlink(missing_ok=True)
        said = read_what_it_says(copy / "vault.db", key)
        assert said is not None
        assert said == everything[: len(said)]
        assert len(said) >= len(TEXTS)
        shorter += len(said) < len(everything)
    assert shorter > 100


def test_a_cut_log_loses_its_tail_and_nothing_else(copy: Path) -> None:
    log = copy / "vault.db-wal"
    key, content = key_of(copy), log.read_bytes()
    frame = wal.FRAME_HEADER_BYTES + PAGE_BYTES
    for length in (0, 1, 31, 32, 33, *range(32 + frame - 1, len(content), frame), len(content) - 1):
        log.write_bytes(content[:length])
        (copy / "vault.db-shm").unlink(missing_ok=True)
        said = read_what_it_says(copy / "vault.db", key)
        assert said is not None
        assert said == (TEXTS + LATER)[: len(said)]
        assert len(said) >= len(TEXTS)


def test_a_cut_store_is_damaged(copy: Path) -> None:
    store = copy / "vault.db"
    content = store.read_bytes()
    (copy / "vault.db-wal").unlink()
    for length in (1, 15, 16, 100, 4095, 4096, len(content) // 2, len(content) - 4096, len(content) - 1):
        store.write_bytes(content[:length])
        with pytest.raises(StoreDamaged):
            insist(copy)
        if length < 4096:
            assert store.stat().st_size == length, "less than a page is no empty store to be filled"


def insist(folder: Path) -> None:
    """Open, check and read: a damaged store must stop one of them."""
    from memory.vault.check import check_connection, require_sound

    with build.reopen(folder) as vault, store_errors():
        require_sound(check_connection(vault.db))


def test_swapped_pages_are_both_named(copy: Path) -> None:
    store = copy / "vault.db"
    key = key_of(copy)
    (copy / "vault.db-wal").unlink()
    content = bytearray(store.read_bytes())
    first, second = (slice((page - 1) * PAGE_BYTES, page * PAGE_BYTES) for page in (5, 6))
    content[first], content[second] = content[second], content[first]
    store.write_bytes(content)
    with PageReader(store, key) as reader:
        assert reader.damaged_pages() == (5, 6)
    with pytest.raises(StoreDamaged) as caught:
        insist(copy)
    assert caught.value.pages == (5, 6)


def test_an_old_page_put_back_is_not_noticed(room: Path) -> None:
    """The stated limit: every page is authentic, and nothing says that it is the latest. FORMAT.md tells so."""
    folder = room / "replayed"
    with build.make(folder) as vault:
        build.say(vault, "the meeting is on Monday")
    old = (folder / "vault.db").read_bytes()
    with build.reopen(folder) as vault:
        vault.db.conn.execute("UPDATE note SET text = 'the meeting is on Friday'")
        root = vault.db.conn.execute("SELECT rootpage FROM sqlite_master WHERE name = 'note'").fetchone()[0]
    place = slice((root - 1) * PAGE_BYTES, root * PAGE_BYTES)
    now = bytearray((folder / "vault.db").read_bytes())
    assert now[place] != old[place]
    now[place] = old[place]
    (folder / "vault.db").write_bytes(now)
    with build.reopen(folder) as vault:
        assert build.said(vault) == ["the meeting is on Monday"]
        with vault.pages() as reader:
            assert reader.damaged_pages() == ()


def test_a_damaged_key_file_is_never_a_wrong_passphrase(copy: Path) -> None:
    path = copy / "vault.key"
    content, rng = path.read_bytes(), random.Random(4)
    for number in range(120):
        place = rng.randrange(len(content))
        damaged = bytearray(content)
        damaged[place] ^= rng.randrange(1, 256)
        path.write_bytes(damaged if number % 3 else content[:place])
        with pytest.raises(KeyFileDamaged):
            build.reopen(copy, rng.choice([build.WORDS, "wrong"]), writer=False)
        assert vault_closed(copy)


def vault_closed(folder: Path) -> bool:
    return not (folder / "vault.lock").exists()


def test_a_damaged_backup_is_never_restored(copy: Path) -> None:
    (backup,) = (copy / "backups").iterdir()
    rng = random.Random(5)
    untouched = build.picture(copy)
    for number in range(150):
        name = ("vault.db", "vault.key", "backup.json")[number % 3]
        path = backup / name
        content = path.read_bytes()
        flipped(path, rng.randrange(len(content)), rng.randrange(1, 256))
        try:
            restore_backup(
                copy,
                backup,
                Passphrase(build.WORDS),
                current=None,
                now=lambda: build.NOON,
                allow_cheap=True,
            )
        except BackupUnusable:
            pass
        else:
            pytest.fail(f"a backup with a damaged {name} was restored")
        path.write_bytes(content)
    assert build.picture(copy) == untouched


def test_a_damaged_vault_says_so_with_one_of_our_errors(copy: Path) -> None:
    """Whatever is damaged, opening for writing ends in the vault's own words or with every stored text."""
    rng = random.Random(6)
    for _ in range(60):
        path = copy / rng.choice(["vault.db", "vault.key", "vault.db-wal"])
        content = {name: (copy / name).read_bytes() for name in ("vault.db", "vault.key", "vault.db-wal")}
        flipped(path, rng.randrange(len(content[path.name])), rng.randrange(1, 256))
        try:
            with build.reopen(copy) as vault, store_errors():
                said = texts(vault)
                assert said == (TEXTS + LATER)[: len(said)]
                assert len(said) >= len(TEXTS)
        except (StoreDamaged, KeyFileDamaged):
            pass
        except VaultError as error:
            pytest.fail(f"misnamed as {error!r}")
        for name, whole in content.items():
            (copy / name).write_bytes(whole)
        for leftover in ("vault.db-shm", "vault.db-journal"):
            (copy / leftover).unlink(missing_ok=True)


def texts(vault: Vault) -> list[str]:
    return build.said(vault)
