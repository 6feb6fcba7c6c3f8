"""`locket ask`: one question, one answer, with memory."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass

import click

from assistant.cli import Context, print_json, shared_options
from assistant.lock_request import obey_requests
from assistant.problems import Exit
from assistant.verbs.talking import Heard, first_code_block, hear, settled, tell_memory, turn_json, why_lines
from assistant.visible import echo, hand_over


@click.command()
@click.option("-c", "--conversation", default=None, help="Go on with this conversation.")
@click.option("--incognito", is_flag=True, help="Leave no trace: nothing is written.")
@click.option("--no-memory", is_flag=True, help="Answer without anything remembered.")
@click.option("--why", is_flag=True, help="Say what the answer rested on.")
@click.option("-x", "--extract", is_flag=True, help="Print only the first code block.")
@click.argument("text", nargs=-1)
@shared_options
def ask(
    context: Context,
    conversation: str | None,
    incognito: bool,
    no_memory: bool,
    why: bool,
    extract: bool,
    text: tuple[str, ...],
) -> int:
    """Ask one question; what comes on standard input is added to it.

    What is piped in beside TEXT, or in several lines, is read and never remembered.
    """
    words = " ".join(text)
    piped = "" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.read()
    question, pasted = joined(words, piped.strip("\n"))
    if not question:
        raise click.UsageError("there is nothing to ask")
    if incognito and conversation is not None:
        raise click.UsageError(
            "an incognito question belongs to no conversation: leave out -c or --incognito"
        )
    streaming = not (context.as_json or extract)
    asked = Asked(question, conversation, pasted, use_memory=not no_memory, incognito=incognito)
    heard = asyncio.run(_ask(context, asked, streaming=streaming))
    _print(context, heard, why=why, extract=extract)
    return heard.exit_code


def joined(words: str, piped: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the whole question and what of it nobody typed: all that is piped, but for one line that stands alone."""
    question = "\n\n".join(part for part in (words, piped) if part.strip())
    foreign = bool(piped.strip()) and (bool(words.strip()) or len(piped.splitlines()) > 1)
    return question, ((len(question) - len(piped), len(question)),) if foreign else ()


@dataclass(frozen=True, slots=True)
class Asked:
    """One question."""

    text: str
    conversation: str | None
    pasted: tuple[tuple[int, int], ...]
    use_memory: bool
    incognito: bool


async def _ask(context: Context, asked: Asked, *, streaming: bool) -> Heard:
    from assistant.verbs.opening import say_notices  # noqa: PLC0415 - `--help` needs no store
    from assistant.wiring import open_locket  # noqa: PLC0415

    secret = await asyncio.to_thread(context.secret)
    locket = await asyncio.to_thread(open_locket, context.settings, secret, sealed=asked.incognito)
    obey_requests(asyncio.get_running_loop(), locket.stop)
    say_notices(locket.vault)
    try:
        conversation = asked.conversation
        if conversation is not None:
            given = conversation
            conversation = await locket.read(lambda reader: reader.get_conversation(given).id)
        events = locket.turn(
            asked.text,
            conversation=conversation,
            pasted=asked.pasted,
            use_memory=asked.use_memory,
            incognito=asked.incognito,
        )
        say = (lambda piece: echo(piece, nl=False)) if streaming else None
        heard = await hear(events, locket.stop, say=say)
        if not asked.incognito:
            await settled(locket)
        return heard
    finally:
        await locket.close()


def _print(context: Context, heard: Heard, *, why: bool, extract: bool) -> None:
    if heard.problem is not None:
        echo(f"locket: {heard.problem.title}. {heard.problem.detail}", err=True)
        echo(f"        {heard.problem.hint}", err=True)
    if context.as_json:
        print_json(**turn_json(heard))
        return
    if extract:
        block = first_code_block(heard.answer.text) if heard.answer else None
        if block is None:
            echo("locket: the answer holds no code block", err=True)
            raise click.exceptions.Exit(int(heard.exit_code or Exit.FAILURE))
        hand_over(block)
        return
    echo("")
    for line in tell_memory(heard.decided):
        echo(f"({line})", err=True)
    if heard.stop_reason == "length":
        echo("(the answer was cut at its longest length)", err=True)
    if why:
        for line in why_lines(heard):
            echo(line, err=True)
