from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from retrieval_builders import BagEmbedder

from assistant.evaluation.dataset import BadDataset, read_dataset
from assistant.evaluation.measures import (
    Outcome,
    abstained,
    measure,
    percentile,
    reciprocal_rank,
    share_found,
)
from assistant.evaluation.run import run_dataset
from assistant.evaluation.vector_cache import CachedEmbedder

TURNS = (
    ("D1:1", "Ana", "I bought a red kayak at the harbour."),
    ("D1:2", "Ben", "Lovely, where do you keep it?"),
    ("D1:3", "Ana", "In the boathouse behind the mill."),
    ("D1:4", "Ben", "My brother paints murals in Ghent."),
)


def dataset(tmp_path: Path, **changes: Any) -> Path:
    conversation: dict[str, Any] = {
        "conv_id": "c1",
        "now": "2025-03-01T10:00:00",
        "speakers": ["Ana", "Ben"],
        "items": [
            {
                "id": ident,
                "kind": "turn",
                "text": text,
                "speaker": speaker,
                "date": "2025-02-01T09:00:00",
                "session": 1,
            }
            for ident, speaker, text in TURNS
        ]
        + [
            {
                "id": "O1",
                "kind": "observation",
                "text": "Ben's brother paints murals in Ghent.",
                "speaker": "Ben",
                "date": "2025-02-01T09:00:00",
                "session": 1,
                "refs": ["D1:4"],
            },
            {
                "id": "S1",
                "kind": "summary",
                "text": "Ana and Ben talk about a kayak and murals.",
                "date": "2025-02-01T09:00:00",
                "session": 1,
                "refs": ["D1:1", "D1:4"],
            },
        ],
        "questions": [
            {"qid": "q1", "category": "single", "question": "What did Ana buy?", "evidence": ["D1:1"]},
            {"qid": "q2", "category": "single", "question": "Who paints murals?", "evidence": ["D1:4"]},
            {
                "qid": "q3",
                "category": "adversarial",
                "question": "Which violin did Ana sell in Rome?",
                "evidence": [],
                "unanswerable": True,
            },
        ],
    }
    path = tmp_path / "small.json"
    path.write_text(json.dumps({"dataset": "small", "conversations": [conversation | changes]}))
    return path


def outcome(evidence: Sequence[str], *found: Sequence[str]) -> Outcome:
    listed = tuple(tuple(covers) for covers in found)
    return Outcome("q", "c", frozenset(evidence), listed, listed, is_decoy=False, ms=1.0)


def test_recall_is_the_share_of_the_evidence() -> None:
    assert share_found(frozenset({"a", "b"}), [("a",), ("x",)]) == 0.5
    assert share_found(frozenset({"a", "b"}), [("a", "b")]) == 1.0


def test_the_rank_of_the_first_evidence_counts() -> None:
    assert reciprocal_rank(frozenset({"b"}), [("a",), ("b",), ("b",)]) == 0.5
    assert reciprocal_rank(frozenset({"c"}), [("a",)]) == 0.0


def test_figures_are_averaged_over_questions_with_evidence() -> None:
    figures = measure([outcome(["a"], ["a"]), outcome(["a"], ["x"]), outcome([], ["x"])])
    assert figures.questions == 2
    assert figures.recall == (0.5, 0.5, 0.5)
    assert figures.any_hit == 0.5
    assert measure([]).questions == 0


def test_giving_nothing_is_abstaining() -> None:
    assert abstained([outcome([]), outcome([], ["x"])]) == 0.5
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([], 0.95) == 0.0


def test_a_file_is_measured_turn_by_turn(tmp_path: Path) -> None:
    details = tmp_path / "details.jsonl"
    report = run_dataset(dataset(tmp_path), embedder=BagEmbedder(), details=details)
    assert report.overall.questions == 2
    assert report.overall.recall == (1.0, 1.0, 1.0)
    lines = [json.loads(line) for line in details.read_text().splitlines()]
    assert [line["qid"] for line in lines] == ["q1", "q2", "q3"]
    assert set(lines[0]) == {"qid", "category", "ranked", "scores", "injected", "ms"}
    assert lines[0]["ranked"][0] == "D1:1"
    assert len(lines[0]["ranked"]) == len(lines[0]["scores"])
    assert report.decoys == 1
    assert report.as_json()["format"] == 1
    assert any("q" not in line and "single" in line for line in report.lines())


