"""What a chat model adds to the rules: precision on the corpus beside this file, recall on a labelled set.

Owns the two figures and how a proposal counts as right. ``python tests/eval/write_with_model.py MODEL.gguf`` reads
every message as idle time would; ``--set SET.json`` adds a public extraction set. The surprise: a proposal is
right only when a label of the corpus says so, so what is true and was not labelled counts against the model.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]

from eval.extraction_recall import measure  # noqa: E402 - the path is set above, so that the file runs by itself
from eval.write_path import Ledger, message, rows  # noqa: E402 - as above

from assistant.chat.distiller import ChatDistiller  # noqa: E402 - as above
from memory import policy  # noqa: E402 - as above
from memory.attributes import related  # noqa: E402 - as above
from memory.cues.message import candidates  # noqa: E402 - as above
from memory.distil import FACTS_SCHEMA, facts_prompt, parse_facts, repeats  # noqa: E402 - as above
from memory.records import (  # noqa: E402 - as above
    Add,
    Candidate,
    Ignore,
    Message,
    PromptMessage,
    Review,
    Supersede,
)
from models.engine.client import ChatEngine  # noqa: E402 - as above

KEPT = policy.Limits(writes_per_conversation=10_000, writes_per_day=10_000, keep_inferred=True)


@dataclass(slots=True)
class Answers:
    """The model's answers, kept in a file where one is named, so that a change of the checks needs no model."""

    model: Path
    kept_in: Path | None = None
    known: dict[str, str] = field(default_factory=dict)
    engine: ChatEngine | None = None
    """Started by the first message that nobody asked about yet."""

    def __post_init__(self) -> None:
        if self.kept_in is not None and self.kept_in.exists():
            for line in self.kept_in.read_text(encoding="utf-8").splitlines():
                kept = json.loads(line)
                self.known[kept["prompt"]] = kept["answer"]

    def of(self, said: Message) -> str:
        """Return the answer about one message."""
        asked = facts_prompt(said)
        key = json.dumps([part.text for part in asked], ensure_ascii=False)
        if key not in self.known:
            self.known[key] = self._ask(asked)
            if self.kept_in is not None:
                line = json.dumps({"prompt": key, "answer": self.known[key]}, ensure_ascii=False)
                with self.kept_in.open("a", encoding="utf-8") as file:
                    file.write(line + "\n")
        return self.known[key]

    def _ask(self, asked: Sequence[PromptMessage]) -> str:
        if self.engine is None:
            self.engine = ChatEngine(self.model)
            self.engine.open()
            print(
                f"{self.model.name}, {(self.engine.card.n_params or 0) / 1e9:.1f} billion parameters",
                flush=True,
            )
        return ChatDistiller(self.engine, threading.Event()).complete(asked, FACTS_SCHEMA) or ""

    def close(self) -> None:
        """End the model."""
        if self.engine is not None:
            self.engine.close()


def proposed(answers: Answers, said: Message) -> list[Candidate]:
    """Return the model's candidates that pass every check."""
    return [one.candidate for one in parse_facts(answers.of(said), said) if one.refused is None]


def is_labelled(candidate: Candidate, labels: Sequence[Mapping[str, str]]) -> bool:
    """Tell whether a label of the row says the same of the same subject, under this attribute or a related one."""
    return any(
        label["subject"] == candidate.subject
        and label["attribute"] in related(candidate.attribute)
        and (
            policy.is_worded_alike(candidate.value, label["value"])
            or policy.is_worded_alike(label["value"], candidate.value)
        )
        for label in labels
    )


