"""An embedder that needs no model: it hashes letters and words.

Owns vectors that are alike when the spelling is, whatever the meaning; used by tests and by a demonstration
without a download. Deterministic for ever: its identity names the way of hashing.
"""

import hashlib
import re
import zlib
from collections.abc import Iterator, Sequence

from models.errors import EngineClosed
from models.types import EmbedIdentity
from models.vectors import normalised


class HashEmbedder:
    """Vectors from hashed letters and words: alike when the spelling is, whatever the meaning."""

    def __init__(self, dims: int = 384) -> None:
        self._identity = EmbedIdentity(
            f"hash-{dims}", hashlib.sha256(b"hash-1").hexdigest(), dims, normalised=True
        )
        self.texts: list[str] = []
        self.is_open = False

    @property
    def identity(self) -> EmbedIdentity:
        """Say which vectors these are."""
        return self._identity

    @property
    def dims(self) -> int:
        """Give the number of dimensions."""
        return self._identity.dims

    @property
    def pid(self) -> int:
        """Give no process id: there is no process."""
        return 0

    def open(self) -> EmbedIdentity:
        """Start."""
        self.is_open = True
        return self._identity

    def close(self) -> None:
        """Refuse further work."""
        self.is_open = False

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Give one vector a text."""
        if not self.is_open:
            raise EngineClosed("The embedder was closed.")
        self.texts += texts
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> bytes:
        values = [0.0] * self.dims
        for feature in _features(text.casefold()):
            code = zlib.crc32(feature.encode("utf-8", "replace"))
            values[code % self.dims] += 1.0 if code & 0x8000_0000 else -1.0
        return normalised(values if any(values) else [1.0, *values[1:]])


def _features(text: str) -> Iterator[str]:
    """Give words, and rows of three to five letters inside them."""
    for word in re.findall(r"\w+", text):
        yield word
        framed = f"^{word}$"
        for size in (3, 4, 5):
            for first in range(len(framed) - size + 1):
                yield framed[first : first + size]
