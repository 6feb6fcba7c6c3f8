"""`locket vault lock`: have the Locket that has the store open lock itself."""

from __future__ import annotations

import click

from assistant.cli import Context, print_json, shared_options
from assistant.lock_request import ask_to_lock
from assistant.visible import echo


@click.command()
@shared_options
def lock(context: Context) -> None:
    """Tell a running Locket to lock: it stops the answer it is writing, keeps it, and drops every key."""
    from memory.vault.errors import StoreInUse  # noqa: PLC0415 - `--help` needs no store

    try:
        holder = ask_to_lock(context.settings.paths.vault)
    except TimeoutError as error:
        raise StoreInUse(None, None, "still in use, though it was asked to lock") from error
    if context.as_json:
        print_json(was_open=holder is not None, pid=None if holder is None else holder.pid)
    else:
        echo("Locked." if holder is not None else "Nothing was unlocked.")
