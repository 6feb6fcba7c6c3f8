from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import vault_builders as build

from memory.vault.backup import BackupCard, list_backups, too_many
from memory.vault.errors import BackupUnusable, MigrationFailed, NewerVersion, StoreDamaged, WrongPassphrase
from memory.vault.kdf import CHEAPEST
from memory.vault.key_copy import put_key_file_back
from memory.vault.keys import Passphrase
from memory.vault.layout import Layout
from memory.vault.renewing import renew_backups
from memory.vault.restore import Restored, restore_backup
from memory.vault.slots import change_passphrase
from memory.vault.vault import Vault

MINE = Passphrase(build.WORDS)


def restore(folder: Path, card: BackupCard, secret: Any = MINE, current: Any = MINE, **more: Any) -> Restored:
    return restore_backup(
        folder, card.path, secret, current=current, now=lambda: build.NOON, allow_cheap=True, **more
    )


def on_day(vault: Vault, day: int) -> BackupCard | None:
    vault.now = lambda: datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=day)
    return vault.backup_daily()


def test_a_backup_is_a_whole_vault_of_its_own(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        build.say(vault, build.CANARY)
        steps: list[tuple[int, int]] = []
        card = vault.backup(progress=lambda done, total: steps.append((done, total)))
        build.say(vault, "later")
        assert steps[-1][0] == steps[-1][1] > 0
    assert {path.name for path in card.path.iterdir()} == {"vault.db", "vault.key", "backup.json"}
    assert all(b"heron" not in content for content in build.picture(card.path).values())
    shutil.copytree(card.path, tmp_path / "copy")
    with build.reopen(tmp_path / "copy") as copy:
        assert build.said(copy) == [build.CANARY]


def test_a_backup_says_which_passphrase_opens_it(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        old = vault.backup()
        vault.now = lambda: build.NOON + timedelta(days=9)
        change_passphrase(vault, "new", params=CHEAPEST)
        new = vault.backup()
        assert old.opened_by_passphrase_of() == ("2026-03-01T12:00:00+00:00",)
        assert new.opened_by_passphrase_of() == ("2026-03-10T12:00:00+00:00",)
        assert [card.shares_a_passphrase_with(vault.key_file) for card in (old, new)] == [False, True]
        assert list_backups(vault.folder) == (old, new)
    with pytest.raises(WrongPassphrase):
        restore(tmp_path / "v", old, Passphrase("new"), Passphrase("new"))
    restore(tmp_path / "v", old, MINE, Passphrase("new"))
    build.reopen(tmp_path / "v").close()


def test_a_restore_brings_the_backup_and_keeps_what_it_replaced(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        build.say(vault, "then")
        card = vault.backup()
        build.say(vault, "now")
    done = restore(tmp_path / "v", card)
    with build.reopen(tmp_path / "v") as vault:
        assert build.said(vault) == ["then"]
    assert done.replaced is not None
    kept = next(card for card in list_backups(tmp_path / "v") if card.reason == "replaced")
    assert kept.path == done.replaced
    restore(tmp_path / "v", kept)
    with build.reopen(tmp_path / "v") as vault:
        assert build.said(vault) == ["then", "now"]
    assert not (tmp_path / "v" / "restoring").exists()


def test_what_was_forgotten_since_stays_forgotten(tmp_path: Path) -> None:
    def reapply(old: Any, new: Any) -> None:
        kept = {row["text"] for row in old["note"].rows}
        for row in list(new["note"].rows):
            if row["text"] not in kept:
                new["note"].delete(row["key"])

    with build.make(tmp_path / "v") as vault:
        build.say(vault, "keep", "forget me")
        card = vault.backup()
        vault.db.conn.execute("DELETE FROM note WHERE text = 'forget me'")
    assert restore(tmp_path / "v", card, reapply=reapply).tombstones == "reapplied"
    with build.reopen(tmp_path / "v") as vault:
        assert build.said(vault) == ["keep"]


def test_a_failing_hook_leaves_the_present_store(tmp_path: Path) -> None:
    def reapply(old: Any, new: Any) -> None:
        raise ZeroDivisionError

    with build.make(tmp_path / "v") as vault:
        card = vault.backup()
        build.say(vault, "now")
    with pytest.raises(ZeroDivisionError):
        restore(tmp_path / "v", card, reapply=reapply)
    with build.reopen(tmp_path / "v") as vault:
        assert build.said(vault) == ["now"]


@pytest.mark.parametrize("lost", ["vault.db", "vault.key", "everything", "damaged"])
def test_a_lost_or_damaged_store_comes_back(tmp_path: Path, lost: str) -> None:
    with build.make(tmp_path / "v") as vault:
        build.say(vault, "then")
        card = vault.backup()
    if lost == "damaged":
        (tmp_path / "v" / "vault.db").write_bytes(b"x" * 8192)
    elif lost == "everything":
        shutil.move(card.path, tmp_path / card.name)
        shutil.rmtree(tmp_path / "v")
        card = list_backups_at(tmp_path / card.name)
    else:
        (tmp_path / "v" / lost).unlink()
    known = lost == "vault.key"  # the backup's own opens the present store
    done = restore(tmp_path / "v", card, reapply=(lambda _old, _new: None) if known else refuse)
    assert (done.tombstones == "reapplied") == known
    with build.reopen(tmp_path / "v") as vault:
        assert build.said(vault) == ["then"]


def refuse(_old: Any, _new: Any) -> None:
    raise AssertionError("there is nothing to carry over")


def list_backups_at(path: Path) -> BackupCard:
    from memory.vault.backup import read_card

    return read_card(path)


def test_the_key_file_of_another_store_is_replaced_by_a_backups_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    with build.make(folder) as vault:
        card = vault.backup()
        build.say(vault, "after the backup")
    build.fresh(tmp_path / "other").close()
    stray = (tmp_path / "other" / "vault.key").read_bytes()
    (folder / "vault.key").write_bytes(stray)
    done = put_key_file_back(
        folder, card.path, Passphrase(build.WORDS), now=lambda: build.NOON, allow_cheap=True
    )
    assert done.replaced is not None
    assert done.replaced.read_bytes() == stray, "it may be the only key of that other store"
    with build.reopen(folder) as vault:
        assert build.said(vault) == ["after the backup"]


@pytest.mark.parametrize("name", ["vault.db", "vault.key", "backup.json"])
def test_a_damaged_backup_is_refused_and_changes_nothing(tmp_path: Path, name: str) -> None:
    with build.make(tmp_path / "v") as vault:
        build.say(vault, *["some text"] * 30)
        card = vault.backup()
    content = bytearray((card.path / name).read_bytes())
    content[len(content) // 2] ^= 0x10
    (card.path / name).write_bytes(content)
    before = build.picture(tmp_path)
    with pytest.raises((BackupUnusable, WrongPassphrase)):
        restore(tmp_path / "v", card)
    assert build.picture(tmp_path) == before


def test_a_backup_whose_checksum_was_forged_is_still_checked_by_its_pages(tmp_path: Path) -> None:
    from dataclasses import replace

    from memory.vault.backup import MANIFEST, file_sha256, write_manifest

    with build.make(tmp_path / "v") as vault:
        build.say(vault, *["some text"] * 30)
        card = vault.backup()
    store = card.path / "vault.db"
    content = bytearray(store.read_bytes())
    content[3 * 4096 + 77] ^= 1
    store.write_bytes(content)
    write_manifest(replace(card, store_sha256=file_sha256(store)), card.path / MANIFEST)
    with pytest.raises((BackupUnusable, StoreDamaged)):
        restore(tmp_path / "v", card)
    build.reopen(tmp_path / "v").close()


def test_an_older_backup_is_migrated_and_a_newer_one_refused(tmp_path: Path) -> None:
    def second(db: Any) -> None:
        db.conn.execute("ALTER TABLE note ADD COLUMN colour TEXT")

    with build.make(tmp_path / "v") as vault:
        build.say(vault, "old")
        card = vault.backup()
    with pytest.raises(NewerVersion):
        restore(tmp_path / "v", card, schema_version=0)
    restore(tmp_path / "v", card, migrate=second, schema_version=2)
    with build.reopen(tmp_path / "v", schema_version=2) as vault:
        assert [column.name for column in vault.db["note"].columns] == ["key", "text", "colour"]


def test_a_backup_is_made_before_a_migration(tmp_path: Path) -> None:
    def fail(db: Any) -> None:
        raise ZeroDivisionError

    with build.make(tmp_path / "v") as vault:
        build.say(vault, "old")
    with pytest.raises(MigrationFailed):
        build.reopen(tmp_path / "v", migrate=fail, schema_version=2)
    (card,) = list_backups(tmp_path / "v")
    assert (card.reason, card.schema_version) == ("migration", 1)
    shutil.copytree(card.path, tmp_path / "copy")
    with build.reopen(tmp_path / "copy") as copy:
        assert build.said(copy) == ["old"]


def test_there_is_one_daily_backup_a_day_and_seven_are_kept(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        manual = vault.backup()
        made = [on_day(vault, day) for day in range(10)]
        assert on_day(vault, 9) is None
        kept = list_backups(vault.folder)
    assert manual in kept
    assert [card for card in kept if card.reason == "daily"] == made[-7:]


def test_a_clock_set_back_costs_no_fresh_backup(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        future = [on_day(vault, day) for day in range(100, 108)]
        fresh = on_day(vault, 1)
        kept = list_backups(vault.folder)
    assert fresh in kept
    assert sum(card in kept for card in future) == 6


def test_daily_backups_are_bounded_in_size() -> None:
    def card(day: int, size: int) -> BackupCard:
        return BackupCard(Path(f"{day}"), f"2026-03-{day:02}", "daily", 1, b"", size, "", ())

    newest = card(9, 60)
    cards = (card(6, 10), card(7, 30), card(8, 20), newest)
    assert too_many(cards, newest, kept_bytes=100) == (cards[1], cards[0])
    assert too_many((newest,), newest, kept_bytes=1) == ()


def test_half_a_backup_is_never_listed_and_is_cleared_away(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        card = vault.backup()
    half = Layout(tmp_path / "v").backups / ".20260302T000000Z-manual.tmp"
    shutil.copytree(card.path, half)
    assert list_backups(tmp_path / "v") == (card,)
    build.reopen(tmp_path / "v").close()
    assert not half.exists()


def test_a_new_backup_takes_the_place_of_all_that_hold_what_was_forgotten_since(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        build.say(vault, build.CANARY)
        for day in range(3):
            on_day(vault, day)
        vault.backup("manual")
        odd = vault.layout.backups / "20260101T000000Z-daily"
        odd.mkdir()
        (odd / "vault.db").write_bytes(b"nobody knows")
        with pytest.raises(KeyboardInterrupt):
            renew_backups(vault, progress=interrupted)
        assert len(list_backups(vault.folder)) == 4, "none goes before the new one is whole"
        before = {card.name for card in list_backups(vault.folder)}
        assert renew_backups(vault) == 5
        (now,) = vault.layout.backups.iterdir()
        assert now.name not in {*before, odd.name}
        assert on_day(vault, 2) is None, "it counts as this day's"


def interrupted(_done: int, _total: int) -> None:
    raise KeyboardInterrupt
