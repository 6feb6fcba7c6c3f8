"""A list whose rows are ticked or not, told apart by a sign and not by colour alone.

Textual draws the same mark in both states and only colours it; without colour, or in a picture, what stays
would look as if it goes.
"""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip
from textual.widgets import SelectionList
from textual.widgets.option_list import OptionDoesNotExist

MARK = 1
"""Which segment of a row holds the mark, between its two sides."""


class TickList(SelectionList[str]):
    """Rows with an X where they are ticked and nothing where they are not."""

    def render_line(self, y: int) -> Strip:
        """Draw one row; an unticked one has an empty box."""
        strip = super().render_line(y)
        try:
            row = self.get_option_at_index(self.scroll_offset.y + y)
        except OptionDoesNotExist:
            return strip
        segments = list(strip)
        if row.value not in self.selected and len(segments) > MARK:
            mark = segments[MARK]
            segments[MARK] = Segment(" " * len(mark.text), mark.style, mark.control)
            return Strip(segments, strip.cell_length)
        return strip
