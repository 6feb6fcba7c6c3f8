"""Floors of recall on the built-in check: invented, small, and asked in the ways people ask.

A floor is where a change has made things clearly worse, not where things are; README.md has the figures.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from assistant.evaluation.synthetic import SyntheticReport, run_synthetic
from assistant.evaluation.vector_cache import CachedEmbedder

pytestmark = pytest.mark.slow

WORDS_ONLY = {"exact": 0.9, "changed": 0.95, "when": 0.95, "several": 0.75, "languages": 0.8, "nothing": 0.9}
WITH_VECTORS = {
    "exact": 0.95,
    "paraphrase": 0.8,
    "changed": 0.95,
    "when": 0.95,
    "several": 0.9,
    "languages": 0.95,
    "nothing": 0.9,
}


def below(report: SyntheticReport, floors: dict[str, float]) -> dict[str, list[str]]:
    shares = {name: share for name, _, share in report.by_category}
    return {
        name: [f"{one.asked.text} -> {one.recalled}" for one in report.answered if one.found < 1]
        for name, floor in floors.items()
        if shares[name] < floor
    }


def test_words_alone_stay_above_their_floors() -> None:
    report = run_synthetic()
    assert below(report, WORDS_ONLY) == {}
    assert report.stale == 0.0


@pytest.mark.model
def test_with_the_default_embedding_model_recall_stays_above_its_floors(
    minilm_model: Path, tmp_path: Path
) -> None:
    from models.engine.client import EmbedEngine

    digest = hashlib.sha256(minilm_model.read_bytes()).hexdigest()
    engine = EmbedEngine(minilm_model, sha256=digest)
    engine.open()
    try:
        report = run_synthetic(CachedEmbedder(engine, tmp_path))
    finally:
        engine.close()
    assert below(report, WITH_VECTORS) == {}
    assert report.stale == 0.0
    assert report.false_recall <= 0.1
