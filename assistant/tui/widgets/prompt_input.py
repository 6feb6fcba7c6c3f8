"""Where the user writes: several lines, history, commands completed, pastes remembered as pastes.

Owns the text until it is sent, and which spans of it were pasted. One surprise: a very long paste, like an
attached file, is laid beside the text as a note instead of into it, because wrapping a megabyte stops the screen.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import ClassVar

from textual import events, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea

from assistant.chat.attached import Attached, take_off, with_blocks
from assistant.chat.commands import Spec, completions
from assistant.tui.paste import Span, follow, trimmed
from assistant.tui.pathnames import completed
from assistant.tui.plain import visible

LONG_PASTE = 20_000
"""Characters from which a paste is kept beside the text."""

HISTORY = 200
PATH_AFTER = re.compile(r"/(?:attach|export|import) +(\S.*)")
"""Commands whose path the tab key completes."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Something that goes along below the text."""

    block: str
    name: str = ""
    """A file's name; empty for a paste."""
    size: int = 0
    """Characters, without the line that names a file."""


class PromptInput(TextArea):
    """The field at the bottom of a conversation."""

    BINDING_GROUP_TITLE = "Writing"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "send", "send", id="prompt.send"),
        Binding("shift+enter,ctrl+j", "newline", "new line", id="prompt.newline"),
        Binding("tab", "complete", "complete a command or a path", id="prompt.complete"),
        Binding("up", "cursor_up", "up; in an empty field, what you sent before", id="prompt.up"),
        Binding("down", "cursor_down", "down", id="prompt.down"),
        Binding("alt+backspace", "drop_paste", "drop a long paste or a file", id="prompt.drop_paste"),
    ]

    @dataclass
    class Submitted(Message):
        """The user sent something."""

        text: str
        pasted: tuple[Span, ...] = ()

    @dataclass
    class Completing(Message):
        """What is typed may become one of these commands; none when it may not."""

        specs: tuple[Spec, ...]

    @dataclass
    class CompletionMoved(Message):
        """The user goes up or down the offered commands."""

        step: int

    @dataclass
    class PastesChanged(Message):
        """Long pastes or files lie beside the text."""

        beside: tuple[Beside, ...]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - textual's own name
        super().__init__(
            id=id, soft_wrap=True, show_line_numbers=False, compact=True, highlight_cursor_line=False
        )
        self.placeholder = "message…"
        self.history_lines: list[tuple[str, tuple[Span, ...]]] = []
        self.chosen: Spec | None = None
        """The command that enter completes, as the list beside shows it."""
        self._offered: tuple[Spec, ...] = ()
        self._browsing: int | None = None
        self._known = ""
        self._spans: tuple[Span, ...] = ()
        self._pastes: list[str] = []
        self._beside: list[Beside] = []

    @property
    def whole(self) -> tuple[str, tuple[Span, ...]]:
        """The message as it would be sent, with its pasted spans."""
        self._catch_up(pasted=False)
        text, spans = trimmed(self.text, self._spans)
        return with_blocks(text, spans, [one.block for one in self._beside])

    def put(self, text: str, spans: tuple[Span, ...] = ()) -> None:
        """Replace everything with this text, of which these spans count as pasted; files lie beside it again."""
        self._browsing = None
        text, spans, files = take_off(text, spans)
        self._spans, self._known, self._beside = (), "", [file_beside(one) for one in files]
        self.load_text(text)
        self._catch_up(pasted=False)
        self._spans = spans
        self.move_cursor(self.document.end)
        self._tell_beside()

    def attach(self, file: Attached) -> None:
        """Lay a file beside the text."""
        self._beside.append(file_beside(file))
        self._tell_beside()

    def remember(self, text: str, spans: tuple[Span, ...] = ()) -> None:
        """Add a sent text to what up brings back; what was pasted of it stays pasted."""
        line = (text, spans)
        if text and len(text) <= LONG_PASTE and self.history_lines[-1:] != [line]:
            self.history_lines = [*self.history_lines[1 - HISTORY :], line]

    def forget_everything(self) -> None:
        """Drop the text, its undo history and what was sent before."""
        self.put("")
        self.history.clear()
        self.history_lines, self._pastes = [], []

    def action_send(self) -> None:
        """Send, or take the offered command first."""
        if self.chosen is not None and self._offered and self.text.strip() != f"/{self.chosen.verb}":
            self.action_complete()
            return
        text, spans = self.whole
        if not text.strip():
            return
        self.remember(text, spans)
        self.put("")
        self._pastes = []
        self.post_message(self.Submitted(text, spans))

    def action_newline(self) -> None:
        """Begin a new line."""
        self._replace_via_keyboard("\n", *self.selection)

    def action_complete(self) -> None:
        """Take the offered command, else complete a path, else go to the next field."""
        if self.chosen is None or not self._offered:
            if path := PATH_AFTER.fullmatch(self.text):
                self.complete_path(path[1])
            else:
                self.screen.focus_next()
            return
        self.put(f"/{self.chosen.verb}{' ' if self.chosen.argument else ''}")

    @work(exclusive=True, group="path", exit_on_error=False)
    async def complete_path(self, typed: str) -> None:
        """Add to a typed path what can only be meant."""
        found = await asyncio.to_thread(completed, typed)
        if found != typed and self.text.endswith(typed):
            self.insert(found.removeprefix(typed), self.document.end)
            self.move_cursor(self.document.end)

    def action_drop_paste(self) -> None:
        """Drop the last long paste or file."""
        if self._beside:
            self._beside.pop()
            self._tell_beside()

    def action_cursor_up(self, select: bool = False) -> None:
        """Go up: in the offered commands, in the history of an empty field, else in the text."""
        if self._offered:
            self.post_message(self.CompletionMoved(-1))
        elif self.history_lines and not select and (not self.text or self._browsing is not None):
            self._browse(-1)
        else:
            super().action_cursor_up(select)

    def action_cursor_down(self, select: bool = False) -> None:
        """Go down, likewise."""
        if self._offered:
            self.post_message(self.CompletionMoved(1))
        elif self._browsing is not None and not select:
            self._browse(1)
        else:
            super().action_cursor_down(select)

    def close_completions(self) -> bool:
        """Hide the offered commands; say whether there were any."""
        had = bool(self._offered)
        self._offer(())
        return had

    def on_text_area_changed(self) -> None:
        """Follow every edit with the pasted spans, and offer commands."""
        if self.text != self._known and self._browsing is not None:
            self._browsing = None
        self._catch_up(pasted=False)
        self._offer(completions(self.text))

    async def _on_key(self, event: events.Key) -> None:
        """Run our own keys in the order they were typed: a binding run by the app overtakes fast typing."""
        if event.is_printable:
            return
        found = self.screen.active_bindings.get(event.key)
        if found is not None and found.node is self and found.binding.id in OWN_IDS:
            event.stop()
            event.prevent_default()
            await self.run_action(found.binding.action)

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        text = event.text.replace("\r\n", "\n").replace("\r", "\n")
        if len(text) > LONG_PASTE:
            self._beside.append(Beside(text, size=len(text)))
            self._tell_beside()
            return
        self._catch_up(pasted=False)
        self._pastes.append(visible(text))
        if result := self._replace_via_keyboard(visible(text), *self.selection):
            self.move_cursor(result.end_location)
        self._catch_up(pasted=True)

    def _catch_up(self, *, pasted: bool) -> None:
        text = self.text
        if text != self._known:
            self._spans = follow(self._spans, self._known, text, pasted=pasted, pastes=self._pastes)
            self._known = text

    def _browse(self, step: int) -> None:
        at = len(self.history_lines) if self._browsing is None else self._browsing
        at = max(0, at + step)
        if at >= len(self.history_lines):
            self.put("")
            return
        self.put(*self.history_lines[at])
        self._browsing = at

    def _tell_beside(self) -> None:
        self.post_message(self.PastesChanged(tuple(self._beside)))

    def _offer(self, specs: tuple[Spec, ...]) -> None:
        if specs != self._offered:
            self._offered = specs
            self.post_message(self.Completing(specs))


def file_beside(file: Attached) -> Beside:
    """Return an attached file as something beside the text."""
    return Beside(file.block, file.name, len(file.text))


OWN_IDS = frozenset(binding.id for binding in PromptInput.BINDINGS if isinstance(binding, Binding))
