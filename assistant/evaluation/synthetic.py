"""The built-in check: one invented person's half year, said to memory and asked back.

Everything goes through the front door of memory, so the rules that find facts, close older ones and keep them
out of recall are measured with it. One surprise: what must not come back counts as much as what must.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Any

from assistant.evaluation.throwaway import Progress, throwaway_store
from memory.asks import named_slots
from memory.core import Core
from memory.ids import new_id_maker
from memory.memory import Memory
from memory.ports import Embedder
from memory.records import DEFAULT_PROFILE
from memory.retrieval.recall import RecallRequest, RecallSettings, recall
from memory.store.settle import later_notes

if TYPE_CHECKING:
    from sqlite_utils import Database

NOTHING = "nothing"
"""The category of questions that memory has no business with."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what must come back and what must not, as pieces of text."""

    category: str
    text: str
    expect: tuple[str, ...]
    never: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of one question."""

    asked: Asked
    recalled: tuple[str, ...]

    @property
    def found(self) -> float:
        """The share of the expected pieces that came back; for nothing, whether nothing came."""
        if not self.asked.expect:
            return float(not self.recalled)
        return sum(any(piece in text for text in self.recalled) for piece in self.asked.expect) / len(
            self.asked.expect
        )

    @property
    def is_stale(self) -> bool:
        """Whether something that is no longer true came back as if it were."""
        return any(piece in text for piece in self.asked.never for text in self.recalled)


@dataclass(frozen=True, slots=True)
class SyntheticReport:
    """The figures of the built-in check, shares from 0 to 1."""

    by_category: tuple[tuple[str, int, float], ...]
    stale: float
    """Share of the questions about changed facts that brought an old value."""
    false_recall: float
    """Share of the questions without business that brought anything."""
    answered: tuple[Answered, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the report in its published shape."""
        return {
            "format": 1,
            "name": "synthetic",
            "categories": {name: {"questions": n, "found": round(f, 4)} for name, n, f in self.by_category},
            "stale": round(self.stale, 4),
            "false_recall": round(self.false_recall, 4),
        }

    def lines(self) -> Iterator[str]:
        """Yield the report as lines for people."""
        for name, questions, found in self.by_category:
            yield f"{name:12} {questions:4} questions {100 * found:6.1f} % found"
        yield f"old values brought back: {100 * self.stale:.1f} %"
        yield f"brought something when there was nothing to bring: {100 * self.false_recall:.1f} %"


def run_synthetic(
    embedder: Embedder | None = None,
    *,
    settings: RecallSettings | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> SyntheticReport:
    """Say everything, ask everything, and count."""
    raw = json.loads(resources.files("assistant.evaluation").joinpath("synthetic.json").read_text("utf-8"))
    now = datetime.fromisoformat(raw["now"])
    told = progress or (lambda _what, _done, _total: None)
    answered: list[Answered] = []
    with throwaway_store(now) as db:
        _say(db, raw["said"], now, embedder, told)
        for number, question in enumerate(raw["questions"], 1):
            if stop():
                break
            asked = Asked(
                question["category"],
                question["text"],
                tuple(question["expect"]),
                tuple(question.get("never", ())),
            )
            slots = named_slots(asked.text)
            request = RecallRequest(DEFAULT_PROFILE, asked.text, now, slots=slots, token_budget=800)
            hits = recall(db, request, embedder, settings=settings, notes=partial(_notes, db)).hits
            answered.append(Answered(asked, tuple(hit.item.text for hit in hits if not hit.note)))
            told("asking", number, len(raw["questions"]))
    return _report(answered)


def _say(
    db: Database, said: Sequence[Sequence[str]], now: datetime, embedder: Embedder | None, progress: Progress
) -> None:
    """Say each line on its day, a conversation a day, and let memory do its idle work."""
    times = [datetime.fromisoformat(f"{day}T09:00:00+00:00") for day, _ in said]
    present = [times[0]]

    def clock() -> datetime:
        return present[0]

    core = Core(
        db=db,
        profile=DEFAULT_PROFILE,
        clock=clock,
        new_id=new_id_maker(clock, secrets.randbits),
        tombstone_key=secrets.token_bytes(32),
        embedder=embedder,
    )
    memory = Memory(core)
    for number, (instant, (_, text)) in enumerate(zip(times, said, strict=True)):
        present[0] = instant + timedelta(seconds=number)
        memory.begin_turn(text)
        progress("saying", number + 1, len(said))
    present[0] = now
    while memory.embed_some():
        progress("embedding", 0, 0)


def _notes(db: Database, messages: Sequence[str]) -> Mapping[str, str]:
    return later_notes(db, DEFAULT_PROFILE, messages)


def _report(answered: Sequence[Answered]) -> SyntheticReport:
    categories = dict.fromkeys(one.asked.category for one in answered)
    groups = [(name, [one for one in answered if one.asked.category == name]) for name in categories]
    changed = [one for one in answered if one.asked.never]
    nothing = [one for one in answered if one.asked.category == NOTHING]
    return SyntheticReport(
        by_category=tuple((name, len(group), _mean([one.found for one in group])) for name, group in groups),
        stale=_mean([float(one.is_stale) for one in changed]),
        false_recall=_mean([float(bool(one.recalled)) for one in nothing]),
        answered=tuple(answered),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
