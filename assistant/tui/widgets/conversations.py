"""The list of conversations: a search field, day headings, one line each.

Takes records, says which one was chosen. The list is called after the word people use for what is in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from assistant.tui.days import day_heading, local
from assistant.tui.plain import one_line
from assistant.tui.widgets.record_list import RecordList, Row
from memory.ports import Clock
from memory.records import Conversation

UNTITLED = "untitled"


def rows_by_day(
    conversations: Sequence[Conversation], now: datetime, cells: int, current: str | None
) -> list[Row]:
    """Put conversations under the day they were last spoken in, newest first."""
    rows: list[Row] = []
    heading = ""
    for one in sorted(conversations, key=lambda c: (c.updated_at, c.id), reverse=True):
        words = day_heading(local(one.updated_at, now).date(), now.date())
        if words != heading:
            heading = words
            rows.append(Row(Content.styled(words, "$muted")))
        here = "▸ " if one.id == current else "  "
        title = one_line(one.title or UNTITLED, max(4, cells - 2))
        rows.append(Row(Content.assemble((here, "$accent"), title), one.id))
    return rows


class ConversationList(Vertical):
    """Conversations to go back to."""

    @dataclass
    class Searched(Message):
        """The user typed into the search field."""

        query: str

        def can_replace(self, message: Message) -> bool:
            """Only the latest words matter."""
            return isinstance(message, ConversationList.Searched)

    def __init__(self, now: Clock, *, id: str | None = None) -> None:  # noqa: A002 - textual's own name
        super().__init__(id=id)
        self.now = now
        self.conversations: tuple[Conversation, ...] = ()
        self.current: str | None = None

    @property
    def words(self) -> str:
        """What is typed into the search field."""
        return self.query_one(Input).value.strip()

    def compose(self) -> ComposeResult:
        """Lay out the field above the list."""
        yield Input(placeholder="search conversations", id="conversation-search", compact=True)
        yield RecordList("conversation", empty="Nothing here yet.", id="conversation-list")

    def show(self, conversations: Sequence[Conversation], current: str | None) -> None:
        """Show these, with the current one marked."""
        self.conversations = tuple(conversations)
        self.current = current
        self._draw()

    def on_resize(self) -> None:
        """Cut titles to the new width."""
        self._draw()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass the words on."""
        event.stop()
        self.post_message(self.Searched(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go from the field to what it found."""
        event.stop()
        self.query_one(RecordList).focus()

    def _draw(self) -> None:
        cells = max(12, self.content_size.width - 2)
        self.query_one(RecordList).show(rows_by_day(self.conversations, self.now(), cells, self.current))
