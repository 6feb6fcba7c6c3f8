"""ctrl+f: one field over everything that was said and everything that is remembered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input
from textual.worker import Worker, WorkerState

from assistant.tui.crash import in_one, problem_of
from assistant.tui.days import said
from assistant.tui.messages import ActAsked
from assistant.tui.plain import one_line
from assistant.tui.widgets.record_list import RecordList, Row
from memory.ports import Clock


@dataclass(frozen=True, slots=True)
class Found:
    """Something that holds the words."""

    kind: str
    """"message", "answer", "fact", "conversation" …"""
    id: str
    text: str
    conversation: str | None = None
    when: datetime | None = None
    note: str = ""


Search = Callable[[str], Awaitable[Sequence[Found]]]


class SearchScreen(ModalScreen[Found | None]):
    """Search everything; dismisses with what was chosen."""

    CSS_PATH = "search.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "close the search", id="search.close"),
        Binding("down", "results", "to the results", id="search.results"),
    ]

    def __init__(self, search: Search, now: Clock, words: str = "") -> None:
        super().__init__()
        self.search = search
        self.now = now
        self.words = words
        self.found: tuple[Found, ...] = ()

    def compose(self) -> ComposeResult:
        """Lay out field and results."""
        with Vertical(id="search"):
            yield Input(self.words, placeholder="search everything", id="search-words", compact=True)
            yield RecordList("found", empty="Nothing found.", id="search-results")

    def on_mount(self) -> None:
        """Begin with the words given."""
        self.query_one("#search").border_title = "Search"
        self.query_one("#search").border_subtitle = "enter opens · esc closes"
        self.query_one("#search-words").focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search as one types."""
        event.stop()
        self.look(event.value.strip())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to the results."""
        event.stop()
        self.action_results()

    def on_act_asked(self, event: ActAsked) -> None:
        """Open what was chosen."""
        event.stop()
        for one in self.found:
            if one.id == event.ids[0]:
                self.dismiss(one)
                return

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say what went wrong in a search."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            words = in_one(problem_of(event.worker.error))
            self.query_one(RecordList).show([Row(Content.styled(words, "$error"))])

    @work(exclusive=True, group="search", exit_on_error=False)
    async def look(self, words: str) -> None:
        """Find and show."""
        self.found = tuple(await self.search(words)) if words else ()
        self.query_one(RecordList).show(Row(found_line(one, self.now()), one.id) for one in self.found)

    def action_results(self) -> None:
        """Go from the field to the results."""
        results = self.query_one(RecordList)
        results.focus()
        if results.highlighted is None:
            results.action_first()

    def action_leave(self) -> None:
        """Open nothing."""
        self.dismiss(None)


def found_line(found: Found, now: datetime) -> Content:
    """Draw one result."""
    about = [found.kind]
    if found.when is not None:
        about.append(said(found.when, now))
    if found.note:
        about.append(found.note)
    return Content.assemble(one_line(found.text, 240), "\n", ("  " + " · ".join(about), "$muted"))
