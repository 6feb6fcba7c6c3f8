"""A life with a dictionary beside it: after every step the store agrees with the dictionary and with itself.

The dictionary knows one value a subject, as somebody would who only heard the last word on the current branch, and
apart from it what an import told, which no branch takes away. The store is a real vault; when a life ends, no
page of it holds a forgotten word. More than 300 lines: one life, all of whose acts must agree.
"""

import io
import json
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fixed_clock import FixedClock
from forget_builders import PASSPHRASE, open_test_vault
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from talk_builders import count
from transfer_builders import WORDS, sealed

from memory.core import Core
from memory.distil import KEEPS_FROM_PARAMETERS
from memory.distilling import QUIET_SECONDS, read_next
from memory.forget import Selection
from memory.ids import new_id_maker
from memory.memory import Memory
from memory.records import FactState, Message, PromptMessage, Turn
from memory.store.migrations import SCHEMA_VERSION, migrate
from memory.store.sql import select
from memory.transfer.foreign import import_pieces
from memory.transfer.import_ import import_archive
from memory.transfer.report import ImportReport
from memory.transfer.sources import lines
from memory.vault.kdf import CHEAPEST
from memory.vault.vault import create_vault
from models.scripted import HashEmbedder

PETS = ("dog", "cat")
NAMES = ("Biscuit", "Waffle", "Pepper", "Mochi")
PARROTS = ("Rio", "Kiki")
HAMSTERS = ("Nibbles", "Pip")


@cache
def pristine() -> Path:
    """Make one empty vault to copy."""
    folder = Path(tempfile.mkdtemp()) / "vault"
    create_vault(
        folder, PASSPHRASE, params=CHEAPEST, migrate=migrate, schema_version=SCHEMA_VERSION, allow_cheap=True
    ).close()
    return folder


class Told:
    """A large model that finds what the rules do not and what they do, and makes something up each time."""

    parameters: int | None = KEEPS_FROM_PARAMETERS

    def complete(self, messages: Sequence[PromptMessage], schema: Mapping[str, Any]) -> str | None:
        text = messages[-1].text
        found = [{"quote": text, "subject": "parrot", "attribute": "name", "value": "Polly"}]
        if name := re.match(r"(\w+) is what we shout", text):
            found.append({"quote": text, "subject": "parrot", "attribute": "name", "value": name[1]})
        if name := re.match(r"My (\w+) is called (\w+)", text):
            found.append({"quote": text, "subject": "user", "attribute": "pet", "value": name[2]})
        return json.dumps({"facts": found})


@dataclass(frozen=True)
class Branch:
    """One leaf of the conversation, what was believed there, and what was said above it that nobody heard yet."""

    leaf: str
    believed: dict[str, str]
    unread: tuple[tuple[str, str], ...] = ()


@dataclass
class Home:
    """A vault with somebody talking in it; time and ids go on when it is opened again."""

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp()) / "vault")
    clock: FixedClock = field(default_factory=FixedClock)

    def __post_init__(self) -> None:
        shutil.copytree(pristine(), self.folder)
        self.new_id = new_id_maker(self.clock, Random(7).getrandbits)
        self.open()

    def open(self) -> None:
        self.vault = open_test_vault(self.folder)
        self.core = Core(
            self.vault.db, "default", self.clock, self.new_id, self.vault.key("tombstones"), vault=self.vault
        )
        self.memory = Memory(self.core)
        embedder = HashEmbedder()
        embedder.open()
        self.memory.use_embedder(embedder)

    def turn(self, text: str, conversation: str | None = None) -> tuple[Turn, Message]:
        self.clock.advance(minutes=1)
        turn = self.memory.begin_turn(text, conversation=conversation)
        prompt = self.memory.assemble(turn, self.memory.recall(turn), count, 0, 8192)
        self.clock.advance(minutes=1)
        said = self.memory.finish_turn(turn, "All right.", "end", prompt, None)
        self.embed()
        return turn, said

    def embed(self) -> None:
        while self.memory.embed_some():
            pass


