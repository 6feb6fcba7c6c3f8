"""The keys as the help shows them, read from the bindings themselves, so that the help cannot be wrong.

Knows the classes that bind keys; a key the user rebinds in the settings is shown as rebound.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from textual.binding import Binding
from textual.dom import DOMNode

WORDS = {
    "question_mark": "?",
    "slash": "/",
    "plus": "+",
    "minus": "-",
    "escape": "esc",
    "upper_g": "G",
    "space": "space",
}


def bindings_of(owner: type[DOMNode]) -> list[Binding]:
    """List the bindings that a class itself declares."""
    return [b for b in owner.__dict__.get("BINDINGS", ()) if isinstance(b, Binding)]


def ids_of(owners: Iterable[type[DOMNode]]) -> set[str]:
    """Every id that a keymap may name."""
    return {b.id for owner in owners for b in bindings_of(owner) if b.id}


def shown(keys: str) -> str:
    """Write keys as people read them."""
    names = []
    for key in keys.split(","):
        *modifiers, last = key.strip().split("+")
        names.append("+".join([*modifiers, WORDS.get(last, last)]))
    return " or ".join(names)


def key_table(owner: type[DOMNode], keymap: Mapping[str, str]) -> list[tuple[str, str]]:
    """Pair each key of a class with what it does."""
    return [
        (shown(keymap.get(b.id or "", b.key)), b.description) for b in bindings_of(owner) if b.description
    ]
