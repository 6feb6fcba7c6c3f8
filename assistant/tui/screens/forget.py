"""The last look before something is forgotten for good: what goes, what stays, a yes, and the certificate.

Every row can be ticked or unticked; what depends on it is weighed again before anything happens. Knows no
store: it asks through the function it is given. One surprise: once begun, it goes on though the dialog is gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, ProgressBar, Static
from textual.widgets.selection_list import Selection as Line
from textual.worker import Worker, WorkerState

from assistant.target_words import target_words
from assistant.tui.crash import in_one, problem_of
from assistant.tui.plain import one_line
from assistant.tui.widgets.tick_list import TickList

if TYPE_CHECKING:
    from memory.forget import ForgetPlan, Outcome, Selection, Target

    Progress = Callable[[str, int, int], None]
    Forget = Callable[[Selection, Progress], Awaitable[Outcome]]

QUESTION = "Forget this for good?"
FINAL = "What is ticked goes and cannot be undone; archiving (a) would only hide it. Space ticks or unticks."
WORKING = "Forgetting…"
SHOWN = 500
WORDS = {"remove": "goes", "redact": "loses these words", "empty": "loses its text"}


class ForgetScreen(ModalScreen["Outcome | None"]):
    """Preview, progress, certificate. Returns what came of it, or None when nothing was done."""

    CSS_PATH = "forget.tcss"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012 - the shape of textual.Screen
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "forget", "forget for good", id="forget.forget"),
        Binding("escape,n", "leave", "leave it", id="forget.leave"),
    ]

    def __init__(
        self,
        plan: ForgetPlan,
        forget: Forget,
        lines: Callable[[Outcome], Sequence[str]],
    ) -> None:
        super().__init__()
        self.plan, self.forget, self.lines = plan, forget, lines
        self.busy = False
        self.outcome: Outcome | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def compose(self) -> ComposeResult:
        """Lay out the question, what it concerns, and two answers."""
        with Vertical(classes="dialog"):
            yield Static(Content.styled(QUESTION, "bold"), markup=False, id="question")
            yield Static(FINAL, markup=False, id="detail")
            yield TickList(id="targets")
            yield Static(markup=False, id="below")
            yield ProgressBar(total=1, show_eta=False, id="progress")
            with VerticalScroll(id="result", can_focus=False):
                yield Static(markup=False, id="certificate")
            with Horizontal(classes="answers"):
                yield Button(Content("Forget (f)"), id="forget", compact=True)
                yield Button(Content("Leave it (n)"), id="leave", compact=True)

    def on_mount(self) -> None:
        """Show the plan; the safe answer has the focus."""
        self.query_one("#progress").display = False
        self.query_one("#result").display = False
        self.show_plan(self.plan)
        self.query_one("#leave").focus()
        targets = self.query_one("#targets", TickList)
        for changing in ("scroll_y", "virtual_size", "container_size"):
            self.watch(targets, changing, self.show_below)

    def show_plan(self, plan: ForgetPlan) -> None:
        """List what goes and what stays."""
        self.plan = plan
        targets = self.query_one("#targets", TickList)
        targets.clear_options()
        rows = [(target, True) for target in plan.targets] + [(target, False) for target in plan.listed]
        by_id: dict[str, list[tuple[Target, bool]]] = {}
        for row in rows[:SHOWN]:
            by_id.setdefault(row[0].id, []).append(row)
        for ident, same in by_id.items():  # one row: they go or stay together
            also = [target.kind for target, _ in same[1:]]
            targets.add_option(Line(target_line(same[0][0], also), ident, same[0][1]))
        words = f"{FINAL}\n{counted(plan)}"
        if len(rows) > SHOWN:
            words += f" {len(rows) - SHOWN:,} more are not shown."
        self.query_one("#detail", Static).update(Content(words))

    def show_below(self) -> None:
        """Say how many rows stand below what can be seen."""
        targets, line = self.query_one("#targets", TickList), self.query_one("#below", Static)
        below = targets.option_count - round(targets.scroll_y) - targets.container_size.height
        line.display = targets.display and targets.container_size.height > 0 and below > 0
        line.update(Content(f"↓ {below:,} more below"))

    def action_forget(self) -> None:
        """Weigh what was unticked again and forget the rest."""
        if not self.busy and self.outcome is None:
            self.busy = True
            self.carry_out()

    def action_leave(self) -> None:
        """Go; while it is being done there is no way back."""
        if not self.busy:
            self.dismiss(self.outcome)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer by button."""
        event.stop()
        if event.button.id == "forget":
            self.action_forget()
        else:
            self.action_leave()

    @work(exclusive=True, group="forget", exit_on_error=False)
    async def carry_out(self) -> None:
        """Forget what is ticked and show the certificate."""
        bar = self.query_one("#progress", ProgressBar)
        self.query_one("#question", Static).update(Content.styled(WORKING, "bold"))
        self.query_one("#forget").display = False
        bar.display = True
        self._loop = asyncio.get_running_loop()
        outcome = await self.forget(self.chosen(), self.told)
        self.busy, self.outcome = False, outcome
        self.show_result(
            "Forgotten." if outcome.certificate else "Forgotten, not yet proved.", self.lines(outcome)
        )

    def chosen(self) -> Selection:
        """Return the selection as it is ticked now."""
        targets = self.query_one("#targets", TickList)
        ticked = set(targets.selected)
        shown = {targets.get_option_at_index(n).value for n in range(targets.option_count)}
        unticked = [target.id for target in self.plan.targets if target.id in shown - ticked]
        added = [target.id for target in self.plan.listed if target.id in ticked]
        return self.plan.selection.leaving(*unticked).including(*added)

    def told(self, _step: str, done: int, total: int) -> None:
        """Take progress from the thread that works; nothing that happens to the dialog may undo its work."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the program has ended
                self._loop.call_soon_threadsafe(self.show_progress, done, total)

    def show_progress(self, done: int, total: int) -> None:
        """Draw progress, unless the dialog is gone."""
        for bar in self.query("#progress").results(ProgressBar):
            bar.update(total=total, progress=done)

    def show_result(self, title: str, lines: Sequence[str]) -> None:
        """Show how it ended, in place of the plan."""
        self.query_one("#question", Static).update(Content.styled(title, "bold"))
        for name in ("#detail", "#targets", "#below", "#progress"):
            self.query_one(name).display = False
        self.query_one("#certificate", Static).update(Content("\n".join(lines)))
        self.query_one("#result").display = True
        leave = self.query_one("#leave", Button)
        leave.label = Content("Close (esc)")
        leave.focus()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say what went wrong; a forget that fails has changed nothing."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            event.stop()
            self.busy = False
            self.show_result("Nothing was forgotten.", [in_one(problem_of(event.worker.error))])


def target_line(target: Target, also: Sequence[str] = ()) -> Content:
    """Write one row: what it is, and what else of the same thing goes with it, what happens to it, its words, why."""
    return Content.assemble(
        (" + ".join((target.kind, *also)), "$primary"),
        (f" · {WORDS[target.act]}  ", "$muted"),
        one_line(target_words(target), 200),
        (f"  {target.reason}", "$muted"),
    )


def counted(plan: ForgetPlan) -> str:
    """Say how much goes and stays."""
    goes = ", ".join(f"{number} × {kind}" for kind, number in plan.counts.items()) or "nothing"
    stays = f" Not ticked, though it holds the same words: {len(plan.listed)}." if plan.listed else ""
    return f"Ticked: {goes}.{stays}"
