"""What can be told about a vault without any secret.

Reads names, sizes, the key file's clear part and the lock. Whether the store needs a migration cannot be seen:
its schema number is encrypted with the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memory.vault import keyfile
from memory.vault.errors import KeyFileDamaged, NewerVersion, VaultError
from memory.vault.layout import Layout, sidecars
from memory.vault.lock import Holder, find_holder


@dataclass(frozen=True, slots=True)
class SlotSummary:
    """The clear part of one key slot."""

    kind: str
    label: str
    created: str


@dataclass(frozen=True, slots=True)
class VaultStatus:
    """A vault seen from outside."""

    folder: Path
    exists: bool
    in_use_by: Holder | None
    """None when no writer has it open."""
    store_bytes: int
    log_bytes: int
    backups: int
    slots: tuple[SlotSummary, ...]
    rotating: bool
    """A change of the data key was interrupted; the next opening finishes it."""
    restoring: bool
    """A restore was interrupted; the next opening finishes it."""
    problem: VaultError | None
    """What is wrong with the key file, as far as that shows from outside."""


def vault_status(folder: Path, *, allow_cheap: bool = False) -> VaultStatus:
    """Look at a vault without unlocking or changing anything."""
    layout = Layout(folder)
    exists = layout.key_file.exists() or layout.store.exists() or layout.restoring.exists()
    slots: tuple[SlotSummary, ...] = ()
    rotating = False
    problem: VaultError | None = None
    if exists:
        try:
            key_file = keyfile.load(layout.key_file, allow_cheap=allow_cheap)
        except (KeyFileDamaged, NewerVersion) as error:
            problem = error
        else:
            slots = tuple(SlotSummary(slot.kind, slot.label, slot.created) for slot in key_file.slots)
            rotating = key_file.rotating
    return VaultStatus(
        folder=folder,
        exists=exists,
        in_use_by=find_holder(layout.lock),
        store_bytes=_size(layout.store),
        log_bytes=_size(sidecars(layout.store)[0]),
        backups=sum(1 for entry in layout.backups.glob("*/vault.key")) if layout.backups.exists() else 0,
        slots=slots,
        rotating=rotating,
        restoring=layout.restoring.exists(),
        problem=problem,
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
