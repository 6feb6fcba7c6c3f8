"""The commands that what is typed may become, above the prompt. Drawn only; the prompt moves the cursor."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from assistant.chat.commands import Spec

SHOWN = 8


class Completions(Static):
    """A short list of commands with one of them chosen."""

    DEFAULT_CSS = "Completions { height: auto; display: none; }"

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.specs: tuple[Spec, ...] = ()
        self.index = 0

    @property
    def chosen(self) -> Spec | None:
        """The command that enter or tab would take."""
        return self.specs[self.index] if self.specs else None

    def show(self, specs: tuple[Spec, ...]) -> None:
        """Offer these; none hides the list."""
        if specs != self.specs:
            self.specs, self.index = specs, 0
        self.display = bool(specs)
        self._draw()

    def move(self, step: int) -> None:
        """Choose the next or the previous one, round the ends."""
        if self.specs:
            self.index = (self.index + step) % len(self.specs)
            self._draw()

    def _draw(self) -> None:
        first = max(0, min(self.index - SHOWN // 2, len(self.specs) - SHOWN))
        rows = []
        for at, spec in enumerate(self.specs[first : first + SHOWN], first):
            here = at == self.index
            rows.append(
                Content.assemble(
                    ("▸ " if here else "  ", "$accent"),
                    (spec.usage.ljust(24), "bold" if here else "$primary"),
                    (spec.summary, "" if here else "$muted"),
                )
            )
        self.update(Content("\n").join(rows))
