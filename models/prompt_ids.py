"""A prompt as token ids, with what each message costs.

Owns the joining of pieces and a bounded memory of tokenised words, keyed by their hash so that it holds no
text. Knows no native code: it is given a way to tokenise. May be used from two threads at once.
"""

import hashlib
from array import array
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

from models.chat_template import FRAMING, Template
from models.types import ChatMessage, Measured

Tokenize = Callable[[str, bool], list[int]]
_CACHED_TOKENS = 200_000


@dataclass(frozen=True, slots=True)
class PromptIds:
    """Token ids and their division."""

    ids: list[int]
    per_message: tuple[int, ...]
    leading: int = 0
    """Tokens before the first message."""

    def measured(self, model_sha256: str) -> Measured:
        """Give the measure of this prompt for one model file."""
        total = len(self.ids)
        framing = total - sum(self.per_message)
        return Measured(self.per_message, framing, total, self.name(model_sha256), self.leading)

    def name(self, model_sha256: str) -> str:
        """Give the hash that stands for these ids under that model file."""
        digest = hashlib.sha256(model_sha256.encode("ascii"))
        digest.update(array("i", self.ids).tobytes())
        return digest.hexdigest()


class PromptTokenizer:
    """Lays out and tokenises prompts, each text once."""

    def __init__(self, template: Template, tokenize: Tokenize, bos: int | None) -> None:
        self._template = template
        self._tokenize = tokenize
        self._bos = bos
        self._cache: OrderedDict[tuple[bytes, bool], list[int]] = OrderedDict()
        self._cached = 0
        self._lock = Lock()

    def prompt(self, messages: Sequence[ChatMessage], *, answer: bool) -> PromptIds:
        """Tokenise a prompt, with the opening of an answer if asked."""
        ids: list[int] = []
        shares = [0] * len(messages)
        leading = 0
        for piece in self._template.pieces(messages, answer=answer):
            tokens = self.text(piece.text, marks=piece.is_mark)
            ids += tokens
            if piece.message != FRAMING:
                shares[piece.message] += len(tokens)
            elif not any(shares):
                leading += len(tokens)
        if self._bos is not None and ids[:1] != [self._bos]:
            ids.insert(0, self._bos)
            leading += 1
        return PromptIds(ids, tuple(shares), leading)

    def text(self, text: str, *, marks: bool) -> list[int]:
        """Tokenise a text, or remember that it was."""
        if not text:
            return []
        key = (hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest(), marks)
        with self._lock:
            known = self._cache.get(key)
            if known is not None:
                self._cache.move_to_end(key)
                return known
        tokens = self._tokenize(text, marks)
        with self._lock:
            if key not in self._cache:
                self._cached += len(tokens)
            self._cache[key] = tokens
            while self._cached > _CACHED_TOKENS and len(self._cache) > 1:
                _, oldest = self._cache.popitem(last=False)
                self._cached -= len(oldest)
        return tokens

    def clear(self) -> None:
        """Drop the remembered tokens."""
        with self._lock:
            self._cache.clear()
            self._cached = 0
