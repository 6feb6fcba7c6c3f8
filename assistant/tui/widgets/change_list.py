"""What was written to memory, the last act first; u takes back the one under the cursor."""

from __future__ import annotations

from assistant.tui.messages import UndoAsked
from assistant.tui.widgets.record_list import RecordList


class ChangeList(RecordList):
    """Acts on memory."""

    BINDING_GROUP_TITLE = "In Changes"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - textual's own name
        super().__init__("change", empty="Nothing was written to memory yet.", id=id)

    def action_undo(self) -> None:
        """Ask for the act under the cursor to be undone."""
        if self.chosen is not None:
            self.post_message(UndoAsked(self.chosen))
