"""`locket vault slots …`: what opens the store, listed, added to and taken from.

Owns what is asked and said. Passphrases and recovery keys are made as the verbs of those names make them. The
surprise: `locket vault slots` alone lists.
"""

# ruff: noqa: PLC0415 - `--help` needs no store

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from assistant.cli import Context, Verbs, print_json, shared_options
from assistant.times import day
from assistant.verbs.vault_slots import (
    NOT_REVOKED,
    make_recovery,
    new_passphrase_options,
    read_new_passphrase,
    slot_json,
    whole_id,
)
from assistant.visible import echo

if TYPE_CHECKING:
    from memory.vault.slots import SlotCard

KEYRING_MEANS = (
    "Locket opens by itself here now, for whoever uses your account: other programs of yours can read the keyring "
    "too (SECURITY.md). --no-keyring, or the setting `keyring`, has it ask all the same."
)


class ListsByDefault(Verbs):
    """A family of verbs whose name alone is its `list`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `list` before what names no verb."""
        if not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names):
            args = ["list", *args]
        return super().parse_args(ctx, args)


@click.group(cls=ListsByDefault)
def slots() -> None:
    """List what opens the store; add to it, or take one away."""


@slots.command("list")
@shared_options
def list_(context: Context) -> None:
    """List what opens the store."""
    from assistant.wiring import open_store
    from memory.vault.slots import list_slots

    with open_store(context.settings, context.secret(), writer=False) as vault:
        cards = list_slots(vault)
    if context.as_json:
        print_json(slots=[slot_json(card) for card in cards])
    else:
        _tell(cards)


@slots.command()
@click.argument("kind", type=click.Choice(["keyring", "passphrase", "recovery"]))
@click.option("--label", default=None, help="Your own name for it.")
@click.option("--unconfirmed", is_flag=True, help="Print a recovery key and ask nothing, for scripts.")
@new_passphrase_options
@shared_options
def add(
    context: Context,
    kind: Literal["keyring", "passphrase", "recovery"],
    label: str | None,
    unconfirmed: bool,
    new_password_file: Path | None,
    new_password_command: str | None,
) -> None:
    """Let one more open the store: the system's keyring, a further passphrase, or a recovery key."""
    if unconfirmed and kind != "recovery":
        raise click.UsageError("--unconfirmed is for a recovery key")
    if kind == "recovery":
        make_recovery(context, unconfirmed=unconfirmed, label=label or "")
        return
    from assistant.wiring import cost_of, open_store
    from memory.vault.keyring_slot import add_keyring_slot
    from memory.vault.keys import Passphrase
    from memory.vault.slots import add_slot

    with open_store(context.settings, context.secret(of_keys=True)) as vault:
        if kind == "keyring":
            slot = add_keyring_slot(vault, label=label or "this computer")
        else:
            new = Passphrase(read_new_passphrase(new_password_file, new_password_command))
            slot = add_slot(vault, new, label=label or "", params=cost_of(context.settings))
    if context.as_json:
        print_json(slot=slot)
    elif kind == "keyring":
        echo("The system's keyring unlocks the store now.")
        echo(KEYRING_MEANS, err=True)
    else:
        echo("The new passphrase opens the store now, and so do the others.")


@slots.command()
@click.argument("slot", metavar="ID")
@shared_options
def remove(context: Context, slot: str) -> None:
    """Let the slot ID open the store no longer; the last one that needs no keyring stays."""
    from assistant.wiring import open_store
    from memory.vault.errors import KeyringUnavailable
    from memory.vault.keyring_slot import remove_keyring_slot
    from memory.vault.slots import list_slots, remove_slot

    left = None
    with open_store(context.settings, context.secret(of_keys=True)) as vault:
        found = whole_id(vault, slot)
        if any(card.id == found and card.kind == "keyring" for card in list_slots(vault)):
            try:
                remove_keyring_slot(vault, found)
            except KeyringUnavailable as error:
                left = error
        else:
            remove_slot(vault, found)
        cards = list_slots(vault)
    if left is not None:
        echo(f"locket: its secret, which opens nothing now, may still be in the keyring: {left}.", err=True)
    if context.as_json:
        print_json(slots=[slot_json(card) for card in cards])
        return
    _tell(cards)
    echo(NOT_REVOKED, err=True)


def _tell(cards: tuple[SlotCard, ...]) -> None:
    for card in cards:
        here = "  (opened it now)" if card.current else ""
        echo(f"{card.id}  {card.kind:10} since {day(card.created)}  {card.label}{here}".rstrip())
