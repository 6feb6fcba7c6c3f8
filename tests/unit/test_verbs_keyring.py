"""Verbs on a store that the system's keyring unlocks: when it is asked, when a person is, and what is said."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from keyrings import FakeKeyring

from assistant.cli import main
from memory.vault import keyring_slot
from memory.vault.errors import KeyringUnavailable

PASSPHRASE = "correct horse battery staple"
NEW = "quite another set of words"


class Person:
    """Runs verbs; at the terminal sits somebody who types these words, or nobody."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys, self.monkeypatch = capsys, monkeypatch
        self.types = PASSPHRASE
        self.prompts: list[str] = []
        self.out = self.err = ""
        monkeypatch.setattr("sys.stdin", self)
        monkeypatch.setattr(click, "prompt", self.prompt)

    def isatty(self) -> bool:
        return bool(self.types)

    def prompt(self, words: str, **_: object) -> str:
        self.prompts.append(words)
        return self.types

    def __call__(self, *arguments: str) -> int:
        self.prompts.clear()
        code = main(list(arguments))
        self.out, self.err = self.capsys.readouterr()
        return code

    def json(self, *arguments: str) -> Any:
        assert self(*arguments, "--json") == 0, self.err
        return json.loads(self.out)

    def kinds(self) -> list[str]:
        return [slot["kind"] for slot in self.json("vault", "slots")["slots"]]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeKeyring:
    made = FakeKeyring()
    monkeypatch.setattr(keyring_slot, "system_keyring", lambda: made)
    return made


