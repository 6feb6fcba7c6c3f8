"""Whatever is forgotten, of every kind, comes back neither with an older backup nor with an older archive."""

import io
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from builders import make_conversation
from forget_builders import PASSPHRASE, Life, open_test_vault
from transfer_builders import WORDS, sealed

from memory.forget import Selection
from memory.ids import new_id_maker
from memory.reapply import carry_forgetting
from memory.records import WorkingState
from memory.store import drafts, leftovers
from memory.store.attachments import insert_attachment
from memory.store.conversations import create_conversation
from memory.store.items import write_attachment_items
from memory.store.migrations import SCHEMA_VERSION, migrate
from memory.store.stored import Attachment
from memory.transfer.import_ import import_archive
from memory.transfer.report import ImportReport
from memory.vault.keys import Passphrase
from memory.vault.restore import restore_backup
from memory.vault.vault import Vault

WORD = "Zubrowka"
ABOUT = Selection(about=WORD)


def a_rule(life: Life) -> Selection:
    return Selection(ids=(life.memory.add_rule(f"Always sail {WORD}", everywhere=True).id,))


def a_rule_that_was_accepted(life: Life) -> Selection:
    life.turn(f"From now on always answer in {WORD}")
    (queued,) = life.memory.reader.review_list()
    life.memory.accept(queued.id)
    (rule,) = life.memory.reader.list_rules()
    return Selection(ids=(rule.id,))


def an_episode(life: Life) -> Selection:
    turn, _ = life.turn(f"Help me plan a weekend in {WORD} with Ines")
    life.turn(f"We decided to take the night train to {WORD}", conversation=turn.conversation)
    (episode,) = life.memory.close_episode(turn.conversation)
    assert WORD in episode.goal
    return ABOUT


def a_conversation_with_all_that_was_made_of_it(life: Life) -> Selection:
    an_episode(life)
    (conversation,) = (one.id for one in life.memory.reader.list_conversations() if WORD in one.title)
    return Selection(conversation=conversation)


def a_title(life: Life) -> Selection:
    turn, _ = life.turn("Good morning")
    life.memory.set_title(turn.conversation, f"On {WORD}")
    return ABOUT


def a_title_of_nothing_said_yet(life: Life) -> Selection:
    with life.core.atomic():
        create_conversation(life.core.db, make_conversation("empty", title=f"On {WORD}"))
    return Selection(conversation="empty")


def a_working_state(life: Life) -> Selection:
    turn, _ = life.turn("Good morning")
    life.memory.set_working(turn.conversation, WorkingState(goal=f"sell {WORD}"))
    return ABOUT


def an_unsent_text(life: Life) -> Selection:
    life.memory.keep_unsent(None, f"And {WORD}")
    return ABOUT


def what_was_typed(life: Life) -> Selection:
    text = f"My boat is called {WORD}"
    life.turn(text)
    drafts.remember_typed(life.core.db, life.core.profile, text, life.clock(), life.new_id)
    return Selection(ids=(life.fact(WORD).id,))


def a_test_question(life: Life) -> Selection:
    life.turn("My dog is called Rex")
    life.memory.add_golden(f"Who sold {WORD}?", (life.fact("Rex").id,), should=True)
    return ABOUT


def a_persona(life: Life) -> Selection:
    life.memory.set_persona(f"You are {WORD}")
    return ABOUT


def an_attachment(life: Life) -> Selection:
    turn, _ = life.turn("See the file")
    attached = Attachment(
        "attachment-1",
        life.core.profile,
        turn.conversation,
        turn.message.id,
        "ships.txt",
        "text/plain",
        f"The ship {WORD} is late.",
        "ab" * 32,
        life.clock(),
    )
    with life.core.atomic():
        insert_attachment(life.core.db, attached)
        write_attachment_items(life.core.db, attached)
    return ABOUT


KINDS = [
    a_rule,
    a_rule_that_was_accepted,
    an_episode,
    a_conversation_with_all_that_was_made_of_it,
    a_title,
    a_title_of_nothing_said_yet,
    a_working_state,
    an_unsent_text,
    what_was_typed,
    a_test_question,
    a_persona,
    an_attachment,
]
Kind = Callable[[Life], Selection]


@pytest.fixture
def life(vault: Vault) -> Life:
    life = Life(vault, embedder=False)
    life.turn("Hello there")
    return life


