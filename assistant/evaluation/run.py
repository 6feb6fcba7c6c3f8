"""Runs a measurement: each dialogue into a fresh store, each question through the real recall.

Owns the loop and the report. The pipeline measured is the one that answers the user, with nothing set apart.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from assistant.evaluation.dataset import DatasetItem, Dialogue, Question, read_dataset
from assistant.evaluation.measures import CUTS, Measures, Outcome, abstained, measure, percentile
from assistant.evaluation.throwaway import Progress, fill, throwaway_store
from memory.ports import Embedder
from memory.records import DEFAULT_PROFILE
from memory.retrieval.recall import RecallRequest, RecallSettings, explain

if TYPE_CHECKING:
    from sqlite_utils import Database

LISTED = 60
"""How many found items a question reports."""

TOKEN_BUDGET = 800
"""What a turn's memory may cost, as in a chat."""


@dataclass(frozen=True, slots=True)
class EvalReport:
    """The figures of one run."""

    name: str
    kinds: tuple[str, ...]
    embedder: str
    overall: Measures
    by_category: tuple[tuple[str, Measures], ...]
    decoys: int
    abstention: float
    """Share of the questions without an answer for which nothing entered the prompt."""
    p50_ms: float
    p95_ms: float
    never_found: int = 0
    """Pieces of evidence that name nothing in the file: they count as not found."""
    outcomes: tuple[Outcome, ...] = field(default=(), repr=False)

    def as_json(self) -> dict[str, Any]:
        """Return the report in its published shape."""
        return {
            "format": 1,
            "name": self.name,
            "kinds": list(self.kinds),
            "embedder": self.embedder,
            "overall": _measures_json(self.overall),
            "categories": {name: _measures_json(figures) for name, figures in self.by_category},
            "unanswerable": {"questions": self.decoys, "abstained": round(self.abstention, 4)},
            "ms": {"p50": round(self.p50_ms, 2), "p95": round(self.p95_ms, 2)},
        }

    def lines(self) -> Iterator[str]:
        """Yield the report as lines for people."""
        yield f"{self.name} · {', '.join(self.kinds)} · {self.embedder}"
        yield f"{'':16} {'n':>5} {'R@5':>6} {'R@10':>6} {'R@20':>6} {'any':>6} {'MRR':>6} {'sent':>6}"
        for name, figures in (*self.by_category, ("all", self.overall)):
            shares = [*figures.recall, figures.any_hit]
            told = " ".join(f"{100 * share:6.1f}" for share in shares)
            yield (
                f"{name:16} {figures.questions:5} {told} {figures.reciprocal_rank:6.3f}"
                f" {100 * figures.injected_recall:6.1f}"
            )
        if self.decoys:
            yield f"nothing given for {100 * self.abstention:.1f} % of {self.decoys} questions without an answer"
        if self.never_found:
            yield f"evidence that names nothing in the file, and counts as not found: {self.never_found}"
        yield f"recall took {self.p50_ms:.1f} ms (median), {self.p95_ms:.1f} ms (95th percentile)"


def run_dataset(
    path: Path,
    kinds: Sequence[str] = ("turn",),
    *,
    embedder: Embedder | None = None,
    details: Path | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] = lambda: False,
    settings: RecallSettings | None = None,
) -> EvalReport:
    """Measure recall on a file of dialogues; write one line per question to ``details``."""
    told = progress or (lambda _what, _done, _total: None)
    chosen = settings or RecallSettings()
    dialogues = read_dataset(path)
    outcomes: list[Outcome] = []
    file: IO[str] | None = details.open("w", encoding="utf-8") if details is not None else None
    try:
        for dialogue in dialogues:
            if stop():
                break
            for outcome, line in _ask_all(dialogue, frozenset(kinds), embedder, chosen, told, stop):
                outcomes.append(outcome)
                if file is not None:
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
    finally:
        if file is not None:
            file.close()
    name = "none" if embedder is None else embedder.identity.name
    report = _report(path.stem, tuple(kinds), name, outcomes)
    return replace(report, never_found=sum(dialogue.never_found for dialogue in dialogues))


def _ask_all(
    dialogue: Dialogue,
    kinds: frozenset[str],
    embedder: Embedder | None,
    settings: RecallSettings,
    progress: Progress,
    stop: Callable[[], bool],
) -> Iterator[tuple[Outcome, dict[str, Any]]]:
    with throwaway_store(dialogue.now) as db:
        known = fill(db, dialogue, kinds, embedder, progress, stop)
        if embedder is not None:
            embedder.embed([question.text for question in dialogue.questions])
        for number, question in enumerate(dialogue.questions, 1):
            if stop():
                return
            yield _ask(db, dialogue, question, known, embedder, settings)
            progress(f"asking {dialogue.id}", number, len(dialogue.questions))


def _ask(
    db: Database,
    dialogue: Dialogue,
    question: Question,
    known: dict[str, DatasetItem],
    embedder: Embedder | None,
    settings: RecallSettings,
) -> tuple[Outcome, dict[str, Any]]:
    request = RecallRequest(DEFAULT_PROFILE, question.text, dialogue.now, token_budget=TOKEN_BUDGET)
    started = time.perf_counter()
    answer, whole = explain(db, request, embedder, settings=settings)
    ms = (time.perf_counter() - started) * 1000
    order = whole[:LISTED]
    outcome = Outcome(
        question=question.id,
        category=question.category,
        evidence=question.evidence,
        found=tuple(known[one.item.ref].covers for one in order),
        injected=tuple(known[hit.item.ref].covers for hit in answer.hits),
        is_decoy=question.is_decoy,
        ms=ms,
        tokens=sum(len(hit.item.text) for hit in answer.hits) // 4,
    )
    line = {
        "qid": question.id,
        "category": question.category,
        "ranked": [one.item.ref for one in order],
        "scores": [round(one.score, 5) for one in order],
        "injected": [hit.item.ref for hit in answer.hits],
        "ms": round(ms, 2),
    }
    return outcome, line


def _report(name: str, kinds: tuple[str, ...], embedder: str, outcomes: Sequence[Outcome]) -> EvalReport:
    answerable = [one for one in outcomes if not one.is_decoy]
    decoys = [one for one in outcomes if one.is_decoy]
    nothing = [one for one in outcomes if one.is_decoy or not one.evidence]
    categories = dict.fromkeys(one.category for one in outcomes)
    return EvalReport(
        name=name,
        kinds=kinds,
        embedder=embedder,
        overall=measure(answerable),
        by_category=tuple(
            (category, measure([one for one in (answerable + decoys) if one.category == category]))
            for category in categories
        ),
        decoys=len(nothing),
        abstention=abstained(nothing),
        p50_ms=percentile([one.ms for one in outcomes], 0.5),
        p95_ms=percentile([one.ms for one in outcomes], 0.95),
        outcomes=tuple(outcomes),
    )


def _measures_json(figures: Measures) -> dict[str, Any]:
    return {
        "questions": figures.questions,
        **{f"recall@{cut}": round(value, 4) for cut, value in zip(CUTS, figures.recall, strict=True)},
        "any@10": round(figures.any_hit, 4),
        "mrr": round(figures.reciprocal_rank, 4),
        "injected_recall": round(figures.injected_recall, 4),
        "injected_items": round(figures.injected_items, 2),
        "tokens": round(figures.tokens, 1),
    }
