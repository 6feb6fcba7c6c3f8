"""/edit, /branch and /forget of the plain chat: acts that first show what they concern, then ask."""

from __future__ import annotations

from assistant.certificate import RENEW, backups_line, certificate_lines
from assistant.verbs.forget import plan_lines
from assistant.verbs.plain_talk import Talk, speak
from assistant.visible import echo
from memory.forget import Selection
from memory.records import Message, Role


async def messages(talk: Talk) -> list[Message]:
    """Return what was said on the current branch."""
    here = talk.conversation
    return [] if here is None else await talk.read(lambda reader: reader.messages(here))


async def edit(talk: Talk) -> None:
    """Say the last message anew; the old one stays as a branch."""
    own = [one for one in await messages(talk) if one.role is Role.USER]
    if not own:
        echo("There is no message yet.")
        return
    echo(f"You said: {own[-1].text}")
    words = await talk.ask("In its place (nothing leaves it):")
    if words:
        await speak(talk, words, instead_of=own[-1].id)


async def branch(talk: Talk) -> None:
    """Go to the next branch at the last answer or message, wherever there is one."""
    here, said = talk.conversation, await messages(talk)
    for message in reversed(said[-2:]):
        beside = await talk.read(lambda reader, ident=message.id: reader.branches(ident))  # type: ignore[misc]
        if len(beside) > 1 and here is not None:
            leaf = await talk.read(lambda reader, ident=message.id: reader.next_branch(ident))  # type: ignore[misc]
            await talk.act(lambda memory: memory.switch_branch(here, leaf or message.id))  # noqa: B023 - at once
            for one in (await messages(talk))[-2:]:
                echo(f"{'You' if one.role is Role.USER else 'Locket'}: {one.text}")
            echo("(another branch; /branch goes on to the next one)")
            return
    echo("There is no other branch here. /edit and /regenerate begin one.")


async def forget(talk: Talk, words: str) -> None:
    """Show what would go, and forget it on a yes."""
    plan = await talk.locket.act(lambda memory: memory.forget_preview(Selection(about=words)))
    for line in plan_lines(plan):
        echo(line)
    if plan.is_empty:
        return
    if not await talk.agrees("Forget this for good?"):
        echo("(nothing was forgotten)")
        return
    outcome = await talk.locket.forget(plan.selection)
    for line in certificate_lines(outcome.certificate) if outcome.certificate else [outcome.retry]:
        echo(line)
    if outcome.certificate and (older := talk.locket.count_backups()):
        echo(backups_line(older, RENEW))
