"""What a typed path may become. Reads folders, so it is asked on a thread; knows no widgets but Textual's suggester."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from textual.suggester import Suggester

from assistant.paths import typed_path

MOST = 2000
"""Names of a folder that are looked at."""


def completed(typed: str) -> str:
    """Return the path as far as it can only be meant; what was typed when there is nothing to add."""
    head, slash, tail = typed.rpartition("/")
    folder = typed_path(head + slash or ".")
    try:
        names = [
            one.name + ("/" if one.is_dir() else "")
            for one, _ in zip(folder.iterdir(), range(MOST), strict=False)
            if one.name.startswith(tail) and (tail.startswith(".") or not one.name.startswith("."))
        ]
    except OSError:
        return typed
    return head + slash + _shared(names) if names else typed


def _shared(names: Sequence[str]) -> str:
    """Return how all names begin."""
    first, last = min(names), max(names)
    same = 0
    while same < min(len(first), len(last)) and first[same] == last[same]:
        same += 1
    return first[:same]


class PathSuggester(Suggester):
    """Completes paths in a field."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        """Return the whole value as it may go on."""
        if not value:
            return None
        found = await asyncio.to_thread(completed, value)
        return found if found != value else None