@pytest.fixture
def run(
    home_with_a_vault: Path,
    fake: FakeKeyring,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Person:
    """A store that the keyring unlocks, and a person at the keyboard."""
    person = Person(capsys, monkeypatch)
    assert person("vault", "slots", "add", "keyring") == 0
    assert person.prompts == ["Passphrase"]
    return person


def test_adding_says_what_it_means(run: Person) -> None:
    assert "unlocks the store now" in run.out
    assert "other programs of yours can read the keyring" in run.err
    assert "--no-keyring" in run.err


def test_verbs_unlock_by_themselves_and_nobody_is_asked(run: Person) -> None:
    run.types = ""
    assert run("memory", "add", "my dog is called Biscuit") == 0
    assert [item["text"] for item in run.json("memory", "list")["items"]] == ["my dog is called Biscuit"]
    for verb in (
        "vault check",
        "vault backup",
        "conversations list",
        "profile list",
        "memory consider hello",
    ):
        assert run(*verb.split()) == 0, (verb, run.err)
    shown = run.json("vault", "slots")["slots"]
    assert [(slot["kind"], slot["current"]) for slot in shown] == [("passphrase", False), ("keyring", True)]


@pytest.mark.parametrize("how", ["flag", "setting", "variable", "file", "command"])
def test_it_is_not_asked_when_told_otherwise_or_when_a_passphrase_is_given(
    run: Person, fake: FakeKeyring, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, how: str
) -> None:
    (tmp_path / "word").write_text(PASSPHRASE)
    options = {
        "flag": ["--no-keyring"],
        "file": ["--password-file", str(tmp_path / "word")],
        "command": ["--password-command", f"cat {tmp_path / 'word'}"],
    }
    if how == "setting":
        assert run("config", "keyring", "false") == 0
    if how == "variable":
        monkeypatch.setenv("LOCKET_PASSPHRASE", PASSPHRASE)
    fake.asked = 0
    assert run("vault", "slots", *options.get(how, [])) == 0
    assert fake.asked == 0
    assert run.prompts == (["Passphrase"] if how in ("flag", "setting") else [])


def test_the_flag_wins_over_the_setting_and_over_the_variable(
    run: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("config", "keyring", "false") == 0
    monkeypatch.setenv("LOCKET_PASSPHRASE", "not these words")
    assert run("vault", "slots") == 12
    assert run("vault", "slots", "--keyring") == 0


def test_verbs_that_change_the_keys_want_a_person(run: Person, fake: FakeKeyring) -> None:
    recovery = next(slot for slot in run.json("vault", "slots")["slots"] if slot["kind"] == "keyring")
    run.types = ""
    for verb in (
        "passphrase",
        "recovery --unconfirmed",
        "slots add keyring",
        "slots add recovery --unconfirmed",
        f"slots remove {recovery['id']}",
        "rotate --yes",
    ):
        assert run("vault", *verb.split()) == 2, verb
        assert "--password-file" in run.err
    assert run.kinds() == ["passphrase", "keyring"]


def test_who_forgot_the_passphrase_sets_a_new_one_by_the_keyring(
    run: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCKET_NEW_PASSPHRASE", NEW)
    run.types = ""
    assert run("vault", "passphrase", "--keyring") == 0
    run.types = NEW
    assert run("vault", "slots", "--no-keyring") == 0


def _emptied(fake: FakeKeyring) -> None:
    fake.kept.clear()


def _locked(fake: FakeKeyring) -> None:
    fake.failure = "it is locked"


@pytest.mark.parametrize(
    ("trouble", "words"), [(_emptied, "nothing that opens this store"), (_locked, "it is locked")]
)
def test_a_keyring_that_does_not_unlock_is_said_and_the_passphrase_asked_for(
    run: Person, fake: FakeKeyring, trouble: Callable[[FakeKeyring], None], words: str
) -> None:
    trouble(fake)
    assert run("vault", "slots") == 0
    assert words in run.err
    assert run.prompts == ["Passphrase"]
    run.types = "not these words"
    assert run("vault", "slots") == 12


def test_a_computer_without_a_keyring_says_so_when_one_is_to_be_added(
    run: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> FakeKeyring:
        raise KeyringUnavailable("this computer has none that Locket accepts")

    monkeypatch.setattr(keyring_slot, "system_keyring", none)
    assert run("vault", "slots", "add", "keyring") == 1
    assert "none that Locket accepts" in run.err
    assert run("memory", "list") == 0, "the passphrase opens it as ever"


def test_being_told_to_use_a_keyring_without_such_a_slot_is_said(run: Person) -> None:
    slot = run.json("vault", "slots")["slots"][1]["id"]
    assert run("vault", "slots", "remove", slot) == 0
    assert run("vault", "slots", "--keyring") == 0
    assert "no key slot is for a keyring" in run.err
    assert run.prompts == ["Passphrase"]


def test_the_doctor_says_that_it_is_there(run: Person) -> None:
    run("doctor", "--no-keyring")
    assert "keyring" not in run.out
    run("doctor")
    assert "for whoever uses this account" in run.out


def test_removing_the_slot_takes_the_secret_out_of_the_keyring(run: Person, fake: FakeKeyring) -> None:
    slot = run.json("vault", "slots")["slots"][1]["id"]
    left = run.json("vault", "slots", "remove", slot[:6])["slots"]
    assert [one["kind"] for one in left] == ["passphrase"]
    assert fake.kept == {}


def test_removing_it_while_the_keyring_does_not_answer_says_what_may_be_left(
    run: Person, fake: FakeKeyring
) -> None:
    slot = run.json("vault", "slots")["slots"][1]["id"]
    fake.failure = "it is locked"
    assert run("vault", "slots", "remove", slot) == 0
    assert "may still be in the keyring" in run.err
    assert run.kinds() == ["passphrase"]


def test_the_last_key_that_needs_no_keyring_stays(run: Person) -> None:
    slot = run.json("vault", "slots")["slots"][0]["id"]
    assert run("vault", "slots", "remove", slot) == 2
    assert "The last key cannot be removed" in run.err
    assert run.kinds() == ["passphrase", "keyring"]


def test_a_further_passphrase_opens_beside_the_first(run: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCKET_NEW_PASSPHRASE", NEW)
    assert run.json("vault", "slots", "add", "passphrase", "--label", "for two")["slot"]
    for words in (PASSPHRASE, NEW):
        run.types = words
        assert run("vault", "slots", "--no-keyring") == 0
    assert "for two" in run.out


def test_a_recovery_key_is_added_here_too(run: Person) -> None:
    key = run.json("vault", "slots", "add", "recovery", "--unconfirmed", "--label", "safe")["key"]
    run.types = key
    assert run("vault", "slots", "--no-keyring") == 0
    assert "safe" in run.out
    assert run("vault", "slots", "add", "keyring", "--unconfirmed") == 2


def test_a_rotation_keeps_the_keyring_unless_told_otherwise(
    run: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCKET_PASSPHRASE", PASSPHRASE)
    done = run.json("vault", "rotate", "--yes")
    assert ([slot["kind"] for slot in done["kept"]], done["dropped"]) == (["passphrase", "keyring"], [])
    monkeypatch.delenv("LOCKET_PASSPHRASE")
    run.types = ""
    assert run("memory", "list") == 0
    monkeypatch.setenv("LOCKET_PASSPHRASE", PASSPHRASE)
    assert [slot["kind"] for slot in run.json("vault", "rotate", "--yes", "--no-keyring")["dropped"]] == [
        "keyring"
    ]


def test_a_backup_is_restored_by_the_keyring_of_its_day_and_else_by_its_passphrase(run: Person) -> None:
    run.types = ""
    name = run.json("vault", "backup")["backup"]["name"]
    assert run("memory", "add", "later") == 0
    assert run("vault", "restore", name, "--yes") == 0
    assert run.json("memory", "list")["items"] == []


def test_salvage_by_the_keyring_asks_for_the_new_stores_passphrase(
    run: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.types = ""
    assert run("vault", "salvage", str(tmp_path / "saved")) == 2
    assert "--new-password-file" in run.err
    monkeypatch.setenv("LOCKET_NEW_PASSPHRASE", NEW)
    assert run("vault", "salvage", str(tmp_path / "saved")) == 0


def test_a_damaged_key_file_is_said_to_be_damaged(run: Person, locket_home: Path) -> None:
    path = locket_home / "vault" / "vault.key"
    content = bytearray(path.read_bytes())
    content[-40] ^= 1
    path.write_bytes(content)
    assert run("memory", "list") == 15


def test_the_package_is_not_loaded_for_a_store_without_such_a_slot(home_with_a_vault: Path) -> None:
    program = (
        "import sys; from assistant.cli import main; code = main(['memory', 'list', '--keyring']);"
        "sys.exit(code or any(name == 'keyring' or name.startswith('keyring.') for name in sys.modules))"
    )
    environment = {**os.environ, "LOCKET_PASSPHRASE": PASSPHRASE}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
