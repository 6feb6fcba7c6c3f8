"""How much memory there is for a model: the machine's, or the share that this process was given of it.

Owns the reading of the system's own files; a limit that is written there ends a process which goes past it,
whatever the machine has. What cannot be read does not count.
"""

import os
from collections.abc import Iterator
from pathlib import Path

_CAUTIOUS = 8_000_000_000


def machine_memory(*, groups: Path = Path("/sys/fs/cgroup"), ours: Path = Path("/proc/self/cgroup")) -> int:
    """Give the bytes of memory that may be used; a cautious guess where nobody can be asked."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        whole = _CAUTIOUS
    return min([whole, *_limits(groups, ours)])


def _limits(groups: Path, ours: Path) -> Iterator[int]:
    """Find the limits of our group and of those around it, in both of the layouts that Linux has."""
    try:
        lines = ours.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        _, kinds, place = [*line.split(":", 2), "", ""][:3]
        if kinds and "memory" not in kinds.split(","):
            continue
        root, name = (groups / "memory", "memory.limit_in_bytes") if kinds else (groups, "memory.max")
        folder = root / place.lstrip("/")
        for group in (folder, *folder.parents):
            if group.is_relative_to(root):
                yield from _number(group / name)


def _number(file: Path) -> Iterator[int]:
    try:
        text = file.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return
    if text.isdecimal() and int(text) > 0:
        yield int(text)
