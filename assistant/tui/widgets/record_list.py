"""A list of memories under the keyboard: j k g G, marks, and one key for each thing that can be done.

Says what the user asked for; does none of it. Takes rows in calls, never a store.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from assistant.tui.messages import Act, ActAsked, UndoAsked


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a list; a heading when it has no id."""

    text: Content
    id: str | None = None


class RecordList(OptionList):
    """Rows that can be moved over, marked and acted on."""

    BINDING_GROUP_TITLE = "In a list"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", "down", id="list.down"),
        Binding("k", "cursor_up", "up", id="list.up"),
        Binding("g", "first", "first", id="list.first"),
        Binding("G", "last", "last", id="list.last"),
        Binding("enter", "select", "open", id="list.open"),
        Binding("d", "ask('forget')", "forget", id="list.forget"),
        Binding("a", "ask('archive')", "archive", id="list.archive"),
        Binding("p", "ask('pin')", "pin or unpin", id="list.pin"),
        Binding("e", "ask('edit')", "edit", id="list.edit"),
        Binding("h", "ask('history')", "history", id="list.history"),
        Binding("space", "mark", "mark", id="list.mark"),
        Binding("u", "undo", "undo the last change", id="list.undo"),
        Binding("plus", "ask('should')", "should have been remembered for this question", id="list.should"),
        Binding("minus", "ask('should_not')", "should not have been", id="list.should_not"),
    ]

    def __init__(self, kind: str, *, empty: str = "", id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, markup=False)
        self.kind = kind
        self.empty = empty
        self.rows: tuple[Row, ...] = ()
        self.marked: set[str] = set()

    def show(self, rows: Iterable[Row]) -> None:
        """Replace the rows and stay on the same one; where it is gone, on what took its place."""
        rows = tuple(rows)
        if rows == self.rows and self.option_count:
            return
        at, place = self.chosen, self.highlighted
        self.rows = rows
        self.marked &= {row.id for row in self.rows if row.id}
        self.set_options(self._option(row) for row in self.rows)
        if not self.rows and self.empty:
            self.add_option(Option(Content.styled(self.empty, "$muted"), disabled=True))
        ids = [row.id for row in self.rows]
        if at is not None and place is not None:
            real = [number for number, ident in enumerate(ids) if ident is not None]
            nearest = min(real, key=lambda number: (number < place, abs(number - place)), default=None)
            self.highlighted = ids.index(at) if at in ids else nearest

    @property
    def chosen(self) -> str | None:
        """The id of the row under the cursor."""
        option = self.highlighted_option
        return option.id if option else None

    @property
    def targets(self) -> tuple[str, ...]:
        """What an action applies to: the marked rows, else the one under the cursor."""
        if self.marked:
            return tuple(row.id for row in self.rows if row.id in self.marked and row.id)
        return (self.chosen,) if self.chosen else ()

    def action_ask(self, act: str) -> None:
        """Tell the screen what is wanted."""
        if targets := self.targets:
            self.post_message(ActAsked(Act(act), self.kind, targets))

    def action_mark(self) -> None:
        """Mark or unmark the row under the cursor and go on to the next."""
        if self.chosen is None:
            return
        self.marked ^= {self.chosen}
        row = next(row for row in self.rows if row.id == self.chosen)
        self.replace_option_prompt(self.chosen, self._option(row).prompt)
        self.action_cursor_down()

    def action_undo(self) -> None:
        """Ask for the last change to be undone."""
        self.post_message(UndoAsked())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open what was chosen."""
        event.stop()
        if event.option_id:
            self.post_message(ActAsked(Act.OPEN, self.kind, (event.option_id,)))

    def _option(self, row: Row) -> Option:
        if row.id is None:
            return Option(row.text, disabled=True)
        text = Content.assemble(("✓ ", "$accent"), row.text) if row.id in self.marked else row.text
        return Option(text, id=row.id)
