"""`locket chat --plain`: the same conversation without a screen.

Who types on a terminal and goes away is locked out as on the screen: the conversation ends and the store closes. The
surprise: only whole lines count as typing, and a program that holds the pipe is never idle.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

import click

from assistant.chat.commands import as_message, parse_command
from assistant.cli import Context, shared_options
from assistant.lock_request import obey_requests
from assistant.streams import require_screen
from assistant.verbs.lines import Lines
from assistant.verbs.plain_commands import obey
from assistant.verbs.plain_talk import Talk, speak
from assistant.visible import echo

if TYPE_CHECKING:
    from assistant.tui.idle import IdleTimer, SleepWatch

LOOK_EVERY = 1.0
LOCKED = "Locked, because nothing was typed for a while."


@click.command()
@click.option("--plain", is_flag=True, help="No screen: lines that begin with You: and Locket:.")
@click.option("-c", "--conversation", default=None, help="Go on with this conversation.")
@shared_options
def chat(context: Context, plain: bool, conversation: str | None) -> int:
    """Talk; without --plain this opens the screen."""
    if not plain:
        from assistant.tui.start import run_screen  # noqa: PLC0415 - the screen is loaded only when it is shown

        require_screen(os.environ)
        return run_screen(context.settings)
    asyncio.run(_chat(context, conversation))
    return 0


async def _chat(context: Context, conversation: str | None) -> None:
    from assistant.tui.idle import IdleTimer, SleepWatch  # noqa: PLC0415 - `--help` needs no store
    from assistant.verbs.opening import say_notices  # noqa: PLC0415
    from assistant.wiring import open_locket  # noqa: PLC0415

    secret = await asyncio.to_thread(context.secret)
    locket = await asyncio.to_thread(open_locket, context.settings, secret)
    say_notices(locket.vault)
    lines = Lines(sys.stdin)
    try:
        talk = Talk(locket, lines)

        def lock() -> None:
            talk.ended = True
            lines.stop()
            locket.stop()

        obey_requests(asyncio.get_running_loop(), lock)
        if conversation is not None:
            given = conversation
            talk.conversation = await locket.read(lambda reader: reader.get_conversation(given).id)
        echo("Locket. /help lists the commands, /quit ends.", err=True)
        idle = IdleTimer(context.settings.lock_minutes * 60 if sys.stdin.isatty() else 0)
        sleep = SleepWatch()
        while not talk.ended:
            if sys.stdin.isatty():
                echo("You: ", nl=False)
            line = await next_line(lines, idle, sleep)
            if line is None:
                break
            if line.strip():
                await _take(talk, line)
        if not talk.incognito:
            await locket.act(lambda memory: memory.close_episodes())
    finally:
        await locket.close()
        lines.close()


async def next_line(
    lines: Lines, idle: IdleTimer, sleep: SleepWatch, look_every: float = LOOK_EVERY
) -> str | None:
    """Return the next line; None when there is none, or when nobody typed one for as long as that is allowed."""
    idle.touch()
    reading = asyncio.ensure_future(lines.next())
    while not reading.done():
        await asyncio.wait({reading}, timeout=look_every)
        slept = sleep.has_slept() and idle.limit > 0
        if not reading.done() and (slept or idle.is_due(talking=False)):
            echo(f"\n{LOCKED}", err=True)
            lines.stop()
            await reading
            return None
    return reading.result()


async def _take(talk: Talk, line: str) -> None:
    command = parse_command(line)
    if command is not None:
        await obey(talk, command)
    else:
        await speak(talk, as_message(line))
