"""`locket vault …`: the encrypted store itself."""

from __future__ import annotations

import os
from typing import Any

import click

from assistant.cli import Context, Verbs, print_json, shared_options
from assistant.problems import Exit, to_problem
from assistant.times import minute, text_in_json
from assistant.verbs import vault_backups, vault_copies, vault_lock, vault_slot_list, vault_slots
from assistant.visible import echo


@click.group(cls=Verbs)
def vault() -> None:
    """Make, inspect and look after the encrypted store."""


for verb in (
    vault_lock.lock,
    vault_slots.passphrase,
    vault_slots.recovery,
    vault_slot_list.slots,
    vault_slots.rotate,
    vault_copies.backup,
    vault_backups.backups,
    vault_copies.restore,
    vault_copies.check,
    vault_copies.salvage,
):
    vault.add_command(verb)


@vault.command()
@shared_options
def init(context: Context) -> None:
    """Make an empty store; the passphrase is asked for twice unless a file, command or variable gives it."""
    from assistant.secret import read_passphrase  # noqa: PLC0415 - `--help` needs no store
    from assistant.wiring import create_store  # noqa: PLC0415

    passphrase = read_passphrase(
        os.environ,
        context.password_file,
        context.password_command,
        prompt="New passphrase",
        confirm=True,
    )
    create_store(context.settings, passphrase)
    folder = context.settings.paths.vault
    if context.as_json:
        print_json(vault=str(folder))
        return
    echo(f"The store is in {folder}.")
    echo("Nobody can restore a lost passphrase.", err=True)


@vault.command()
@shared_options
def status(context: Context) -> int:
    """Say what can be said of the store without unlocking it."""
    from memory.vault.backup import list_backups  # noqa: PLC0415 - `--help` needs no store
    from memory.vault.status import vault_status  # noqa: PLC0415

    kept = list_backups(context.settings.paths.vault)
    found = vault_status(context.settings.paths.vault, allow_cheap=context.settings.cheap_kdf)
    holder = found.in_use_by
    shape: dict[str, Any] = {
        "folder": str(found.folder),
        "exists": found.exists,
        "in_use_by": None
        if holder is None
        else {"pid": holder.pid, "since": text_in_json(holder.since or "")},
        "store_bytes": found.store_bytes,
        "log_bytes": found.log_bytes,
        "backups": found.backups,
        "kept_backups": [vault_copies.backup_json(card) for card in kept],
        "slots": [
            {"kind": s.kind, "label": s.label, "created": text_in_json(s.created)} for s in found.slots
        ],
        "rotating": found.rotating,
        "restoring": found.restoring,
        "problem": None,
    }
    problem = to_problem(found.problem) if found.problem is not None else None
    if problem is not None:
        shape["problem"] = {"title": problem.title, "detail": problem.detail, "hint": problem.hint}
    if context.as_json:
        print_json(**shape)
    elif not found.exists:
        echo(f"There is no store in {found.folder}.")
    else:
        echo(f"{'folder':8} {found.folder}")
        echo(f"{'size':8} {found.store_bytes:,} bytes, log {found.log_bytes:,}, {found.backups} backups")
        echo(f"{'keys':8} {', '.join(slot.kind for slot in found.slots) or 'none readable'}")
        for card in kept:
            echo(f"{'backup':8} {card.name}  {card.store_bytes:,} bytes")
        since = f" since {minute(holder.since)}" if holder and holder.since else ""
        echo(f"{'in use':8} {f'by process {holder.pid}{since}' if holder else 'no'}")
        if problem is not None:
            echo(f"locket: {problem.title}. {problem.detail}\n        {problem.hint}", err=True)
    if problem is not None:
        return int(problem.exit_code)
    return int(Exit.OK if found.exists else Exit.NO_STORE)
