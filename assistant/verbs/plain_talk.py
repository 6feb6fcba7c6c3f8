"""One plain conversation: what is going on in it, one turn of it in lines, and a question in between.

Owns the words around an answer. No boxes and no cursor movement, so that a screen reader reads it in order.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from assistant.chat.attached import Attached, with_blocks
from assistant.chat.events import TurnEvent
from assistant.locket import Locket
from assistant.verbs.lines import Lines
from assistant.verbs.talking import Heard, hear, settled, tell_memory
from assistant.visible import echo
from memory.memory import Memory
from memory.reader import Reader

T = TypeVar("T")


@dataclass(slots=True)
class Talk:
    """One plain conversation."""

    locket: Locket
    lines: Lines
    conversation: str | None = None
    incognito: bool = False
    last: Heard | None = None
    ended: bool = False
    attached: list[Attached] = field(default_factory=list)
    """What goes along with the next message."""

    async def ask(self, question: str) -> str:
        """Ask something and return the answer; empty when there is none."""
        echo(f"{question} ", nl=False)
        return (await self.lines.next() or "").strip()

    async def agrees(self, question: str) -> bool:
        """Ask yes or no; anything but a yes is no."""
        return (await self.ask(f"{question} (y/n)")).casefold() in ("y", "yes")

    async def act(self, fn: Callable[[Memory], T]) -> T:
        """Change memory wherever this conversation is kept."""
        return await (self.locket.act_incognito(fn) if self.incognito else self.locket.act(fn))

    async def read(self, fn: Callable[[Reader], T]) -> T:
        """Read from wherever this conversation is kept."""
        if self.incognito:
            return await self.locket.act_incognito(lambda memory: fn(memory.reader))
        return await self.locket.read(fn)


async def speak(talk: Talk, text: str, *, instead_of: str | None = None) -> None:
    """Say something, with what was attached to it, and print the answer as it comes."""
    text, pasted = with_blocks(text, (), [file.block for file in talk.attached])
    talk.attached.clear()
    await listen(
        talk,
        talk.locket.turn(
            text,
            conversation=talk.conversation,
            pasted=pasted,
            incognito=talk.incognito,
            instead_of=instead_of,
        ),
    )


async def listen(talk: Talk, events: AsyncIterator[TurnEvent]) -> None:
    """Print a turn, and what was remembered of it."""
    said: list[str] = []

    def say(piece: str) -> None:
        """Print a piece; who speaks is said before the first one, since progress clears its line until then."""
        echo(piece if said else f"Locket: {piece}", nl=False)
        said.append(piece)

    heard = await hear(events, talk.locket.stop, say=say)
    echo("" if said else "Locket:")
    talk.conversation = heard.conversation or talk.conversation
    talk.last = heard
    for words in tell_memory(heard.decided):
        echo(f"({words})")
    if heard.stop_reason == "length":
        echo("(cut short by the length limit; /continue goes on)")
    if heard.problem is not None:
        echo(f"({heard.problem.title}. {heard.problem.detail} {heard.problem.hint})")
    if not talk.incognito:
        await settled(talk.locket)


async def in_thread(fn: Callable[[], T]) -> T:
    """Do something that waits for a disk or a person, beside the conversation."""
    return await asyncio.to_thread(fn)
