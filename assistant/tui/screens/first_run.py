"""The first run: a passphrase twice, the one warning typed back, a model, and then the conversation.

Owns the order of the steps and the words; making and opening the store are doors. The recovery key is a
step only when there is a door that makes one, and opens the store only once it was confirmed. The surprise: enter and
tab are keys of the screen, which wait for the field, or what is typed right after them would land in the wrong one.
More than 300 lines: its five steps are one screen, and go back and forth.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import work
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import ContentSwitcher, Input, OptionList, Static
from textual.widgets.option_list import Option

from assistant.paths import Kind, kind_of, typed_path
from assistant.settings import Settings
from assistant.tui.crash import in_one, problem_of
from assistant.tui.ports import Doors, LocketPort, ModelChoice, RecoveryKey
from assistant.tui.strength import SHORTEST, generate
from assistant.tui.widgets.meter import meter
from assistant.tui.widgets.ordered_input import OrderedInput, caught_up

LOGO = "◈  Locket"
PROMISE = "nobody can restore it"
METER = 24
STEPS = ("passphrase", "promise", "model", "recovery", "making")
WELCOME = (
    "A private assistant that lives on this computer. What you tell it is encrypted with a passphrase that "
    "only you know."
)
WARNING = (
    "There is no reset, no support desk and no copy anywhere else. If you lose this passphrase, everything in "
    "Locket is lost: nobody can restore it."
)
RECOVERY = (
    "This recovery key opens the store without the passphrase. It is shown this once: write it down and keep "
    "it away from this computer. Type its last group to go on."
)
NO_MODEL = "No model is here yet. Type the path of a GGUF file, or leave it empty and run `locket model setup` later."


class FirstRunScreen(Screen[None]):
    """Make a store, step by step."""

    CSS_PATH = "first_run.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+g", "make_one", "make a passphrase", id="first.generate", priority=True),
        Binding("escape", "back", "one step back", id="first.back"),
        Binding("enter", "take", "go on", id="first.take", priority=True),
        Binding("tab", "next_field", "to the next field", id="first.next", priority=True),
    ]

    @dataclass
    class Made(Message):
        """There is a store, and it is open."""

        locket: LocketPort
        model: str

    def __init__(
        self, settings: Settings, doors: Doors, collect: Callable[[bool], object] = lambda _: None
    ) -> None:
        """Have ``collect`` keep what is typed from now on for the conversation, or no longer."""
        super().__init__()
        self.settings = settings
        self.doors = doors
        self.collect = collect
        self.passphrase = ""
        self.model = ""
        self.recovery = ""
        self.key: RecoveryKey | None = None
        self.complains_of: tuple[str, ...] | None = None
        """What stood in the fields when the line came to say what is wrong with it."""
        self.models: Sequence[ModelChoice] = ()

    def compose(self) -> ComposeResult:
        """Lay out every step; one is shown at a time."""
        with Vertical(id="first-box"):
            yield Static(Content.styled(LOGO, "bold $accent"), markup=False)
            with ContentSwitcher(initial="passphrase", id="steps"):
                with Vertical(id="passphrase"):
                    yield Static(WELCOME, markup=False, classes="words")
                    yield OrderedInput(placeholder="a new passphrase", password=True, id="one")
                    yield OrderedInput(placeholder="the same again", password=True, id="two")
                    yield Static(markup=False, id="meter")
                with Vertical(id="promise"):
                    yield Static(WARNING, markup=False, classes="words")
                    yield Static(Content.assemble("Type: ", (PROMISE, "bold $accent")), markup=False)
                    yield OrderedInput(placeholder=PROMISE, id="typed")
                with Vertical(id="model"):
                    yield Static("Which model should answer?", markup=False, classes="words")
                    yield OptionList(id="models", markup=False)
                    yield OrderedInput(placeholder="or the path of a GGUF file", id="path")
                with Vertical(id="recovery"):
                    yield Static(RECOVERY, markup=False, classes="words")
                    yield Static(markup=False, id="groups")
                    yield OrderedInput(placeholder="its last group", id="last-group")
                with Vertical(id="making"):
                    yield Static("Making the store and opening it…", markup=False, classes="words")
            yield Static(markup=False, id="first-words")
            yield Static(markup=False, id="first-foot")

    def on_mount(self) -> None:
        """Begin with the passphrase, and look for models meanwhile."""
        self.go("passphrase")
        self.show_strength("")
        self.find_models()

    def go(self, step: str) -> None:
        """Show a step and put the cursor where it goes on."""
        self.query_one("#steps", ContentSwitcher).current = step
        self.say("")
        feet = {
            "passphrase": "enter goes on · ctrl+g makes one for you · ctrl+q quits",
            "making": "ctrl+q quits",
            "model": "enter takes it · tab to the path · esc goes back",
            "recovery": "enter goes on · ctrl+q quits",
        }
        foot = feet.get(step, "enter goes on · esc goes back")
        self.query_one("#first-foot", Static).update(Content.styled(foot, "$muted"))
        field = {"passphrase": "#one", "promise": "#typed", "recovery": "#last-group"}.get(step)
        if step == "model":
            field = "#models" if self.models else "#path"
        self.set_focus(self.query_one(field) if field else None)  # at once: the next key may be there already

    @property
    def step(self) -> str:
        """The step that is shown."""
        return self.query_one("#steps", ContentSwitcher).current or "passphrase"

    def action_make_one(self) -> None:
        """Fill both fields with a generated passphrase and show it."""
        if self.step != "passphrase":
            return
        made = generate(secrets.choice)
        for name in ("#one", "#two"):
            field = self.query_one(name, Input)
            field.password = False
            field.value = made
        self.set_focus(self.query_one("#two"))
        self.say("Write it down before you go on.")

    def action_back(self) -> None:
        """Go one step back; nothing has been made before the last step."""
        if self.step in ("promise", "model"):
            self.go(STEPS[STEPS.index(self.step) - 1])

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show how good the passphrase is while it is typed."""
        event.stop()
        if self.complains_of not in (None, self.typed()):
            self.say("")
        if event.input.id == "one":
            self.show_strength(event.value)

    def typed(self) -> tuple[str, ...]:
        """Give what stands in the fields."""
        return tuple(field.value for field in self.query(Input))

    async def action_take(self) -> None:
        """Go on, when what was typed allows it."""
        field = self.focused
        if not isinstance(field, Input):
            raise SkipAction
        await caught_up(field)
        match field.id:
            case "one":
                if self.long_enough(field.value):
                    self.set_focus(self.query_one("#two"))
            case "two":
                self.take_passphrase()
            case "typed":
                if " ".join(field.value.casefold().split()).strip(".") == PROMISE:
                    self.go("model")
                else:
                    self.complain(f"Type the words: {PROMISE}")
            case "path":
                self.take_path(field.value.strip())
            case "last-group":
                self.take_group(field.value)
            case _:
                pass

    async def action_next_field(self) -> None:
        """Go to the next field."""
        if isinstance(self.focused, Input):
            await caught_up(self.focused)
        self.focus_next()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take a listed model."""
        event.stop()
        self.model = self.models[event.option_index].value
        self.make()

    def long_enough(self, passphrase: str) -> bool:
        """Refuse only what is shorter than the shortest allowed."""
        if len(passphrase) < SHORTEST:
            self.complain(f"At least {SHORTEST} characters.")
            return False
        return True

    def take_passphrase(self) -> None:
        """Go on when both are the same."""
        one, two = self.query_one("#one", Input).value, self.query_one("#two", Input).value
        if not self.long_enough(one):
            self.set_focus(self.query_one("#one"))
        elif one != two:
            self.complain("The two are not the same.")
        else:
            self.passphrase = one
            self.go("promise")

    def take_path(self, path: str) -> None:
        """Take a model by its path, or none for now."""
        file = typed_path(path)
        if path and kind_of(file) is not Kind.FILE:
            self.complain("There is no such file.")
            return
        self.model = str(file.absolute()) if path else self.model
        self.make()

    def take_group(self, typed: str) -> None:
        """Go on when the recovery key has been written down."""
        if self.key is None or not self.key.is_confirmed_by(typed):
            self.complain("That is not its last group.")
            return
        self.go("making")
        self.collect(True)
        self.open_store()

    def make(self) -> None:
        """Make the store now."""
        self.go("making")
        self.make_store()

    @work(group="first-run", exit_on_error=False)
    async def find_models(self) -> None:
        """List the models of this computer."""
        try:
            self.models = await asyncio.to_thread(self.doors.list_models, self.settings)
        except Exception as error:  # noqa: BLE001 - the edge of a worker
            self.say(in_one(problem_of(error)))
        options = self.query_one("#models", OptionList)
        options.set_options(
            Option(Content.assemble(m.title, ("  " + m.detail, "$muted"))) for m in self.models
        )
        options.display = bool(self.models)
        if self.models:
            options.highlighted = 0
            if self.step == "model":
                options.focus()
        else:
            self.query_one("#model .words", Static).update(NO_MODEL)

    @work(exclusive=True, group="make", exit_on_error=False)
    async def make_store(self) -> None:
        """Make the store away from the screen's own thread, then open it."""
        try:
            await asyncio.to_thread(self.doors.create_store, self.settings, self.passphrase)
            if self.doors.new_recovery is not None:
                self.key = await asyncio.to_thread(self.doors.new_recovery, self.settings, self.passphrase)
        except Exception as error:  # noqa: BLE001 - the edge of a worker
            self.go("model")
            self.say(in_one(problem_of(error)))
            return
        if self.key is not None:
            self.recovery = self.key.groups
            self.query_one("#groups", Static).update(Content.styled(self.recovery, "bold $accent"))
            self.go("recovery")
        else:
            self.collect(True)
            self.open_store()

    @work(exclusive=True, group="make", exit_on_error=False)
    async def open_store(self) -> None:
        """Let the confirmed recovery key open what was made, and open it."""
        settings = replace(self.settings, model=self.model) if self.model else self.settings
        try:
            if self.key is not None:
                await asyncio.to_thread(self.key.keep)
                self.key = None
            locket = await asyncio.to_thread(self.doors.open_locket, settings, self.passphrase)
        except Exception as error:  # noqa: BLE001 - the edge of a worker
            self.collect(False)
            if self.key is not None:
                self.go("recovery")
            self.say(in_one(problem_of(error)))
            return
        self.passphrase = self.recovery = ""
        self.post_message(self.Made(locket, self.model))

    def show_strength(self, passphrase: str) -> None:
        """Draw the meter."""
        self.query_one("#meter", Static).update(meter(passphrase, METER))

    def complain(self, words: str) -> None:
        """Say what is wrong with what was typed, until it is changed."""
        self.say(words)
        self.complains_of = self.typed()

    def say(self, words: str) -> None:
        """Show one line under the step."""
        self.complains_of = None
        self.query_one("#first-words", Static).update(Content(words))
