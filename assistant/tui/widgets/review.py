"""Memories that wait for the user's yes: each with the exact words it came from, y and n to answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from assistant.tui.snapshot import Waiting
from assistant.tui.widgets.fact_card import waiting_line
from assistant.tui.widgets.record_list import RecordList, Row


class ReviewList(RecordList):
    """Candidates, oldest first."""

    BINDING_GROUP_TITLE = "In Review"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "ask('accept')", "remember it", id="review.accept"),
        Binding("n", "ask('reject')", "do not remember it", id="review.reject"),
        Binding("a", "ask('archive')", "never propose it again", id="review.never"),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - textual's own name
        super().__init__("candidate", empty="Nothing waits for your yes.", id=id)

    def show_waiting(self, waiting: Sequence[Waiting]) -> None:
        """Show these candidates."""
        self.show(Row(waiting_line(one), one.id) for one in waiting)
