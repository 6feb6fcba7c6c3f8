"""F2: what is set, where everything is, and the two things that may be changed here: theme and lock time."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static

from assistant.settings import Settings
from assistant.tui.plain import one_line

LOCK_STEPS = (1, 2, 5, 10, 15, 30, 60, 0)


def lock_words(minutes: int) -> str:
    """Say when Locket locks itself."""
    return f"after {minutes} idle minutes" if minutes else "never by itself"


def next_lock(minutes: int) -> int:
    """Return the next step after this many minutes."""
    if minutes in LOCK_STEPS:
        return LOCK_STEPS[(LOCK_STEPS.index(minutes) + 1) % len(LOCK_STEPS)]
    return LOCK_STEPS[0]


class SettingsScreen(ModalScreen[None]):
    """The settings in force."""

    CSS_PATH = "settings.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "theme", "next theme", id="settings.theme"),
        Binding("l", "lock_time", "next lock time", id="settings.lock_time"),
        Binding("escape,f2,q", "leave", "close the settings", id="settings.close"),
    ]

    class ThemeWanted(Message):
        """The user wants the next theme."""

    class LockTimeWanted(Message):
        """The user wants the next lock time."""

    def __init__(self, settings: Settings, theme: str, model: str) -> None:
        super().__init__()
        self.settings = settings
        self.theme_name = theme
        self.model = model
        self.persona = ""
        """The profile's own; empty when it has none."""

    def compose(self) -> ComposeResult:
        """Lay out one table."""
        with Vertical(id="settings"):
            yield Static(markup=False, id="table")

    def on_mount(self) -> None:
        """Draw."""
        box = self.query_one("#settings")
        box.border_title = "Settings"
        box.border_subtitle = "t theme · l lock time · esc closes"
        self.show(self.settings, self.theme_name)

    def show(self, settings: Settings, theme: str) -> None:
        """Draw these settings."""
        self.settings, self.theme_name = settings, theme
        table = settings_content(settings, theme, self.model, self.persona)
        self.query_one("#table", Static).update(table)

    def show_persona(self, persona: str) -> None:
        """Draw the persona that the profile keeps in the store."""
        self.persona = persona
        self.show(self.settings, self.theme_name)

    def action_theme(self) -> None:
        """Ask for the next theme."""
        self.post_message(self.ThemeWanted())

    def action_lock_time(self) -> None:
        """Ask for the next lock time."""
        self.post_message(self.LockTimeWanted())

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)


def settings_content(settings: Settings, theme: str, model: str, persona: str = "") -> Content:
    """Write the table."""
    rows = [
        ("theme", theme.removeprefix("locket-"), "t"),
        ("locks", lock_words(settings.lock_minutes), "l"),
        ("model", model, "/model"),
        ("window", f"{settings.window:,} tokens", ""),
        ("answers", f"up to {settings.max_answer:,} tokens", ""),
        ("remembering", "on" if settings.remember else "off", ""),
        ("profile", settings.profile, ""),
        ("persona", one_line(persona or settings.persona, 60) or "none", "/persona"),
        ("remote server", settings.remote_url or "none: everything stays here", ""),
    ]
    lines = [
        Content.assemble((name.ljust(15), "$muted"), value, ("  " + key if key else "", "$accent"))
        for name, value, key in rows
    ]
    lines.append(Content(""))
    lines += [
        Content.assemble((name.ljust(15), "$muted"), place) for name, place in settings.paths.named().items()
    ]
    lines += [Content(""), Content.styled("Everything else is set in the config file.", "$muted")]
    return Content("\n").join(lines)
