"""Which bytes each model file had when it was first used.

Owns a small JSON file that remembers hashes, so that a gigabyte is read once and not at every start. A
file counts as unread when its size, time or inode differ; if its bytes then differ too, it has changed,
and that is said and not repaired.
"""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

from models.errors import Interrupted, ModelChanged, ModelMissing

BOOK_NAME = "hashes.json"
_BLOCK = 4 * 1024 * 1024
_MAX_BOOK = 4 * 1024 * 1024


def hash_file(
    path: Path, stop: Event | None = None, progress: Callable[[int, int], None] | None = None
) -> str:
    """Give the SHA-256 of a file."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            total = os.fstat(file.fileno()).st_size
            done = 0
            while block := file.read(_BLOCK):
                if stop is not None and stop.is_set():
                    raise Interrupted("The check of the file was stopped.")
                digest.update(block)
                done += len(block)
                if progress is not None:
                    progress(done, total)
    except OSError as error:
        raise ModelMissing(f"{path.name} cannot be read: {error.strerror}.") from error
    return digest.hexdigest()


class HashBook:
    """The remembered hashes of one models folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / BOOK_NAME
        self._rows = self._load()

    def find_known(self, path: Path) -> str | None:
        """Give a file's hash without reading the file; None when that is not possible."""
        row = self._rows.get(_key(path))
        return str(row["sha256"]) if row is not None and row.get("stamp") == _stamp(path) else None

    def verify(self, path: Path, expected: str = "") -> str:
        """Give a file's hash, after making sure that the bytes are the expected or the remembered ones."""
        known = self.find_known(path)
        sha256 = known or hash_file(path)
        if expected and sha256 != expected:
            raise ModelChanged(
                f"The file {path.name} does not hold the bytes it should: it is damaged, or another model."
            )
        row = self._rows.get(_key(path))
        if not expected and row is not None and row["sha256"] != sha256:
            raise ModelChanged(f"The file {path.name} is not the one that was used before.")
        if known is None:
            self.remember(path, sha256)
        return sha256

    def remember(self, path: Path, sha256: str) -> None:
        """Pin a file to its bytes of now."""
        self._rows[_key(path)] = {"stamp": _stamp(path), "sha256": sha256}
        self._save()

    def forget(self, path: Path) -> None:
        """Unpin a file."""
        if self._rows.pop(_key(path), None) is not None:
            self._save()

    def _load(self) -> dict[str, dict[str, Any]]:
        """Read the book; one that cannot be read costs a new look at the files, no more."""
        try:
            if self._path.stat().st_size > _MAX_BOOK:
                return {}
            rows = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return {}
        if not isinstance(rows, dict):
            return {}
        return {
            key: row
            for key, row in rows.items()
            if isinstance(row, dict) and isinstance(row.get("sha256"), str)
        }

    def _save(self) -> None:
        partial = self._path.with_name(f"{BOOK_NAME}.{os.getpid()}.partial")
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            partial.write_text(json.dumps(self._rows, indent=1), encoding="utf-8")
            partial.replace(self._path)
        except OSError:
            partial.unlink(missing_ok=True)  # a read-only folder: the files are read again next time


def _key(path: Path) -> str:
    return str(path.absolute())


def _stamp(path: Path) -> list[int]:
    try:
        found = path.stat()
    except OSError as error:
        raise ModelMissing(f"There is no file {path.name}.") from error
    return [found.st_size, found.st_mtime_ns, found.st_ino]
