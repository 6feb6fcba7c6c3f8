"""Embedding models that are built like those that converse: told from them, and read the right way round."""

import struct
from pathlib import Path

import pytest
from gguf_builder import text, typed

from models import registry
from models.engine.client import EmbedEngine
from models.errors import NotAChatModel
from models.gguf import read_header

pytestmark = pytest.mark.model

LAST = 3
RANK = 4
_COUNT_AT = 16
_ALIGNED = 32


def pooled(source: Path, folder: Path, pooling: int) -> Path:
    """Copy a model file with one more setting, which says how its vectors become one."""
    content = bytearray(source.read_bytes())
    added = text("llama.pooling_type") + typed(pooling)
    filler = text("filler") + typed("")
    more = added + text("filler") + typed("." * (-len(added + filler) % _ALIGNED))
    (n,) = struct.unpack_from("<Q", content, _COUNT_AT)
    struct.pack_into("<Q", content, _COUNT_AT, n + 2)
    content[_COUNT_AT + 8 : _COUNT_AT + 8] = more
    path = folder / "vectors.gguf"
    path.write_bytes(content)
    return path


def numbers(vector: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 4}f", vector)


def alike(one: bytes, other: bytes) -> float:
    return sum(a * b for a, b in zip(numbers(one), numbers(other), strict=True))


def test_a_model_for_vectors_is_no_chat_model_though_it_has_a_template(
    smoke_model: Path, tmp_path: Path
) -> None:
    path = pooled(smoke_model, tmp_path, LAST)
    assert read_header(path).chat_template
    with pytest.raises(NotAChatModel, match="vectors"):
        registry.choose_chat(tmp_path, "vectors")
    assert registry.choose_embedder(tmp_path).path == path


def test_a_model_that_ranks_is_neither(smoke_model: Path, tmp_path: Path) -> None:
    pooled(smoke_model, tmp_path, RANK)
    (listed,) = registry.list_models(tmp_path)
    assert "score" in listed.problem
    with pytest.raises(NotAChatModel):
        registry.choose_chat(tmp_path, "vectors")


def test_a_text_has_one_vector_in_whatever_company(smoke_model: Path, tmp_path: Path) -> None:
    engine = EmbedEngine(pooled(smoke_model, tmp_path, LAST))
    engine.open()
    texts = ["My dog is called Biscuit.", "", "The sea is wide and cold. " * 80]
    together = engine.embed(texts)
    alone = [engine.embed([one])[0] for one in texts]
    engine.close()
    assert all(len(one) == 4 * engine.dims for one in together)
    assert [alike(one, other) > 0.999 for one, other in zip(together, alone, strict=True)] == [True] * 3
    assert alike(together[0], together[2]) < 0.999
