"""Carries out a plan inside one transaction: rows, words, marks, and the job that proves it afterwards.

Owns the order. What the plan does not name is not touched; a text is read again here, so a row that changed
since the preview loses the words it has now. One surprise: what is needed to look for the words afterwards is
returned and never stored, so that after a crash nobody knows them any more. More than 300 lines: it is one
transaction, step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from memory.clock import to_text
from memory.core import Core
from memory.forgetting import marking, rewriting
from memory.forgetting.choosing import load
from memory.forgetting.preview import OPENING
from memory.forgetting.selection import ForgetPlan
from memory.forgetting.vectors import VectorMarks, marks_of
from memory.forgetting.wording import Said, Wordings, has_words, samples
from memory.persona import set_persona
from memory.policy import slot_hash
from memory.records import Episode, Fact, JournalEntry, Message
from memory.saying import title_of
from memory.store import holding, jobs, journal, messages, purge, tombstones
from memory.store.rows import episode_row
from memory.store.sql import Row
from memory.store.stored import QueuedCandidate
from memory.vault.crashpoints import point

JOB = "forget-verify"
AGAIN = "derive-episodes"
"""Episodes that lost words wait, stale, to be derived again from what is left."""
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many steps are done and how many there are."""
STEPS = ("reading", "rewriting", "removing", "marking", "committing", "truncating", "searching", "certifying")


@dataclass(frozen=True, slots=True)
class Applied:
    """What was done, and what to look for afterwards."""

    job: str
    words: tuple[str, ...] = field(repr=False)
    """The forgotten words; kept in memory only."""
    said: tuple[Said, ...] = field(repr=False)
    left: frozenset[str] = frozenset()
    """Ids of rows that hold the same words and were left alone."""


def silent(_step: str, _done: int, _total: int) -> None:
    """Tell nobody."""


def apply(core: Core, plan: ForgetPlan, progress: Progress = silent) -> Applied:
    """Forget what a plan names; the caller owns the transaction."""
    progress(STEPS[0], 0, len(STEPS))
    work = _Work(core, plan)
    point("forget.began")
    progress(STEPS[1], 1, len(STEPS))
    work.rewrite()
    point("forget.rewritten")
    progress(STEPS[2], 2, len(STEPS))
    work.remove()
    point("forget.removed")
    progress(STEPS[3], 3, len(STEPS))
    work.mark()
    job = work.queue()
    point("forget.marked")
    return Applied(job, tuple(dict.fromkeys(work.words)), plan.said, frozenset(t.id for t in plan.listed))


