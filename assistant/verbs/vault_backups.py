"""`locket vault backups …`: the copies that are kept, listed and let go.

Owns what is asked and said. The surprise: the store has to open before a copy of it goes, so that nobody takes the
last thing that does. `locket vault backups` alone lists.
"""

# ruff: noqa: PLC0415 - `--help` needs no store

from __future__ import annotations

import sys
from pathlib import Path

import click

from assistant.cli import Context, print_json, shared_options
from assistant.settings import SettingsError
from assistant.times import minute
from assistant.verbs.vault_copies import backup_json, opened_for_copies
from assistant.verbs.vault_slot_list import ListsByDefault
from assistant.visible import agrees, echo


@click.group(cls=ListsByDefault)
def backups() -> None:
    """List the backups that are kept beside the store, or take some away."""


@backups.command("list")
@shared_options
def list_(context: Context) -> None:
    """List the backups, the oldest first."""
    _tell(context, context.settings.paths.vault)


@backups.command()
@click.argument("names", metavar="BACKUP...", nargs=-1)
@click.option("--all-but-newest", is_flag=True, help="Every one but the newest that is whole.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@shared_options
def remove(context: Context, names: tuple[str, ...], all_but_newest: bool, yes: bool) -> None:
    """Delete backups for good; what was forgotten since they were made is then in none of them."""
    from memory.vault.old_backups import list_all_but_newest, remove_backups

    if bool(names) == all_but_newest:
        raise click.UsageError("name backups (`locket vault backups` lists them), or give --all-but-newest")
    folder = context.settings.paths.vault
    with opened_for_copies(context):
        doomed = list_all_but_newest(folder) if all_but_newest else names
        if doomed and not yes:
            if not sys.stdin.isatty():
                raise SettingsError("backups that are deleted do not come back: give --yes")
            for name in doomed:
                echo(name, err=True)
            agrees(f"Delete {len(doomed)} for good?", abort=True)
        remove_backups(folder, doomed)
    _tell(context, folder, removed=list(dict.fromkeys(doomed)))


def _tell(context: Context, folder: Path, removed: list[str] | None = None) -> None:
    """Say which backups there are, and which went."""
    from memory.vault.backup import list_backups
    from memory.vault.old_backups import list_unreadable

    cards, unreadable = list_backups(folder), list_unreadable(folder)
    if context.as_json:
        went = {} if removed is None else {"removed": removed}
        print_json(**went, backups=[backup_json(card) for card in cards], unreadable=list(unreadable))
        return
    for card in cards:
        echo(f"{card.name}  {minute(card.made_at)}  {card.store_bytes:,} bytes")
    for name in unreadable:
        echo(f"{name}  DAMAGED: it does not say what it is")
    if removed:
        echo(f"Deleted: {', '.join(removed)}", err=True)
    elif not cards and not unreadable:
        echo("There are no backups.", err=True)
