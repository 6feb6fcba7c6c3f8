"""Vectors of texts from a loaded embedding model.

Owns batching and normalising; inside an engine only. A text longer than the model was taught to read is
cut at that length, like the model's authors do it.
"""

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.errors import ModelUnusable
from models.gguf import read_header
from models.llama_context import MAX_EMBEDDED, LlamaContext
from models.types import EmbedIdentity, EngineSettings
from models.vectors import normalised

MAX_TOKENS = 256
"""Beyond this the models of this kind were not trained, whatever their window is."""


class LlamaEmbed:
    """One embedding model."""

    def __init__(self, path: Path, settings: EngineSettings, *, name: str, sha256: str) -> None:
        header = read_header(path)
        if not header.is_embedder:
            raise ModelUnusable(f"{path.name} is not an embedding model.")
        self._limit = min(MAX_TOKENS, header.n_ctx_train or MAX_TOKENS)
        self._room = 4 * self._limit
        self._context = LlamaContext(path, settings, self._room, embedding=True)
        self._lib, self._native, _ = self._context.native
        self._batch = self._lib.llama_batch_init(self._room, 0, 1)
        self._before, self._after = self._marks()
        self.identity = EmbedIdentity(name, sha256, self._context.n_embd, normalised=True)

    def embed(self, texts: Sequence[str]) -> bytes:
        """Give the vectors of the texts, one after the other."""
        rows = [self._tokens(text) for text in texts]
        vectors: list[bytes] = []
        group: list[list[int]] = []
        for row in rows:
            if len(group) == MAX_EMBEDDED or sum(map(len, group)) + len(row) > self._room:
                vectors += self._run(group)
                group = []
            group.append(row)
        return b"".join([*vectors, *self._run(group)])

    def _tokens(self, text: str) -> list[int]:
        """Tokenise a text between the marks the model expects, cut to its length."""
        words = self._context.tokenize(text, marks=False)
        most = max(0, self._limit - len(self._before) - len(self._after))
        return [*self._before, *words[:most], *self._after] or [0]

    def _marks(self) -> tuple[list[int], list[int]]:
        """Find what the model expects around a text: each family has other marks, or none."""
        bare, whole = (self._context.tokenize("a", marks=False, ends=ends) for ends in (False, True))
        places = (n for n in range(len(whole)) if whole[n : n + len(bare)] == bare)
        at = next(places, 0)
        return whole[:at], whole[at + len(bare) :]

    def _run(self, rows: Sequence[Sequence[int]]) -> list[bytes]:
        """Evaluate a few texts at once."""
        if not rows:
            return []
        batch = self._batch
        batch.n_tokens = 0
        for sequence, row in enumerate(rows):
            for position, token in enumerate(row):
                at = batch.n_tokens
                batch.token[at] = token
                batch.pos[at] = position
                batch.n_seq_id[at] = 1
                batch.seq_id[at][0] = sequence
                batch.logits[at] = 1
                batch.n_tokens += 1
        if not self._evaluated(batch):
            raise ModelUnusable("The embedding model could not evaluate a text.")
        return [self._vector(sequence) for sequence in range(len(rows))]

    def _evaluated(self, batch: Any) -> bool:
        """Run a batch: a model built like one that converses reads forward, and keeps what it read until told."""
        memory = self._lib.llama_get_memory(self._native)
        if not memory:
            return bool(self._lib.llama_encode(self._native, batch) == 0)
        self._lib.llama_memory_clear(memory, True)
        return bool(self._lib.llama_decode(self._native, batch) == 0)

    def _vector(self, sequence: int) -> bytes:
        pointer: Any = self._lib.llama_get_embeddings_seq(self._native, sequence)
        if not pointer:
            raise ModelUnusable("The embedding model gave no vector.")
        dims = self._context.n_embd
        return normalised(list(ctypes.cast(pointer, ctypes.POINTER(ctypes.c_float))[:dims]))