def test_a_note_counts_for_the_turns_it_rests_on(tmp_path: Path) -> None:
    report = run_dataset(dataset(tmp_path), ("observation",), embedder=BagEmbedder())
    assert [one.question for one in report.outcomes if one.evidence and one.found] == ["q1", "q2"]
    assert report.outcomes[1].found[0] == ("D1:4",)


def test_every_kind_can_be_measured_together_and_words_alone(tmp_path: Path) -> None:
    report = run_dataset(dataset(tmp_path), ("turn", "observation", "summary"))
    assert report.embedder == "none"
    assert report.overall.recall[0] == 1.0


def test_a_run_can_be_stopped(tmp_path: Path) -> None:
    assert run_dataset(dataset(tmp_path), stop=lambda: True).outcomes == ()


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"conversations": [{}]}', '{"conversations": 3}'])
def test_another_shape_is_refused_with_words(tmp_path: Path, content: str) -> None:
    path = tmp_path / "odd.json"
    path.write_text(content)
    with pytest.raises(BadDataset, match=r"odd\.json"):
        read_dataset(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[]", "a set is no list"),
        ("{}", "'conversations' is missing"),
        ('{"conversations": [{"conv_id": "c", "items": [{"text": "x"}]}]}', "'id' is missing"),
        (
            '{"conversations": [{"conv_id": "c", "items": [{"id": "x", "text": null}]}]}',
            "a text is no NoneType",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said_and_nothing_is_made_up(
    tmp_path: Path, content: str, words: str
) -> None:
    path = tmp_path / "odd.json"
    path.write_text(content)
    with pytest.raises(BadDataset) as refused:
        read_dataset(path)
    assert words in str(refused.value)
    assert "Error(" not in str(refused.value)


def test_evidence_that_is_not_in_the_file_is_told_of(tmp_path: Path) -> None:
    items = [{"id": "D1:1", "text": "Ana keeps bees", "date": "2025-01-01"}]
    report = run_dataset(dataset(tmp_path, items=items))
    assert report.never_found == 1
    assert any(line.startswith("evidence that names nothing") for line in report.lines())
    assert not any("evidence" in line for line in run_dataset(dataset(tmp_path)).lines())


def test_an_unknown_kind_of_item_is_refused(tmp_path: Path) -> None:
    odd = [{"id": "x", "kind": "poem", "text": "roses", "date": "2025-01-01"}]
    with pytest.raises(BadDataset, match="poem"):
        read_dataset(dataset(tmp_path, items=odd))


def test_two_items_of_one_name_are_refused(tmp_path: Path) -> None:
    twice = [{"id": "D1:1", "text": text, "date": "2025-01-01"} for text in ("roses", "tulips")]
    with pytest.raises(BadDataset, match="D1:1"):
        read_dataset(dataset(tmp_path, items=twice))


def test_a_text_where_a_list_of_ids_belongs_is_refused(tmp_path: Path) -> None:
    odd = [{"id": "x", "kind": "observation", "text": "roses", "date": "2025-01-01", "refs": "D1:1"}]
    with pytest.raises(BadDataset, match="list of ids"):
        read_dataset(dataset(tmp_path, items=odd))


def test_a_text_is_embedded_once_however_often_it_is_measured(tmp_path: Path) -> None:
    inner = BagEmbedder()
    first = CachedEmbedder(inner, tmp_path)
    vectors = first.embed(["red kayak", "blue kayak", "red kayak"])
    assert vectors[0] == vectors[2]
    assert CachedEmbedder(inner, tmp_path).embed(["blue kayak", "red kayak"]) == [vectors[1], vectors[0]]
    assert sorted(inner.asked) == ["blue kayak", "red kayak"]


def test_a_cache_that_was_cut_short_is_used_up_to_the_last_whole_vector(tmp_path: Path) -> None:
    inner = BagEmbedder()
    CachedEmbedder(inner, tmp_path).embed(["red kayak", "blue kayak"])
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-5])
    again = CachedEmbedder(inner, tmp_path)
    inner.asked.clear()
    again.embed(["red kayak", "blue kayak"])
    assert inner.asked == ["blue kayak"]


def test_the_cache_holds_no_text(tmp_path: Path) -> None:
    CachedEmbedder(BagEmbedder(), tmp_path).embed(["a secret place"])
    (file,) = tmp_path.iterdir()
    assert b"secret" not in file.read_bytes()
