"""`locket memory …`: what is remembered, why, and how to change it. Everything the inspector does, as verbs."""

from __future__ import annotations

import click

from assistant.cli import Context, Verbs, print_json, shared_options
from assistant.times import day
from assistant.undone_words import undone_words
from assistant.verbs.consider import consider_verb
from assistant.verbs.forget import certificates, forget, redact, tombstones
from assistant.verbs.history import history, stats
from assistant.verbs.opening import embedding, reading, writing
from assistant.verbs.review import review, rule, waiting_json
from assistant.verbs.shapes import (
    change_json,
    episode_json,
    episode_parts,
    fact_json,
    hit_json,
    message_json,
    rule_json,
)
from assistant.verbs.why import why
from assistant.verbs.working import working
from assistant.visible import echo
from memory.records import Episode, Fact, FactState, Message, Rule
from memory.store.stored import QueuedCandidate

STATES = tuple(str(state) for state in FactState)


@click.group(cls=Verbs)
def memory() -> None:
    """List, search, explain and change what Locket remembers."""


for _verb in (
    consider_verb,
    forget,
    redact,
    tombstones,
    certificates,
    why,
    review,
    rule,
    working,
    history,
    stats,
):
    memory.add_command(_verb)


@memory.command("list")
@click.option("--all", "everything", is_flag=True, help="Also what is superseded, expired or archived.")
@click.option("--state", type=click.Choice(STATES), default=None, help="Only facts in this state.")
@click.option("--subject", default=None, help="Only facts about this subject.")
@shared_options
def list_(context: Context, everything: bool, state: str | None, subject: str | None) -> None:
    """List facts, rules and episodes."""
    states = None if everything else (FactState(state),) if state else (FactState.ACTIVE,)
    with reading(context) as reader:
        facts = reader.list_facts(states=states, subject=subject)
        others = state is None and subject is None
        rules = reader.list_rules() if others else []
        episodes = reader.list_episodes(limit=-1, every_state=everything) if others else []
    if context.as_json:
        items = [*map(fact_json, facts), *map(rule_json, rules), *map(episode_json, episodes)]
        print_json(items=items)
        return
    for fact in facts:
        mark = "*" if fact.pinned else " "
        end = f" (until {day(fact.valid_to)})" if fact.valid_to else ""
        echo(f"{fact.id} {mark} {fact.subject} · {fact.attribute}: {fact.text}{end}")
    for one in rules:
        echo(f"{one.id} ! rule: {one.text}")
    for episode in episodes:
        echo(f"{episode.id} ~ {episode.title}: {episode.summary}")


@memory.command()
@click.argument("text")
@click.option("--limit", default=20, show_default=True, help="How many at most.")
@shared_options
def search(context: Context, text: str, limit: int) -> None:
    """Search everything by words and meaning."""
    from memory.retrieval.search import search as find  # noqa: PLC0415 - only this verb searches

    with reading(context) as reader, embedding(context) as embedder:
        found = find(reader.db, reader.profile, text, limit, embedder=embedder)
    if context.as_json:
        print_json(items=[hit_json(one) for one in found])
        return
    for one in found:
        state = "" if one.item.state == "active" else f" ({one.item.state})"
        echo(f"{one.item.ref}  {one.item.kind}{state}: {one.snippet}")
    if not found:
        echo("Nothing here says this, or anything near it.", err=True)


@memory.command()
@click.argument("ident")
@shared_options
def show(context: Context, ident: str) -> None:
    """Show one memory with its source and its history."""
    with reading(context) as reader:
        found = reader.get_any(ident)
        if not isinstance(found, Fact):
            _show_other(context, found)
            return
        source = reader.provenance(found)
        history = reader.history(found.subject, found.attribute)
    said = source.message
    if context.as_json:
        print_json(
            item=fact_json(found),
            quote=found.quote,
            source_message=message_json(said) if said else None,
            history=[fact_json(one) for one in history],
        )
        return
    echo(found.text)
    echo(f"{found.subject} · {found.attribute}: {found.value}  ({found.state}, {found.origin})")
    echo(
        f"confidence {found.confidence:.2f}, importance {found.importance:.2f}, recalled {found.recalled} times"
    )
    if said is not None:
        echo(f"said {said.said_at.astimezone():%Y-%m-%d %H:%M}: “{found.quote}”")
    for one in history:
        if one.id != found.id:
            until = f" until {day(one.valid_to)}" if one.valid_to else ""
            echo(f"earlier: {one.value}{until} ({one.state})")


