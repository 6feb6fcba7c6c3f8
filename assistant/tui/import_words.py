"""What became of an import, in a person's words. Pure; the verbs count every kind of record instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from assistant.carrying import remark_lines
from assistant.tui.plain import counted

if TYPE_CHECKING:
    from memory.transfer.report import ImportReport

KINDS = {
    "conversation": ("conversation", "conversations"),
    "message": ("message", "messages"),
    "fact": ("fact", "facts"),
    "candidate": ("memory for Review", "memories for Review"),
    "rule": ("rule", "rules"),
    "episode": ("episode", "episodes"),
    "attachment": ("attached file", "attached files"),
}
"""The kinds a person knows; the rest are counted together."""
MOST = 200
"""Lines that are shown."""


def shown_lines(report: ImportReport) -> list[str]:
    """Say what came of an import, in as many lines as can be looked through."""
    outcomes: list[tuple[str, Mapping[str, int]]] = [
        ("new", report.added),
        ("here already", report.same),
        ("brought up to date", report.changed),
        ("newer here", report.kept),
        ("forgotten here, so left out", report.refused),
    ]
    lines = [f"{outcome}: {_counts(counts)}" for outcome, counts in outcomes if any(counts.values())]
    lines = [*(lines or ["There is nothing in it."]), *remark_lines(report)]
    more = len(lines) - MOST
    return lines if more <= 0 else [*lines[:MOST], f"… {more:,} more"]


def _counts(counts: Mapping[str, int]) -> str:
    parts = [counted(counts[kind], *words) for kind, words in KINDS.items() if counts.get(kind)]
    if rest := sum(number for kind, number in counts.items() if kind not in KINDS):
        parts.append(counted(rest, "other record"))
    return ", ".join(parts)
