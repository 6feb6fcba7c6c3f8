"""A field that takes its keys in the order in which they were pressed, however many come at once.

Textual runs a binding when its key has travelled back to the app, so that of keys that come in one burst the
letters overtake the backspace before them: here it takes its turn. A key that changes the focus has to be the app's,
and wait until the field has taken what was sent to it before: ``caught_up`` is for that.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from textual import events
from textual.widgets import Input

PATIENCE_SECONDS = 1.0
"""A field that is just being taken off the screen may never answer."""


class OrderedInput(Input):
    """A field in which nothing overtakes a backspace."""

    async def _on_key(self, event: events.Key) -> None:
        """Take a backspace here and now; letters are the base class's."""
        if event.key == "backspace":
            event.stop()
            event.prevent_default()
            self.action_delete_left()


async def caught_up(field: Input) -> None:
    """Wait until a field has taken every key that was sent to it; call it from the app's own thread of messages."""
    done = asyncio.Event()
    if field.call_later(done.set):
        with suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), PATIENCE_SECONDS)
