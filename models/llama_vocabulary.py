"""The words of a model file: its tokenizer, its marks and its template, with or without the weights.

Owns the loading of a file and of the native library; one of the few places that may import `llama_cpp`, and
only inside an engine. What is here only reads, so any thread may ask it, beside an evaluation too.
"""

import ctypes
import os
import sys
from pathlib import Path
from typing import Any

from models.errors import ModelUnusable, RuntimeMissing
from models.types import EngineSettings

_WARN = 3


class LlamaVocabulary:
    """One model file, as far as its words go."""

    def __init__(self, path: Path, settings: EngineSettings, *, weights: bool = True) -> None:
        self._lib = lib = load_library()
        # a callback lives as long as the library may call it, so it is kept on the instance
        self._on_log = lib.llama_log_callback(_log)
        lib.llama_log_set(self._on_log, None)
        lib.llama_backend_init()
        self._model = self._load(path, settings, weights=weights)
        self.vocab = lib.llama_model_get_vocab(self._model)

    @property
    def bos(self) -> int | None:
        """Give the token every prompt must begin with, if the model wants one."""
        if not self._lib.llama_vocab_get_add_bos(self.vocab):
            return None
        token = int(self._lib.llama_vocab_bos(self.vocab))
        return token if token >= 0 else None

    def token_text(self, kind: str) -> str:
        """Give the spelling of the `bos` or `eos` token; empty when there is none."""
        token = int(getattr(self._lib, f"llama_vocab_{kind}")(self.vocab))
        raw = self._lib.llama_vocab_get_text(self.vocab, token) if token >= 0 else None
        return (raw or b"").decode("utf-8", "replace")

    def chat_template(self) -> str | None:
        """Give the template in the file."""
        raw = self._lib.llama_model_chat_template(self._model, None)
        return None if raw is None else raw.decode("utf-8", "replace")

    def tokenize(self, text: str, *, marks: bool, ends: bool = False) -> list[int]:
        """Turn text into tokens; only with `marks` may it yield control tokens, and `ends` puts the model's around it."""
        raw = text.encode("utf-8", "replace")
        room = len(raw) + 8
        tokens = (self._lib.llama_token * room)()
        n = self._lib.llama_tokenize(self.vocab, raw, len(raw), tokens, room, ends, marks)
        if n < 0:
            raise ModelUnusable("The model's tokenizer gave more tokens than bytes.")
        return list(tokens[:n])

    def piece(self, token: int) -> bytes:
        """Give the bytes a token stands for; marks that belong to the answer's text included."""
        room = 256
        while True:
            raw = ctypes.create_string_buffer(room)
            n = int(self._lib.llama_token_to_piece(self.vocab, token, raw, room, 0, True))
            if n >= 0:
                return raw.raw[:n]
            room = -n

    def ends_answer(self, token: int) -> bool:
        """Tell whether a token says that the answer is over: an end, or any other control mark."""
        return bool(
            self._lib.llama_vocab_is_eog(self.vocab, token)
            or self._lib.llama_vocab_is_control(self.vocab, token)
        )

    def _load(self, path: Path, settings: EngineSettings, *, weights: bool) -> Any:
        parameters = self._lib.llama_model_default_params()
        parameters.vocab_only = not weights
        parameters.n_gpu_layers = settings.n_gpu_layers if weights else 0
        parameters.load_mode = (
            self._lib.LLAMA_LOAD_MODE_MMAP if settings.use_mmap else self._lib.LLAMA_LOAD_MODE_NONE
        )
        model = self._lib.llama_model_load_from_file(os.fsencode(path), parameters)
        if not model:
            raise ModelUnusable(f"llama.cpp cannot load {path.name}.")
        return model


def load_library() -> Any:
    """Import the native library, or say that it is missing."""
    try:
        from llama_cpp import llama_cpp  # noqa: PLC0415 (an engine imports it when it opens a model)
    except (ImportError, OSError, RuntimeError) as error:
        raise RuntimeMissing("llama-cpp-python is not installed, or does not load here.") from error
    return llama_cpp


def _log(level: int, text: bytes, _: Any) -> None:
    """Pass warnings and errors of the native library on to the engine's log."""
    if level >= _WARN and level != _WARN + 2:
        sys.stderr.buffer.write(text)
        sys.stderr.buffer.flush()
