"""Records that only the stores and those who list them need.

The words that every part of memory shares are in ``memory.records``; these are the bookkeeping around them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from memory.records import Candidate

DerivationRole = Literal["source", "context", "prompt", "replaces", "consolidated", "accepted"]
CandidateState = Literal["pending", "accepted", "rejected", "rejected_always", "set_aside"]
DraftKind = Literal["unsent", "queued", "history"]


@dataclass(frozen=True, slots=True)
class Profile:
    """One person's partition of the store."""

    id: str
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text file that came with a message."""

    id: str
    profile: str
    conversation: str
    message: str | None
    name: str
    media_type: str
    text: str
    sha256: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Draft:
    """Words of the user that are not a message yet, or lines they typed before."""

    id: str
    profile: str
    conversation: str | None
    kind: DraftKind
    text: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Derivation:
    """What came from what: ``child`` was made from ``parent``."""

    child: str
    child_kind: str
    parent: str
    parent_kind: str
    role: DerivationRole
    start: int | None = None
    end: int | None = None
    """The characters of the parent it rests on; None for the whole."""


@dataclass(frozen=True, slots=True)
class Version:
    """What a record was before and after one act, as the rows that were written."""

    id: str
    profile: str
    kind: str
    ref: str
    before: Mapping[str, Any] | None
    """None when the act made the record."""
    after: Mapping[str, Any] | None
    """None when the act removed the record."""
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class QueuedCandidate:
    """A candidate that waits for the user, or what the user said about it."""

    id: str
    profile: str
    conversation: str | None
    message: str | None
    candidate: Candidate
    reason: str
    recorded_at: datetime
    state: CandidateState = "pending"
    result: str | None = None
    """The id of what was made of it."""
    decided_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A mark, without content, that something must not come back."""

    id: str
    profile: str
    kind: str
    hash: str
    recorded_at: datetime
    message: str | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Certificate:
    """The record of a verified forget; it holds no content."""

    id: str
    profile: str
    payload: Mapping[str, Any]
    mac: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Golden:
    """A question of the user's own with what recall should, or should not, find."""

    id: str
    profile: str
    question: str
    expected: tuple[str, ...]
    should: bool
    recorded_at: datetime
