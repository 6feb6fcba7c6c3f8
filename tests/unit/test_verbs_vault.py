"""The vault's verbs: what each does, says and returns, on real vaults with keys that cost nothing.

More than 300 lines: one verb after the other.
"""

import io
import json
import os
import shutil
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from vault_builders import picture as every_file

from assistant import wiring
from assistant.cli import main
from assistant.settings import load_settings
from memory.store.migrations import SCHEMA_VERSION
from memory.vault.backup import is_whole, list_backups, read_card
from memory.vault.errors import DiskFull
from memory.vault.identity import write_schema_version
from memory.vault.lock import acquire
from memory.vault.recovery import new_recovery, recovery_groups

PASSPHRASE = "correct horse battery staple"
OTHER = "quite another set of words"
DOG = "my dog is called Biscuit"
CAT = "my cat is called Miso"


def picture(folder: Path) -> dict[str, bytes]:
    """Every byte of a vault; a reader may leave SQLite's empty log behind."""
    return {name: content for name, content in every_file(folder).items() if content}


@dataclass
class Shell:
    """Runs verbs in this process and keeps what they said."""

    home: Path
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch
    out: str = ""
    err: str = ""

    @property
    def vault(self) -> Path:
        return self.home / "vault"

    def __call__(self, *arguments: str, passphrase: str = PASSPHRASE, **environment: str) -> int:
        with self.monkeypatch.context() as patch:
            patch.setenv("LOCKET_PASSPHRASE", passphrase)
            for name, value in environment.items():
                patch.setenv(name, value)
            code = main(list(arguments))
        self.out, self.err = self.capsys.readouterr()
        return code

    def json(self, *arguments: str, **more: str) -> Any:
        assert self(*arguments, "--json", **more) == 0, self.err
        return json.loads(self.out)

    def facts(self, passphrase: str = PASSPHRASE) -> list[str]:
        items = self.json("memory", "list", passphrase=passphrase)["items"]
        return [item["text"] for item in items]


