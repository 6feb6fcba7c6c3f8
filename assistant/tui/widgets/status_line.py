"""The one line at the bottom: model, window, re-use, speed; what is special right now; when it locks.

Draws a frozen status; the least important part goes first when the line is too short.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from assistant.tui.days import minutes_left
from assistant.tui.plain import one_line
from memory.records import Usage

SEPARATOR = " · "


@dataclass(frozen=True, slots=True)
class Status:
    """What the line says."""

    model: str | None = None
    window: int = 0
    usage: Usage | None = None
    notice: str = ""
    loading: bool = False
    """Whether a model is still being loaded."""
    remote: bool = False
    """Whether the words leave this computer."""
    reading: tuple[int, int] | None = None
    """Tokens read ahead of time, and all of them."""
    incognito: bool = False
    paused: bool = False
    lock_in: float | None = None
    """Seconds; None when Locket never locks itself."""

    def left(self) -> list[str]:
        """The parts on the left, most important first."""
        missing = "loading the model" if self.loading else "no model"
        parts = [one_line(self.model, 36) if self.model else missing]
        if self.usage is not None:
            used = self.usage.prompt_tokens + self.usage.answer_tokens
            if self.window:
                parts.append(f"ctx {used / self.window:.0%}")
            read = self.usage.evaluated + self.usage.reused
            if read:
                parts.append(f"reused {self.usage.reused / read:.0%}")
            if self.usage.tokens_per_s:
                parts.append(f"{self.usage.tokens_per_s:.0f} t/s")
        return parts

    def right(self) -> list[str]:
        """The parts on the right, most important last."""
        parts = []
        if self.notice:
            parts.append(self.notice)
        if self.reading is not None:
            parts.append(f"reading {self.reading[0] / max(1, self.reading[1]):.0%}")
        if self.lock_in is not None:
            parts.append(f"locks in {minutes_left(self.lock_in)}")
        if self.paused:
            parts.append("not remembering")
        if self.incognito:
            parts.append("incognito")
        if self.remote:
            parts.append("remote server")
        return parts


def status_words(status: Status, cells: int) -> tuple[str, str]:
    """Fit both sides on one line: drop figures, then notices, then cut the model's name."""
    left, right = status.left(), status.right()
    while len(left) > 1 and _width(left) + _width(right) + 2 > cells:
        left.pop()
    if right and status.notice and _width(left) + _width(right) + 2 > cells:
        spare = cells - _width(left) - _width(right[1:]) - 2 - len(SEPARATOR)
        right[:1] = [one_line(status.notice, spare)] if spare > 8 else []
    while len(right) > 1 and _width(left) + _width(right) + 2 > cells:
        right.pop(0)
    room = cells - _width(right) - 2
    return one_line(SEPARATOR.join(left), max(1, room)), SEPARATOR.join(right)


def _width(parts: list[str]) -> int:
    return cell_len(SEPARATOR.join(parts))


class StatusLine(Static):
    """The bottom line."""

    status: reactive[Status] = reactive(Status, init=False)

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - textual's own name
        super().__init__(markup=False, id=id)

    def watch_status(self) -> None:
        """Draw the new status."""
        self._draw()

    def on_resize(self) -> None:
        """Draw again at the new width."""
        self._draw()

    def _draw(self) -> None:
        cells = self.content_size.width
        left, right = status_words(self.status, cells)
        gap = " " * max(1, cells - cell_len(left) - cell_len(right))
        special = self.status.incognito or self.status.paused or self.status.remote
        self.update(Content.assemble((left, "$muted"), gap, (right, "$accent" if special else "$muted")))
