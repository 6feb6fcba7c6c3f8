"""The working state of one conversation as a list: goal, steps, what is known, what is open, each with a key to change it.

Rows are named as the verbs name them ("step-2"); the last row of each part adds to it. The surprise: u takes back the
last change made here, not the last change of memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from textual.binding import Binding, BindingType
from textual.content import Content

from assistant.tui.messages import Act, ActAsked
from assistant.tui.plain import visible
from assistant.tui.widgets.record_list import RecordList, Row
from memory.records import WorkingState
from memory.working_edits import PARTS, places

MARKS: Final = {"open": "○", "doing": "◐", "done": "●"}
HEADINGS: Final = {"goal": "goal", "step": "steps", "known": "known so far", "question": "open questions"}
NEW: Final = {"goal": "a goal", "step": "a step", "known": "something known", "question": "a question"}
ADDS: Final = "new-"
"""Before the name of a part: the row that adds to it."""


class WorkingList(RecordList):
    """What is true of this conversation now."""

    BINDING_GROUP_TITLE = "In Working"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "ask('add')", "add one", id="working.add"),
        Binding("space", "ask('tick')", "how far a step is", id="working.tick"),
        Binding("d", "ask('forget')", "take it out", id="working.remove"),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - textual's own name
        super().__init__(
            "working",
            empty="A goal, steps and open questions belong to a conversation: say something first.",
            id=id,
        )
        self.state: WorkingState | None = None
        self.before: WorkingState | None = None
        """What the last change here replaced."""

    def show_state(self, state: WorkingState | None) -> None:
        """Show a state; with none, what could be taken back is dropped too."""
        self.state = state
        if state is None:
            self.before = None
        self.show(() if state is None else working_rows(state))

    def action_undo(self) -> None:
        """Ask for the last change made here to be taken back."""
        self.post_message(ActAsked(Act.UNDO, self.kind, ()))


def working_rows(state: WorkingState) -> Iterator[Row]:
    """List every part with its heading, its pieces and the row that adds to it."""
    statuses = {f"step-{n}": status for n, (_, status) in enumerate(state.steps, 1)}
    named = places(state)
    for part in PARTS:
        yield Row(Content.styled(HEADINGS[part], "$primary"))
        mine = [(place, text) for place, text in named if place.partition("-")[0] == part]
        for place, text in mine:
            mark = MARKS.get(statuses[place], "○") if place in statuses else "·"
            yield Row(Content(f"{mark} {visible(text)}"), place)
        if part != "goal" or not mine:
            yield Row(Content.styled(f"+ {NEW[part]}", "$muted"), ADDS + part)
