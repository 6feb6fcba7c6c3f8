"""How good a passphrase is, drawn as a short bar with a word."""

from __future__ import annotations

from textual.content import Content

from assistant.tui.strength import strength

WIDTH = 20


def meter(passphrase: str, width: int = WIDTH) -> Content:
    """Draw the meter of a passphrase; of none, what makes a good one."""
    found = strength(passphrase)
    full = round(found.share * width)
    colour = {"strong": "$success", "good": "$success", "fair": "$warning"}.get(found.word, "$error")
    words = found.word if passphrase else "several unrelated words are good"
    return Content.assemble(("━" * full, colour), ("─" * (width - full), "$faint"), ("  " + words, "$muted"))
