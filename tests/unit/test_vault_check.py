from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import vault_builders as build

from memory.vault.check import check_connection, check_pages, require_sound
from memory.vault.errors import StoreDamaged
from memory.vault.vault import Vault


@pytest.fixture
def vault(tmp_path: Path) -> Any:
    with build.make(tmp_path / "v") as vault:
        build.say(vault, *[f"text {number}" for number in range(30)])
        yield vault


def test_a_whole_store_is_sound(vault: Vault) -> None:
    report = check_connection(vault.db)
    assert (report.sound, report.pages, report.problems) == (True, (), ())
    assert check_connection(vault.read_only()).sound
    require_sound(report)


def test_damaged_pages_are_named_both_ways(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        build.say(vault, *["long text " * 300] * 20)
    store = tmp_path / "v" / "vault.db"
    content = bytearray(store.read_bytes())
    for page in (7, 9):
        content[(page - 1) * 4096 + 1000] ^= 1
    store.write_bytes(content)
    with build.reopen(tmp_path / "v") as vault:
        report = check_connection(vault.db)
        assert report.pages == (7, 9)
        with vault.pages() as reader:
            assert check_pages(reader).pages == (7, 9)
        with pytest.raises(StoreDamaged) as caught:
            require_sound(report)
        assert caught.value.pages == (7, 9)


def test_a_search_index_that_lost_touch_is_found(vault: Vault) -> None:
    vault.db.conn.execute("DROP TRIGGER note_ai")
    build.say(vault, "not in the index")
    assert ["note_fts" in problem for problem in check_connection(vault.db).problems] == [True]


def test_a_row_that_points_nowhere_is_found(vault: Vault) -> None:
    vault.db.conn.execute("CREATE TABLE remark (key INTEGER PRIMARY KEY, note INTEGER REFERENCES note(key))")
    vault.db.conn.execute("PRAGMA foreign_keys = OFF")
    vault.db.conn.execute("INSERT INTO remark (note) VALUES (999)")
    assert check_connection(vault.db).problems == ("a row of remark points to note and nothing is there",)
