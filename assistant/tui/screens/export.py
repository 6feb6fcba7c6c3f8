"""/export: where to, what of it, a passphrase of its own typed twice, then a bar and the result.

Knows no store: it asks an opened Locket. One surprise: a file that is there is written over only by a second enter.
"""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, RadioSet, Static

from assistant.carrying import OPENS_WITH, target_refusal
from assistant.tui.pathnames import PathSuggester
from assistant.tui.ports import LocketPort
from assistant.tui.screens.carry import CarryScreen
from assistant.tui.strength import SHORTEST, generate
from assistant.tui.widgets.choice import Choice
from assistant.tui.widgets.meter import meter

if TYPE_CHECKING:
    from memory.transfer.archive import What

WHAT: dict[str, str] = {
    "all": "everything",
    "memory": "what is remembered, without the conversations",
    "chats": "the conversations, without what is remembered",
}
DETAIL = "An encrypted file with a passphrase of its own."
WRITING = "Writing…"
FOOT = "enter goes on · tab next · ctrl+g makes a passphrase · esc leaves"


class ExportScreen(CarryScreen):
    """Ask, write, say."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+g", "make_one", "make a passphrase", id="export.make_one", priority=True),
    ]
    nothing_done = "No file was written."

    def __init__(self, locket: LocketPort, file: str) -> None:
        super().__init__(locket, file)
        self.agreed: Path | None = None
        """The file that may be written over."""
        self.wanted = False
        """Whether the last question was answered: what is still asked about the file leads straight to the work."""

    def compose(self) -> ComposeResult:
        """Lay out the questions, one below the other."""
        with Vertical(classes="dialog"):
            yield Static(Content.styled("Export", "bold"), markup=False, id="dialog-title")
            with Vertical(id="asking"):
                yield Static(Content.styled(DETAIL, "$muted"), markup=False)
                yield Input(
                    self.file, placeholder="the file", suggester=PathSuggester(), id="file", compact=True
                )
                with RadioSet(id="what", compact=True):
                    for name, words in WHAT.items():
                        yield Choice(words, name, chosen=name == "all")
                yield Input(placeholder="its passphrase", password=True, id="one", compact=True)
                yield Input(placeholder="the same again", password=True, id="two", compact=True)
                yield Static(meter(""), markup=False, id="meter")
            yield from self.below_the_questions(FOOT)

    def on_mount(self) -> None:
        """Begin with the file."""
        self.query_one("#file").focus()

    def action_make_one(self) -> None:
        """Fill both fields with a generated passphrase and show it."""
        if self.busy or self.is_over:
            return
        made = generate(secrets.choice)
        for field in self.query("#one, #two").results(Input):
            field.password, field.value = False, made
        self.query_one("#two").focus()
        self.say("Write it down before you go on.")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show how good the passphrase is."""
        event.stop()
        if event.input.id != "file" and self.query_one("#carry-words").has_class("-wrong"):
            self.say("")  # it was about what stood there before
        if event.input.id == "one":
            self.query_one("#meter", Static).update(meter(event.value))

    def on_radio_set_changed(self, event: RadioSet.Changed) -> None:
        """Keep the choice to ourselves."""
        event.stop()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go on to the next question, from the last one to the work."""
        event.stop()
        if self.busy or self.is_over:
            return
        match event.input.id:
            case "file":
                self.check_file()
            case "one":
                if self.long_enough(event.value):
                    self.query_one("#two").focus()
            case _:
                self.check_passphrase()

    @work(exclusive=True, group="check", exit_on_error=False)
    async def check_file(self) -> None:
        """Go on when something can be written there: to the passphrase, or to the work when that was wanted."""
        path = self.path
        if not self.query_one("#file", Input).value.strip():
            self.ask_file("Say which file.")
        elif refusal := await asyncio.to_thread(target_refusal, path):
            self.ask_file(f"{refusal[0].upper()}{refusal[1:]}.")
        elif self.agreed != path and await asyncio.to_thread(path.exists):
            self.agreed = path
            self.ask_file(f"{path.name} is there already. Enter once more writes over it.")
        else:
            self.agreed = path
            self.go_on()

    def ask_file(self, words: str) -> None:
        """Say what is the matter with the file, where it can be changed."""
        self.query_one("#file").focus()
        self.say(words, wrong=True)

    def go_on(self) -> None:
        """Begin the work when the passphrases stand already, else ask for them; leave alone who is past the file."""
        one, two = (self.query_one(name, Input).value for name in ("#one", "#two"))
        if self.wanted and one == two and len(one) >= SHORTEST:
            self.write(one)
            return
        self.wanted = False
        self.say("")
        if self.query_one("#file").has_focus:
            self.query_one("#one").focus()

    def long_enough(self, passphrase: str) -> bool:
        """Refuse only what is shorter than the shortest allowed."""
        if len(passphrase) < SHORTEST:
            self.say(f"At least {SHORTEST} characters.", wrong=True)
            return False
        self.say("")
        return True

    def check_passphrase(self) -> None:
        """Begin the work when both are the same, once more looking at where it goes."""
        one, two = self.query_one("#one", Input).value, self.query_one("#two", Input).value
        if not self.long_enough(one):
            self.query_one("#one").focus()
        elif one != two:
            self.say("The two are not the same.", wrong=True)
        else:
            self.wanted = True
            self.say(WRITING)
            self.check_file()

    @property
    def what(self) -> What:
        """Which part goes along."""
        pressed = self.query_one("#what", RadioSet).pressed_button
        return cast("What", pressed.name if pressed is not None else "all")

    @work(exclusive=True, group="carry", exit_on_error=False)
    async def write(self, passphrase: str) -> None:
        """Write the file and say what is in it."""
        path, what = self.path, self.what
        self.begin(WRITING)
        manifest = await self.locket.export_file(path, passphrase, what, self.tell)
        for field in self.query("#one, #two").results(Input):
            field.value = ""
        size = await asyncio.to_thread(lambda: path.stat().st_size)
        self.finish("Exported.", [str(path), f"{manifest.total:,} records, {size:,} bytes.", OPENS_WITH])