class Life(RuleBasedStateMachine):
    """Says, distils, confirms, replaces, takes back, answers Review, forgets, branches, exports, imports, reopens."""

    @initialize()
    def begin(self) -> None:
        self.chat = Home()
        turn, answer = self.chat.turn("Good morning")
        self.conversation = turn.conversation
        self.believed: dict[str, str] = {}
        self.unread: tuple[tuple[str, str], ...] = ()
        """Messages of this branch that only a model can hear, each with the parrot's name in it."""
        self.told: dict[str, str] = {}
        """What imports told; no branch takes it away."""
        self.imported: set[str] = set()
        """Names that an import brought, whatever became of them."""
        self.leaf = answer.id
        self.branches = [Branch(answer.id, {})]
        self.forgotten: set[str] = set()
        self.archive: bytes | None = None
        self.undoable: list[dict[str, str]] = []
        """What was believed before each change that is the newest line of the journal, in order."""

    def teardown(self) -> None:
        if not hasattr(self, "chat"):
            return
        try:
            if self.forgotten:
                forms = [f.encode() for name in self.forgotten for f in (name, name.lower(), name.upper())]
                assert self.chat.vault.checkpoint_truncate()
                with self.chat.vault.pages() as pages:
                    assert pages.search(forms) == []
        finally:
            self.chat.vault.close()
            shutil.rmtree(self.chat.folder.parent)

    @rule(pet=st.sampled_from(PETS), name=st.sampled_from(NAMES))
    def say(self, pet: str, name: str) -> None:
        if name in self.forgotten:
            return
        before = dict(self.believed)
        turn, answer = self.chat.turn(f"My {pet} is called {name}", conversation=self.conversation)
        assert len(turn.decided) == 1
        self.believed[pet] = name
        self._stand_on(answer)
        self.undoable.append(before)

    @rule(name=st.sampled_from(PARROTS))
    def say_what_only_a_model_hears(self, name: str) -> None:
        if name in self.forgotten:
            return
        turn, answer = self.chat.turn(
            f"{name} is what we shout when the parrot flies off", conversation=self.conversation
        )
        assert turn.decided == ()
        self.unread = (*self.unread, (turn.message.id, name))
        self._stand_on(answer)

    @rule()
    def distil(self) -> None:
        self.chat.clock.advance(seconds=QUIET_SECONDS + 1)
        while read_next(self.chat.core, Told()):
            pass
        self.chat.embed()
        self.branches = [
            Branch(one.leaf, one.believed | {"parrot": one.unread[-1][1]} if one.unread else one.believed)
            for one in self.branches
        ]
        if self.unread:
            self.believed, self.unread = self.believed | {"parrot": self.unread[-1][1]}, ()
        self.undoable.clear()
        assert self.chat.memory.reader.review_list() == []

    @rule(name=st.sampled_from(HAMSTERS), trust=st.booleans(), yes=st.booleans())
    def import_a_list(self, name: str, trust: bool, yes: bool) -> None:
        when = self.chat.clock.advance(minutes=1)
        text = f"[{when.isoformat()}] - My hamster is called {name}\n"
        report = import_pieces(self.chat.core, "lines", lines.walk(text), trust=trust)
        self.chat.embed()
        self.undoable.clear()
        if name in self.forgotten:
            assert (report.added, report.refused) == ({}, {"fact": 1})
        elif name in self.imported:
            assert report.added == {}
        elif trust:
            assert report.added == {"fact": 1}
            self.told["hamster"] = name
        else:
            assert report.added == {"candidate": 1}
            (waiting,) = self.chat.memory.reader.review_list()
            if yes:
                self.chat.memory.accept(waiting.id)
                self.told["hamster"] = name
            else:
                self.chat.memory.reject(waiting.id)
            self.chat.embed()
        self.imported.add(name)

    @rule()
    def export(self) -> None:
        self.archive = sealed(self.chat.core.db, key=self.chat.core.tombstone_key)

    @precondition(lambda self: self.archive)
    @rule()
    def import_an_own_export_of_before(self) -> None:
        """Nothing in it is news: what is here is later, and what was forgotten since stays so."""
        assert self.archive is not None
        self.chat.clock.advance(minutes=1)
        report: ImportReport = import_archive(
            self.chat.core.db,
            io.BytesIO(self.archive),
            WORDS,
            own_key=self.chat.core.tombstone_key,
            now=self.chat.core.now(),
            new_id=self.chat.core.new_id,
        )
        assert report.added == {}
        self.chat.embed()
        self.undoable.clear()

    @precondition(lambda self: self.undoable)
    @rule()
    def undo(self) -> None:
        self.chat.memory.undo(self._newest_line())
        self.believed = self.undoable.pop()
        # what a branch will hold after an undo is the undo's own story, and so is an export from before it
        self.branches = [Branch(self.leaf, dict(self.believed), self.unread)]
        self.archive = None
        self.undoable.clear()

    @rule(data=st.data())
    def go_to_another_branch(self, data: st.DataObject) -> None:
        branch = data.draw(st.sampled_from(self.branches))
        self.chat.clock.advance(minutes=1)
        self.chat.memory.switch_branch(self.conversation, branch.leaf)
        self.leaf, self.believed, self.unread = branch.leaf, dict(branch.believed), branch.unread
        # what is left behind before a model came to it is left alone, also when one is back
        self.branches = [
            replace(one, unread=tuple(said for said in one.unread if said in self.unread))
            for one in self.branches
        ]
        self.undoable.clear()

    @rule(yes=st.booleans(), always=st.booleans())
    def review(self, yes: bool, always: bool) -> None:
        turn, answer = self.chat.turn("From now on always answer in Latin", conversation=self.conversation)
        self._stand_on(answer)
        self.undoable.clear()
        rules = len(self.chat.memory.reader.list_rules())
        for queued in self.chat.memory.reader.review_list():
            assert queued.message is not None
            if yes:
                self.chat.memory.accept(queued.id)
                rules += 1
            else:
                self.chat.memory.reject(queued.id, always=always)
        assert self.chat.memory.reader.review_list() == []
        assert len(self.chat.memory.reader.list_rules()) == rules
        assert turn.conversation == self.conversation

    @precondition(lambda self: self.believed or self.told)
    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        known = self.believed | self.told
        name = known[data.draw(st.sampled_from(sorted(known)))]
        memory = self.chat.memory
        outcome = memory.forget(memory.forget_preview(Selection(about=name)))
        assert outcome.certificate is not None
        self.chat.embed()  # what was rewritten has vectors of its own
        self.forgotten.add(name)
        self.told = {pet: kept for pet, kept in self.told.items() if kept != name}
        self.unread = tuple(one for one in self.unread if one[1] != name)
        self.believed = {pet: kept for pet, kept in self.believed.items() if kept != name}
        # whatever stood behind it is what the store says now; no other branch is counted on after a forget
        for fact in memory.reader.list_facts():
            (self.told if fact.subject == "hamster" else self.believed).setdefault(fact.subject, fact.value)
        leaf = memory.reader.get_conversation(self.conversation).leaf
        assert leaf is not None
        self.leaf = leaf
        self.branches = [Branch(leaf, dict(self.believed), self.unread)]
        self.undoable.clear()

    @rule()
    def open_again(self) -> None:
        self.chat.vault.close()
        self.chat.open()

    @invariant()
    def the_store_believes_what_the_dictionary_does(self) -> None:
        found = {fact.subject: fact.value for fact in self.chat.memory.reader.list_facts()}
        assert found == self.believed | self.told
        assert len(self.chat.memory.reader.list_facts()) == len(found)

    @invariant()
    def rows_postings_vectors_and_links_agree(self) -> None:
        db = self.chat.core.db
        items = {row["key"]: row for row in select(db, "SELECT key, ref, kind, state, text FROM item")}
        assert {row[0] for row in db.execute("SELECT id FROM item_vec_1").fetchall()} == set(items)
        db.execute("INSERT INTO item_fts (item_fts, rank) VALUES ('integrity-check', 1)")
        facts = self.chat.memory.reader.list_facts(states=None)
        by_ref = {row["ref"]: row for row in items.values() if row["kind"] == "fact"}
        assert set(by_ref) == {fact.id for fact in facts}
        for fact in facts:
            assert (by_ref[fact.id]["state"] == "active") == (fact.state is FactState.ACTIVE)
        sources = {
            row["child"]: row["parent"]
            for row in select(db, "SELECT child, parent FROM derivation WHERE role = 'source'")
        }
        messages = {row["id"] for row in select(db, "SELECT id FROM message")}
        for fact in facts:
            assert fact.subject == "hamster" or sources[fact.id] in messages

    @invariant()
    def the_current_path_is_in_recall_and_what_was_left_is_not(self) -> None:
        reader = self.chat.memory.reader
        on = {message.id for message in reader.messages(self.conversation)}
        states: dict[str, Any] = {
            row["ref"]: row["state"]
            for row in select(
                self.chat.core.db, "SELECT ref, state FROM item WHERE kind IN ('message', 'answer')"
            )
        }
        for ref, state in states.items():
            assert (state == "set_aside") == (ref not in on), (ref, state)

    @invariant()
    def a_forgotten_word_is_nowhere(self) -> None:
        db = self.chat.core.db
        for (table,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        ).fetchall():
            for row in db.execute(f'SELECT * FROM "{table}"').fetchall():
                for word in self.forgotten:
                    for cell in row:
                        text = cell.decode("latin-1") if isinstance(cell, bytes) else str(cell)
                        assert word.casefold() not in text.casefold(), table

    def _stand_on(self, answer: Message) -> None:
        """Be at the end of the conversation, with what is believed there."""
        self.leaf = answer.id
        self.branches.append(Branch(answer.id, dict(self.believed), self.unread))

    def _newest_line(self) -> str:
        return self.chat.memory.reader.changes(self.conversation)[0].entry.id


Life.TestCase.settings = settings(max_examples=10, stateful_step_count=14, deadline=None)
test_the_store_and_a_dictionary_live_the_same_life = Life.TestCase
