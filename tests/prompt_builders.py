"""What prompts are made of, with only the fields that matter, and a tokenizer that any reader can follow."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from memory.prompt import PromptRequest, SentTurn
from memory.records import (
    AssembledPrompt,
    Episode,
    Fact,
    Hit,
    Item,
    ItemKind,
    Kind,
    Message,
    Origin,
    PromptMessage,
    Recall,
    Role,
)

MORNING = datetime(2026, 3, 3, 8, 30, tzinfo=UTC)
_TOKEN = re.compile(r"\w{1,4}|\s|[^\w\s]")


def tokens(text: str) -> list[str]:
    """Cut a text into tokens: up to four letters, or one other character."""
    return _TOKEN.findall(text)


def count(texts: Sequence[str]) -> list[int]:
    """Count tokens the way a model's tokenizer would be asked to."""
    return [len(tokens(text)) for text in texts]


def token_ids(messages: Sequence[PromptMessage]) -> list[str]:
    """Lay out a prompt as an engine does: control tokens around the content of each message."""
    ids: list[str] = []
    for message in messages:
        ids += [f"<start {message.role}>", *tokens(message.text.strip()), "<end>"]
    return ids


def said(text: str, ident: str = "m1", *, at: datetime = MORNING, zone: str = "+01:00") -> Message:
    """Make a message of the user."""
    return Message(ident, "default", "c1", None, Role.USER, text, at, zone)


def fact(
    ident: str,
    text: str,
    value: str = "",
    *,
    day: int = 0,
    origin: Origin = Origin.USER_SAID,
    message: str | None = None,
) -> Fact:
    """Make a fact that was said so many days after the first morning."""
    at = MORNING + timedelta(days=day)
    return Fact(
        ident, "default", "user", "note", value, text, Kind.FACT, origin, at, message=message, said_at=at
    )


def episode(ident: str, title: str, summary: str, *, day: int = 0) -> Episode:
    """Make an episode."""
    at = MORNING + timedelta(days=day)
    return Episode(ident, "default", "c0", "m-1", "m-2", title, "", summary, at, at, at)


def hit(
    source: Fact | str,
    *,
    ident: str = "i1",
    kind: ItemKind = ItemKind.FACT,
    origin: Origin = Origin.USER_SAID,
    score: float = 0.5,
    tentative: bool = False,
    note: str = "",
) -> Hit:
    """Make a hit on a fact, or on a text of another kind."""
    ref, text, at = (
        (source.id, source.text, source.said_at) if isinstance(source, Fact) else (ident, source, MORNING)
    )
    item = Item(1, f"item-{ref}", kind, ref, "default", text, origin=origin, said_at=at)
    return Hit(item, score, {"relevance": score}, at, tentative, note)


def recalled(*hits: Hit) -> Recall:
    """Make a recall of these hits, best first."""
    return Recall("words", hits)


def turn(request: PromptRequest, prompt: AssembledPrompt, answer: str | None = "Noted.") -> SentTurn:
    """Make the turn that a prompt becomes once it was answered."""
    return SentTurn(request.message.id, prompt.block, request.message.safe_text, answer, prompt.items)
