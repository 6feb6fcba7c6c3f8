"""One of several answers, told apart by its sign and not by colour alone: Textual draws the same dot in both states."""

from __future__ import annotations

from textual.widgets import RadioButton

CHOSEN, OTHER = "●", "○"


class Choice(RadioButton):
    """A radio button with a full dot where it is chosen and an empty one where it is not."""

    def __init__(self, words: str, name: str, *, chosen: bool = False) -> None:
        super().__init__(words, value=chosen, name=name)
        self.BUTTON_INNER = CHOSEN if chosen else OTHER

    def watch_value(self) -> None:
        """Draw the sign of the new state."""
        self.BUTTON_INNER = CHOSEN if self.value else OTHER
        super().watch_value()
