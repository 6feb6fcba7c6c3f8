"""Running text with lists and headings, cut into statements that can be remembered one by one. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memory.store.parts import cut

LONGEST: Final = 600
_MARK: Final = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_HEADING: Final = re.compile(r"^\s*(?:#{1,6}\s.*|\*\*[^*]+\*\*:?)\s*$")


def statements(text: str) -> Iterator[str]:
    """Yield the statements of a text; a heading says nothing by itself."""
    for line in text.splitlines():
        if _HEADING.match(line):
            continue
        said = _MARK.sub("", line).strip()
        if said and any(character.isalnum() for character in said):
            yield from cut(said, LONGEST)
