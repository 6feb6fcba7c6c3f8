"""`locket memory forget …` and its kin: what would go, a yes, and the certificate that it went."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

import click

from assistant.certificate import RENEW, backups_line, certificate_lines
from assistant.cli import Context, print_json, shared_options
from assistant.problems import Exit
from assistant.target_words import target_words
from assistant.verbs.opening import reading, reading_vault, writing
from assistant.verbs.shapes import certificate_json, plan_json, tombstone_json
from assistant.visible import agrees, echo
from memory.errors import BadInput, NotFound
from memory.forget import ForgetPlan, Outcome, Seal, Selection, list_sealed, preview, redaction
from memory.reader import Reader
from memory.vault.backup import list_backups

F = TypeVar("F", bound=Callable[..., Any])
LONGEST = 100
SEALS = {
    Seal.FITS: "genuine",
    Seal.BROKEN: "NOT GENUINE: it was made here and has been changed since",
    Seal.ELSEWHERE: "made in another store or profile: it cannot be checked here",
    Seal.UNKNOWN: "cannot be checked here: made in another store or profile, or changed",
}


def deciding_options(command: F) -> F:
    """Give a verb the options that decide what of a plan is done."""
    for option in (
        click.option("--yes", is_flag=True, help="Do not ask."),
        click.option("--dry-run", is_flag=True, help="Show what would go; change nothing."),
        click.option("--keep", multiple=True, metavar="ID|KIND", help="Leave this alone (repeatable)."),
        click.option(
            "--also", multiple=True, metavar="ID", help="Forget this too, though only listed (repeatable)."
        ),
        click.option("--whole", is_flag=True, help="Empty a message that said it, not only those words."),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("ids", nargs=-1)
@click.option("--about", default="", help="Whatever says these words.")
@click.option("--since", default=None, metavar="DATE", help="What was said from this day or time on.")
@click.option("--until", default=None, metavar="DATE", help="What was said up to this day or time.")
@click.option("--conversation", default=None, help="A whole conversation.")
@click.option("--source", default=None, help="Everything that an import brought from there.")
@deciding_options
@shared_options
def forget(
    context: Context,
    ids: tuple[str, ...],
    about: str,
    since: str | None,
    until: str | None,
    conversation: str | None,
    source: str | None,
    **decided: Any,
) -> None:
    """Forget for good: shows what would go, asks, removes it and proves that it is gone."""

    def select(reader: Reader) -> Selection:
        return Selection(
            ids=tuple(reader.full_id(ident) for ident in ids),
            about=about,
            since=_instant(since, end=False),
            until=_instant(until, end=True),
            conversation=reader.get_conversation(conversation).id if conversation else None,
            source=source,
        )

    forget_by(context, select, **decided)


@click.command()
@click.argument("message")
@deciding_options
@shared_options
def redact(context: Context, message: str, **decided: Any) -> None:
    """Take the secrets (cards, passwords, keys) out of a message, and from wherever else they stand."""
    forget_by(context, lambda reader: redaction(reader, reader.full_id(message)), **decided)


@click.command()
@click.option(
    "--remove", default=None, metavar="ID", help="Let what this mark stands for be remembered again."
)
@shared_options
def tombstones(context: Context, remove: str | None) -> None:
    """List the marks that keep forgotten things from coming back; they hold no content."""
    if remove is not None:
        with writing(context, embedder=False) as store:
            whole = [mark.id for mark in store.tombstones() if mark.id.startswith(remove)]
            if len(whole) != 1:
                raise BadInput(f"{remove!r} names {len(whole)} tombstones")
            store.remove_tombstone(whole[0])
    with reading(context) as reader:
        marks = reader.tombstones()
    if context.as_json:
        print_json(tombstones=[tombstone_json(mark) for mark in marks])
        return
    for mark in marks:
        echo(f"{mark.id}  {mark.recorded_at.astimezone():%Y-%m-%d %H:%M}  {mark.kind}")


@click.command()
@shared_options
def certificates(context: Context) -> None:
    """List the certificates of what was forgotten, and whether each is genuine, as far as this store can tell."""
    with reading_vault(context) as (vault, profile):
        found = list_sealed(vault, profile)
    if context.as_json:
        print_json(certificates=[certificate_json(one, seal) for one, seal in found])
        return
    for one, seal in found:
        echo("\n".join([*certificate_lines(one), SEALS[seal], ""]))


def forget_by(
    context: Context,
    select: Callable[[Reader], Selection],
    *,
    dry_run: bool,
    yes: bool,
    keep: tuple[str, ...],
    also: tuple[str, ...],
    whole: bool,
) -> None:
    """Show the plan of a selection, ask, carry it out, and say what came of it."""

    def chosen(reader: Reader) -> Selection:
        found = replace(select(reader), whole=whole)
        kept = [name if name in KINDS else _whole(reader, name) for name in keep]
        return found.leaving(*kept).including(*(_whole(reader, name) for name in also))

    if dry_run:
        with reading(context) as reader:
            _show(context, preview(reader, chosen(reader)))
        return
    if not yes and (context.as_json or not sys.stdin.isatty()):
        raise BadInput("forgetting is final: say --yes, or look first with --dry-run")
    with writing(context) as store:
        plan = store.forget_preview(chosen(store.reader))
        if not yes:
            _show(context, plan)
            if not agrees("Forget this for good?"):
                raise click.exceptions.Exit(int(Exit.FAILURE))
        outcome = store.forget(plan)
    _report(context, plan, outcome)
    if outcome.certificate is None:
        raise click.exceptions.Exit(int(Exit.PARTLY))


KINDS = (
    "fact", "message", "answer", "episode", "rule", "candidate", "title", "summary", "working", "draft", "golden",
    "attachment", "persona",
)  # fmt: skip


def _whole(reader: Reader, ident: str) -> str:
    """Return the whole id that an id, or its beginning, names; what else a plan listed goes by its whole id."""
    try:
        return reader.full_id(ident)
    except NotFound:
        return ident


def _instant(text: str | None, *, end: bool) -> datetime | None:
    """Read a day or a time in the user's own zone; the last day counts whole."""
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadInput(f"{text!r} is no date like 2026-03-01 or 2026-03-01T15:00") from error
    if end and len(text) <= len("2026-03-01"):
        read += timedelta(days=1)
    return read.astimezone()


