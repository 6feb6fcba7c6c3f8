"""`locket memory working …`: what is true of one conversation now, shown and edited piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from assistant.cli import Context, Verbs, print_json, shared_options
from assistant.verbs.opening import reading, writing
from assistant.visible import echo
from memory.errors import NotFound
from memory.records import WorkingState
from memory.working_edits import PARTS, STATUSES, added, edited, places, removed, ticked

if TYPE_CHECKING:
    from memory.reader import Reader

LAST = "last"
_conversation = click.option(
    "-c",
    "--conversation",
    default=LAST,
    show_default=True,
    help='The conversation: an id, or "last" for the newest.',
)


@click.group(cls=Verbs, invoke_without_command=True)
@_conversation
@shared_options
@click.pass_context
def working(ctx: click.Context, context: Context, conversation: str) -> None:
    """Show the goal, the steps, what is known and what is open in a conversation; add, edit, tick, remove them."""
    if ctx.invoked_subcommand is not None:
        return
    with reading(context) as reader:
        ident = _full(reader, conversation)
        state = reader.working_state(ident)
    _tell(context, ident, state)


@working.command()
@click.argument("part", type=click.Choice(PARTS))
@click.argument("text")
@_conversation
@shared_options
def add(context: Context, conversation: str, part: str, text: str) -> None:
    """Add a goal, a step, something known or an open question."""
    _change(context, conversation, lambda state: added(state, part, text))


@working.command()
@click.argument("place")
@click.argument("text")
@_conversation
@shared_options
def edit(context: Context, conversation: str, place: str, text: str) -> None:
    """Say a piece anew; PLACE is its name in the list, such as step-2."""
    _change(context, conversation, lambda state: edited(state, place, text))


@working.command()
@click.argument("place")
@click.option(
    "--status", type=click.Choice(STATUSES), default="done", show_default=True, help="What it is now."
)
@_conversation
@shared_options
def tick(context: Context, conversation: str, place: str, status: str) -> None:
    """Say how far a step is."""
    _change(context, conversation, lambda state: ticked(state, place, status))


@working.command()
@click.argument("place")
@_conversation
@shared_options
def remove(context: Context, conversation: str, place: str) -> None:
    """Take a piece out."""
    _change(context, conversation, lambda state: removed(state, place))


@working.command()
@_conversation
@shared_options
def clear(context: Context, conversation: str) -> None:
    """Empty it."""
    _change(context, conversation, lambda _: WorkingState())


def _change(context: Context, conversation: str, change: Callable[[WorkingState], WorkingState]) -> None:
    with writing(context, embedder=False) as store:
        ident = _full(store.reader, conversation)
        store.set_working(ident, change(store.reader.working_state(ident)))
        state = store.reader.working_state(ident)
    _tell(context, ident, state)


def _full(reader: Reader, conversation: str) -> str:
    """Return the whole id; raise NotFound when there is no such conversation."""
    if conversation != LAST:
        return reader.get_conversation(conversation).id
    newest = reader.list_conversations(limit=1)
    if not newest:
        raise NotFound("conversation", LAST)
    return newest[0].id


def working_json(conversation: str, state: WorkingState) -> dict[str, Any]:
    """Return what is true of a conversation now."""
    return {
        "conversation": conversation,
        "goal": state.goal or None,
        "steps": [{"text": text, "status": status} for text, status in state.steps],
        "known": list(state.gathered),
        "questions": list(state.questions),
    }


def _tell(context: Context, conversation: str, state: WorkingState) -> None:
    if context.as_json:
        print_json(working=working_json(conversation, state))
        return
    statuses = {f"step-{n}": f"[{status}] " for n, (_, status) in enumerate(state.steps, 1)}
    for place, text in places(state):
        echo(f"{place:12} {statuses.get(place, '')}{text}")
    if state.is_empty:
        echo("Nothing is noted of this conversation.")
