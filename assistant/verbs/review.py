"""`locket memory review` and `locket memory rule`: what waits for the user's word, and how things are done."""

from __future__ import annotations

from typing import Any

import click

from assistant.cli import Context, Verbs, print_json, shared_options
from assistant.verbs.opening import reading, writing
from assistant.verbs.shapes import decided_json, rule_json, when
from assistant.visible import echo
from memory.records import Decided, Rule
from memory.store.stored import QueuedCandidate


def waiting_json(queued: QueuedCandidate) -> dict[str, Any]:
    """Return a candidate that waits."""
    candidate = queued.candidate
    return {
        "id": queued.id,
        "kind": str(candidate.kind),
        "text": candidate.text,
        "subject": candidate.subject,
        "attribute": candidate.attribute,
        "value": candidate.value,
        "quote": candidate.quote,
        "origin": str(candidate.origin),
        "reason": queued.reason,
        "source": queued.message,
        "recorded_at": when(queued.recorded_at),
    }


@click.group(cls=Verbs, invoke_without_command=True)
@shared_options
@click.pass_context
def review(ctx: click.Context, context: Context) -> None:
    """List what waits for your yes; accept, edit or reject it."""
    if ctx.invoked_subcommand is not None:
        return
    with reading(context) as reader:
        waiting = reader.review_list()
    if context.as_json:
        print_json(items=[waiting_json(one) for one in waiting])
        return
    for one in waiting:
        echo(f"{one.id}  {one.candidate.kind}: {one.candidate.text}  ({one.reason})")
    if not waiting:
        echo("Nothing waits for your yes.")


@review.command()
@click.argument("ident")
@shared_options
def accept(context: Context, ident: str) -> None:
    """Remember it as it stands."""
    _take(context, ident, None)


@review.command()
@click.argument("ident")
@click.argument("text")
@shared_options
def edit(context: Context, ident: str, text: str) -> None:
    """Remember it in your own words."""
    _take(context, ident, text)


@review.command()
@click.argument("ident")
@click.option("--always", is_flag=True, help="Never propose this again.")
@shared_options
def reject(context: Context, ident: str, always: bool) -> None:
    """Do not remember it."""
    with writing(context, embedder=False) as store:
        store.reject(ident, always=always)
    if context.as_json:
        print_json(rejected=ident, always=always)
    else:
        echo("rejected for good" if always else "rejected")


def _take(context: Context, ident: str, text: str | None) -> None:
    with writing(context) as store:
        done = store.accept(ident, text)
    if context.as_json:
        print_json(item=decided_json(done) if isinstance(done, Decided) else rule_json(done))
    elif isinstance(done, Decided):
        echo(f"remembered: {done.id}  {done.candidate.text}")
    else:
        echo(f"followed from now on: {done.id}  {done.text}")


@click.group(cls=Verbs)
def rule() -> None:
    """List, add, change and end the rules that every prompt follows."""


@rule.command("list")
@click.option("--all", "everything", is_flag=True, help="Also earlier versions of the rules in force.")
@shared_options
def list_rules(context: Context, everything: bool) -> None:
    """List the rules in force."""
    with reading(context) as reader:
        current = reader.list_rules()
        shown = [v for one in current for v in reader.rule_versions(one)] if everything else current
    if context.as_json:
        print_json(items=[rule_json(one) | {"version": one.version, "lineage": one.lineage} for one in shown])
        return
    for one in shown:
        echo(f"{one.id}  version {one.version} ({one.state}): {one.text}")


@rule.command("add")
@click.option("--everywhere", is_flag=True, help="In every profile.")
@click.argument("text")
@shared_options
def add_rule(context: Context, everywhere: bool, text: str) -> None:
    """Follow a rule from now on."""
    with writing(context, embedder=False) as store:
        _tell(context, store.add_rule(text, everywhere=everywhere))


@rule.command("edit")
@click.argument("ident")
@click.argument("text")
@shared_options
def edit_rule(context: Context, ident: str, text: str) -> None:
    """Say a rule anew."""
    with writing(context, embedder=False) as store:
        _tell(context, store.edit_rule(ident, text))


@rule.command("back")
@click.argument("ident")
@shared_options
def back(context: Context, ident: str) -> None:
    """Go back to an earlier version of a rule."""
    with writing(context, embedder=False) as store:
        _tell(context, store.rule_back(ident))


@rule.command("retire")
@click.argument("ident")
@shared_options
def retire(context: Context, ident: str) -> None:
    """Stop following a rule."""
    with writing(context, embedder=False) as store:
        _tell(context, store.retire_rule(ident))


def _tell(context: Context, done: Rule) -> None:
    if context.as_json:
        print_json(item=rule_json(done) | {"version": done.version, "lineage": done.lineage})
    else:
        echo(f"{done.state}: {done.id}  {done.text}")
