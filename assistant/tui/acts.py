"""What the screen does to memory beyond one plain call, each as one function for the session thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.tui.screens.search import Found

if TYPE_CHECKING:
    from memory.memory import Memory

FOUND = 30


def keep_unsent(memory: Memory, *, conversation: str | None, text: str) -> None:
    """Keep the text of the input line; an empty one clears it."""
    memory.keep_unsent(conversation, text)


def keep_and_leave(memory: Memory, *, conversation: str | None, text: str) -> None:
    """Keep the text of the input line, and what the conversations that are left were about."""
    memory.keep_unsent(conversation, text)
    memory.close_episodes()


def unqueue(memory: Memory, *, conversation: str | None, drafts: Sequence[str], text: str) -> None:
    """Turn waiting messages back into the text of the input line."""
    memory.keep_unsent(conversation, text)
    for draft in drafts:
        memory.drop_draft(draft)


def search(memory: Memory, words: str) -> list[Found]:
    """Find messages, answers, facts and episodes by words and meaning."""
    return [
        Found(str(one.item.kind), one.item.ref, one.item.text, one.item.conversation, one.item.said_at)
        for one in memory.search(words, FOUND)
    ]
