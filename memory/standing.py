"""What stands in a conversation's prompt before anybody speaks: its top and its turns, for reading ahead of time.

Owns the comparison of the stored top with what it would say now. The surprise: a top that is out of date is only
replaced once an engine has read the new prompt to its end, so that no message ever pays for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory.budget import BudgetSettings
from memory.core import Core
from memory.head import says_the_same
from memory.ports import CountTokens
from memory.prompt import render_head, standing
from memory.records import PromptMessage
from memory.store import conversations, traces
from memory.window import head_parts, must_rebuild, window_above

CROWDED = 0.8
CROWDED_TURNS = 5


@dataclass(frozen=True, slots=True)
class Standing:
    """The beginning of the next prompt."""

    conversation: str | None
    messages: tuple[PromptMessage, ...]
    head: str
    rebuilt: bool = False
    """Whether the next prompt will have a top made anew, above turns that were sent before."""
    replaces: str | None = None
    """The stored top that this one is to replace once it has been read; None when it is the stored one."""


def standing_prompt(
    core: Core,
    conversation: str | None,
    budget: BudgetSettings,
    count: CountTokens,
    model_sha256: str | None = None,
) -> Standing:
    """Give the beginning of a conversation's next prompt."""
    if conversation is None:
        head = render_head(head_parts(core, ""), budget, count)
        return Standing(None, (PromptMessage("system", head),), head)
    leaf = conversations.get_conversation(core.db, core.profile, conversation).leaf
    seen = window_above(core, conversation, leaf)
    stored, parts = seen.conversation.head, head_parts(core, conversation)
    fresh = render_head(parts, budget, count, seen.earlier)
    if must_rebuild(seen, model_sha256) or stored is None:
        return Standing(conversation, tuple(standing(fresh, seen.turns)), fresh, rebuilt=bool(seen.turns))
    if not says_the_same(stored, fresh):
        return Standing(conversation, tuple(standing(fresh, seen.turns)), fresh, replaces=stored)
    return Standing(conversation, tuple(standing(stored, seen.turns)), stored)


def keep_standing(core: Core, read: Standing) -> None:
    """Store a refreshed top that has been read."""
    if read.conversation is None or read.replaces is None:
        return
    here = conversations.find_conversation(core.db, core.profile, read.conversation)
    if here is not None and here.head == read.replaces:
        conversations.set_head(core.db, core.profile, read.conversation, read.head)


def is_crowded(core: Core, conversation: str, room: int) -> bool:
    """Tell whether the newest five prompts, and no sixth, used more than four fifths of the room."""
    newest = traces.newest_traces(core.db, core.profile, conversation, CROWDED_TURNS + 1)
    full = [sum(section.tokens for section in trace.sections) > CROWDED * room for trace in newest]
    return (
        len(full) >= CROWDED_TURNS and all(full[:CROWDED_TURNS]) and not all(full[CROWDED_TURNS:] or [False])
    )
