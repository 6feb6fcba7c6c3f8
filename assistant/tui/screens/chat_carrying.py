"""What goes along with a message, and what leaves or enters as a file: /attach, /export, /import on the chat screen.

Owns where these dialogs begin. Files are read on threads; nothing is written but what the user names.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from assistant.chat.attached import read_attached
from assistant.tui.widgets.prompt_input import PromptInput

if TYPE_CHECKING:
    from assistant.tui.screens.chat import ChatScreen


async def attach(screen: ChatScreen, typed: str) -> None:
    """Lay a file beside the message that is being written; the row above the prompt tells of it."""
    file = await asyncio.to_thread(read_attached, typed, screen.locket.status.window)
    prompt = screen.query_one(PromptInput)
    prompt.attach(file)
    prompt.focus()


async def export(screen: ChatScreen, typed: str) -> None:
    """Ask for the rest and write everything to an encrypted file."""
    from assistant.tui.screens.export import ExportScreen  # noqa: PLC0415 - rarely needed

    file = typed or f"~/locket-{screen.now():%Y-%m-%d}.age"
    await screen.app.push_screen_wait(ExportScreen(screen.locket, file))


async def take_in(screen: ChatScreen, typed: str) -> None:
    """Ask for the rest, look, and take a file in."""
    from assistant.tui.screens.import_ import ImportScreen  # noqa: PLC0415 - rarely needed

    if screen.incognito:
        screen.tell("Nothing is written beside an incognito conversation. End it first (ctrl+n).")
    elif screen.talking:
        screen.tell("Stop this answer first (esc).")
    elif await screen.app.push_screen_wait(ImportScreen(screen.locket, typed)):
        screen.refresh_lists()
