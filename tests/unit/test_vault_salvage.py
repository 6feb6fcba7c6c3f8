from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import vault_builders as build

from memory.vault.check import check_connection
from memory.vault.errors import StoreDamaged
from memory.vault.kdf import CHEAPEST
from memory.vault.keys import Passphrase
from memory.vault.salvage import Salvaged, salvage

TEXTS = [f"text {number} " + "padding " * (number % 60) for number in range(400)] + ["z" * 30000]


def rescued(tmp_path: Path, **more: Any) -> tuple[Salvaged, list[str]]:
    report = salvage(
        tmp_path / "v",
        Passphrase(build.WORDS),
        tmp_path / "new",
        build.WORDS,
        migrate=build.first_schema,
        schema_version=1,
        params=CHEAPEST,
        allow_cheap=True,
        now=lambda: build.NOON,
        **more,
    )
    with build.reopen(tmp_path / "new") as vault:
        assert check_connection(vault.db).sound
        return report, build.said(vault)


def damage(store: Path, *pages: int) -> None:
    content = bytearray(store.read_bytes())
    for page in pages:
        content[(page - 1) * 4096 + 1000] ^= 1
    store.write_bytes(content)


def filled(tmp_path: Path) -> tuple[int, int, bytes]:
    with build.make(tmp_path / "v") as vault:
        with vault.db.atomic():
            vault.db.conn.executemany("INSERT INTO note (text) VALUES (?)", [(text,) for text in TEXTS])
        (root,) = vault.db.conn.execute("SELECT rootpage FROM sqlite_master WHERE name = 'note'").fetchone()
        pages = vault.db.conn.execute("PRAGMA page_count").fetchone()[0]
        return root, pages, vault.key("tombstones")


def test_a_whole_store_is_saved_row_for_row(tmp_path: Path) -> None:
    _, _, tombstones = filled(tmp_path)
    before = build.picture(tmp_path / "v")
    report, texts = rescued(tmp_path)
    assert texts == TEXTS
    assert report == Salvaged((), {"note": len(TEXTS)}, seal_kept=True)
    assert build.picture(tmp_path / "v") == before
    with build.reopen(tmp_path / "new") as vault:
        assert vault.key("tombstones") == tombstones
        found = vault.db.conn.execute(
            "SELECT COUNT(*) FROM note_fts WHERE note_fts MATCH 'padding'"
        ).fetchone()
        assert found[0] == sum("padding" in text for text in TEXTS)


def test_rows_are_found_although_the_way_to_them_is_damaged(tmp_path: Path) -> None:
    root, _, _ = filled(tmp_path)
    damage(tmp_path / "v" / "vault.db", root)
    report, texts = rescued(tmp_path)
    assert report.damaged == (root,)
    assert sorted(texts) == sorted(TEXTS)


def test_rows_are_found_although_the_first_page_is_damaged(tmp_path: Path) -> None:
    filled(tmp_path)
    damage(tmp_path / "v" / "vault.db", 1)
    with pytest.raises(StoreDamaged) as caught:
        build.reopen(tmp_path / "v")
    assert caught.value.pages == (1,)
    report, texts = rescued(tmp_path)
    assert report.damaged == (1,)
    assert len(set(texts) & set(TEXTS)) >= len(TEXTS) - 1


def test_one_damaged_leaf_costs_only_its_own_rows(tmp_path: Path) -> None:
    root, pages, _ = filled(tmp_path)
    lost = []
    content = (tmp_path / "v" / "vault.db").read_bytes()
    for page in range(root + 1, pages, pages // 3):
        (tmp_path / "v" / "vault.db").write_bytes(content)
        damage(tmp_path / "v" / "vault.db", page)
        report, texts = rescued(tmp_path)
        assert report.damaged == (page,)
        assert set(texts) <= set(TEXTS)
        lost.append(len(TEXTS) - len(texts))
        for path in (tmp_path / "new").iterdir():
            path.unlink()
    assert max(lost) < 60
    assert any(lost)


def test_words_in_the_log_are_saved_too(tmp_path: Path) -> None:
    vault = build.make(tmp_path / "v")
    build.say(vault, "in the log")
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("vault.db", "vault.db-wal", "vault.key"):
        (copy / name).write_bytes((tmp_path / "v" / name).read_bytes())
    vault.close()
    for name in ("vault.db", "vault.db-wal", "vault.key"):
        (tmp_path / "v" / name).write_bytes((copy / name).read_bytes())
    assert rescued(tmp_path)[1] == ["in the log"]


def test_the_owner_may_mend_what_was_saved(tmp_path: Path) -> None:
    filled(tmp_path)

    def mend(db: Any) -> None:
        db.conn.execute("DELETE FROM note WHERE key > 1")

    assert rescued(tmp_path, mend=mend)[1] == TEXTS[:1]


def test_nothing_is_made_of_a_store_of_another_key(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / "v" / "vault.db").write_bytes(b"no page of ours" * 4000)
    with pytest.raises(StoreDamaged, match="not one page"):
        rescued(tmp_path)
    assert not (tmp_path / "new").exists()
