"""What memory does while nobody speaks: one short piece at a time, each committed before the next is looked for.

Owns the order of the pieces. Nothing is kept between two of them but what the store says, so a crash costs
nothing and whoever comes first is let through. The surprise: only the model's own work happens outside a
transaction, and an answer that was cut short simply never was.
"""

from __future__ import annotations

from collections.abc import Callable

from memory import boundaries, consolidate, distilling
from memory.core import Core
from memory.ports import Distiller

Stop = Callable[[], bool]


def do_piece(core: Core, stop: Stop, distiller: Distiller | None = None) -> bool:
    """Do the next piece of idle work; say whether there may be more."""
    pieces: tuple[Callable[[], bool], ...] = (
        lambda: boundaries.derive_again(core),
        lambda: consolidate.expire(core),
        lambda: distiller is not None and distilling.read_next(core, distiller),
        lambda: _close_next(core, stop),
        lambda: distiller is not None and distilling.word_next(core, distiller),
        lambda: consolidate.consolidate(core),
    )
    for piece in pieces:
        if stop():
            return False
        if piece():
            return not stop()
    return False


def _close_next(core: Core, stop: Stop) -> bool:
    conversation = boundaries.next_due(core)
    if conversation is None:
        return False

    def give_way() -> None:
        if stop():
            raise _SomebodyCameError

    try:
        with core.atomic():
            boundaries.close_one(core, conversation, give_way)
    except _SomebodyCameError:
        return False
    return True


class _SomebodyCameError(Exception):
    """Ends the reading of a long conversation; what it would have kept is kept next time."""
