"""One backup a day, in an idle moment, given up when somebody wants something."""

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assistant.daily_backup import DailyBackup
from memory.vault import backup
from memory.vault.backup import list_backups
from memory.vault.errors import DiskFull
from memory.vault.vault import Vault

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def names(vault: Vault) -> list[str]:
    return [card.name for card in list_backups(vault.folder)]


def test_each_day_has_one_and_the_eighth_day_lets_the_first_go(vault: Vault) -> None:
    daily = DailyBackup(vault)
    for day in range(8):
        vault.now = lambda day=day: NOON + timedelta(days=day)  # type: ignore[misc]
        daily.step(threading.Event())
        daily.step(threading.Event())
        DailyBackup(vault).step(threading.Event())
    assert names(vault) == [f"2026030{day}T120000Z-daily" for day in range(2, 9)]


def test_it_is_given_up_at_once_leaves_nothing_and_is_made_at_the_next_idle_moment(vault: Vault) -> None:
    disturbed = threading.Event()
    disturbed.set()
    daily = DailyBackup(vault)
    daily.step(disturbed)
    assert names(vault) == []
    assert list((vault.folder / "backups").iterdir()) == []
    disturbed.clear()
    daily.step(disturbed)
    assert len(names(vault)) == 1


def test_a_clock_set_back_makes_no_second_daily_backup_disappear(vault: Vault) -> None:
    for when in (NOON + timedelta(days=300), NOON):
        vault.now = lambda when=when: when  # type: ignore[misc]
        DailyBackup(vault).step(threading.Event())
    assert len(names(vault)) == 2


def test_one_that_fails_is_said_once_and_not_tried_again(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Path] = []

    def full(_db: object, target: Path, *_: object) -> None:
        tried.append(target)
        raise DiskFull("the disk is full")

    monkeypatch.setattr(backup, "_copy_store", full)
    daily = DailyBackup(vault)
    daily.step(threading.Event())
    daily.step(threading.Event())
    assert len(tried) == 1
    (words,) = vault.notices
    assert "The disk is full" in words
    assert names(vault) == []