def additions(answers: Answers, row: Mapping[str, Any]) -> Iterator[tuple[str, Candidate]]:
    """Yield what the model would write after the rules had their say, each with its decision."""
    ledger = Ledger()
    for line in row.get("before", ()):
        ledger.say(line)
    heard = [candidate for candidate, _ in ledger.say(row["text"])]
    for candidate in proposed(answers, message(row["text"], said_at=ledger.now)):
        decision = Ignore("heard by rules") if repeats(candidate, heard) else ledger.apply(candidate, KEPT)
        match decision:
            case Add() | Supersede() | Review():
                yield ("right" if is_labelled(candidate, row["expect"]) else "wrong"), candidate
            case Ignore(reason=reason):
                yield f"ignored: {reason}", candidate
            case _:
                yield "known", candidate


def by_rules(corpus: Sequence[Mapping[str, Any]]) -> tuple[int, int, int]:
    """Count what the rules alone get right, write without a label, and miss."""
    right = extra = missing = 0
    for row in corpus:
        ledger = Ledger()
        for line in row.get("before", ()):
            ledger.say(line)
        got = {
            (c.subject, c.attribute, policy.normalise(c.value))
            for c, decision in ledger.say(row["text"])
            if not isinstance(decision, Ignore)
        }
        wanted = {(w["subject"], w["attribute"], policy.normalise(w["value"])) for w in row["expect"]}
        right, extra, missing = (
            right + len(got & wanted),
            extra + len(got - wanted),
            missing + len(wanted - got),
        )
    return right, extra, missing


def corpus_figures(answers: Answers, every: int) -> None:
    """Print the precision of rules and model together on every n-th utterance of the corpus."""
    corpus = list(rows("write_corpus.jsonl"))[::every]
    right, extra, missing = by_rules(corpus)
    counts: Counter[str] = Counter()
    for row in corpus:
        for verdict, candidate in additions(answers, row):
            counts[verdict] += 1
            if verdict == "wrong":
                slot = f"{candidate.subject} · {candidate.attribute}: {candidate.value}"
                print(f"  not labelled  {slot}    <- {row['text']}", flush=True)
    print(f"{len(corpus)} utterances, every {every}")
    print(f"{sum(not row['expect'] for row in corpus)} of them hold nothing")
    print(f"rules alone: precision {right / (right + extra):.3f}, recall {right / (right + missing):.3f}")
    for verdict, number in sorted(counts.items()):
        print(f"  model: {verdict:40} {number}")
    found = right + counts["right"]
    print(f"rules and model: precision {found / (found + extra + counts['wrong']):.3f}")


def set_figures(answers: Answers, path: Path, every: int) -> None:
    """Print how many labelled statements lie in a kept span, by language, for rules and for rules and model."""
    everything = json.loads(path.read_text(encoding="utf-8"))["conversations"]
    chosen = sorted({row["conv_id"] for row in everything})[::every]
    texts = [row for row in everything if row["conv_id"] in chosen]

    def rules(said: Message) -> list[tuple[int, int]]:
        return [(c.start, c.end) for c in candidates(said)]

    def both(said: Message) -> list[tuple[int, int]]:
        return [*rules(said), *((c.start, c.end) for c in proposed(answers, said))]

    alone, together = measure(texts, rules), measure(texts, both)
    print(f"{len(texts)} texts of the set, every {every}")
    for key, (kept, wanted) in together.items():
        if "/" not in key:
            print(
                f"  {key}: rules {alone[key][0] / wanted:.2f}, rules and model {kept / wanted:.2f} of {wanted}"
            )


def main() -> None:
    """Ask the model and print both figures."""
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("model", type=Path)
    wanted.add_argument("--set", type=Path, help="a labelled extraction set")
    wanted.add_argument("--every", type=int, default=1, help="only every n-th utterance of the corpus")
    wanted.add_argument(
        "--set-every", type=int, default=1, help="only every n-th text of the set, in each language"
    )
    wanted.add_argument("--answers", type=Path, help="a file that keeps the model's answers")
    asked = wanted.parse_args()
    answers = Answers(asked.model, asked.answers)
    try:
        corpus_figures(answers, asked.every)
        if asked.set is not None:
            set_figures(answers, asked.set, asked.set_every)
    finally:
        answers.close()


if __name__ == "__main__":
    main()
