"""Laws of copies: older backups and archives bring back all that was not forgotten since, and nothing that was."""

import io
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from fixed_clock import FixedClock
from forget_builders import PASSPHRASE, count, open_test_vault
from hypothesis import given, settings
from hypothesis import strategies as st
from transfer_builders import WORDS, sealed

from memory.core import Core
from memory.forget import Selection
from memory.ids import new_id_maker
from memory.memory import Memory
from memory.reapply import carry_forgetting
from memory.records import WorkingState
from memory.store import drafts, leftovers
from memory.store.migrations import SCHEMA_VERSION, migrate
from memory.transfer.import_ import import_archive
from memory.vault.keys import Passphrase
from memory.vault.restore import restore_backup

NAMES = ("Zubrowka", "Mirabelle")
told = st.tuples(
    st.sampled_from(["say", "plan", "rule", "persona", "title", "goal", "type", "leave unsent", "ask"]),
    st.sampled_from(NAMES),
)
kept = st.tuples(st.sampled_from(["back up", "export"]), st.just(""))
brought = st.tuples(st.sampled_from(["restore", "import"]), st.sampled_from(["first", "last"]))
forgotten = st.tuples(st.just("forget"), st.sampled_from(NAMES))
hidden = st.tuples(st.sampled_from(["hide", "idle", "open again"]), st.just(""))
lives = st.tuples(
    st.lists(told, min_size=1, max_size=4),
    st.just([("back up", ""), ("export", "")]),
    st.lists(told | hidden, max_size=2),
    st.lists(forgotten, min_size=1, max_size=2),
    st.lists(brought | brought | told | kept | forgotten | hidden, min_size=1, max_size=5),
).map(lambda parts: [step for part in parts for step in part])
"""Something is told, copied, forgotten, and then the copies come back in between more of all of it."""


@dataclass
class Home:
    """A vault, what was copied out of it and when, and what is forgotten."""

    pristine: Path
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp()) / "vault")
    clock: FixedClock = field(default_factory=FixedClock)
    forgotten: set[str] = field(default_factory=set)
    backups: list[tuple[Path, set[str]]] = field(default_factory=list)
    archives: list[tuple[bytes, set[str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        shutil.copytree(self.pristine, self.folder)
        self.new_id = new_id_maker(self.clock, Random(7).getrandbits)
        self.open()
        self.conversation = self.turn("Good morning", None)

    def open(self) -> None:
        self.vault = open_test_vault(self.folder)
        self.core = Core(
            self.vault.db, "default", self.clock, self.new_id, self.vault.key("tombstones"), vault=self.vault
        )
        self.memory = Memory(self.core)

    def turn(self, text: str, conversation: str | None) -> str:
        self.clock.advance(minutes=1)
        turn = self.memory.begin_turn(text, conversation=conversation)
        prompt = self.memory.assemble(turn, self.memory.recall(turn), count, 0, 8192)
        assert not any(name.casefold() in repr(prompt).casefold() for name in self.forgotten)
        self.clock.advance(minutes=1)
        self.memory.finish_turn(turn, "All right.", "end", prompt, None)
        return turn.conversation

    def remembered(self) -> set[str]:
        """Return what is remembered in words that nobody else writes."""
        reader = self.memory.reader
        return {fact.value for fact in reader.list_facts(states=None)} | {r.text for r in reader.list_rules()}

    def step(self, what: str, which: str) -> None:
        self.clock.advance(minutes=1)
        if which in self.forgotten:
            return  # what is said again is said again
        memory, place = self.memory, 0 if which == "first" else -1
        match what:
            case "say":
                self.turn(f"My boat is called {which}", self.conversation)
            case "plan":
                self.turn(f"Help me plan a weekend in {which} with Ines", self.conversation)
                self.turn(f"We decided to take the night train to {which}", self.conversation)
                memory.close_episode(self.conversation)
            case "rule":
                memory.add_rule(f"Always greet {which} first")
            case "persona":
                memory.set_persona(f"You are as kind as {which}")
            case "title":
                memory.set_title(self.conversation, f"About {which} and more")
            case "goal":
                memory.set_working(self.conversation, WorkingState(goal=f"Find food for {which}"))
            case "type":
                with self.core.atomic():
                    drafts.remember_typed(
                        self.core.db, "default", f"Typed {which}", self.clock(), self.new_id
                    )
            case "leave unsent":
                memory.keep_unsent(self.conversation, f"And {which}")
            case "ask":
                self.turn("What do you know about my boat?", self.conversation)
            case "hide":
                for fact in memory.reader.list_facts()[:1]:
                    memory.archive(fact.id)
            case "idle":
                self.clock.advance(minutes=40)
                while memory.idle(lambda: False):
                    pass
            case "open again":
                self.vault.close()
                self.open()
            case "back up":
                self.backups.append((self.vault.backup().path, self.remembered()))
            case "export":
                archive = sealed(self.core.db, key=self.core.tombstone_key)
                self.archives.append((archive, self.remembered()))
            case "forget":
                self.forget(which)
            case "restore" if self.backups:
                self.restore(*self.backups[place])
            case "import" if self.archives:
                self.bring(*self.archives[place])
            case _:
                pass

    def forget(self, name: str) -> None:
        plan = self.memory.forget_preview(Selection(about=name))
        if not plan.is_empty:
            self.memory.forget(plan)
            self.forgotten.add(name)

    def restore(self, backup: Path, remembered: set[str]) -> None:
        self.vault.close()
        restore_backup(
            self.folder,
            backup,
            Passphrase(PASSPHRASE),
            current=Passphrase(PASSPHRASE),
            reapply=lambda old, new: carry_forgetting(old, new, clock=self.clock, new_id=self.new_id),
            migrate=migrate,
            schema_version=SCHEMA_VERSION,
            now=self.clock,
            allow_cheap=True,
        )
        self.open()
        self.memory.finish_forgetting()
        assert self.remembered() == self.not_forgotten(remembered)

    def bring(self, archive: bytes, remembered: set[str]) -> None:
        before = self.remembered()
        import_archive(
            self.core.db,
            io.BytesIO(archive),
            WORDS,
            own_key=self.core.tombstone_key,
            now=self.clock(),
            new_id=self.new_id,
        )
        assert self.remembered() == before | self.not_forgotten(remembered)

    def not_forgotten(self, texts: set[str]) -> set[str]:
        return {text for text in texts if not any(name in text for name in self.forgotten)}

    def check(self) -> None:
        """No table, index or search has a forgotten word, and rows and index agree."""
        forms = [form for name in self.forgotten for form in (name, name.lower(), name.upper())]
        assert leftovers.texts_holding(self.core.db, forms) == []
        assert not set(forms) & set(leftovers.searchable_terms(self.core.db))
        assert [
            found for name in self.forgotten for found in self.memory.search(name) if name in repr(found)
        ] == []
        leftovers.check_index(self.core.db)

    def end(self) -> None:
        """No page has one either."""
        forms = [form.encode() for name in self.forgotten for form in (name, name.lower(), name.upper())]
        assert self.vault.checkpoint_truncate()
        with self.vault.pages() as pages:
            assert pages.search(forms) == []


@settings(max_examples=8)
@given(lives)
def test_copies_bring_back_what_was_not_forgotten_since_and_nothing_else(
    pristine_vault: Path, life: list[tuple[str, str]]
) -> None:
    home = Home(pristine_vault)
    try:
        for what, which in life:
            home.step(what, which)
            home.check()
        home.end()
    finally:
        home.vault.close()
        shutil.rmtree(home.folder.parent)