class _Work:
    """One forget in progress."""

    def __init__(self, core: Core, plan: ForgetPlan) -> None:
        self.core, self.plan = core, plan
        self.db, self.profile, self.now = core.db, core.profile, to_text(core.now())
        self.wordings = Wordings(plan.said)
        self.words: list[str] = []
        self.taken: list[str] = []
        """What messages that stay have lost: more than what is forgotten where they said it in other words."""
        self.conversations = plan.ids("conversation")
        inside = (
            holding.in_conversations(self.db, self.profile, self.conversations) if self.conversations else []
        )
        self.facts = plan.ids("fact")
        self.emptied = plan.ids("message", "answer", act="empty")
        self.redacted = plan.ids("message", "answer", act="redact")
        self.episodes = plan.ids("episode", act="redact")
        self.removed = list(
            dict.fromkeys(
                [
                    *self.facts,
                    *plan.ids("rule", "candidate", "draft", "golden", "attachment"),
                    *plan.ids("episode", "message", "answer", act="remove"),
                    *(ident for _, ident in inside),
                    *self.conversations,
                ]
            )
        )
        self.records = load(core, [*self.removed, *self.emptied, *self.redacted, *self.episodes])
        self.sources = holding.sources_of(self.db, self.profile, self.facts)
        self.carried = holding.carried(self.db, self.profile, [*self.facts, *self.emptied])
        self.keys: list[int] = []
        self.vectors: list[VectorMarks] = []
        self._note_words()

    # -- words ----------------------------------------------------------------------------------------

    def _note_words(self) -> None:
        """Keep what will be looked for in the pages."""
        redacted, episodes = set(self.redacted), set(self.episodes)
        for said in self.plan.said:
            self.words += [said.value, *said.phrases]
        for record in self.records:
            match record:
                case Fact():
                    self.words += [record.value, record.quote, record.text]
                case Message() if record.id not in redacted:
                    self.words += samples(record.text)
                case Episode() if record.id not in episodes:
                    self.words += samples(record.summary)
                case QueuedCandidate():
                    self.words += [record.candidate.value, record.candidate.quote, record.candidate.text]
                case _:
                    pass

    # -- rows that stay -------------------------------------------------------------------------------

    def rewrite(self) -> None:
        """Take the words out of everything that keeps its place."""
        self.vectors = marks_of(
            self.db, purge.item_keys(self.db, [*self.removed, *self.emptied, *self.redacted, *self.episodes])
        )
        self._rewrite_messages()
        self._rewrite_episodes()
        self._rewrite_traces()
        self._rewrite_conversations()

    def _rewrite_messages(self) -> None:
        spans: dict[str, list[tuple[int, int]]] = {}
        for row in self.sources:
            if row["start"] is not None and row["end"] is not None:
                spans.setdefault(row["message"], []).append((row["start"], row["end"]))
        empty = set(self.emptied)
        redacted = set(self.redacted)
        told = self._told()
        new: dict[str, dict[str, Any]] = {}
        for record in self.records:
            if not isinstance(record, Message):
                continue
            if record.id in empty:
                new[record.id] = rewriting.emptied(record)
            elif record.id in redacted:
                said = told.get(record.conversation, ()) if record.role.value == "assistant" else ()
                row = rewriting.redacted(record, self.wordings, tuple(spans.get(record.id, ())), said)
                self.taken += rewriting.removed_words(record.text, row["text"])
                new[record.id] = row
        self.words += self.taken
        purge.rewrite(self.db, self.profile, "message", list(new.values()), self.now)
        texts = {ident: row["masked"] or row["text"] for ident, row in new.items()}
        purge.rewrite_items(self.db, {ident: (text, None) for ident, text in texts.items()})
        contexts = dict.fromkeys(self.removed, "") | {
            ident: text if has_words(text) else "" for ident, text in texts.items()
        }
        purge.rewrite_contexts(self.db, contexts)

    def _told(self) -> dict[str, list[Said]]:
        """Return what each conversation's answers may repeat in other words."""
        by_ref = {said.ref: said for said in self.plan.said if said.ref}
        told: dict[str, dict[str, Said]] = {}
        for row, ref in [(r, r["child"]) for r in self.sources] + [(r, r["ref"]) for r in self.carried]:
            if ref in by_ref:
                told.setdefault(row["conversation"], {})[ref] = by_ref[ref]
        return {conversation: list(said.values()) for conversation, said in told.items()}

    def _rewrite_episodes(self) -> None:
        if not self.episodes:
            return
        rows: list[Row] = []
        items: dict[str, tuple[str, str | None]] = {}
        for episode in holding.episodes_with_ids(self.db, self.profile, self.episodes):
            row = rewriting.episode_row(episode_row(episode), self.wordings)
            rows.append(row)
            items[episode.id] = (f"{row['title']}\n{row['summary']}", "")
        purge.rewrite(self.db, self.profile, "episode", rows, self.now)
        purge.rewrite_items(self.db, items, outdated=items)

    def _rewrite_traces(self) -> None:
        gone = set(self.removed) | set(self.emptied)
        changed = set(self.redacted) | set(self.episodes)
        after = holding.successors(self.db, self.profile, self.facts)
        own = self._touched()
        repeated = (Said("", words, everywhere=True) for words in self.taken if len(words.split()) > 1)
        wordings = Wordings((*self.plan.said, *repeated))
        found = holding.traces_holding(self.db, self.profile, [*gone, *changed, *after], own)
        rows = [
            row
            for trace in found
            if (row := rewriting.trace_row(trace, wordings, gone, changed, own=trace["conversation"] in own))
        ]
        purge.rewrite(self.db, self.profile, "trace", rows, self.now)
        by_id = {row["id"]: row for row in rows}
        self._holding = {trace["conversation"] for trace in found if trace["id"] in by_id}

    def _touched(self) -> set[str]:
        """Return the conversations in which something forgotten stood before the model."""
        told = {row["conversation"] for row in (*self.sources, *self.carried)}
        changed = {*self.emptied, *self.redacted}
        return told | {
            record.conversation
            for record in self.records
            if isinstance(record, Message) and record.id in changed
        }

    def _rewrite_conversations(self) -> None:
        touched = self._touched() | self._holding
        tops = {row["id"] for row in holding.heads(self.db, self.profile) if self.wordings.says(row["head"])}
        purge.reset_heads(self.db, self.profile, touched | tops)
        self._rewrite_notes()

    def _rewrite_notes(self) -> None:
        """Titles, summaries of what left a window, and working states."""
        new: dict[str, dict[str, Any]] = {}
        by_title = self._titles()
        for target in self.plan.targets:
            if target.kind == "title":
                title = by_title.get((target.id, target.text)) or self.wordings.without(target.text)
                new.setdefault(target.id, {"id": target.id})["title"] = title
            elif target.kind == "summary":
                earlier = self.wordings.without(target.text)
                new.setdefault(target.id, {"id": target.id})["earlier"] = earlier
        purge.rewrite(self.db, self.profile, "conversation", list(new.values()), self.now)
        states = [
            {"id": target.id, "state": rewriting.in_json(target.text, self.wordings.without)}
            for target in self.plan.targets
            if target.kind == "working"
        ]
        purge.rewrite(self.db, self.profile, "working_state", states, self.now)

    def _titles(self) -> dict[tuple[str, str], str]:
        """Return the new title of each conversation whose title is the beginning of a changed message."""
        rewritten = [*self.emptied, *self.redacted]
        now = {message.id: message for message in messages.list_messages(self.db, self.profile, rewritten)}
        return {
            (record.conversation, title_of(record.text[:OPENING])): title_of(now[record.id].text[:OPENING])
            for record in self.records
            if isinstance(record, Message) and record.id in now
        }

    # -- rows that go ---------------------------------------------------------------------------------

    def remove(self) -> None:
        """Delete rows with their items, versions, links and waiting work."""
        db, profile, plan = self.db, self.profile, self.plan
        self.keys = purge.remove_items(db, self.removed)
        purge.relink_facts(db, profile, self.facts)
        purge.remove(db, profile, "fact", self.facts)
        for kind in ("rule", "candidate", "draft", "golden", "attachment"):
            purge.remove(db, profile, kind, plan.ids(kind))
        if plan.ids("persona"):
            set_persona(self.core, "")
        purge.remove(db, profile, "episode", plan.ids("episode", act="remove"))
        purge.remove(db, profile, "conversation", self.conversations)
        gone = [*self.removed, *self.emptied]
        purge.uproot_facts(db, profile, gone)
        purge.remove_links(db, gone)
        purge.remove_versions(db, profile, [*gone, *self.redacted, *self.episodes])
        purge.remove_jobs(db, profile, self.removed, JOB)

    # -- marks ----------------------------------------------------------------------------------------

    def mark(self) -> None:
        """Set tombstones: for each fact at each place it was said, for each other text by what it is known by."""
        redacted = set(self.redacted)
        places: dict[str, list[Row]] = {}
        for row in self.sources:
            places.setdefault(row["child"], []).append(row)
        rows: list[Row] = []
        for record in self.records:
            match record:
                case Fact():
                    slot = (record.subject, record.attribute, record.value)
                    rows += self._marks("fact", slot, places.get(record.id, ()))
                case QueuedCandidate():
                    what = record.candidate
                    place = {"message": record.message, "start": what.start, "end": what.end}
                    rows += self._marks("candidate", (what.subject, what.attribute, what.value), [place])
                case Message() if record.id not in redacted:
                    rows += self._marks("message", ("message", record.id, ""), [{"message": record.id}])
                case _:
                    pass
        known = dict.fromkeys(marking.iter_marks(self.plan, self.core.tombstone_key, self.profile))
        tombstones.make_room(self.db, self.profile, (digest for _, digest in known))
        rows += [{"id": self.core.new_id(), "kind": kind, "hash": digest} for kind, digest in known]
        purge.set_tombstones(self.db, self.profile, rows, self.now)

    def _marks(self, kind: str, slot: tuple[str, str, str], places: Iterable[Row]) -> list[Row]:
        digest = slot_hash(self.core.tombstone_key, self.profile, *slot).hex()
        return [
            {
                "id": self.core.new_id(),
                "kind": kind,
                "hash": digest,
                "message": place.get("message"),
                "start": place.get("start"),
                "end": place.get("end"),
            }
            for place in (list(places) or [{}])
        ]

    def queue(self) -> str:
        """Queue the proof, with ids and numbers only, and write the journal's line."""
        counts = self.plan.counts | {name: n for name, n in self.plan.follows.items() if n}
        payload: dict[str, Any] = {
            "removed": self.removed,
            "emptied": self.emptied,
            "counts": counts,
            "left": len(self.plan.listed),
            "vectors": [marks.payload() for marks in self.vectors],
            "at": self.now,
        }
        core = self.core
        job = jobs.enqueue(self.db, JOB, self.profile, payload, now=core.now(), new_id=core.new_id)
        if self.episodes:
            again = {"episodes": self.episodes}
            jobs.enqueue(self.db, AGAIN, self.profile, again, now=core.now(), new_id=core.new_id)
        line = JournalEntry(core.new_id(), self.profile, "forget", "memory", job.id, (), "user", core.now())
        journal.write_line(self.db, line)
        return job.id


__all__ = ["JOB", "STEPS", "Applied", "Progress", "apply", "silent"]
