"""A Locket with nothing behind it: scripted answers, memories in lists. For pictures and for keys.

More than 300 lines: one fake person, memory and engine for all screens.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from assistant.carrying import CarryStopped
from assistant.chat.events import (
    AnswerFinished,
    MemoryChanged,
    PromptAssembled,
    ReadingPrompt,
    TokenDelta,
    TurnBegan,
    TurnEvent,
)
from memory.forget import Outcome, Selection
from memory.incognito import Kept
from memory.reader import OpenThread, Provenance
from memory.records import (
    Add,
    AssembledPrompt,
    Candidate,
    Conversation,
    Decided,
    Episode,
    Fact,
    JournalEntry,
    Kind,
    LeftOut,
    Message,
    Origin,
    Recall,
    Role,
    Rule,
    SectionUse,
    SentItem,
    Turn,
    Usage,
    WorkingState,
)
from memory.retrieval.search import Found
from memory.store.stored import Draft
from memory.store.undo import Undone
from memory.transfer.archive import Manifest
from memory.transfer.errors import WrongArchivePassphrase
from memory.transfer.report import ImportReport, Skipped

NOW = datetime(2026, 3, 4, 18, 30, tzinfo=UTC)
PASSPHRASE = "otter lamp violet harbour"
USAGE = Usage(1810, 184, 1626, 42, 412.0, 38.4, "ab" * 32, "qwen2.5-coder-0.5b", "cd" * 32)
SECTIONS = (
    SectionUse("system", 212, 1966),
    SectionUse("pinned", 24, 655),
    SectionUse("episodes", 310, 1310),
    SectionUse("memory", 148, 1966),
    SectionUse("turns", 1116, 4587),
)


def message(
    ident: str, role: Role, text: str, minutes: int = 0, parent: str | None = None, **more: Any
) -> Message:
    return Message(ident, "default", "c1", parent, role, text, NOW + timedelta(minutes=minutes), **more)


def fact(ident: str, subject: str, attribute: str, value: str, text: str, **more: Any) -> Fact:
    return Fact(
        ident,
        "default",
        subject,
        attribute,
        value,
        text,
        more.pop("kind", Kind.FACT),
        Origin.USER_SAID,
        NOW,
        **more,
    )


def rule(ident: str, text: str, lineage: str | None = None, **more: Any) -> Rule:
    return Rule(ident, "default", text, lineage or ident, more.pop("version", 1), NOW, **more)


FACTS = (
    fact(
        "f1",
        "dog",
        "name",
        "Biscuit",
        "My dog is called Biscuit",
        message="m1",
        quote="My dog is called Biscuit",
    ),
    fact(
        "f2",
        "user",
        "allergy",
        "peanuts",
        "I'm allergic to peanuts",
        pinned=True,
        quote="I'm allergic to peanuts",
    ),
    fact("f3", "user", "home", "Porto", "I live in Porto", recalled=3),
)
SENT = (
    SentItem(
        "f1",
        "fact",
        "My dog is called Biscuit",
        NOW,
        "user_said",
        0.91,
        {"relevance": 0.7, "origin": 0.1},
        12,
    ),
    SentItem(
        "f2", "fact", "I'm allergic to peanuts", NOW, "user_said", 0.64, {"relevance": 0.5}, 11, "pinned"
    ),
)
STATE = WorkingState(
    "plan a trip to Oslo",
    (("find out about the boat", "done"), ("book the boat", "doing"), ("pack", "open")),
    ("two people", "in May"),
    ("Which boat?",),
)
EPISODE = Episode(
    "e1", "default", "c1", "m1", "a1", "A trip to Oslo", "plan a trip to Oslo", "The boat was found.", NOW, NOW, NOW,
    decisions=("We take the night boat",), open_threads=("pack for rain",),
)  # fmt: skip
LEFT = (LeftOut("m9", "message", "We looked at the map of the coast", "below the floor", 0.12),)


def conversation(ident: str, title: str, days_ago: int) -> Conversation:
    when = NOW - timedelta(days=days_ago)
    return Conversation(ident, "default", title, when, when)


@dataclass
class FakeReader:
    """Lists in place of a store."""

    talks: list[Conversation] = field(default_factory=list)
    said: dict[str, list[Message]] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    waiting: list[Any] = field(default_factory=list)
    unsent: dict[str | None, str] = field(default_factory=dict)
    queued: list[Draft] = field(default_factory=list)
    threads: list[OpenThread] = field(default_factory=list)
    states: dict[str, WorkingState] = field(default_factory=dict)
    episodes: list[Episode] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)

    def list_conversations(self, query: str = "", *, limit: int = 50) -> list[Conversation]:
        return [c for c in self.talks if not query or query.casefold() in c.title.casefold()][:limit]

    def get_conversation(self, ident: str) -> Conversation:
        return next(c for c in self.talks if c.id == ident)

    def messages(self, ident: str) -> list[Message]:
        return self.said.get(ident, [])

    def list_facts(self, **_: Any) -> list[Fact]:
        return list(self.facts)

    def list_episodes(self, **_: Any) -> list[Episode]:
        return [one for one in self.episodes if one.state == "active"]

    def list_rules(self, **_: Any) -> list[Rule]:
        return [rule for rule in self.rules if rule.state == "active"]

    def rule_versions(self, rule: Rule) -> list[Rule]:
        return [one for one in self.rules if one.lineage == rule.lineage]

    def working_state(self, ident: str) -> WorkingState:
        return self.states.get(ident, WorkingState())

    def review_list(self) -> list[Any]:
        return self.waiting

    def changes(self, *_: Any) -> list[Any]:
        return []

    def find_trace(self, _: str) -> None:
        return None

    def unsent_text(self, conversation: str | None) -> str:
        return self.unsent.get(conversation, "")

    def persona(self) -> str:
        return "Be terse."

    def unfinished(self) -> list[Conversation]:
        waiting = [*self.unsent, *(draft.conversation for draft in self.queued)]
        return [one for one in self.talks if one.id in waiting and (self.unsent.get(one.id) or self.queued)]

    def open_threads(self) -> list[OpenThread]:
        return self.threads

    def list_queued(self, conversation: str | None) -> list[Draft]:
        return [d for d in self.queued if d.conversation == conversation]

    def provenance(self, found: Fact) -> Provenance:
        said = next((m for ms in self.said.values() for m in ms if m.id == found.message), None)
        return Provenance(found, said, found.quote, ())

    def history(self, *_: Any) -> list[Fact]:
        return []

    def get_any(self, ident: str) -> Any:
        everything: list[Any] = [*self.facts, *self.rules, *(m for said in self.said.values() for m in said)]
        return next(one for one in everything if one.id == ident)


@dataclass(frozen=True)
class FakeStatus:
    model: str | None = "qwen2.5-coder-0.5b"
    notice: str = ""
    window: int = 16384
    embedder: bool = True
    remote: bool = False
    loading: bool = False
    reading: tuple[int, int] | None = None


class FakeMemory:
    """Notes what was asked of it."""

    def __init__(self, locket: FakeLocket) -> None:
        self.locket = locket

    def pin(self, ident: str, pinned: bool = True) -> Fact:
        return self._change(ident, pinned=pinned)

    def edit_fact(self, ident: str, text: str, value: str | None = None) -> Fact:
        return self._change(ident, text=text)

    @property
    def reader(self) -> FakeReader:
        return self.locket.reader

    def set_working(self, conversation: str, state: WorkingState) -> None:
        self.locket.reader.states[conversation] = state

    def archive(self, ident: str) -> Episode:
        episodes = self.locket.reader.episodes
        at = next(i for i, one in enumerate(episodes) if one.id == ident)
        episodes[at] = replace(episodes[at], state="archived")
        return episodes[at]

    def add_golden(self, question: str, expected: tuple[str, ...], *, should: bool) -> str:
        self.locket.acts.append((question, expected, should))
        return "g1"

    def add_rule(self, text: str) -> Rule:
        rules = self.locket.reader.rules
        rules.append(rule(f"r{len(rules) + 1}", text))
        return rules[-1]

    def rule_back(self, ident: str) -> Rule:
        rules = self.locket.reader.rules
        wanted = next(one for one in rules if one.id == ident)
        rules[:] = [replace(one, state="replaced") for one in rules if one.lineage == wanted.lineage]
        rules.append(
            replace(wanted, id=f"r{len(rules) + 1}", version=len(rules) + 1, state="active", recorded_at=NOW)
        )
        return rules[-1]

    def keep_unsent(self, conversation: str | None, text: str) -> None:
        self.locket.reader.unsent[conversation] = text

    def close_episodes(self) -> tuple[()]:
        return ()

    def queue_draft(self, conversation: str | None, text: str) -> str:
        queued = self.locket.reader.queued
        queued.append(Draft(f"d{len(queued)}", "default", conversation, "queued", text, NOW))
        return queued[-1].id

    def drop_draft(self, draft: str) -> None:
        self.locket.reader.queued[:] = [d for d in self.locket.reader.queued if d.id != draft]

    def search(self, text: str, limit: int = 20, kinds: tuple[str, ...] = ()) -> list[Found]:
        return []

    @property
    def persona(self) -> str:
        return self.locket.persona

    def set_persona(self, text: str) -> str:
        self.locket.persona = text
        return text

    def undo(self, journal: str | None = None) -> Undone:
        entry = JournalEntry("j1", "default", "add", "fact", "f9", (), "user", NOW)
        return Undone("j3", entry, (), (FACTS[0],))

    def _change(self, ident: str, **changes: Any) -> Fact:
        facts = self.locket.reader.facts
        at = next(i for i, f in enumerate(facts) if f.id == ident)
        facts[at] = replace(facts[at], **changes)
        self.locket.acts.append((ident, changes))
        return facts[at]


class FakeLocket:
    """Answers from a script; can be told to wait in the middle of an answer."""

    def __init__(self, reader: FakeReader | None = None, answers: Sequence[str] = ()) -> None:
        self.reader = reader or FakeReader()
        self.memory = FakeMemory(self)
        self.answers = list(answers)
        self.status = FakeStatus()
        self.notices: tuple[str, ...] = ()
        self.asked: list[tuple[str, tuple[tuple[int, int], ...]]] = []
        self.acts: list[Any] = []
        self.opened: list[str | None] = []
        self.replaced: list[str | None] = []
        self.decided: list[Decided] = []
        self.hold: asyncio.Event | None = None
        self.failure: BaseException | None = None
        self.ending = "end"
        self.persona = ""
        self.carried: list[tuple[Any, ...]] = []
        self.carry_hold: asyncio.Event | None = None
        self.carry_stopped = False
        self.stopped = False
        self.closed = False
        self._count = 0

    def turn(
        self,
        text: str,
        *,
        conversation: str | None,
        pasted: tuple[tuple[int, int], ...] = (),
        incognito: bool = False,
        instead_of: str | None = None,
    ) -> AsyncIterator[TurnEvent]:
        self.replaced.append(instead_of)
        self.asked.append((text, pasted))
        return self._turn(text, conversation or "c1")

    def regenerate(self, conversation: str, *, incognito: bool = False) -> AsyncIterator[TurnEvent]:
        return self._turn(None, conversation)

    async def _turn(self, text: str | None, conversation: str) -> AsyncIterator[TurnEvent]:
        self.stopped = False
        self._count += 1
        said = message(f"u{self._count}", Role.USER, text or "", self._count)
        if text is not None:
            if not any(c.id == conversation for c in self.reader.talks):
                self.reader.talks.insert(0, Conversation(conversation, "default", text[:40], NOW, NOW))
            self.reader.said.setdefault(conversation, []).append(said)
            yield TurnBegan(Turn(conversation, said))
        prompt = AssembledPrompt((), "", "", SENT, LEFT, SECTIONS, 1810, 16384, 3277)
        yield PromptAssembled(prompt, Recall(text or ""))
        yield ReadingPrompt(1200, 3700)
        if self.failure is not None:
            raise self.failure
        words = ""
        for piece in (self.answers.pop(0) if self.answers else "A short answer.").split(" "):
            if self.stopped:
                break
            words += piece + " "
            yield TokenDelta(piece + " ")
            if self.hold is not None:
                await self.hold.wait()
        reason = "stopped" if self.stopped else self.ending
        answer = message(f"a{self._count}", Role.ASSISTANT, words.strip(), self._count, stop_reason=reason)
        self.reader.said.setdefault(conversation, []).append(answer)
        yield AnswerFinished(answer, reason, USAGE)
        if self.decided:
            yield MemoryChanged(tuple(self.decided))

    def open_conversation(self, conversation: str | None) -> None:
        self.opened.append(conversation)

    def stop(self) -> None:
        self.stopped = True
        if self.hold is not None:
            self.hold.set()

    async def act(self, fn: Callable[[Any], Any]) -> Any:
        return fn(self.memory)

    async def read(self, fn: Callable[[Any], Any]) -> Any:
        return fn(self.reader)

    async def act_incognito(self, fn: Callable[[Any], Any]) -> Any:
        return fn(self.memory)

    async def keep_incognito(self, conversation: str) -> Kept:
        return Kept(conversation, ())

    def end_incognito(self) -> None:
        self.acts.append("incognito ended")

    async def forget(self, selection: Selection, progress: Callable[[str, int, int], None]) -> Outcome:
        self.acts.append(("forget", selection))
        return Outcome(None, "Not proved.")

    def count_backups(self) -> int:
        return 0

    async def renew_backups(self, tell: Callable[[int, int], None]) -> int:
        raise AssertionError("there are none")

    async def export_file(
        self, file: Path, passphrase: str, what: str, tell: Callable[[int, int], None]
    ) -> Manifest:
        self.carried.append(("export", file.name, passphrase, what))
        await self._carry(tell)
        await asyncio.to_thread(file.write_bytes, b"age" * 400)
        return Manifest("2026-03-04T18:30:00Z", "all", 1, {"fact": 3, "message": 1397}, "ab" * 32)

    async def import_file(
        self,
        file: Path,
        passphrase: str | None,
        tell: Callable[[int, int], None],
        *,
        trust: bool,
        dry_run: bool,
    ) -> ImportReport:
        self.carried.append(("look" if dry_run else "take", file.name, passphrase, trust))
        await self._carry(tell)
        if passphrase not in (None, PASSPHRASE):
            raise WrongArchivePassphrase
        skipped = () if passphrase else (Skipped("conversation 7", "it holds no message"),)
        return ImportReport(
            added={"fact": 3, "conversation": 12, "message": 418}, same={"fact": 1}, skipped=skipped
        )

    async def _carry(self, tell: Callable[[int, int], None]) -> None:
        tell(1200, 3700)
        if self.carry_hold is not None:
            await self.carry_hold.wait()
        if self.carry_stopped:
            raise CarryStopped

    def stop_carrying(self) -> None:
        self.carry_stopped = True
        if self.carry_hold is not None:
            self.carry_hold.set()

    async def use_model(self, model: str) -> None:
        self.status = replace(self.status, model=model)

    async def close(self) -> None:
        self.stopped = True
        self.closed = True


def remembered(text: str, ident: str = "f9") -> Decided:
    candidate = Candidate(Kind.FACT, "user", "note", text, text, text, 0, len(text))
    return Decided(candidate, Add("explicit"), ident, journal="j1")
