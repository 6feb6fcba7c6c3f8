"""From what a run of messages marks to the episode that is kept of it.

Pure: cues and changes in, a record out. Owns its words and their masking. One surprise: a value that was
replaced is an entry of the episode even when the user never called it a correction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.episode_cues import EpisodeCues
from memory.records import Episode, Fact, Message
from memory.secrets import mask

SUMMARY_PARTS = 3


@dataclass(frozen=True, slots=True)
class Place:
    """Where and when an episode belongs."""

    id: str
    profile: str
    conversation: str
    recorded_at: datetime


def episode_of(
    cues: EpisodeCues,
    said: Sequence[Message],
    changes: Iterable[tuple[Fact, Fact]],
    place: Place,
) -> Episode | None:
    """Return the episode of the user's messages, with what changed in them; None when nothing is worth one."""
    changed = tuple(_clean(change_line(old, new)) for old, new in changes)
    if not said or not (cues.is_worth_keeping or changed):
        return None
    told = {line.partition(" (")[0].casefold() for line in changed}
    corrections = (*(text for text in _all(cues.corrections) if text.casefold() not in told), *changed)
    preferences, threads = _all(cues.preferences), _all(cues.open_threads)
    first = next(iter((*corrections, *preferences, *threads)), "")
    return Episode(
        id=place.id,
        profile=place.profile,
        conversation=place.conversation,
        first_message=said[0].id,
        last_message=said[-1].id,
        title=_clean(cues.title) or first,
        goal=_clean(cues.goal),
        summary=_clean(cues.summary) or _joined((*corrections, *preferences, *threads)[:SUMMARY_PARTS]),
        started_at=said[0].said_at,
        ended_at=said[-1].said_at,
        recorded_at=place.recorded_at,
        topics=_all(cues.topics),
        actions=_all(cues.actions),
        decisions=_all(cues.decisions),
        corrections=corrections,
        lessons=_all(cues.lessons),
        preferences=preferences,
        open_threads=threads,
        artifacts=_all(cues.artifacts),
        outcome=_clean(cues.outcome),
    )


def change_line(old: Fact, new: Fact) -> str:
    """Write how one value took another's place."""
    return f"{new.text} ({old.value} → {new.value})"


def _all(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(_clean(text) for text in texts if text.strip())


def _clean(text: str) -> str:
    return mask(text) or text


def _joined(parts: Sequence[str]) -> str:
    return " ".join(part if part.endswith((".", "!", "?", "…", "。", "।")) else f"{part}." for part in parts)
