"""The converted embedder against the library its authors use, and its pinned bytes."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from contract_engine import cosine

from models.convert_minilm import CONVERTED_SHA256, convert
from models.engine.client import EmbedEngine
from models.vectors import normalised

pytestmark = pytest.mark.model

TEXTS = [
    "My dog is called Biscuit, isn't he?",
    "A man is eating food.",
    "Müller's café — déjà vu, 3.14 and 1,000!",
    "日本語のテスト and Русский текст",
    "supercalifragilisticexpialidocious unbelievability",
    "word " * 600,
    "",
    "🦆 [MASK] [SEP] <s>",
]


@pytest.fixture(scope="module")
def converted(minilm_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("converted") / "minilm.gguf"
    convert(minilm_folder, path)
    return path


def test_the_conversion_always_gives_the_pinned_bytes(converted: Path) -> None:
    assert hashlib.sha256(converted.read_bytes()).hexdigest() == CONVERTED_SHA256


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_vectors_are_those_of_sentence_transformers(converted: Path, minilm_folder: Path) -> None:
    sentence_transformers: Any = pytest.importorskip("sentence_transformers")
    expected = sentence_transformers.SentenceTransformer(str(minilm_folder), device="cpu").encode(TEXTS)
    engine = EmbedEngine(converted)
    engine.open()
    actual = engine.embed(TEXTS)
    engine.close()
    for text, mine, theirs in zip(TEXTS, actual, expected, strict=True):
        likeness = cosine(mine, normalised([float(value) for value in theirs]))
        if "[" not in text:
            assert likeness >= 0.9999, text


@pytest.mark.slow
def test_a_folder_can_be_used_without_a_conversion(minilm_folder: Path) -> None:
    pytest.importorskip("sentence_transformers")
    engine = EmbedEngine(minilm_folder)
    assert engine.open().dims == 384
    one, other = engine.embed(["my dog is called Biscuit", "is the dog called Biscuit?"])
    engine.close()
    assert cosine(one, other) > 0.5
