"""Vectors of texts from any sentence-transformers folder.

Owns the only import of that library, which brings torch along; inside an engine only. It never looks
beyond the folder: no download, no code that ships with a model.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.errors import ModelMissing, ModelUnusable, RuntimeMissing
from models.types import EmbedIdentity, EngineSettings
from models.vectors import normalised


class SentenceEmbed:
    """One embedding model from a folder."""

    def __init__(self, path: Path, settings: EngineSettings, *, name: str, sha256: str) -> None:
        if not (path / "modules.json").is_file():
            raise ModelMissing(f"{path.name} is not a sentence-transformers folder.")
        try:
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415 (seconds to import)
        except ImportError as error:
            raise RuntimeMissing("sentence-transformers is not installed.") from error
        try:
            self._model: Any = SentenceTransformer(
                str(path), device="cpu", local_files_only=True, trust_remote_code=False
            )
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise ModelUnusable(f"{path.name} cannot be loaded as an embedding model.") from error
        self._batch = max(1, settings.n_batch // 4)
        dims = int(self._model.get_sentence_embedding_dimension() or 0)
        self.identity = EmbedIdentity(name, sha256 or folder_sha256(path), dims, normalised=True)

    def embed(self, texts: Sequence[str]) -> bytes:
        """Give the vectors of the texts, one after the other."""
        if not texts:
            return b""
        rows = self._model.encode(list(texts), batch_size=self._batch, show_progress_bar=False)
        return b"".join(normalised([float(value) for value in row]) for row in rows)


def folder_sha256(path: Path) -> str:
    """Hash what decides the vectors: the weights, the vocabulary and how they are put together."""
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*")):
        if file.is_file() and file.suffix in {".safetensors", ".bin", ".json", ".txt"}:
            digest.update(file.relative_to(path).as_posix().encode("utf-8") + b"\0")
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()
