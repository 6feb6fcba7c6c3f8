"""Chooses the next token from the scores of the last one.

Owns the native sampler chain and, for JSON answers, the grammar. Inside an engine only. The surprise: the
grammar is asked about one token at a time, and goes through the whole vocabulary only when it says no.
"""

import ctypes
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from models.errors import ModelUnusable
from models.llama_context import LlamaContext
from models.types import Sampling

_LAST_N = 64
_ANY_SEED = 0xFFFFFFFF
_ROW = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])


class Sampler:
    """One answer's way of choosing."""

    def __init__(
        self, context: LlamaContext, sampling: Sampling, schema: Mapping[str, Any] | None = None
    ) -> None:
        self._lib, self._native, vocab = context.native
        self._n_vocab = context.n_vocab
        self._chain = self._build(sampling)
        self._grammar = None if schema is None else self._compile(vocab, schema)
        self._candidates = (self._lib.llama_token_data * self._n_vocab)()
        self._rows = np.frombuffer(self._candidates, dtype=_ROW)

    def next(self) -> int:
        """Choose the token that follows the evaluated ones."""
        token = int(self._lib.llama_sampler_sample(self._chain, self._native, -1))
        if self._grammar is None:
            return token
        if not self._allowed(token):
            token = self._choose_obeying()
        self._lib.llama_sampler_accept(self._grammar, token)
        return token

    def close(self) -> None:
        """Free the native parts."""
        self._lib.llama_sampler_free(self._chain)
        if self._grammar is not None:
            self._lib.llama_sampler_free(self._grammar)

    def _build(self, sampling: Sampling) -> Any:
        lib = self._lib
        chain = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
        steps = []
        if sampling.repeat_penalty != 1.0:
            steps.append(
                lib.llama_sampler_init_penalties(self._n_vocab, _LAST_N, sampling.repeat_penalty, 0.0, 0.0)
            )
        if sampling.temperature <= 0:
            steps.append(lib.llama_sampler_init_greedy())
        else:
            if sampling.top_k > 0:
                steps.append(lib.llama_sampler_init_top_k(sampling.top_k))
            steps += (
                lib.llama_sampler_init_top_p(sampling.top_p, 1),
                lib.llama_sampler_init_min_p(sampling.min_p, 1),
                lib.llama_sampler_init_temp(sampling.temperature),
                lib.llama_sampler_init_dist(_ANY_SEED if sampling.seed is None else sampling.seed),
            )
        for step in steps:
            lib.llama_sampler_chain_add(chain, step)
        return chain

    def _compile(self, vocab: Any, schema: Mapping[str, Any]) -> Any:
        from llama_cpp.llama_grammar import json_schema_to_gbnf  # noqa: PLC0415 (inside an engine only)

        try:
            text = json_schema_to_gbnf(json.dumps(dict(schema)), prop_order=list(_properties(schema)))
        except (KeyError, TypeError, ValueError, AssertionError) as error:
            raise ModelUnusable("The shape asked of the answer cannot be turned into a grammar.") from error
        grammar = self._lib.llama_sampler_init_grammar(vocab, text.encode("utf-8"), b"root")
        if not grammar:
            raise ModelUnusable("llama.cpp does not take the grammar of the answer.")
        return grammar

    def _choose_obeying(self) -> int:
        """Run every candidate through the grammar first, then through the chain."""
        scores = self._lib.llama_get_logits_ith(self._native, -1)
        self._rows["id"] = np.arange(self._n_vocab, dtype=np.int32)
        self._rows["logit"] = np.ctypeslib.as_array(scores, shape=(self._n_vocab,))
        self._rows["p"] = 0.0
        array = self._lib.llama_token_data_array(self._candidates, self._n_vocab, -1, False)
        self._lib.llama_sampler_apply(self._grammar, ctypes.byref(array))
        self._lib.llama_sampler_apply(self._chain, ctypes.byref(array))
        return int(array.data[array.selected].id)

    def _allowed(self, token: int) -> bool:
        """Ask the grammar about one token."""
        one = (self._lib.llama_token_data * 1)(self._lib.llama_token_data(token, 1.0, 0.0))
        array = self._lib.llama_token_data_array(one, 1, -1, False)
        self._lib.llama_sampler_apply(self._grammar, ctypes.byref(array))
        return bool(one[0].logit > float("-inf"))


def _properties(schema: Mapping[str, Any]) -> dict[str, None]:
    """List the property names of a schema in the order they are written."""
    names: dict[str, None] = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, Mapping):
            names |= dict.fromkeys(value)
        if isinstance(value, Mapping):
            names |= _properties(value)
    return names
