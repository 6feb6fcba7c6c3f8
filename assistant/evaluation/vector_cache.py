"""Vectors of public test sets, kept between measurements so that only new texts are embedded.

Holds hashes and numbers, no text; a folder of the system's temporary place that only the user may read. Never
used for the user's own questions. One surprise: a file that was cut short is used up to the last whole vector.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from memory.ports import Embedder, EmbedderIdentity

KEY_BYTES = 16


class CachedEmbedder:
    """An embedder that asks another one only for texts it has not met."""

    def __init__(self, embedder: Embedder, folder: Path | None = None) -> None:
        self._embedder = embedder
        identity = embedder.identity
        name = blake2b(f"{identity.sha256} {identity.dims} {identity.normalised}".encode(), digest_size=8)
        self._path = (folder or _private_folder()) / f"{name.hexdigest()}.vectors"
        self._size = identity.dims * 4
        self._known = self._read()

    @property
    def identity(self) -> EmbedderIdentity:
        """Which model makes the vectors."""
        return self._embedder.identity

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return one vector per text, from the file where possible."""
        keys = [
            blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest() for text in texts
        ]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if missing:
            made = dict(zip(missing, self._embedder.embed(list(missing.values())), strict=True))
            with self._path.open("ab") as file:
                file.write(b"".join(key + vector for key, vector in made.items()))
            self._known |= made
        return [self._known[key] for key in keys]

    def _read(self) -> dict[bytes, bytes]:
        record = KEY_BYTES + self._size
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return {}
        whole = len(content) // record * record
        if whole != len(content):
            self._path.write_bytes(content[:whole])
        return {
            content[at : at + KEY_BYTES]: content[at + KEY_BYTES : at + record]
            for at in range(0, whole, record)
        }


def _private_folder() -> Path:
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"locket-eval-vectors-{owner}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if hasattr(os, "getuid") and (folder.is_symlink() or folder.stat().st_uid != os.getuid()):
        return Path(tempfile.mkdtemp(prefix="locket-eval-vectors-"))
    return folder
