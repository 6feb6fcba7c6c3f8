"""How the model's window is divided, as a bar and a legend. Draws a receipt, asks nobody.

Each section has a letter as well as a colour, so that the bar reads without colours too.
"""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from assistant.tui.snapshot import Receipt
from memory.records import SectionUse

COLOURS = ("$primary", "$accent", "$success", "$secondary", "$foreground", "$muted", "$error")
FREE = "─"


def bar(sections: tuple[SectionUse, ...], room: int, cells: int) -> Content:
    """Draw the share of each section of ``room`` tokens over ``cells`` cells."""
    whole = max(room, sum(s.tokens for s in sections), 1)
    parts: list[tuple[str, str]] = []
    used = 0
    for index, section in enumerate(sections):
        width = round(section.tokens / whole * cells)
        if section.tokens and not width:
            width = 1
        width = min(width, cells - used)
        letter = section.name[:1].upper()
        parts.append(((letter + "▇" * width)[:width], COLOURS[index % len(COLOURS)]))
        used += width
    parts.append((FREE * (cells - used), "$faint"))
    return Content.assemble(*parts)


def legend(sections: tuple[SectionUse, ...], cells: int) -> list[Content]:
    """Write each section's tokens against its cap, numbers aligned."""
    rows = []
    for index, section in enumerate(sections):
        if not section.tokens:
            continue
        numbers = f"{section.tokens:,} / {section.cap:,}"
        name = section.name.ljust(max(1, cells - len(numbers) - 3))[: max(1, cells - len(numbers) - 3)]
        rows.append(Content.assemble(("▇ ", COLOURS[index % len(COLOURS)]), name, " ", (numbers, "$muted")))
    return rows


def cost_line(receipt: Receipt) -> str:
    """Say on two lines what the turn cost the engine."""
    usage = receipt.usage
    if usage is None:
        return ""
    read = f"read {usage.evaluated:,} · reused {usage.reused:,} tokens"
    if not usage.tokens_per_s:
        return read
    return f"{read}\nfirst word after {usage.first_token_ms / 1000:.1f} s · {usage.tokens_per_s:.0f} tokens/s"


class BudgetBar(Static):
    """The bar with its legend."""

    DEFAULT_CSS = "BudgetBar { height: auto; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - textual's own name
        super().__init__(markup=False, id=id)
        self.receipt: Receipt | None = None

    def show(self, receipt: Receipt | None) -> None:
        """Draw this receipt."""
        self.receipt = receipt
        self._draw()

    def on_resize(self) -> None:
        """Draw again at the new width."""
        self._draw()

    def _draw(self) -> None:
        receipt, cells = self.receipt, max(10, self.content_size.width or 10)
        if receipt is None:
            self.update("")
            return
        room = receipt.window - receipt.reserve if receipt.window else 0
        of = f" of {room:,}" if room else ""
        rows = [
            Content.assemble((f"{receipt.tokens:,}{of} tokens", "bold")),
            bar(receipt.sections, room, cells),
            *legend(receipt.sections, cells),
        ]
        if cost := cost_line(receipt):
            rows.append(Content.styled(cost, "$muted"))
        self.update(Content("\n").join(rows))
