"""What the export and the import dialog share: a bar that follows another thread, a way to stop, a result.

Owns no file and no store. One surprise: progress comes from the thread that works, and after a lock there may be
no dialog left to show it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, ProgressBar, Static
from textual.worker import Worker, WorkerState

from assistant.carrying import CarryStopped, how_far, path_of
from assistant.tui.crash import in_one, problem_of
from assistant.tui.messages import WorkGotOn
from assistant.tui.plain import visible
from assistant.tui.ports import LocketPort


class CarryScreen(ModalScreen[bool]):
    """A dialog that carries memory out or in; dismisses with whether the store was changed."""

    CSS_PATH = "carry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "stop, else close", id="carry.leave"),
    ]

    def __init__(self, locket: LocketPort, file: str) -> None:
        super().__init__()
        self.locket = locket
        self.file = file
        """What stands in the first field when the dialog opens."""
        self.busy = False
        self.is_over = False
        self.changed = False
        self._loop: asyncio.AbstractEventLoop | None = None

    def below_the_questions(self, foot: str) -> ComposeResult:
        """Lay out what both dialogs end with: the result, the bar, one paragraph, the keys."""
        with VerticalScroll(id="result"):
            yield Static(markup=False, id="lines")
        yield ProgressBar(show_eta=False, id="progress")
        yield Static(markup=False, id="carry-words")
        yield Static(Content.styled(foot, "$muted"), markup=False, id="carry-foot")

    @property
    def path(self) -> Path:
        """The file that is named now."""
        return path_of(self.query_one("#file", Input).value)

    def begin(self, words: str) -> None:
        """Show that work has begun."""
        self._loop = asyncio.get_running_loop()
        self.busy = True
        self.say(words)
        self.foot("esc stops")
        bar = self.query_one("#progress", ProgressBar)
        bar.update(total=None, progress=0)
        bar.display = True

    def tell(self, done: int, total: int) -> None:
        """Take progress from the thread that works."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the program has ended
                self._loop.call_soon_threadsafe(self.show_progress, done, total)

    def show_progress(self, done: int, total: int) -> None:
        """Draw progress, when there still is a dialog and work."""
        if not (self.busy and self.query("#carry-words")):
            return
        if total:
            self.query_one("#progress", ProgressBar).update(total=total, progress=done)
        self.say(how_far(done, total))
        self.post_message(WorkGotOn())

    def rest(self, words: str = "", *, wrong: bool = False) -> None:
        """Show that nothing is being done any more."""
        self.busy = False
        self.query_one("#progress").display = False
        self.say(words, wrong=wrong)

    def finish(self, title: str, lines: Sequence[str], *, wrong: bool = False) -> None:
        """Show how it ended, in place of everything else."""
        self.rest()
        self.is_over = True
        self.query_one("#asking").display = False
        self.query_one("#dialog-title", Static).update(
            Content.styled(title, "bold $error" if wrong else "bold")
        )
        self.query_one("#lines", Static).update(Content(visible("\n".join(lines))))
        self.query_one("#result").display = bool(lines)
        self.foot("enter closes")
        self.set_focus(None)

    def say(self, words: str, *, wrong: bool = False) -> None:
        """Show one paragraph of words."""
        line = self.query_one("#carry-words", Static)
        line.update(Content(visible(words)))
        line.set_class(wrong, "-wrong")

    def foot(self, words: str) -> None:
        """Show which keys go on."""
        self.query_one("#carry-foot", Static).update(Content.styled(words, "$muted"))

    def action_leave(self) -> None:
        """Stop what is being done, else go."""
        if self.busy:
            self.locket.stop_carrying()
            self.say("Stopping…")
        else:
            self.dismiss(self.changed)

    def key_enter(self) -> None:
        """Close what is over."""
        if self.is_over:
            self.dismiss(self.changed)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say why it ended early; whatever it was, nothing of it is left."""
        error = event.worker.error
        if event.state is not WorkerState.ERROR or error is None:
            return
        event.stop()
        if isinstance(error, CarryStopped):
            self.finish("Stopped.", [self.nothing_done])
        else:
            self.failed(error)

    nothing_done = "Nothing was changed."

    def failed(self, error: BaseException) -> None:
        """Show an error and let the user correct what they gave."""
        self.rest(in_one(problem_of(error)), wrong=True)
        self.foot("enter tries again · esc leaves")
