"""F1: every key from the bindings themselves, every command, and how to select text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import ModalScreen
from textual.widgets import Static

from assistant.chat.commands import SPECS
from assistant.tui.keys import key_table

SELECTING = (
    "Drag over text to select it, ctrl+c copies it. With shift held down while dragging, your terminal "
    "selects by itself (on a Mac: fn or option). On a selected message y copies all of it."
)
COLUMN = 22


class HelpScreen(ModalScreen[None]):
    """Everything the keyboard can do."""

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,q", "leave", "close the help", id="help.close"),
        Binding("j", "down", "down", id="help.down"),
        Binding("k", "up", "up", id="help.up"),
    ]

    def __init__(self, groups: Sequence[tuple[str, type[DOMNode]]], keymap: Mapping[str, str]) -> None:
        super().__init__()
        self.groups = tuple(groups)
        self.keymap = keymap

    def compose(self) -> ComposeResult:
        """Lay out one long page."""
        with VerticalScroll(id="help"):
            yield Static(help_content(self.groups, self.keymap), markup=False)

    def on_mount(self) -> None:
        """Make the page scroll by keys at once."""
        self.query_one("#help").border_title = "Help"
        self.query_one("#help").border_subtitle = "esc closes"
        self.query_one("#help").focus()

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)

    def action_down(self) -> None:
        """Scroll down."""
        self.query_one("#help").scroll_down(animate=False)

    def action_up(self) -> None:
        """Scroll up."""
        self.query_one("#help").scroll_up(animate=False)


def help_content(groups: Sequence[tuple[str, type[DOMNode]]], keymap: Mapping[str, str]) -> Content:
    """Write the page."""
    rows: list[Content] = []
    for title, owner in groups:
        rows.append(Content.styled(title, "bold $primary"))
        rows += [_row(key, words) for key, words in key_table(owner, keymap)]
        rows.append(Content(""))
    rows.append(Content.styled("Commands", "bold $primary"))
    rows += [_row(spec.usage, spec.summary) for spec in SPECS]
    rows += [Content(""), Content.styled("Selecting text", "bold $primary"), Content(SELECTING)]
    return Content("\n").join(rows)


def _row(left: str, right: str) -> Content:
    return Content.assemble((left.ljust(COLUMN), "$accent"), " ", right)
