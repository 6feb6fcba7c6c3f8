from collections.abc import Iterator
from pathlib import Path

import pytest
from contract_engine import EmbedContract, OwnCacheContract

from models.convert_minilm import convert
from models.engine.client import ChatEngine, EmbedEngine
from models.types import EngineSettings

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def engine(smoke_model: Path) -> Iterator[ChatEngine]:
    engine = ChatEngine(smoke_model, EngineSettings(n_ctx=4096))
    engine.open()
    yield engine
    engine.close()


class TestSmokeModel(OwnCacheContract):
    @pytest.fixture
    def chat(self, engine: ChatEngine) -> ChatEngine:
        return engine


@pytest.fixture(scope="module")
def minilm(minilm_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbedEngine]:
    path = tmp_path_factory.mktemp("minilm") / "minilm.gguf"
    convert(minilm_folder, path)
    engine = EmbedEngine(path)
    engine.open()
    yield engine
    engine.close()


class TestMiniLm(EmbedContract):
    @pytest.fixture
    def embedder(self, minilm: EmbedEngine) -> EmbedEngine:
        return minilm
