"""`locket memory history` and `locket memory stats`: what was believed when, and how much there is."""

from __future__ import annotations

from datetime import datetime

import click

from assistant.cli import Context, print_json, shared_options
from assistant.times import day
from assistant.verbs.opening import reading
from assistant.verbs.shapes import fact_json
from assistant.visible import echo
from assistant.wiring import clock_of
from memory.records import Fact


@click.command()
@click.option("--at", default=None, help="What was believed on this date (ISO 8601).")
@click.argument("subject", required=False)
@shared_options
def history(context: Context, at: str | None, subject: str | None) -> None:
    """Show how memories changed, by subject and attribute; with --at, what was believed then."""
    instant = _instant(at, context) if at is not None else None
    with reading(context) as reader:
        if instant is not None:
            found = reader.believed_at(instant, subject)
        else:
            found = reader.list_facts(states=None, subject=subject)
    found = sorted(found, key=_place)
    if context.as_json:
        print_json(at=at, items=[fact_json(one) for one in found])
        return
    slot = ("", "")
    for one in found:
        if (one.subject, one.attribute) != slot:
            slot = (one.subject, one.attribute)
            echo(f"{one.subject} · {one.attribute}")
        since = one.valid_from or one.recorded_at
        until = day(one.valid_to) if one.valid_to else "now"
        echo(f"  {day(since)} to {until}: {one.value}  ({one.state})")
    if not found:
        echo("Nothing is known of that.")


def _place(fact: Fact) -> tuple[str, str, datetime, str]:
    return fact.subject, fact.attribute, fact.valid_from or fact.recorded_at, fact.id


def _instant(text: str, context: Context) -> datetime:
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise click.UsageError(f"--at is {text!r}; it must be a date such as 2026-03-01") from None
    if len(text) == len("2026-03-01"):  # a day is meant to its end
        instant = instant.replace(hour=23, minute=59, second=59)
    return instant if instant.tzinfo else instant.replace(tzinfo=clock_of(context.settings)().tzinfo)


@click.command()
@shared_options
def stats(context: Context) -> None:
    """Count what is remembered."""
    with reading(context) as reader:
        found = reader.stats()
    shape = {name: getattr(found, name) for name in found.__dataclass_fields__}
    if context.as_json:
        print_json(**shape)
        return
    for name, value in shape.items():
        words = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
        echo(f"{name:14} {words}")
