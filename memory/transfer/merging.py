"""When this store and an archive both have a record and the two differ: which one stands.

Pure. Owns the order of what decides: taking words out beats having them, then the later change, and in doubt
what is here stays. One surprise: how often something was recalled is no difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from memory.store.versions import USE_COUNTS

Verdict = Literal["same", "ours", "theirs"]
Row = Mapping[str, Any]

QUIET: Final[Mapping[str, frozenset[str]]] = {
    "fact": USE_COUNTS,
    "episode": USE_COUNTS,
    "message": frozenset({"distilled_at"}),
}
"""Columns that change without anybody deciding it."""

DATED: Final[Mapping[str, str]] = {"conversation": "updated_at", "working_state": "recorded_at"}
"""Records without versions that say themselves when they last changed."""

VERSIONED: Final = frozenset({"fact", "rule", "episode", "candidate", "message"})


def verdict(
    table: str, ours: Row, theirs: Row, ours_changed: str | None, theirs_changed: str | None
) -> Verdict:
    """Decide between two rows of one identity; the times are those of each side's last version."""
    quiet = QUIET.get(table, frozenset())
    if all(theirs[name] == value for name, value in ours.items() if name not in quiet):
        return "same"
    if table == "message" and (ours["redacted_at"] is None) != (theirs["redacted_at"] is None):
        return "theirs" if ours["redacted_at"] is None else "ours"
    if table == "journal":
        return "theirs" if ours["undone_by"] is None else "ours"
    if table in DATED:
        column = DATED[table]
        return "theirs" if theirs[column] > ours[column] else "ours"
    if table in VERSIONED and (theirs_changed or "") > (ours_changed or ""):
        return "theirs"
    return "ours"
