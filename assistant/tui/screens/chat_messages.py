"""What the keys on a selected message do on the chat screen: copy, copy its code, edit, branch, why."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assistant.tui.screens import chat_apart
from assistant.tui.widgets.transcript import MessageAct
from memory.records import Message

if TYPE_CHECKING:
    from assistant.tui.screens.chat import ChatScreen

FENCE = re.compile(r"^(```+|~~~+)[^\n]*\n(.*?)^\1\s*$", re.MULTILINE | re.DOTALL)


def code_of(text: str) -> str:
    """Return the fenced code of an answer, blocks separated by an empty line."""
    return "\n\n".join(match.group(2).rstrip("\n") for match in FENCE.finditer(text))


def on_message(screen: ChatScreen, act: MessageAct, message: Message) -> None:
    """Do something with a selected message."""
    match act:
        case MessageAct.COPY:
            screen.app.copy_to_clipboard(message.text)
            screen.tell("Copied.")
        case MessageAct.COPY_CODE:
            copy_code(screen, message)
        case MessageAct.EDIT:
            chat_apart.edit(screen, message)
        case MessageAct.WHY:
            screen.show_why(message)
        case MessageAct.BRANCH:
            screen.branch(message)


def copy_code(screen: ChatScreen, message: Message | None) -> None:
    """Copy the code of an answer."""
    code = code_of(message.text) if message else ""
    if code:
        screen.app.copy_to_clipboard(code)
        screen.tell("Code copied.")
    else:
        screen.tell("There is no code block in this message.")
