"""What became of an import, and the way a mere trial ends. Knows no format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something of another program's export that was left out, and why."""

    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of an import, as counts by kind."""

    added: Mapping[str, int] = field(default_factory=dict)
    same: Mapping[str, int] = field(default_factory=dict)
    changed: Mapping[str, int] = field(default_factory=dict)
    """Records here that gave way to a later state."""
    kept: Mapping[str, int] = field(default_factory=dict)
    """Records that differ and stay as they are here."""
    refused: Mapping[str, int] = field(default_factory=dict)
    """Records of what was forgotten here."""
    skipped: tuple[Skipped, ...] = ()
    forgotten_elsewhere: tuple[str, ...] = ()
    """Facts here that the other store was told to forget."""


class TakenBack(Exception):  # noqa: N818 - an ending, not an error
    """Ends the transaction of a dry run."""


def go_on_unless(dry_run: bool) -> None:
    """End the transaction here when it was only a trial."""
    if dry_run:
        raise TakenBack
