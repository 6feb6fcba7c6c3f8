"""Two small questions: yes or no with a list of what it concerns, and one line of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from assistant.tui.plain import one_line, visible


class ConfirmScreen(ModalScreen[bool]):
    """Ask before something happens; the safe answer has the focus."""

    CSS_PATH = "confirm.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "yes", id="confirm.yes"),
        Binding("n,escape", "answer(False)", "no", id="confirm.no"),
        Binding("left,right", "other", "the other answer", id="confirm.other"),
    ]

    def __init__(
        self,
        question: str,
        detail: str = "",
        *,
        preview: Sequence[str] = (),
        yes: str = "Yes",
        no: str = "No",
    ) -> None:
        super().__init__()
        self.question = question
        self.detail = detail
        self.preview = tuple(preview)
        self.words = (yes, no)

    def compose(self) -> ComposeResult:
        """Lay out question, what it concerns, and two answers."""
        with Vertical(classes="dialog"):
            yield Static(Content.styled(visible(self.question), "bold"), markup=False)
            if self.detail:
                yield Static(Content(visible(self.detail)), markup=False, classes="detail")
            if self.preview:
                with VerticalScroll(classes="preview", can_focus=False):
                    for text in self.preview:
                        yield Static(Content(f"· {one_line(text, 300)}"), markup=False)
            with Horizontal(classes="answers"):
                yield Button(Content(f"{self.words[0]} (y)"), id="yes", compact=True)
                yield Button(Content(f"{self.words[1]} (n)"), id="no", compact=True)

    def on_mount(self) -> None:
        """Put the focus on no."""
        self.query_one("#no").focus()

    def action_answer(self, yes: bool) -> None:
        """Answer by key."""
        self.dismiss(yes)

    def action_other(self) -> None:
        """Go to the other answer."""
        self.focus_next()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer by button."""
        event.stop()
        self.dismiss(event.button.id == "yes")


class AskScreen(ModalScreen[str | None]):
    """Ask for one line; None when the user would rather not."""

    CSS_PATH = "confirm.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "leave it", id="ask.leave")]

    def __init__(self, question: str, value: str = "") -> None:
        super().__init__()
        self.question = question
        self.value = value

    def compose(self) -> ComposeResult:
        """Lay out question and field."""
        with Vertical(classes="dialog"):
            yield Static(Content.styled(visible(self.question), "bold"), markup=False)
            yield Input(self.value, id="line", select_on_focus=False)
            yield Static("enter takes it · esc leaves it", markup=False, classes="hint")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the line."""
        event.stop()
        self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        """Change nothing."""
        self.dismiss(None)
