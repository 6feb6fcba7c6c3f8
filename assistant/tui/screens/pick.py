"""One question with a list under it: enter takes the row under the cursor, escape none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from assistant.tui.plain import visible
from assistant.tui.widgets.record_list import RecordList, Row


class PickScreen(ModalScreen[str | None]):
    """Ask which one; None when the user would rather not."""

    CSS_PATH = "confirm.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "leave it", id="pick.leave")]

    def __init__(self, question: str, rows: Sequence[Row]) -> None:
        super().__init__()
        self.question = question
        self.rows = tuple(rows)

    def compose(self) -> ComposeResult:
        """Lay out question and rows."""
        with Vertical(classes="dialog"):
            yield Static(Content.styled(visible(self.question), "bold"), markup=False)
            yield PickList(self.rows)
            yield Static("enter takes it · esc leaves it", markup=False, classes="hint")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take a row."""
        event.stop()
        self.dismiss(event.option_id)

    def action_leave(self) -> None:
        """Change nothing."""
        self.dismiss(None)


class PickList(OptionList):
    """The rows; j and k as in every list."""

    BINDINGS: ClassVar[list[BindingType]] = RecordList.BINDINGS[:4]

    def __init__(self, rows: Sequence[Row]) -> None:
        super().__init__(*(Option(row.text, id=row.id) for row in rows), markup=False, id="pick")

    def on_mount(self) -> None:
        """Take the keyboard, on the first row."""
        self.focus()
        self.highlighted = 0
