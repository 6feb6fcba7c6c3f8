"""Messages that more than one widget sends. Everything else nests in its widget."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from textual.message import Message


class Act(StrEnum):
    """What a person may do with a memory in a list."""

    OPEN = "open"
    FORGET = "forget"
    ARCHIVE = "archive"
    PIN = "pin"
    EDIT = "edit"
    HISTORY = "history"
    UNDO = "undo"
    ACCEPT = "accept"
    REJECT = "reject"
    ADD = "add"
    TICK = "tick"
    BACK = "back"
    SHOULD = "should"
    SHOULD_NOT = "should_not"


@dataclass
class ActAsked(Message):
    """The user wants something done with these memories."""

    act: Act
    kind: str
    """"fact", "rule", "episode", "item", "candidate", "working" or "conversation"."""
    ids: tuple[str, ...]


class WorkGotOn(Message):
    """Work that the user asked for and waits for is a step further."""

    def can_replace(self, message: Message) -> bool:
        """Let one stand for many."""
        return isinstance(message, WorkGotOn)


@dataclass
class UndoAsked(Message):
    """The user wants the last change undone."""

    journal: str | None = None
    """The journal row; None is the last one."""