@pytest.fixture
def run(
    home_with_a_vault: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Shell:
    """A home with an empty store in it."""
    monkeypatch.setattr("sys.stdin", io.StringIO())  # nobody is at the keyboard
    return Shell(home_with_a_vault, capsys, monkeypatch)


@pytest.fixture
def told(run: Shell) -> Shell:
    """A home whose store remembers one thing."""
    assert run("memory", "add", DOG) == 0
    return run


# -- what opens it ------------------------------------------------------------------------------------


def test_after_a_new_passphrase_only_the_new_one_opens(told: Shell) -> None:
    store = (told.vault / "vault.db").read_bytes()
    assert told("vault", "passphrase", LOCKET_NEW_PASSPHRASE=OTHER) == 0
    assert (told.vault / "vault.db").read_bytes() == store, "a passphrase change touches keys only"
    assert told("memory", "list") == 12
    assert told.facts(OTHER) == [DOG]


def test_a_new_passphrase_can_come_from_a_file(told: Shell, tmp_path: Path) -> None:
    (tmp_path / "new").write_text(f"{OTHER}\n")
    assert told("vault", "passphrase", "--new-password-file", str(tmp_path / "new")) == 0
    assert told.facts(OTHER) == [DOG]


def test_without_a_new_passphrase_nothing_is_changed_and_the_options_are_named(told: Shell) -> None:
    before = picture(told.vault)
    assert told("vault", "passphrase") == 2
    assert "--new-password-file" in told.err
    assert picture(told.vault) == before


def test_a_recovery_key_opens_wherever_a_passphrase_is_asked_for(told: Shell) -> None:
    assert told("vault", "recovery", "--unconfirmed") == 0
    key = told.out.strip()
    assert told.facts(key) == [DOG]
    assert told.facts(key.lower().replace("-", " ")) == [DOG]
    assert told("vault", "passphrase", passphrase=key, LOCKET_NEW_PASSPHRASE=OTHER) == 0
    assert told.facts(OTHER) == [DOG]


def test_a_mistyped_recovery_key_is_said_to_be_mistyped(told: Shell) -> None:
    assert told("vault", "recovery", "--unconfirmed") == 0
    key = told.out.strip()
    wrong = ("2" if key[0] != "2" else "3") + key[1:]
    assert told("memory", "list", passphrase=wrong) == 12
    assert "recovery key" in told.err


def test_another_vaults_recovery_key_is_wrong_but_not_mistyped(told: Shell) -> None:
    key = "-".join(recovery_groups(new_recovery()))
    assert told("memory", "list", passphrase=key) == 12
    assert "mistyped" not in told.err.replace("A group is mistyped", "")


def test_a_recovery_key_cannot_become_a_passphrase(told: Shell) -> None:
    key = "-".join(recovery_groups(new_recovery()))
    assert told("vault", "passphrase", LOCKET_NEW_PASSPHRASE=key) == 2


def test_a_recovery_key_is_not_made_when_nobody_can_confirm_it(told: Shell) -> None:
    assert told("vault", "recovery") == 2
    assert "--unconfirmed" in told.err
    assert [s["kind"] for s in told.json("vault", "slots")["slots"]] == ["passphrase"]


@pytest.mark.parametrize("right", [True, False])
def test_a_recovery_key_opens_only_once_a_group_was_typed_back(
    told: Shell, monkeypatch: pytest.MonkeyPatch, right: bool
) -> None:
    made = new_recovery()
    groups = recovery_groups(made)
    monkeypatch.setattr("memory.vault.recovery.new_recovery", lambda: made)
    monkeypatch.setattr("assistant.verbs.vault_slots.secrets.randbelow", lambda _: 3)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.prompt", lambda *_, **__: groups[3].lower() if right else "0000")

    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("assistant.verbs.vault_slots.sys.stdin", Terminal())
    assert told("vault", "recovery") == (0 if right else 12)
    assert all(group in told.err for group in groups)
    kinds = [s["kind"] for s in told.json("vault", "slots")["slots"]]
    assert kinds == (["passphrase", "recovery"] if right else ["passphrase"])


def test_a_new_recovery_key_can_take_the_place_of_the_old_ones(told: Shell) -> None:
    first = told.json("vault", "recovery", "--unconfirmed")["key"]
    second = told.json("vault", "recovery", "--unconfirmed", "--replace")["key"]
    assert told("memory", "list", passphrase=first) == 12
    assert told.facts(second) == [DOG]


def test_a_removed_slot_opens_no_longer_and_the_last_one_stays(told: Shell) -> None:
    key = told.json("vault", "recovery", "--unconfirmed")["key"]
    first, second = (slot["id"] for slot in told.json("vault", "slots")["slots"])
    assert told("vault", "slots", "remove", second[:8]) == 0
    assert told("memory", "list", passphrase=key) == 12
    assert told("vault", "slots", "remove", first) == 2
    assert "last key" in told.err
    assert told("vault", "slots", "remove", "nothing") == 2
    assert told.facts() == [DOG]


def test_rotating_drops_what_was_not_presented_and_asks_first(told: Shell) -> None:
    key = told.json("vault", "recovery", "--unconfirmed")["key"]
    before = picture(told.vault)
    assert told("vault", "rotate") == 2
    assert "--keep-file" in told.err
    assert picture(told.vault) == before
    done = told.json("vault", "rotate", "--yes")
    assert [slot["kind"] for slot in done["dropped"]] == ["recovery"]
    assert told("memory", "list", passphrase=key) == 12
    assert told.facts() == [DOG]
    assert picture(told.vault)["vault.db"] != before["vault.db"]


def test_rotating_keeps_the_keys_of_a_file(told: Shell, tmp_path: Path) -> None:
    key = told.json("vault", "recovery", "--unconfirmed")["key"]
    (tmp_path / "keep").write_text(f"{key}\n")
    done = told.json("vault", "rotate", "--keep-file", str(tmp_path / "keep"))
    assert (len(done["kept"]), done["dropped"]) == (2, [])
    assert told.facts(key) == told.facts() == [DOG]


def test_a_passphrase_given_twice_keeps_no_other_key(told: Shell, tmp_path: Path) -> None:
    told.json("vault", "recovery", "--unconfirmed")
    before = picture(told.vault)
    (tmp_path / "keep").write_text(f"{PASSPHRASE}\n{PASSPHRASE}\n")
    assert told("vault", "rotate", "--keep-file", str(tmp_path / "keep")) == 2
    assert "1 other key will not open the store any more" in told.err
    assert picture(told.vault) == before


# -- five failures, five messages ---------------------------------------------------------------------


def _flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


def _newer(run: Shell) -> None:
    with wiring.open_store(load_settings(os.environ), PASSPHRASE) as vault:
        write_schema_version(vault.db, 999)


def _inner_pages(run: Shell) -> None:
    """Damage every page but the first, so that the store opens and the first read fails."""
    store = run.vault / "vault.db"
    content = bytearray(store.read_bytes())
    for page in range(1, len(content) // 4096):
        content[page * 4096 + 99] ^= 1
    store.write_bytes(content)


def _nothing(run: Shell) -> None:
    pass


@pytest.mark.parametrize(
    "verb", [("memory", "list"), ("memory", "add", "x"), ("vault", "backup")], ids=" ".join
)
@pytest.mark.parametrize(
    ("damage", "passphrase", "code", "title"),
    [
        (_nothing, "not these words", 12, "Wrong passphrase"),
        (lambda run: _flip(run.vault / "vault.key", 200), PASSPHRASE, 15, "The key file is damaged"),
        (lambda run: (run.vault / "vault.key").unlink(), PASSPHRASE, 15, "The key file is damaged"),
        (lambda run: _flip(run.vault / "vault.db", 300), PASSPHRASE, 13, "The store is damaged"),
        (_inner_pages, PASSPHRASE, 13, "The store is damaged"),
        (lambda run: os.truncate(run.vault / "vault.db", 100), PASSPHRASE, 13, "The store is damaged"),
        (_newer, PASSPHRASE, 16, "made by a newer Locket"),
    ],
    ids=["wrong", "key-flipped", "key-missing", "page-flipped", "inner-pages", "store-cut", "newer"],
)
def test_each_failure_has_its_own_code_and_words_and_leaves_every_byte(
    told: Shell,
    verb: tuple[str, ...],
    damage: Callable[[Shell], None],
    passphrase: str,
    code: int,
    title: str,
) -> None:
    damage(told)
    before = picture(told.vault)
    assert told(*verb, passphrase=passphrase) == code
    assert title in told.err
    assert picture(told.vault) == before


def test_a_store_in_use_refuses_writers_says_by_whom_and_lets_readers_in(told: Shell) -> None:
    before = picture(told.vault)
    lock = acquire(told.vault / "vault.lock", since="2026-03-01T12:00:00+00:00")
    try:
        for verb in (
            ("memory", "add", "x"),
            ("vault", "rotate", "--yes"),
            ("vault", "recovery", "--unconfirmed"),
        ):
            assert told(*verb) == 11
            assert str(os.getpid()) in told.err
            assert picture(told.vault) == before
        assert told.facts() == [DOG]
        assert told("vault", "check") == 0
        assert "search indexes were not" in told.err
        assert told("vault", "backup") == 0
    finally:
        lock.release()


def test_no_store_is_said_with_its_own_code(run: Shell) -> None:
    shutil.rmtree(run.vault)
    for verb in ("slots", "check", "backup", "rotate", "recovery --unconfirmed"):
        assert run("vault", *verb.split()) == 10
    assert not run.vault.exists()


def test_check_names_the_damaged_pages_and_changes_nothing(told: Shell) -> None:
    size = (told.vault / "vault.db").stat().st_size
    page = size // 4096 - 1
    _flip(told.vault / "vault.db", (page - 1) * 4096 + 700)
    before = picture(told.vault)
    assert told("vault", "check", "--json") == 13
    found = json.loads(told.out)
    assert (found["sound"], found["pages"]) == (False, [page])
    assert told("vault", "check") == 13
    assert str(page) in told.out
    assert "salvage" in told.err
    assert picture(told.vault) == before


@pytest.mark.parametrize("first", [2, 60])
def test_a_store_that_does_not_open_any_more_names_its_damaged_pages_all_the_same(
    told: Shell, first: int
) -> None:
    size = (told.vault / "vault.db").stat().st_size
    damaged = list(range(first, size // 4096 + 1))
    for page in damaged:
        _flip(told.vault / "vault.db", (page - 1) * 4096 + 700)
    before = picture(told.vault)
    assert told("memory", "list") == 13
    assert f"{len(damaged)} of {size // 4096} pages are damaged: {first}, {first + 1}," in told.err
    assert told("vault", "check", "--json") == 13
    assert json.loads(told.out)["pages"] == damaged
    assert picture(told.vault) == before


def test_a_store_of_another_key_is_not_called_damaged_page_by_page(told: Shell) -> None:
    _flip(told.vault / "vault.db", 3)
    assert told("memory", "list") == 13
    assert "belongs to another key file" in told.err
    assert told("vault", "check", "--json") == 13
    assert json.loads(told.out)["pages"] == [1]


# -- copies -------------------------------------------------------------------------------------------


def test_a_backup_says_what_opens_it_and_restores_what_was(told: Shell) -> None:
    backup = told.json("vault", "backup")["backup"]
    assert [slot["kind"] for slot in backup["opens_with"]] == ["passphrase"]
    assert told("memory", "add", "something later") == 0
    assert told("vault", "restore", backup["name"]) == 2, "it asks before it replaces anything"
    done = told.json("vault", "restore", backup["name"], "--yes")
    assert done["forgotten"] == "reapplied"
    assert told.facts() == [DOG]
    replaced = Path(done["replaced"])
    back = told.json("vault", "restore", str(replaced), "--yes")
    assert back["restored"]["reason"] == "replaced"
    assert sorted(told.facts()) == sorted([DOG, "something later"])


def test_after_a_forget_the_backups_that_may_hold_it_are_named_and_can_be_renewed(
    told: Shell, tmp_path: Path
) -> None:
    assert told("memory", "forget", "--about", "Biscuit", "--yes") == 0
    assert "backup" not in told.err
    for _ in range(2):
        assert told("vault", "backup") == 0
    assert told("memory", "add", "I live in Porto") == 0
    assert told("memory", "forget", "--about", "Porto", "--yes") == 0
    assert "2 backups beside the store may still hold it: `locket vault backup`" in told.err


def test_a_backup_goes_where_it_is_told_to_with_nobody_else_allowed_in(told: Shell, tmp_path: Path) -> None:
    there = Path(told.json("vault", "backup", str(tmp_path / "usb" / "copy"))["backup"]["path"])
    assert there == tmp_path / "usb" / "copy"
    assert stat.S_IMODE(there.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in there.iterdir()} == {0o600}
    assert list_backups(told.vault) == ()
    (tmp_path / "folder").mkdir()
    inside = Path(told.json("vault", "backup", str(tmp_path / "folder"))["backup"]["path"])
    assert inside.parent == tmp_path / "folder"
    taken = tmp_path / "taken"
    taken.write_text("mine")
    assert told("vault", "backup", str(taken)) == 1
    assert taken.read_text() == "mine"
    assert read_card(there).reason == "manual"
    assert told("memory", "add", "later") == 0
    assert told("vault", "restore", str(there), "--yes") == 0
    assert told.facts() == [DOG]


def test_a_full_disk_keeps_nobody_from_copying_the_store_elsewhere_or_taking_old_copies_away(
    told: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        assert told("vault", "backup") == 0

    def full(*_: Any, **__: Any) -> None:
        raise DiskFull("could not write vault.lock")

    monkeypatch.setattr("memory.vault.vault.acquire", full)
    assert told("memory", "add", "later") == 18
    assert told("vault", "backup", str(tmp_path / "stick")) == 0
    assert is_whole(read_card(tmp_path / "stick"))
    assert told("vault", "backups", "remove", "--all-but-newest", "--yes") == 0
    assert len(list_backups(told.vault)) == 1


def test_a_backup_from_before_a_new_passphrase_wants_its_own(told: Shell) -> None:
    name = told.json("vault", "backup")["backup"]["name"]
    assert told("vault", "passphrase", LOCKET_NEW_PASSPHRASE=OTHER) == 0
    before = picture(told.vault)
    assert told("vault", "restore", name, "--yes", passphrase=OTHER) == 2
    assert "LOCKET_BACKUP_PASSPHRASE" in told.err
    assert told("vault", "restore", name, "--yes", passphrase=OTHER, LOCKET_BACKUP_PASSPHRASE="no") == 12
    assert picture(told.vault) == before
    assert told("vault", "restore", name, "--yes", passphrase=OTHER, LOCKET_BACKUP_PASSPHRASE=PASSPHRASE) == 0
    assert told.facts(PASSPHRASE) == [DOG]


def test_a_lost_key_file_comes_back_with_a_backup(told: Shell) -> None:
    name = told.json("vault", "backup")["backup"]["name"]
    (told.vault / "vault.key").unlink()
    assert told.json("vault", "restore", name, "--yes")["forgotten"] == "reapplied"
    assert told.facts() == [DOG]


def test_a_damaged_key_file_alone_comes_back_and_no_word_since_the_backup_is_lost(told: Shell) -> None:
    name = told.json("vault", "backup")["backup"]["name"]
    assert told("memory", "add", CAT) == 0
    key = told.vault / "vault.key"
    whole = key.read_bytes()
    _flip(key, 200)
    damaged = key.read_bytes()
    assert told("memory", "list") == 15
    assert "--key-only" in told.err
    before = (told.vault / "vault.db").read_bytes()
    done = told.json("vault", "restore", name, "--key-only")
    assert done["forgotten"] == "the store was not touched"
    assert Path(done["replaced"]).read_bytes() == damaged
    assert Path(done["replaced"]).stat().st_mode & 0o777 == 0o600
    assert (key.read_bytes(), (told.vault / "vault.db").read_bytes()) == (whole, before)
    assert sorted(told.facts()) == sorted([DOG, CAT])
    key.unlink()
    assert told.json("vault", "restore", name, "--key-only")["replaced"] is None
    assert sorted(told.facts()) == sorted([DOG, CAT])


def test_restoring_a_whole_backup_for_a_damaged_key_file_names_the_way_that_loses_nothing(
    told: Shell,
) -> None:
    name = told.json("vault", "backup")["backup"]["name"]
    _flip(told.vault / "vault.key", 200)
    assert told("vault", "restore", name, "--yes") == 0
    assert "with --key-only" in told.err
    assert told("vault", "restore", name, "--yes") == 0
    assert "with --key-only" not in told.err, "the key file is whole now"


def test_a_whole_key_file_is_never_replaced_alone(told: Shell) -> None:
    name = told.json("vault", "backup")["backup"]["name"]
    before = picture(told.vault)
    assert told("vault", "restore", name, "--key-only") == 2
    assert told("vault", "passphrase", LOCKET_NEW_PASSPHRASE=OTHER) == 0
    changed = picture(told.vault)
    assert changed != before
    assert told("vault", "restore", name, "--key-only") == 2, "the old passphrase stays changed"
    assert "is whole" in told.err
    assert picture(told.vault) == changed


def test_a_key_file_of_an_earlier_data_key_is_not_put_back(told: Shell) -> None:
    name = told.json("vault", "backup")["backup"]["name"]
    assert told("vault", "rotate", "--yes") == 0
    _flip(told.vault / "vault.key", 200)
    before = picture(told.vault)
    assert told("vault", "restore", name, "--key-only") == 1
    assert "restore the whole backup" in told.err
    assert picture(told.vault) == before


def test_a_damaged_store_comes_back_with_a_backup(told: Shell) -> None:
    name = told.json("vault", "backup")["backup"]["name"]
    _flip(told.vault / "vault.db", 300)
    assert told("vault", "restore", name, "--yes") == 0
    assert "may have come back" in told.out
    assert told.facts() == [DOG]


def test_a_damaged_backup_is_refused_and_the_store_stays(told: Shell) -> None:
    backup = Path(told.json("vault", "backup")["backup"]["path"])
    for name, place in (("vault.db", 5000), ("vault.key", 100), ("backup.json", 30)):
        content = (backup / name).read_bytes()
        _flip(backup / name, place)
        before = picture(told.vault)
        assert told("vault", "restore", backup.name, "--yes") == 1
        assert "This backup cannot be used" in told.err
        assert picture(told.vault) == before
        (backup / name).write_bytes(content)
    assert told("vault", "restore", "no-such-backup", "--yes") == 1
    assert told("vault", "restore", backup.name, "--yes") == 0


def test_check_looks_at_the_backups_too(told: Shell) -> None:
    backup = Path(told.json("vault", "backup")["backup"]["path"])
    assert [b["whole"] for b in told.json("vault", "check")["backups"]] == [True]
    _flip(backup / "vault.db", 5000)
    assert [b["whole"] for b in told.json("vault", "check")["backups"]] == [False]


def test_check_calls_no_store_whole_that_a_restore_put_aside_damaged(told: Shell) -> None:
    name = told.json("vault", "backup")["backup"]["name"]
    _flip(told.vault / "vault.db", 300)
    assert told("vault", "restore", name, "--yes") == 0
    found = {card["reason"]: card["whole"] for card in told.json("vault", "check")["backups"]}
    assert found == {"manual": True, "replaced": None}
    assert told("vault", "check") == 0
    assert "not looked at" in told.out


def test_check_names_a_backup_that_no_longer_says_what_it_is(told: Shell) -> None:
    backup = Path(told.json("vault", "backup")["backup"]["path"])
    _flip(backup / "backup.json", 30)
    found = told.json("vault", "check")
    assert (found["backups"], found["unreadable_backups"]) == ([], [backup.name])
    assert told("vault", "check") == 0
    assert f"DAMAGED  {backup.name}" in told.out


def test_old_backups_go_by_hand_and_the_newest_whole_one_stays(told: Shell) -> None:
    names = [told.json("vault", "backup")["backup"]["name"] for _ in range(4)]
    kept = [card["name"] for card in told.json("vault", "backups")["backups"]]
    assert sorted(kept) == sorted(names)
    first, newest = kept[0], kept[-1]
    assert told.json("vault", "backups", "remove", first, "--yes")["removed"] == [first]
    _flip(told.vault / "backups" / newest / "vault.db", 5000)
    whole = kept[-2]
    left = told.json("vault", "backups", "remove", "--all-but-newest", "--yes")["backups"]
    assert [card["name"] for card in left] == [whole], "the newest is damaged: it is not the one to keep"
    assert [path.name for path in (told.vault / "backups").iterdir()] == [whole]
    assert told("vault", "restore", whole, "--yes") == 0
    left = told.json("vault", "backups", "remove", "--all-but-newest", "--yes")["backups"]
    assert [card["name"] for card in left] == [whole], "what a restore put aside may be the damaged one"


def test_a_damaged_backup_can_be_taken_away_and_nothing_else_by_its_name(told: Shell) -> None:
    backup = Path(told.json("vault", "backup")["backup"]["path"])
    other = told.json("vault", "backup")["backup"]["name"]
    _flip(backup / "backup.json", 30)
    before = picture(told.vault)
    for name in ("no-such-backup", "..", ".", "../backups", f"../backups/{other}", ""):
        assert told("vault", "backups", "remove", other, name, "--yes") == 1, name
        assert "There is no backup" in told.err
    assert told("vault", "backups", "remove", other) == 2, "nobody was asked"
    assert told("vault", "backups", "remove") == 2
    assert told("vault", "backups", "remove", other, "--all-but-newest", "--yes") == 2
    assert picture(told.vault) == before
    assert told.json("vault", "backups", "remove", backup.name, "--yes")["unreadable"] == []
    assert not backup.exists()


def test_no_backup_goes_while_the_store_does_not_open(told: Shell) -> None:
    name = told.json("vault", "backup")["backup"]["name"]
    before = picture(told.vault)
    assert told("vault", "backups", "remove", name, "--yes", passphrase=OTHER) == 12
    assert picture(told.vault) == before
    _flip(told.vault / "vault.key", 200)
    before = picture(told.vault)
    assert told("vault", "backups", "remove", name, "--yes") == 15
    assert picture(told.vault) == before


def test_without_a_whole_backup_all_but_the_newest_is_none(told: Shell) -> None:
    backup = Path(told.json("vault", "backup")["backup"]["path"])
    _flip(backup / "vault.db", 5000)
    assert told("vault", "backups", "remove", "--all-but-newest", "--yes") == 1
    assert "make a new one first" in told.err
    assert backup.exists()


def test_salvage_saves_what_reads_into_a_new_store(told: Shell, tmp_path: Path) -> None:
    _flip(told.vault / "vault.db", 300)
    before = picture(told.vault)
    home = tmp_path / "second"
    assert told("vault", "salvage", str(home / "vault"), "--json") == 3
    done = json.loads(told.out)
    assert done["damaged_pages"] == [1]
    assert picture(told.vault) == before
    assert told("memory", "list", "--json", LOCKET_HOME=str(home)) == 0
    assert told("vault", "check", LOCKET_HOME=str(home)) == 0


def test_salvage_of_a_whole_store_loses_nothing(told: Shell, tmp_path: Path) -> None:
    assert told("vault", "salvage", str(tmp_path / "vault")) == 0
    assert told("memory", "list", LOCKET_HOME=str(tmp_path)) == 0
    assert DOG in told.out
    assert told("memory", "search", "Biscuit", LOCKET_HOME=str(tmp_path)) == 0
    assert "Biscuit" in told.out
    assert told("vault", "salvage", str(tmp_path / "vault")) == 1, "nothing is ever written over"


@pytest.mark.parametrize("seed", range(4))
def test_what_is_salvaged_of_a_badly_damaged_store_fits_together(
    run: Shell, tmp_path: Path, seed: int
) -> None:
    golden = Path(__file__).parents[1] / "golden" / f"store-{SCHEMA_VERSION}"
    shutil.rmtree(run.vault)
    shutil.copytree(golden, run.vault)
    store = run.vault / "vault.db"
    pages = store.stat().st_size // 4096
    for page in Random(seed).sample(range(1, pages), pages // 6):
        _flip(store, page * 4096 + 50)
    assert run("vault", "salvage", str(tmp_path / "vault")) == 3
    assert run("vault", "check", LOCKET_HOME=str(tmp_path)) == 0, run.out
    assert run("memory", "list", LOCKET_HOME=str(tmp_path)) == 0
    assert run("conversations", "list", LOCKET_HOME=str(tmp_path)) == 0
    assert run("memory", "add", "something new", LOCKET_HOME=str(tmp_path)) == 0


def test_none_of_it_leaves_a_readable_word_on_the_disk(told: Shell, tmp_path: Path) -> None:
    key = told.json("vault", "recovery", "--unconfirmed")["key"]
    (tmp_path / "keep").write_text(key)
    name = told.json("vault", "backup")["backup"]["name"]
    for verb in (
        ["backup", str(told.home / "stick")],
        ["rotate", "--keep-file", str(tmp_path / "keep")],
        ["restore", name, "--yes"],
        ["salvage", str(told.home / "second")],
        ["check"],
        ["status"],
        ["slots"],
    ):
        assert told("vault", *verb) == 0, (verb, told.err)
    files = [path for path in told.home.rglob("*") if path.is_file()]
    assert len(files) > 8
    secrets = (b"Biscuit", PASSPHRASE.encode(), key.encode(), key.replace("-", "").encode())
    for path in files:
        content = path.read_bytes()
        assert not any(secret in content for secret in secrets), path


# -- opening ------------------------------------------------------------------------------------------


def test_an_older_store_is_backed_up_and_brought_up_to_date(
    told: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def newer(db: Any) -> None:
        db.conn.execute("CREATE TABLE IF NOT EXISTS later (key INTEGER PRIMARY KEY) STRICT")

    monkeypatch.setattr(wiring, "SCHEMA_VERSION", 2)
    monkeypatch.setattr(wiring, "migrate", newer)
    assert told("memory", "list") == 1
    assert "from an older Locket" in told.err
    assert told("memory", "add", "since then") == 0
    assert sorted(told.facts()) == sorted([DOG, "since then"])
    (backup,) = list_backups(told.vault)
    assert (backup.reason, backup.schema_version) == ("migration", 1)


def test_a_migration_that_fails_leaves_the_store_as_it_was(
    told: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_db: Any) -> None:
        raise RuntimeError("no")

    with monkeypatch.context() as patch:
        patch.setattr(wiring, "SCHEMA_VERSION", 2)
        patch.setattr(wiring, "migrate", broken)
        assert told("memory", "add", "since then") == 1
        assert "could not be brought up to date" in told.err
    assert told.facts() == [DOG]
    assert [card.reason for card in list_backups(told.vault)] == ["migration"]


def test_permissions_that_are_too_open_are_said_and_closed(told: Shell) -> None:
    (told.vault / "vault.db").chmod(0o644)
    assert told("memory", "list") == 0
    assert "vault.db" in told.err
    assert told("memory", "add", "x") == 0
    assert stat.S_IMODE((told.vault / "vault.db").stat().st_mode) == 0o600
    assert told("memory", "list") == 0
    assert told.err == ""


def test_a_clock_that_was_set_back_spoils_nothing(told: Shell) -> None:
    later = "2031-05-05T12:00:00+00:00"
    assert told("vault", "backup", LOCKET_NOW=later) == 0
    past = "2001-01-01T00:00:00+00:00"
    assert told("memory", "add", "said in the past", LOCKET_NOW=past) == 0
    assert told("vault", "backup", LOCKET_NOW=past) == 0
    assert told("vault", "recovery", "--unconfirmed", LOCKET_NOW=past) == 0
    assert told("vault", "check") == 0
    assert sorted(told.facts()) == sorted([DOG, "said in the past"])
    cards = list_backups(told.vault)
    assert [card.made_at[:4] for card in cards] == ["2001", "2031"]


def test_status_lists_the_backups_without_any_secret(told: Shell) -> None:
    name = told.json("vault", "backup")["backup"]["name"]
    shown = told.json("vault", "status", passphrase="not needed")
    assert [backup["name"] for backup in shown["kept_backups"]] == [name]
    assert told("vault", "status", passphrase="not needed") == 0
    assert name in told.out


def test_nothing_to_lock_is_no_failure(told: Shell) -> None:
    assert told.json("vault", "lock")["was_open"] is False


def test_a_whole_home_stays_private(told: Shell) -> None:
    assert told("vault", "backup") == 0
    for path in told.vault.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
