"""Tells whether a text says a value, as a word of its own and in whatever case or width.

Pure. One surprise: scripts written without spaces have no word edges, so there any place counts.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_UNSPACED: Final = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # Kana
    (0x3400, 0x9FFF),  # Han
    (0xAC00, 0xD7AF),  # Hangul
    (0x20000, 0x3FFFF),  # Han beyond the first plane
)


def folded(text: str) -> str:
    """Bring a text to one case, width and spacing, for comparing."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def mentions(text: str, value: str) -> bool:
    """Tell whether a text says a value."""
    wanted = folded(value)
    return bool(wanted) and folded_mentions(folded(text), wanted)


def folded_mentions(text: str, value: str) -> bool:
    """Tell the same of two texts that are folded already."""
    at = text.find(value)
    while at >= 0:
        end = at + len(value)
        if _is_edge(text[at - 1 : at], value[0]) and _is_edge(text[end : end + 1], value[-1]):
            return True
        at = text.find(value, at + 1)
    return False


def _is_edge(outside: str, inside: str) -> bool:
    return not outside or not outside.isalnum() or not inside.isalnum() or _is_unspaced(inside)


def _is_unspaced(character: str) -> bool:
    return any(low <= ord(character) <= high for low, high in _UNSPACED)