def _show(context: Context, plan: ForgetPlan) -> None:
    if context.as_json:
        print_json(plan=plan_json(plan))
        return
    for line in plan_lines(plan):
        echo(line)


def plan_lines(plan: ForgetPlan) -> list[str]:
    """Say what would go and what stays, a line each."""
    lines = []
    for title, targets in (("chosen", plan.chosen), ("goes with it", plan.ticked), ("stays", plan.listed)):
        for target in targets:
            text = " ".join(target_words(target).split())
            short = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
            act = "" if title == "stays" else f" {target.act}"
            lines.append(f"{title}:{act} {target.kind} {target.id}  {short}  ({target.reason})")
    for name, number in plan.follows.items():
        if number:
            lines.append(f"goes with it: {number} × {name}")
    if plan.is_empty:
        lines.append("Nothing like that is remembered.")
    return lines


def _report(context: Context, plan: ForgetPlan, outcome: Outcome) -> None:
    if context.as_json:
        made = outcome.certificate
        print_json(
            forgotten=plan.counts,
            certificate=certificate_json(made, Seal.FITS) if made else None,
            retry=outcome.retry or None,
        )
        return
    if outcome.certificate is None:
        echo(outcome.retry)
        return
    echo("\n".join(certificate_lines(outcome.certificate)))
    if older := len(list_backups(context.settings.paths.vault)):
        echo(backups_line(older, RENEW), err=True)
