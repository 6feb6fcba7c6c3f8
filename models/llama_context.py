"""A loaded model and its context, with the native library's sharp edges filed off.

Owns what is evaluated: the one sequence, its cache, and how it is cut, saved and put back. All but what the
vocabulary answers must be called from one thread: two at once end the process. The library's own convenience
class is not used: it keeps a row of scores for each token of a batch and hides what is in the cache.
"""

import ctypes
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from models.cores import usable_cores
from models.errors import ContextOverflow, ModelUnusable
from models.llama_vocabulary import LlamaVocabulary
from models.types import EngineSettings

_SEQUENCE = 0
_ABORTED = 2
_NO_ROOM = 1
MAX_EMBEDDED = 32
"""Texts that an embedding context evaluates at once."""


class SavedSequence:
    """Everything the context held of one conversation, in memory."""

    __slots__ = ("blob", "tokens")

    def __init__(self, blob: Any, tokens: list[int]) -> None:
        self.blob = blob
        self.tokens = tokens

    @property
    def size(self) -> int:
        """Give the bytes it takes."""
        return len(self.blob)


class LlamaContext(LlamaVocabulary):
    """One model, one context, one sequence."""

    def __init__(self, path: Path, settings: EngineSettings, n_ctx: int, *, embedding: bool = False) -> None:
        super().__init__(path, settings)
        lib = self._lib
        self.n_batch = settings.n_batch
        self._stopping: Callable[[], bool] = lambda: False
        # a callback lives as long as the context, so it is kept on the instance
        self._on_abort = lib.ggml_abort_callback(lambda _: self._stopping())
        self._context = self._make_context(settings, n_ctx, embedding=embedding)
        self._memory = None if embedding else lib.llama_get_memory(self._context)
        self.n_ctx = int(lib.llama_n_ctx(self._context))
        self.n_vocab = int(lib.llama_vocab_n_tokens(self.vocab))
        self._held: list[int] = []

    # ---- the model ------------------------------------------------------------------------------

    @property
    def native(self) -> tuple[Any, Any, Any]:
        """Give the library, the context and the vocabulary, for the modules beside this one."""
        return self._lib, self._context, self.vocab

    @property
    def n_params(self) -> int:
        """Give the number of parameters."""
        return int(self._lib.llama_model_n_params(self._model))

    @property
    def n_embd(self) -> int:
        """Give the size of an embedding."""
        return int(self._lib.llama_model_n_embd(self._model))

    @property
    def offloads(self) -> bool:
        """Tell whether the library can put layers on a graphics card."""
        return bool(self._lib.llama_supports_gpu_offload())

    @property
    def has_encoder(self) -> bool:
        """Tell whether the model reads with an encoder."""
        return bool(self._lib.llama_model_has_encoder(self._model))

    # ---- the cache ------------------------------------------------------------------------------

    @property
    def held(self) -> Sequence[int]:
        """Give the tokens that are evaluated, in order."""
        return self._held

    def stop_when(self, stopping: Callable[[], bool]) -> None:
        """Set what ends an evaluation early; it is asked many times a second."""
        self._stopping = stopping

    def decode(self, tokens: Sequence[int]) -> bool:
        """Evaluate up to one batch of tokens after the held ones; False when told to stop."""
        if len(self._held) + len(tokens) > self.n_ctx:
            raise ContextOverflow(f"The window of {self.n_ctx} tokens is full.")
        batch = (self._lib.llama_token * len(tokens))(*tokens)
        code = self._lib.llama_decode(self._context, self._lib.llama_batch_get_one(batch, len(tokens)))
        if code == 0:
            self._held += tokens
            return True
        self.keep(len(self._held))  # part of the batch may already be in
        if code == _ABORTED:
            return False
        if code == _NO_ROOM:
            raise ContextOverflow(f"The window of {self.n_ctx} tokens is full.")
        raise ModelUnusable(f"The model could not evaluate the prompt (code {code}).")

    def keep(self, n: int) -> int:
        """Keep the first `n` held tokens at most, and tell how many are left."""
        if self._lib.llama_memory_seq_rm(self._memory, _SEQUENCE, n, -1):
            del self._held[n:]
        else:  # models with a running state cannot step back
            self.clear()
        return len(self._held)

    def clear(self) -> None:
        """Drop everything evaluated, its numbers included."""
        self._lib.llama_memory_clear(self._memory, True)
        self._held.clear()

    def evict(self, start: int, end: int) -> bool:
        """Drop the held tokens [start, end) and move the later ones up."""
        if not self._lib.llama_memory_can_shift(self._memory) or not 0 <= start < end <= len(self._held):
            return False
        if not self._lib.llama_memory_seq_rm(self._memory, _SEQUENCE, start, end):
            return False
        self._lib.llama_memory_seq_add(self._memory, _SEQUENCE, end, -1, start - end)
        del self._held[start:end]
        return self._apply_shift()

    def _apply_shift(self) -> bool:
        """Evaluate the last token again: until then the moved ones are only marked, and must not be saved."""
        if not self._held:
            return True
        last = self._held[-1]
        self.stop_when(lambda: False)
        self.keep(len(self._held) - 1)
        return self.decode([last])

    def save(self) -> SavedSequence | None:
        """Copy the evaluated state into memory; None when there is none or it cannot be copied."""
        if not self._held:
            return None
        size = int(self._lib.llama_state_seq_get_size(self._context, _SEQUENCE))
        blob = (ctypes.c_uint8 * size)()
        copied = int(self._lib.llama_state_seq_get_data(self._context, blob, size, _SEQUENCE))
        return SavedSequence(blob, list(self._held)) if copied else None

    def restore(self, saved: SavedSequence | None) -> None:
        """Put a saved state in the place of the present one; None or a failure leaves it empty."""
        self.clear()
        if saved is None:
            return
        read = int(self._lib.llama_state_seq_set_data(self._context, saved.blob, saved.size, _SEQUENCE))
        if read:
            self._held = list(saved.tokens)
        else:
            self.clear()

    # ---- loading --------------------------------------------------------------------------------

    def _make_context(self, settings: EngineSettings, n_ctx: int, *, embedding: bool) -> Any:
        cores = usable_cores()
        parameters = self._lib.llama_context_default_params()
        parameters.n_ctx = MAX_EMBEDDED * 256 if embedding else n_ctx
        parameters.n_batch = parameters.n_ubatch = n_ctx if embedding else settings.n_batch
        parameters.n_threads = settings.n_threads or max(1, cores - 1)
        parameters.n_threads_batch = settings.n_threads_batch or cores
        if not embedding and not settings.n_gpu_layers:
            # on a processor the other way of attending makes a short prompt after long ones dearer by a sixth
            parameters.flash_attn_type = self._lib.LLAMA_FLASH_ATTN_TYPE_DISABLED
        parameters.embeddings = embedding
        if embedding:
            parameters.n_seq_max = MAX_EMBEDDED
        parameters.abort_callback = self._on_abort
        parameters.no_perf = True
        context = self._lib.llama_init_from_model(self._model, parameters)
        if not context:
            raise ModelUnusable("llama.cpp cannot make a context for this model: too little memory, perhaps.")
        return context