def forget(life: Life, selection: Selection) -> None:
    """Forget a while later."""
    assert life.held(WORD) != []
    life.clock.advance(minutes=5)
    life.memory.forget(life.memory.forget_preview(selection))
    assert life.held(WORD) == []
    life.clock.advance(minutes=5)


def brought(life: Life, archive: bytes) -> ImportReport:
    """Take an archive in."""
    report = import_archive(
        life.core.db,
        io.BytesIO(archive),
        WORDS,
        own_key=life.core.tombstone_key,
        now=life.clock(),
        new_id=life.new_id,
    )
    leftovers.check_index(life.core.db)
    return report


def restored(life: Life, backup: Path) -> Life:
    """Close the store, put the backup in its place and open that."""
    folder = life.vault.folder
    life.vault.close()
    restore_backup(
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
    return Life(open_test_vault(folder), embedder=False)


@pytest.mark.parametrize("kind", KINDS)
def test_it_does_not_come_back_with_an_older_archive(life: Life, kind: Kind) -> None:
    selection = kind(life)
    archive = sealed(life.core.db, key=life.core.tombstone_key)
    forget(life, selection)
    report = brought(life, archive)
    assert life.held(WORD) == []
    assert report.added == {}


@pytest.mark.parametrize("kind", KINDS)
def test_it_does_not_come_back_with_an_older_backup(life: Life, kind: Kind) -> None:
    selection = kind(life)
    backup = life.vault.backup().path
    forget(life, selection)
    again = restored(life, backup)
    try:
        again.clock.advance(days=1)
        while again.memory.idle(lambda: False):
            pass
        assert again.held(WORD) == []
        assert again.vault.checkpoint_truncate()
        assert again.pages_with(WORD) == 0
        leftovers.check_index(again.core.db)
    finally:
        again.vault.close()


def test_what_was_written_anew_after_it_was_forgotten_comes_back(life: Life) -> None:
    turn, _ = life.turn("Good morning")
    conversation = turn.conversation
    life.memory.set_title(conversation, f"On {WORD}")
    life.memory.set_persona(f"You are {WORD}")
    forget(life, ABOUT)
    life.memory.set_title(conversation, "On boats")
    life.memory.set_persona("You are brief")
    backup = life.vault.backup().path
    life.memory.set_title(conversation, "On ships")
    again = restored(life, backup)
    try:
        assert again.memory.reader.get_conversation(conversation).title == "On boats"
        assert again.memory.persona == "You are brief"
    finally:
        again.vault.close()


def test_what_is_forgotten_twice_is_forgotten_the_second_time_too(life: Life) -> None:
    life.memory.set_persona(f"You are {WORD}")
    forget(life, ABOUT)
    life.memory.set_persona(f"You are {WORD} again")
    archive = sealed(life.core.db, key=life.core.tombstone_key)
    backup = life.vault.backup().path
    forget(life, ABOUT)
    brought(life, archive)
    assert life.held(WORD) == []
    again = restored(life, backup)
    try:
        assert again.held(WORD) == []
    finally:
        again.vault.close()


def test_a_mark_that_was_taken_away_lets_a_rule_come_back(life: Life) -> None:
    selection = a_rule(life)
    archive = sealed(life.core.db, key=life.core.tombstone_key)
    forget(life, selection)
    (mark,) = life.memory.tombstones()
    assert mark.kind == "rule"
    life.memory.remove_tombstone(mark.id)
    assert brought(life, archive).added["rule"] == 1


def test_a_rule_and_an_episode_that_another_store_forgot_are_named_here(
    life: Life, tmp_path: Path, pristine_vault: Path
) -> None:
    rule = life.memory.add_rule(f"Always sail {WORD}")
    an_episode(life)
    (episode,) = life.memory.reader.list_episodes()
    shutil.copytree(pristine_vault, tmp_path / "other")
    other = Life(open_test_vault(tmp_path / "other"), embedder=False)
    try:
        brought(other, sealed(life.core.db, key=life.core.tombstone_key))
        forget(life, Selection(about=WORD))
        report = brought(other, sealed(life.core.db, key=life.core.tombstone_key))
        assert {rule.id, episode.id} <= set(report.forgotten_elsewhere)
    finally:
        other.vault.close()
