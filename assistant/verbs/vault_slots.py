"""The vault's verbs that change what opens it: passphrase, recovery key, a new data key.

Owns what is asked and said. What a slot is, and how keys are exchanged safely, is the vault's. The surprise: a
keyring does not unlock for these unless told to, so that nothing but a person changes the keys.
"""

# ruff: noqa: PLC0415 - `--help` needs no store

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assistant.cli import Context, print_json, shared_options
from assistant.settings import SettingsError
from assistant.times import day, text_in_json
from assistant.visible import agrees, ask, echo

if TYPE_CHECKING:
    from memory.vault.keys import Recovery, Secret
    from memory.vault.slots import SlotCard
    from memory.vault.vault import Vault

NEW_VARIABLE = "LOCKET_NEW_PASSPHRASE"
TRIES = 3
NOT_REVOKED = (
    "Old backups and old copies of vault.key still open with what opened them; `locket vault rotate` makes "
    "new data unreadable to them."
)


def new_passphrase_options(command: Any) -> Any:
    """Give a verb the sources of a new passphrase."""
    for option in (
        click.option(
            "--new-password-command", default=None, help="Run this, read the new passphrase from it."
        ),
        click.option(
            "--new-password-file",
            type=click.Path(path_type=Path),
            default=None,
            help="Read the new passphrase here; else it is asked for twice.",
        ),
    ):
        command = option(command)
    return command


def read_new_passphrase(file: Path | None, command: str | None) -> str:
    """Return a new passphrase from its first source."""
    from assistant.secret import read_passphrase
    from assistant.wiring import check_new_passphrase

    found = read_passphrase(
        os.environ,
        file,
        command,
        variable=NEW_VARIABLE,
        prompt="New passphrase",
        confirm=True,
        options="--new-password-file, --new-password-command",
    )
    return check_new_passphrase(found)


@click.command()
@click.option("--slot", default=None, help="Which passphrase to change, by its slot (`locket vault slots`).")
@new_passphrase_options
@shared_options
def passphrase(
    context: Context, slot: str | None, new_password_file: Path | None, new_password_command: str | None
) -> None:
    """Change the passphrase; the present one, a recovery key or, with --keyring, the keyring opens the store first."""
    from assistant.wiring import cost_of, open_store
    from memory.vault.slots import change_passphrase

    with open_store(context.settings, context.secret(of_keys=True)) as vault:
        new = read_new_passphrase(new_password_file, new_password_command)
        changed = change_passphrase(
            vault, new, slot_id=whole_id(vault, slot) if slot else None, params=cost_of(context.settings)
        )
    if context.as_json:
        print_json(slot=changed)
        return
    echo("The passphrase is changed.")
    echo(NOT_REVOKED, err=True)


@click.command()
@click.option("--unconfirmed", is_flag=True, help="Print the key and ask nothing, for scripts.")
@click.option("--replace", "replacing", is_flag=True, help="Remove the recovery keys made before.")
@shared_options
def recovery(context: Context, unconfirmed: bool, replacing: bool) -> None:
    """Make a recovery key, which opens the store in the passphrase's place; it is shown this once."""
    make_recovery(context, unconfirmed=unconfirmed, replacing=replacing)


def make_recovery(context: Context, *, unconfirmed: bool, replacing: bool = False, label: str = "") -> None:
    """Make a recovery key once it was confirmed, and say so."""
    from assistant.wiring import open_store
    from memory.vault.recovery import new_recovery, recovery_groups
    from memory.vault.slots import add_slot, list_slots, remove_slot

    if not unconfirmed and not sys.stdin.isatty():
        raise SettingsError("nobody is here to confirm the key: run it in a terminal, or give --unconfirmed")
    with open_store(context.settings, context.secret(of_keys=True)) as vault:
        made = new_recovery()
        if not unconfirmed:
            _show_and_confirm(made)
        before = [card.id for card in list_slots(vault) if card.kind == "recovery"]
        slot = add_slot(vault, made, label=label)
        for old in before if replacing else ():
            remove_slot(vault, old)
    if context.as_json:
        print_json(slot=slot, key="-".join(recovery_groups(made)) if unconfirmed else None)
    elif unconfirmed:
        echo("-".join(recovery_groups(made)))
    else:
        echo("The recovery key opens the store now, wherever the passphrase is asked for.")


