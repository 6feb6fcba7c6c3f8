"""Foreign text made safe and short for a terminal: control characters visible, lines cut by cells.

Knows nothing of widgets. One surprise: every character maps to exactly one, so a stream may be cleaned
chunk by chunk.
"""

from __future__ import annotations

from rich.cells import cell_len, chop_cells

from assistant.visible import close_gaps as close_gaps  # noqa: PLC0414 - given on, with what shortens
from assistant.visible import visible as visible  # noqa: PLC0414

SHOWN_CHARACTERS = 6000
"""Of one message; a longer one is cut on the screen, never in the store."""


def shortened(text: str, limit: int = SHOWN_CHARACTERS) -> tuple[str, int]:
    """Return the part to show and how many characters were left out."""
    if len(text) <= limit:
        return text, 0
    return text[:limit], len(text) - limit


def one_line(text: str, cells: int) -> str:
    """Put a text on one line of at most ``cells`` cells, with an ellipsis when it was cut."""
    if cells < 1:
        return ""
    head = text[: cells * 8]
    flat = close_gaps(" ".join(visible(head).split()))
    if cell_len(flat) <= cells and len(head) == len(text):
        return flat
    kept = chop_cells(flat, cells - 1)[0] if cells > 1 and flat else ""
    return kept.rstrip() + "…"


def counted(number: int, one: str, many: str = "") -> str:
    """Say how many: "1 fact", "1,204 facts"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
