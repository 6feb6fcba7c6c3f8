"""Conversations that leave no trace, and branches: where the user goes aside from what was said.

Owns what the chat screen is reading and talking beside: the store, or the memory of an incognito conversation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from assistant.tui import reads
from assistant.tui.plain import counted
from assistant.tui.widgets.prompt_input import PromptInput
from assistant.tui.widgets.transcript import Transcript
from memory.records import Message, Role

if TYPE_CHECKING:
    from assistant.tui.screens.chat import ChatScreen
    from memory.reader import Reader

T = TypeVar("T")
STOP_FIRST = "Stop this answer first (esc)."


async def read(screen: ChatScreen, fn: Callable[[Reader], T]) -> T:
    """Read from wherever the conversation on the screen is kept."""
    if screen.incognito:
        return await screen.locket.act_incognito(lambda memory: fn(memory.reader))
    return await screen.locket.read(fn)


async def opened(screen: ChatScreen, ident: str | None) -> reads.Opened:
    """Read a conversation; a new incognito one has no drafts to bring back."""
    if screen.incognito and ident is None:
        screen.locket.open_conversation(None)
        await screen.locket.act_incognito(lambda _: None)  # from here on whatever would write waits
        return reads.Opened(title="incognito")
    shown = await read(screen, lambda reader: reads.opened(reader, ident))
    screen.locket.open_conversation(None if screen.incognito else shown.id)
    return shown


def begin(screen: ChatScreen) -> None:
    """Begin a conversation of which nothing is kept."""
    if screen.talking:
        screen.tell(STOP_FIRST)
        return
    screen.panes.uncover()
    screen.open_conversation(None, apart=True)
    screen.query_one(PromptInput).focus()


def end(screen: ChatScreen) -> None:
    """Forget the incognito conversation, on the screen too."""
    if screen.incognito:
        screen.query_one(PromptInput).forget_everything()
        screen.locket.end_incognito()


async def keep(screen: ChatScreen) -> None:
    """Make the incognito conversation an ordinary one."""
    ident = screen.conversation
    if not screen.incognito or ident is None:
        screen.tell("There is no incognito conversation to keep.")
    elif screen.talking:
        screen.tell(STOP_FIRST)
    else:
        kept = await screen.locket.keep_incognito(ident)
        screen.incognito = False
        screen.open_conversation(kept.conversation)
        known = sum(one.journal is not None for one in kept.decided)
        screen.tell(f"This conversation is kept, with {counted(known, 'memory', 'memories')} of it.")


def edit(screen: ChatScreen, message: Message) -> None:
    """Take a message of the user back into the prompt; sent again, it takes the old one's place."""
    if message.role is not Role.USER:
        screen.tell("Only your own messages can be edited.")
    elif screen.talking:
        screen.tell(STOP_FIRST)
    else:
        screen.editing = message.id
        prompt = screen.query_one(PromptInput)
        prompt.put(message.text, message.pasted)
        prompt.focus()
        screen.tell(
            "Sent again, it takes the place of your message; the old one stays as a branch. esc drops this."
        )


def stop_editing(screen: ChatScreen) -> bool:
    """Drop an edit that was not sent; say whether there was one."""
    if screen.editing is None:
        return False
    screen.editing = None
    screen.query_one(PromptInput).put("")
    screen.tell("Not edited.")
    return True


async def show_up_to(screen: ChatScreen, message: str) -> None:
    """Take a message and all after it off the screen."""
    transcript = screen.query_one(Transcript)
    ids = [one.id for one in transcript.messages]
    if message in ids:
        await transcript.show(transcript.messages[: ids.index(message)])


async def branch(screen: ChatScreen, message: Message) -> None:
    """Go to the next branch at a message; where there is none, go on from an answer or edit one's own words."""
    conversation = screen.conversation
    if screen.talking or conversation is None:
        screen.tell(STOP_FIRST)
        return
    leaf = await read(screen, lambda reader: reader.next_branch(message.id))
    if leaf == message.id and message.role is Role.USER:
        edit(screen, message)
    elif leaf is None:
        screen.tell("There is nothing after this answer, and no other branch: just write.")
    else:
        await act(screen, conversation, leaf)
        screen.open_conversation(conversation, apart=screen.incognito)
        on_from_here = leaf == message.id
        if on_from_here:
            screen.query_one(PromptInput).focus()
        screen.tell(
            "On from here; b again goes back to what came after." if on_from_here else "Another branch."
        )


async def act(screen: ChatScreen, conversation: str, leaf: str) -> None:
    """Switch branches wherever the conversation is kept."""
    do = screen.locket.act_incognito if screen.incognito else screen.locket.act
    await do(lambda memory: memory.switch_branch(conversation, leaf))
