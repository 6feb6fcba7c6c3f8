"""`locket conversations …`: what was said, found, read, written out and forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assistant import carrying
from assistant.cli import Context, Verbs, print_json, shared_options
from assistant.verbs.conversation_text import Form, conversation_text
from assistant.verbs.forget import deciding_options, forget_by
from assistant.verbs.opening import embedding, reading
from assistant.verbs.shapes import conversation_json, hit_json, message_json
from assistant.verbs.transfer import archive_passphrase, check_target, confirm_clear, outgoing_options
from assistant.visible import close_gaps, echo, hand_over
from memory.forget import Selection
from memory.records import Conversation

if TYPE_CHECKING:
    from memory.retrieval.search import Found

SAID = ("message", "answer", "attachment")
HITS = 4
"""How many places are looked for in each of the conversations that are listed."""
MASKED_CLEAR = (
    "Whoever gets this file can read it. Secrets that Locket recognises are masked, everything else is not."
)


@click.group(cls=Verbs)
def conversations() -> None:
    """List, search, read and export conversations."""


@conversations.command("list")
@click.option("--limit", default=50, show_default=True, help="How many at most.")
@shared_options
def list_(context: Context, limit: int) -> None:
    """List conversations, newest first."""
    with reading(context) as reader:
        found = reader.list_conversations(limit=limit)
    if context.as_json:
        print_json(conversations=[conversation_json(one) for one in found])
        return
    for one in found:
        echo(_line(one))


@conversations.command()
@click.argument("text")
@click.option("--limit", default=20, show_default=True, help="How many conversations at most.")
@shared_options
def search(context: Context, text: str, limit: int) -> None:
    """Find the conversations in which something was said, with the places, the nearest first."""
    from memory.retrieval.search import search as find  # noqa: PLC0415 - only this verb searches

    with reading(context) as reader, embedding(context) as embedder:
        hits = find(reader.db, reader.profile, text, limit * HITS, embedder=embedder, kinds=SAID)
        ids = list(dict.fromkeys(hit.item.conversation for hit in hits if hit.item.conversation))
        known = [reader.get_conversation(ident) for ident in ids]
        titled = [one for one in reader.list_conversations(text, limit=limit) if one.id not in ids]
    found = [(one, [hit for hit in hits if hit.item.conversation == one.id]) for one in [*known, *titled]]
    if context.as_json:
        print_json(conversations=[_found_json(one, places) for one, places in found[:limit]])
        return
    for one, places in found[:limit]:
        echo(_line(one))
        for hit in places:
            echo(f"  {hit.item.ref}  {hit.item.kind}: {hit.snippet}")
    if not found:
        echo("Nothing here says this, or anything near it.", err=True)


@conversations.command()
@click.argument("conversation")
@shared_options
def show(context: Context, conversation: str) -> None:
    """Print one conversation."""
    with reading(context) as reader:
        found = reader.get_conversation(conversation)
        said = reader.messages(found.id)
    if context.as_json:
        print_json(id=found.id, title=found.title, messages=[message_json(one) for one in said])
        return
    echo(found.title)
    for one in said:
        who = "You" if one.role == "user" else "Locket"
        echo(f"\n{who} ({one.said_at.astimezone():%Y-%m-%d %H:%M}): {close_gaps(one.text)}")


@conversations.command()
@click.argument("conversation")
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", "json"]),
    default="markdown",
    show_default=True,
    help="Markdown of the current branch, or JSON of every branch.",
)
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(path_type=Path),
    default=None,
    help="Write an encrypted file, which `age -d` opens, instead of printing.",
)
@outgoing_options("Write that file so that anybody can read it.")
@shared_options
def export(
    context: Context,
    conversation: str,
    form: Form,
    file: Path | None,
    plaintext: bool,
    yes: bool,
    replace: bool,
    **archive: Any,
) -> None:
    """Print one conversation with its secrets masked, or write it whole into an encrypted file."""
    if file is not None:
        check_target(file, replace=replace)
        if plaintext:
            confirm_clear(yes=yes, words=MASKED_CLEAR)
    elif plaintext or replace:
        raise click.UsageError("--plaintext and --replace are for a file: add --output FILE")
    encrypted = file is not None and not plaintext
    with reading(context) as reader:
        found = reader.get_conversation(conversation)
        said = reader.every_message(found.id) if form == "json" else reader.messages(found.id)
    text = conversation_text(found, said, form, masked=not encrypted)
    if file is not None:
        passphrase = archive_passphrase(**archive, new=True) if encrypted else None
        carrying.write_text(context.settings, file, text, passphrase)
    if context.as_json:
        print_json(
            conversation=found.id,
            form=form,
            messages=len(said),
            file=None if file is None else str(file),
            encrypted=encrypted,
            text=text if file is None else None,
        )
    elif file is None:
        hand_over(text)
    else:
        echo(f"{file}: {len(said):,} messages, {file.stat().st_size:,} bytes.")


@conversations.command()
@click.argument("conversation")
@deciding_options
@shared_options
def delete(context: Context, conversation: str, **decided: Any) -> None:
    """Forget a conversation for good, with what was remembered from it (`--keep fact` keeps that)."""
    forget_by(
        context,
        lambda reader: Selection(conversation=reader.get_conversation(conversation).id),
        **decided,
    )


def _line(one: Conversation) -> str:
    return f"{one.id}  {one.updated_at.astimezone():%Y-%m-%d %H:%M}  {one.title}"


def _found_json(one: Conversation, places: Sequence[Found]) -> dict[str, Any]:
    return {**conversation_json(one), "hits": [hit_json(hit) for hit in places]}
