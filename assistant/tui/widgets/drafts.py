"""What waits to be sent: messages typed while an answer is being made, and what goes along with the text."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import Static

from assistant.tui.plain import counted, one_line
from assistant.tui.widgets.prompt_input import Beside


class Drafts(Static):
    """One row for each thing that waits; hidden when nothing does."""

    DEFAULT_CSS = "Drafts { height: auto; display: none; }"

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.queued: tuple[str, ...] = ()
        self.beside: tuple[Beside, ...] = ()

    def show(self, queued: Sequence[str] | None = None, beside: Sequence[Beside] | None = None) -> None:
        """Show these; None leaves that part as it is."""
        self.queued = self.queued if queued is None else tuple(queued)
        self.beside = self.beside if beside is None else tuple(beside)
        self.display = bool(self.queued or self.beside)
        self._draw()

    def on_resize(self) -> None:
        """Cut to the new width."""
        self._draw()

    def _draw(self) -> None:
        cells = max(20, self.content_size.width)
        rows = [Content.assemble(("next ", "$accent"), one_line(text, cells - 5)) for text in self.queued]
        if self.queued:
            rows.append(Content.styled("     sent after this answer · alt+up takes it back", "$muted"))
        rows += [
            Content.assemble(
                ("with ", "$accent"),
                f"{one_line(one.name, cells // 2) or 'a paste'} of {counted(one.size, 'character')}",
                (" · alt+backspace drops it", "$muted"),
            )
            for one in self.beside
        ]
        self.update(Content("\n").join(rows))
