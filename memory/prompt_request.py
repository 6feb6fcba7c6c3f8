"""What a prompt is asked for: the new words, what was recalled and changed, and the window as it stands.

Owns shapes only. The surprise: an earlier turn comes with its block as it was stored and with what that block
carried, and neither is ever made again from memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from memory.blocks import words_of
from memory.budget import BudgetSettings
from memory.head import HeadParts, is_at_the_top
from memory.records import Fact, Message, Recall, SentItem, WorkingState
from memory.working import running_summary

Summarise = Callable[[str, Sequence[tuple[str, str | None]]], str]
"""From the running summary and the turns that leave, as words and answer, to the new running summary."""


@dataclass(frozen=True, slots=True)
class SentTurn:
    """One earlier turn as it stands in the window."""

    message_id: str
    block: str
    """As stored, to the last character."""
    text: str
    """The user's words, in their masked form."""
    answer: str | None
    """None when no word came."""
    items: tuple[SentItem, ...] = ()
    """What its prompt carried new; items of the top may be among them and do not count."""

    @property
    def content(self) -> str:
        """The user's side of the turn as it is sent."""
        return self.block + words_of(self.text)

    @property
    def block_items(self) -> tuple[SentItem, ...]:
        """The items whose lines are in this turn's block."""
        return tuple(item for item in self.items if not is_at_the_top(item))


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """All that one prompt is made of."""

    message: Message
    """The user's new words; their raw text is sent."""
    recall: Recall
    """Facts in the window should be among its hits when they match: their newest line may have to be repeated."""
    head: str | None = None
    """The top as it was sent before; None before the first prompt."""
    head_parts: HeadParts = field(default_factory=HeadParts)
    """Rendered when there is no top yet or it is rebuilt; else only compared with the top."""
    turns: tuple[SentTurn, ...] = ()
    """The turns in the window, oldest first."""
    updates: tuple[tuple[Fact, Fact], ...] = ()
    """Old and new versions of facts that changed in this window, also by this very message."""
    state: WorkingState | None = None
    """None when it is empty or known not to have changed; one that the window tells already is not sent again."""
    state_ended: tuple[str, ...] = ()
    """Lines for the fields of the state that the window tells of and the user has emptied since."""
    earlier_summary: str = ""
    """The running summary of the turns that left before."""
    notices: tuple[str, ...] = ()
    """Short words for the model about this turn."""
    settings: BudgetSettings = field(default_factory=BudgetSettings)
    frame_tokens: int = 5
    """Tokens that the template puts around one message."""
    rebuild: bool = False
    """Whether the top must be rendered anew."""
    again: SentTurn | None = None
    """This very message as it was sent before, when it is to be answered again; its block is kept if it fits."""
    summarise: Summarise = running_summary