def _show_other(context: Context, found: Rule | Episode | Message | QueuedCandidate) -> None:
    lines: list[str] = []
    match found:
        case Rule():
            shape = rule_json(found)
        case Episode():
            shape = episode_json(found) | episode_parts(found)
            lines = [
                f"{name.replace('_', ' ')}: {_words(part)}"
                for name, part in episode_parts(found).items()
                if part
            ]
        case Message():
            shape = message_json(found)
        case _:
            shape = waiting_json(found)
            lines = [f"waits: {found.reason}", f"said: “{found.candidate.quote}”"]
    if context.as_json:
        print_json(item=shape)
        return
    echo(f"{shape['id']}  {shape['text']}")
    for line in lines:
        echo(line)


def _words(part: str | list[str]) -> str:
    return part if isinstance(part, str) else "; ".join(part)


@memory.command()
@click.argument("text")
@click.option("--subject", default="user", show_default=True, help="Who or what it is about.")
@click.option("--attribute", default="note", show_default=True, help="What it says of the subject.")
@shared_options
def add(context: Context, text: str, subject: str, attribute: str) -> None:
    """Remember something in your own words."""
    with writing(context) as store:
        fact = store.add_fact(text, subject=subject, attribute=attribute)
    _tell(context, fact, "remembered")


@memory.command()
@click.argument("ident")
@click.argument("text")
@shared_options
def edit(context: Context, ident: str, text: str) -> None:
    """Say a memory anew; the old wording stays as history."""
    with writing(context) as store:
        fact = store.edit_fact(ident, text)
    _tell(context, fact, "changed")


@memory.command()
@click.argument("ident")
@click.option("--off", is_flag=True, help="Unpin it.")
@shared_options
def pin(context: Context, ident: str, off: bool) -> None:
    """Keep a memory in every prompt."""
    with writing(context, embedder=False) as store:
        fact = store.pin(ident, not off)
    _tell(context, fact, "unpinned" if off else "pinned")


@memory.command()
@click.argument("ident")
@click.option("--off", is_flag=True, help="Bring it back.")
@shared_options
def archive(context: Context, ident: str, off: bool) -> None:
    """Hide a memory from recall; it can be brought back."""
    with writing(context, embedder=False) as store:
        kept = store.archive(ident, not off)
    _tell(context, kept, "back" if off else "archived")


@memory.command()
@click.option("-c", "--conversation", default=None, help="Only what this conversation changed.")
@click.option("--limit", default=100, show_default=True, help="How many at most.")
@shared_options
def changes(context: Context, conversation: str | None, limit: int) -> None:
    """List what was written to memory, the last change first."""
    with reading(context) as reader:
        home = reader.get_conversation(conversation).id if conversation else None
        found = reader.changes(home, limit)
    if context.as_json:
        print_json(changes=[change_json(one) for one in found])
        return
    for one in found:
        back = "" if one.can_be_undone else "  (cannot be taken back)"
        echo(f"{one.entry.id}  {one.entry.act} {one.entry.kind}: {one.text or 'gone since'}{back}")
    if not found:
        echo("Nothing was written to memory yet.")


@memory.command()
@click.argument("change", required=False)
@shared_options
def undo(context: Context, change: str | None) -> None:
    """Take back a change of memory, by default the last one."""
    with writing(context, embedder=False) as store:
        done = store.undo(change)
    if context.as_json:
        print_json(undone=done.entry.id, act=done.entry.act, journal=done.journal)
    else:
        echo(f"undone: {undone_words(done)}")


def _tell(context: Context, kept: Fact | Episode, what: str) -> None:
    shape = fact_json(kept) if isinstance(kept, Fact) else episode_json(kept)
    if context.as_json:
        print_json(item=shape)
    else:
        echo(f"{what}: {kept.id}  {shape['text']}")