@click.command()
@click.option(
    "--keep-file",
    type=click.Path(path_type=Path),
    default=None,
    help="Further passphrases and recovery keys that are to open the store afterwards, one a line.",
)
@click.option("--yes", is_flag=True, help="Do not ask before a key is dropped.")
@shared_options
def rotate(context: Context, keep_file: Path | None, yes: bool) -> None:
    """Encrypt the store anew under a new data key; only what is given here, and this keyring, opens it afterwards."""
    from assistant.wiring import cost_of, open_store, secret_of
    from memory.vault.rotate import rotate as rotate_vault
    from memory.vault.slots import list_slots

    secret = secret_of(context.secret(of_keys=True))
    kept: list[Secret] = [secret]
    if keep_file is not None:
        kept += [secret_of(line) for line in _lines_of(keep_file)]
    with open_store(context.settings, secret) as vault:
        others = [card for card in list_slots(vault) if not card.current]
        if any(card.kind == "keyring" for card in others) and context.keyring is not False:
            kept += _kept_by_keyring(vault)
        if keep_file is None and sys.stdin.isatty():
            kept += _asked_for(others)
        kept = [one for n, one in enumerate(kept) if one not in kept[:n]]
        if (doomed := len(others) + 1 - len(kept)) > 0 and not yes:
            words = f"{doomed} other {'key' if doomed == 1 else 'keys'} will not open the store any more"
            if not sys.stdin.isatty():
                raise SettingsError(f"{words}: give --keep-file or --yes")
            agrees(f"{words}. Go on?", abort=True)
        done = rotate_vault(vault, kept, params=cost_of(context.settings))
    if context.as_json:
        print_json(kept=[slot_json(card) for card in done.kept], dropped=[slot_json(c) for c in done.dropped])
        return
    echo("The store is encrypted under a new key.")
    for card in done.dropped:
        echo(f"No longer opens it: {card.kind} of {day(card.created)}")
    echo("Backups made before are as they were: they open with the keys of their day.", err=True)


def slot_json(card: SlotCard) -> dict[str, Any]:
    """Return the documented shape of a slot."""
    return {
        "id": card.id,
        "kind": card.kind,
        "label": card.label,
        "created": text_in_json(card.created),
        "current": card.current,
    }


def _show_and_confirm(made: Recovery) -> None:
    """Show the key once, then have one of its groups typed back."""
    from memory.vault.errors import BadRecoveryText
    from memory.vault.recovery import group_matches, recovery_groups

    groups = recovery_groups(made)
    half = len(groups) // 2
    echo("Write this down, and keep it away from this computer. It is shown only now.\n", err=True)
    for row in (groups[:half], groups[half:]):
        echo("    " + "-".join(row), err=True)
    echo("", err=True)
    place = secrets.randbelow(len(groups))
    for _ in range(TRIES):
        typed = ask(f"To confirm, type group {place + 1} of {len(groups)}")
        if group_matches(made, place, typed):
            return
        echo("That is not what was shown.", err=True)
    raise BadRecoveryText("the recovery key was not confirmed, so it does not open the store")


def _kept_by_keyring(vault: Vault) -> list[Secret]:
    """Return this computer's keyring secret, so that its slot stays."""
    from memory.vault.errors import KeyringUnavailable
    from memory.vault.keyring_slot import find_keyring_secret

    try:
        found = find_keyring_secret(vault.key_file, allow_cheap=vault.allow_cheap)
    except KeyringUnavailable as error:
        echo(f"locket: the system's keyring has no part in it: {error}.", err=True)
        return []
    return [] if found is None else [found]


def _asked_for(others: list[SlotCard]) -> list[Secret]:
    from assistant.wiring import secret_of

    kept: list[Secret] = []
    for card in others:
        if card.kind == "keyring":
            continue
        words = f"The {card.kind} of {day(card.created)} (empty: drop it)"
        typed = ask(words, default="", hide_input=True, show_default=False)
        if typed:
            kept.append(secret_of(typed))
    return kept


def _lines_of(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"cannot read the secrets from {path}: {error}") from error
    return [line for line in text.splitlines() if line]


def whole_id(vault: Vault, given: str) -> str:
    """Return the id of the one slot that begins so; the vault refuses what is none."""
    found = [slot.id for slot in vault.key_file.slots if slot.id.startswith(given)]
    return found[0] if len(found) == 1 else given
