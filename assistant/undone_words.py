"""What an undo did, in words, for the screen and the verbs alike. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.records import Fact, Rule

if TYPE_CHECKING:
    from memory.store.undo import Undone


def undone_words(done: Undone) -> str:
    """Name what an undo did by the memories it touched; where it touched none, by the act it took back."""
    gone = [record.text for record in done.removed if isinstance(record, Fact | Rule)]
    back = [record.text for record in done.restored if isinstance(record, Fact | Rule)]
    parts = [
        f"{words} “{'; '.join(texts)}”" for words, texts in (("no longer", gone), ("again", back)) if texts
    ]
    return ", ".join(parts) or f"{done.entry.act} {done.entry.kind}"
