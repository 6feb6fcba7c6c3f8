"""/import: which file, its passphrase, a look at what would change, a yes, then a bar and the result.

Knows no store: it asks an opened Locket, twice, first without changing anything. One surprise: of another
program's export the look is taken anew when the user says how far it is to be trusted.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from assistant.carrying import check_encrypted, is_own
from assistant.tui.import_words import shown_lines
from assistant.tui.pathnames import PathSuggester
from assistant.tui.ports import LocketPort
from assistant.tui.screens.carry import CarryScreen

if TYPE_CHECKING:
    from memory.transfer.report import ImportReport

DETAIL = (
    "An export of Locket, ChatGPT, Claude, mem0 or MCP memory, Markdown notes, or lines of “[date] - text”."
)
FOOT = "enter goes on · → takes a suggested path · esc leaves"
TRUST = "Its memories wait in Review and its conversations can only be searched (t recalls them at once)."
TRUSTED = "Its memories and conversations are recalled at once (t lets them wait in Review)."


class ImportScreen(CarryScreen):
    """Ask, look, ask again, take in."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "take", "take it in", id="import.take"),
        Binding("n", "leave", "leave it", id="import.leave"),
        Binding("t", "trust", "trust another program's export, or not", id="import.trust"),
    ]

    def __init__(self, locket: LocketPort, file: str) -> None:
        super().__init__(locket, file)
        self.trust = False
        self.is_own = False
        self.seen: ImportReport | None = None
        """What would come of it; None before the look."""
        self.checked: Path | None = None
        """The file that `is_own` tells of; None while it is being looked at."""
        self._passphrase = ""

    def compose(self) -> ComposeResult:
        """Lay out the questions, one below the other."""
        with Vertical(classes="dialog"):
            yield Static(Content.styled("Import", "bold"), markup=False, id="dialog-title")
            with Vertical(id="asking"):
                yield Static(Content.styled(DETAIL, "$muted"), markup=False)
                yield Input(
                    self.file,
                    placeholder="the file, ZIP or folder",
                    suggester=PathSuggester(),
                    id="file",
                    compact=True,
                )
                yield Input(placeholder="its passphrase", password=True, id="one", compact=True)
            yield from self.below_the_questions(FOOT)

    def on_mount(self) -> None:
        """Begin with the file, or behind it when it was given."""
        self.query_one("#one").display = False
        self.query_one("#file").focus()
        if self.file:
            self.check_file()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Keep it to ourselves."""
        event.stop()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go on to the passphrase, or to the look."""
        event.stop()
        if self.busy or self.is_over:
            return
        if event.input.id == "file":
            self.check_file()
        elif not event.value:
            self.say("Type its passphrase.", wrong=True)
        elif self.checked == self.path:
            self._passphrase = event.value
            self.look()
        else:
            self._passphrase = event.value
            self.check_file(then_look=True)

    @work(exclusive=True, group="check", exit_on_error=False)
    async def check_file(self, *, then_look: bool = False) -> None:
        """Ask for a passphrase when it is an archive of our own and none was given, else look at once."""
        path, field = self.path, self.query_one("#one", Input)
        self.checked = None
        self.say("Looking at the file…")
        if not await asyncio.to_thread(path.exists):
            self.say(f"There is no {path}.", wrong=True)
            return
        self.is_own = await asyncio.to_thread(is_own, path)
        field.display = self.is_own
        if self.is_own:
            await asyncio.to_thread(check_encrypted, path)
        else:
            self._passphrase = ""
        self.checked = path
        if then_look or not self.is_own:
            self.look()
        else:
            self.say("")
            field.focus()

    @work(exclusive=True, group="carry", exit_on_error=False)
    async def look(self) -> None:
        """Try it without changing anything, and show what would come of it."""
        self.begin("Looking at all of it…")
        self.seen = await self._carry(dry_run=True)
        self.rest()
        self.query_one("#asking").display = False
        self.set_focus(None)
        self.query_one("#dialog-title", Static).update(Content.styled(f"Import {self.path.name}?", "bold"))
        self.show_lines(self.seen)
        if self.is_own:
            self.say("Nothing has been changed yet. It comes in whole or not at all.")
            self.foot("y takes it in · n leaves it")
        else:
            self.say(f"Nothing has been changed yet. {TRUSTED if self.trust else TRUST}")
            self.foot("y takes it in · t changes the trust · n leaves it")

    def show_lines(self, report: ImportReport) -> None:
        """Show a report."""
        self.query_one("#lines", Static).update(Content("\n".join(shown_lines(report))))
        self.query_one("#result").display = True

    def action_trust(self) -> None:
        """Look again with the other trust."""
        if self.seen is not None and not (self.busy or self.is_over or self.is_own):
            self.trust = not self.trust
            self.look()

    def action_take(self) -> None:
        """Take in what was looked at."""
        if self.seen is not None and not (self.busy or self.is_over):
            self.take()

    @work(exclusive=True, group="carry", exit_on_error=False)
    async def take(self) -> None:
        """Take it in and say what became of it."""
        self.begin("Taking it in…")
        report = await self._carry(dry_run=False)
        self.changed, self._passphrase = True, ""
        self.finish("Imported.", shown_lines(report))

    async def _carry(self, *, dry_run: bool) -> ImportReport:
        return await self.locket.import_file(
            self.path,
            self._passphrase if self.is_own else None,
            self.tell,
            trust=self.trust,
            dry_run=dry_run,
        )

    def failed(self, error: BaseException) -> None:
        """Show an error; the questions can be answered again."""
        self._passphrase, self.seen = "", None
        self.query_one("#asking").display = True
        self.query_one("#result").display = False
        field = self.query_one("#one" if self.is_own else "#file", Input)
        if self.is_own:
            field.value = ""
        field.focus()
        super().failed(error)
