"""What was forgotten after a backup stays forgotten when the backup is restored."""

import shutil
from pathlib import Path
from random import Random

import pytest
from forget_builders import PASSPHRASE, Life, open_test_vault

from memory.forget import Selection
from memory.ids import new_id_maker
from memory.reapply import carry_forgetting
from memory.store import messages
from memory.store.migrations import SCHEMA_VERSION, migrate
from memory.vault.keys import Passphrase
from memory.vault.restore import restore_backup
from memory.vault.vault import Vault


@pytest.fixture
def life(vault: Vault) -> Life:
    return Life(vault)


def restored(life: Life, backup: Path) -> Life:
    """Close the store, put the backup in its place and open that."""
    folder = life.vault.folder
    life.vault.close()
    done = restore_backup(
        folder,
        backup,
        Passphrase(PASSPHRASE),
        current=Passphrase(PASSPHRASE),
        reapply=lambda old, new: carry_forgetting(
            old, new, clock=life.clock, new_id=new_id_maker(life.clock, Random(11).getrandbits)
        ),
        migrate=migrate,
        schema_version=SCHEMA_VERSION,
        now=life.clock,
        allow_cheap=True,
    )
    assert done.tombstones == "reapplied"
    return Life(open_test_vault(folder))


def test_a_fact_forgotten_after_the_backup_is_nowhere_after_the_restore(life: Life) -> None:
    life.turn("My dog is called Biscuit. I live in Leeds.", "Biscuit is a fine name.")
    backup = life.vault.backup().path
    life.memory.forget(life.memory.forget_preview(Selection(ids=(life.fact("Biscuit").id,))))
    again = restored(life, backup)
    try:
        values = [fact.value for fact in again.memory.reader.list_facts(states=None)]
        assert values == ["Leeds"]
        assert again.held("Biscuit") == []
        (outcome,) = again.memory.finish_forgetting()
        assert outcome.certificate is not None
        assert again.pages_with("Biscuit") == 0
        again.turn("My dog is called Biscuit")
        assert [f.value for f in again.memory.reader.list_facts(states=None) if f.value == "Biscuit"] == []
    finally:
        again.vault.close()


def test_what_was_said_after_the_backup_and_not_forgotten_is_simply_not_there(life: Life) -> None:
    life.turn("My dog is called Biscuit")
    backup = life.vault.backup().path
    life.turn("My cat is called Tiger")
    again = restored(life, backup)
    try:
        assert [fact.value for fact in again.memory.reader.list_facts()] == ["Biscuit"]
        assert again.memory.finish_forgetting() == []
    finally:
        again.vault.close()


def test_words_taken_out_of_a_message_are_taken_out_of_its_copy_too(life: Life) -> None:
    turn, _ = life.turn("Between us, the ship is called Zubrowka and it is late")
    life.turn("And something else", conversation=turn.conversation)
    backup = life.vault.backup().path
    life.memory.forget(life.memory.forget_preview(Selection(words=("Zubrowka",))))
    again = restored(life, backup)
    try:
        assert again.held("Zubrowka") == []
        text = messages.get_message(again.core.db, again.core.profile, turn.message.id).text
        assert "Zubrowka" not in text
        assert text.endswith("and it is late")
    finally:
        again.vault.close()


def test_a_conversation_forgotten_after_the_backup_does_not_come_back(life: Life) -> None:
    gone, _ = life.turn("The ship is called Zubrowka", "A fine ship, Zubrowka.")
    life.turn("My cat is called Tiger")
    backup = life.vault.backup().path
    life.memory.forget(life.memory.forget_preview(Selection(conversation=gone.conversation)))
    again = restored(life, backup)
    try:
        assert again.held("Zubrowka") == []
        assert [fact.value for fact in again.memory.reader.list_facts()] == ["Tiger"]
        assert len(again.memory.reader.list_conversations()) == 1
        (outcome,) = again.memory.finish_forgetting()
        assert outcome.certificate is not None
        assert again.pages_with("Zubrowka") == 0
    finally:
        again.vault.close()


def test_a_mark_that_was_taken_away_no_longer_forbids(life: Life) -> None:
    life.turn("My dog is called Biscuit")
    backup = life.vault.backup().path
    life.memory.forget(life.memory.forget_preview(Selection(ids=(life.fact("Biscuit").id,))))
    for mark in life.memory.tombstones():
        life.memory.remove_tombstone(mark.id)
    again = restored(life, backup)
    try:
        assert [fact.value for fact in again.memory.reader.list_facts()] == ["Biscuit"]
    finally:
        again.vault.close()


def test_another_vaults_backup_is_taken_as_it_is(life: Life, pristine_vault: Path, tmp_path: Path) -> None:
    from memory.vault.vault import create_vault

    life.turn("My dog is called Biscuit")
    life.memory.forget(life.memory.forget_preview(Selection(ids=(life.fact("Biscuit").id,))))
    from memory.vault.kdf import CHEAPEST

    other = Life(
        create_vault(
            tmp_path / "other",
            PASSPHRASE,
            params=CHEAPEST,
            migrate=migrate,
            schema_version=SCHEMA_VERSION,
            allow_cheap=True,
        )
    )
    other.turn("My dog is called Biscuit")
    backup = shutil.copytree(other.vault.backup().path, tmp_path / "theirs")
    other.vault.close()
    again = restored(life, backup)
    try:
        assert [fact.value for fact in again.memory.reader.list_facts()] == ["Biscuit"]
    finally:
        again.vault.close()
