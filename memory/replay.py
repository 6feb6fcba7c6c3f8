"""Whether a turn's memory would still be written as it was sent.

Owns the one comparison that renders a stored block again; no prompt is ever made from its outcome. The surprise:
the record of what was sent is enough to render from, so a fact that changed since does not count as a difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from memory.blocks import CLOSE, EARLIER, NOTICE, OPEN, STATE, as_told, line_of, render_line, said_at_line
from memory.head import is_at_the_top
from memory.records import Message, Trace


class ReplayOutcome(StrEnum):
    """What came of rendering a block again."""

    EQUAL = "equal"
    RENDERER_CHANGED = "renderer changed"
    FORGOTTEN = "item forgotten"


@dataclass(frozen=True, slots=True)
class Replay:
    """The comparison of a stored block with its second rendering."""

    outcome: ReplayOutcome
    forgotten: tuple[str, ...] = ()
    """Ids of items that are no longer there."""
    sent: tuple[str, ...] = ()
    """Lines that only the stored block has."""
    rendered: tuple[str, ...] = ()
    """Lines that only the second rendering has."""


def replay(trace: Trace, message: Message, is_known: Callable[[str], bool]) -> Replay:
    """Render the memory of a sent turn again and say whether it is the same.

    ``is_known`` tells whether an item still exists. Lines about the conversation itself are not compared.
    """
    items = [item for item in trace.items if not is_at_the_top(item)]
    rendered = (
        said_at_line(message),
        *(render_line(line, message.zone) for line in as_told(map(line_of, items))),
    )
    sent = tuple(
        line
        for line in trace.block.split("\n")
        if line and line not in (OPEN, CLOSE) and not line.startswith((EARLIER, STATE, NOTICE))
    )
    forgotten = tuple(item.id for item in trace.items if not is_known(item.id))
    if sent == rendered and not forgotten:
        return Replay(ReplayOutcome.EQUAL)
    return Replay(
        ReplayOutcome.FORGOTTEN if forgotten else ReplayOutcome.RENDERER_CHANGED,
        forgotten,
        tuple(line for line in sent if line not in rendered),
        tuple(line for line in rendered if line not in sent),
    )
