"""A disk that is really full, where mounting one is allowed; elsewhere, files that cannot grow."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BLOCK = 4096


@contextmanager
def small_disk(place: Path, size: int) -> Iterator[bool]:
    """Mount a disk of this size at a new folder, or say that it is not allowed and make the folder alone."""
    place.mkdir()
    mounted = sys.platform == "linux" and _mount("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place)
    try:
        yield mounted
    finally:
        if mounted:
            assert _mount("umount", "-l", place)


def fill(place: Path, room: int) -> Path:
    """Leave so many bytes free, and prove it: a plain write of a block more fails; return the file to remove."""
    ballast, probe = place / "ballast", place / "probe"
    _write(ballast, 1 << 40)
    with ballast.open("r+b") as file:
        file.truncate(ballast.stat().st_size - room)
    assert _write(probe, room + BLOCK) == errno.ENOSPC
    probe.unlink()
    return ballast


def _write(path: Path, length: int) -> int | None:
    """Write so much block by block; return the error that stopped it."""
    with path.open("wb", buffering=0) as file:
        for _ in range(0, length, BLOCK):
            try:
                if file.write(bytes(BLOCK)) < BLOCK:
                    return errno.ENOSPC
            except OSError as error:
                return error.errno
    return None


def _mount(*arguments: str | Path) -> bool:
    try:
        return subprocess.run(arguments, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False
