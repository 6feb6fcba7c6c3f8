"""A set of conversations with questions, read from one JSON file.

Owns the form of that file: conversations with dated items (turns, observations with the turns they rest on,
summaries) and questions with the items that answer them. Refuses files of another shape with words. One
surprise: a question may have no evidence at all, which is the point of asking it.
"""

from __future__ import annotations

import json
import stat
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

KINDS = ("turn", "observation", "summary")
"""The kinds of items a file may hold."""

DECOY = "adversarial"
"""The category of questions that have no true answer; judged apart."""


LARGEST_FILE = 256_000_000
"""Bytes; the sets people measure with have some millions."""
YEARS = range(1970, 3000)


class BadDataset(Exception):  # noqa: N818 - a quality of the file, said to a person
    """The file is not a set of conversations with questions."""


@dataclass(frozen=True, slots=True)
class DatasetItem:
    """One thing that was said or noted."""

    id: str
    kind: str
    text: str
    said_at: datetime
    speaker: str = ""
    session: str = ""
    refs: tuple[str, ...] = ()
    """For a note: the turns it rests on."""

    @property
    def covers(self) -> tuple[str, ...]:
        """The turns that are answered for when this item is found."""
        return self.refs if self.kind != "turn" else (self.id,)


@dataclass(frozen=True, slots=True)
class Question:
    """One question and the turns that answer it."""

    id: str
    category: str
    text: str
    evidence: frozenset[str]
    unanswerable: bool = False

    @property
    def is_decoy(self) -> bool:
        """Whether nothing should be found, though something similar is there."""
        return self.unanswerable or self.category == DECOY


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One long conversation, or one person's notes, with its questions."""

    id: str
    now: datetime
    items: tuple[DatasetItem, ...]
    questions: tuple[Question, ...]

    @property
    def never_found(self) -> int:
        """How many pieces of evidence name nothing that is here."""
        there = {item.id for item in self.items}
        return sum(len(question.evidence - there) for question in self.questions)


def read_dataset(path: Path) -> list[Dialogue]:
    """Read a file; raise BadDataset when it has another shape."""
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode):
            raise BadDataset(f"the file {path.name} is not a regular file")
        if state.st_size > LARGEST_FILE:
            raise BadDataset(f"the file {path.name} has {state.st_size:,} bytes; {LARGEST_FILE:,} fit")
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadDataset(f"the file {path.name} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadDataset(f"the file {path.name} is not UTF-8") from error
    except RecursionError as error:
        raise BadDataset(f"the file {path.name} is nested too deep") from error
    except ValueError as error:
        raise BadDataset(f"the file {path.name} is not JSON: {error}") from error
    return dialogues_of(found, path.name)


def dialogues_of(found: Any, name: str) -> list[Dialogue]:
    """Read dialogues out of parsed JSON."""
    try:
        dialogues = list(_dialogues(found))
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else error
        raise BadDataset(f"the file {name} is not a set of conversations with questions: {reason}") from error
    if not any(dialogue.questions for dialogue in dialogues):
        raise BadDataset(f"the file {name} holds no question")
    return dialogues


def _dialogues(found: Any) -> Iterator[Dialogue]:
    if not isinstance(found, Mapping):
        raise TypeError(f"a set is no {type(found).__name__}")
    for conversation in found["conversations"]:
        items = tuple(_item(raw) for raw in conversation["items"])
        twice = [ident for ident, times in Counter(item.id for item in items).items() if times > 1]
        if twice:
            raise ValueError(f"two items of one conversation are called {twice[0][:40]!r}")
        latest = max((item.said_at for item in items), default=datetime(2025, 1, 1, tzinfo=UTC))
        now = conversation.get("now")
        yield Dialogue(
            id=str(conversation["conv_id"]),
            now=_instant(now) if now else latest,
            items=items,
            questions=tuple(_question(raw) for raw in conversation.get("questions", [])),
        )


def _item(raw: Mapping[str, Any]) -> DatasetItem:
    kind = str(raw.get("kind", "turn"))
    if kind not in KINDS:
        raise ValueError(f"unknown kind of item: {kind}")
    return DatasetItem(
        id=str(raw["id"]),
        kind=kind,
        text=_text(raw["text"]),
        said_at=_instant(raw["date"]) if raw.get("date") else datetime(2025, 1, 1, tzinfo=UTC),
        speaker=str(raw.get("speaker") or ""),
        session=str(raw.get("session", "")),
        refs=_ids(raw.get("refs")),
    )


def _question(raw: Mapping[str, Any]) -> Question:
    return Question(
        id=str(raw["qid"]),
        category=str(raw.get("category", "all")),
        text=_text(raw["question"]),
        evidence=frozenset(_ids(raw.get("evidence"))),
        unanswerable=bool(raw.get("unanswerable", False)),
    )


def _ids(given: Any) -> tuple[str, ...]:
    if given and not isinstance(given, list):
        raise TypeError(f"a list of ids is no {type(given).__name__}")
    return tuple(map(str, given or ()))


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError(f"a text is no {type(given).__name__}")
    given.encode()  # half a character cannot be kept: raises ValueError
    return given


def _instant(written: str) -> datetime:
    instant = datetime.fromisoformat(written)
    if instant.year not in YEARS:
        raise ValueError(f"a date of the year {instant.year}")
    return instant if instant.tzinfo is not None else instant.replace(tzinfo=UTC)
