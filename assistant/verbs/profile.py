"""`locket profile …`: whose memories there are, and which one is used when no verb says so."""

from __future__ import annotations

import os
from typing import Any

import click

from assistant.cli import Context, Verbs, print_json, shared_options
from assistant.settings import load_settings, write_setting
from assistant.times import in_json
from assistant.verbs.opening import say_notices, writing
from assistant.visible import echo
from memory.errors import NotFound
from memory.store.profiles import find_profile, list_profiles
from memory.store.stored import Profile

BEYOND = "Exports and backups made before still hold it; `locket vault backup` makes a new backup."


@click.group(cls=Verbs)
def profile() -> None:
    """Keep several people's memories, or sides of one person, apart in one store."""


def _known(context: Context) -> tuple[list[Profile], str | None]:
    """Return every profile, and the id of the one in use; a setting may name one that is gone."""
    from assistant.wiring import open_store  # noqa: PLC0415 - `--help` needs no store

    with open_store(context.settings, context.secret(), writer=False) as vault:
        say_notices(vault)
        used = find_profile(vault.db, context.settings.profile)
        return list_profiles(vault.db), used.id if used else None


def profile_json(one: Profile, used: str | None) -> dict[str, Any]:
    """Return the documented shape of a profile."""
    return {
        "id": one.id,
        "name": one.name,
        "created_at": in_json(one.created_at),
        "used": one.id == used,
    }


def _tell(context: Context, one: Profile, used: str | None, words: str) -> None:
    if context.as_json:
        print_json(profile=profile_json(one, used))
    else:
        echo(words)


@profile.command("list")
@shared_options
def list_(context: Context) -> None:
    """List the profiles; the star marks the one in use."""
    known, used = _known(context)
    if context.as_json:
        print_json(profiles=[profile_json(one, used) for one in known])
        return
    for one in known:
        echo(f"{'*' if one.id == used else ' '} {one.name}")


@profile.command()
@click.argument("name")
@shared_options
def add(context: Context, name: str) -> None:
    """Make an empty profile."""
    with writing(context, embedder=False) as memory:
        made, used = memory.add_profile(name), memory.profile
    _tell(context, made, used, f"made: {made.name}. `locket profile use` makes it the usual one.")


@profile.command()
@click.argument("name")
@shared_options
def use(context: Context, name: str) -> None:
    """Use a profile from now on, wherever no --profile is given."""
    known, _ = _known(context)
    wanted = next((one for one in known if name in (one.name, one.id)), None)
    if wanted is None:
        raise NotFound("profile", name)
    write_setting(context.settings.paths.config, "profile", wanted.name)
    _tell(context, wanted, wanted.id, f"used from now on: {wanted.name}")


@profile.command()
@click.argument("name")
@click.argument("new_name")
@shared_options
def rename(context: Context, name: str, new_name: str) -> None:
    """Give a profile another name."""
    with writing(context, embedder=False) as memory:
        renamed, used = memory.rename_profile(name, new_name), memory.profile
    if load_settings(os.environ).profile == name:  # else the setting would name nobody
        write_setting(context.settings.paths.config, "profile", renamed.name)
    _tell(context, renamed, used, f"renamed: {renamed.name}")


@profile.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Delete it; without this nothing happens.")
@shared_options
def delete(context: Context, name: str, yes: bool) -> None:
    """Delete a profile with everything it remembers, for good."""
    if not yes:
        raise click.UsageError(f"this forgets everything of {name!r} for good; say --yes to do it")
    if load_settings(os.environ).profile == name:
        raise click.UsageError(
            f"{name!r} is the usual profile; use another one first: locket profile use NAME"
        )
    with writing(context, embedder=False) as memory:
        emptied = memory.delete_profile(name)
    if context.as_json:
        print_json(deleted=emptied.name, rows=dict(emptied.rows), log_emptied=emptied.log_emptied)
        return
    echo(f"deleted: {emptied.name}, {sum(emptied.rows.values()):,} rows. {BEYOND}")
    if not emptied.log_emptied:
        echo("Somebody is reading the store; its log is emptied when they close it.", err=True)
