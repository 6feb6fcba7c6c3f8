"""The vault's verbs about copies and damage: backup, restore, check, salvage.

Owns what is asked and said, and where a backup goes. Copying, checking and reading damaged pages is the vault's.
"""

# ruff: noqa: PLC0415 - `--help` needs no store

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assistant.cli import Context, print_json, shared_options
from assistant.problems import Exit, to_problem
from assistant.settings import SettingsError
from assistant.times import day, minute, text_in_json
from assistant.verbs.vault_slots import new_passphrase_options, read_new_passphrase
from assistant.visible import agrees, echo

if TYPE_CHECKING:
    from memory.vault.backup import BackupCard
    from memory.vault.check import CheckReport
    from memory.vault.keys import Secret
    from memory.vault.vault import Vault

BACKUP_VARIABLE = "LOCKET_BACKUP_PASSPHRASE"
ONLY_KEY = (
    "Only the key file is damaged: with --key-only it comes back alone, and nothing said since is lost."
)


@click.command()
@click.argument("destination", required=False, type=click.Path(path_type=Path))
@shared_options
def backup(context: Context, destination: Path | None) -> None:
    """Copy the store and its key file, encrypted as they are, to DESTINATION or beside the store."""
    with opened_for_copies(context) as vault:
        card = vault.backup("manual", destination=destination, progress=_progress("copied"))
    if context.as_json:
        print_json(backup=backup_json(card))
        return
    echo(f"{card.path}  ({card.store_bytes:,} bytes)")
    for set_on in card.opened_by_passphrase_of():
        echo(f"It opens with the passphrase that was set on {day(set_on)}.", err=True)


@click.command()
@click.argument("backup_name", metavar="BACKUP")
@click.option("--backup-password-file", type=click.Path(path_type=Path), default=None)
@click.option("--backup-password-command", default=None, help="When the backup has another passphrase.")
@click.option(
    "--current-lost",
    is_flag=True,
    help="The present store cannot be opened any more; what was forgotten since the backup may come back.",
)
@click.option("--key-only", is_flag=True, help="Put only its key file back, for one that is damaged or lost.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@shared_options
def restore(
    context: Context,
    backup_name: str,
    backup_password_file: Path | None,
    backup_password_command: str | None,
    current_lost: bool,
    key_only: bool,
    yes: bool,
) -> None:
    """Put a backup (a folder, or its name) in the store's place; the present store is kept as a backup."""
    from assistant.secret import read_passphrase
    from assistant.wiring import restore_store, secret_of
    from memory.vault.backup import read_card
    from memory.vault.key_copy import only_key_is_damaged

    settings = context.settings
    path = _backup_path(settings.paths.vault, backup_name)
    card = read_card(path)
    current: Secret | None = None if current_lost else secret_of(context.secret(store_may_be_gone=True))
    opener = current
    if opener is None or not _opens(path, opener, allow_cheap=settings.cheap_kdf):
        days = ", ".join(day(set_on) for set_on in card.opened_by_passphrase_of())
        opener = secret_of(
            read_passphrase(
                os.environ,
                backup_password_file,
                backup_password_command,
                variable=BACKUP_VARIABLE,
                prompt=f"The backup's passphrase (set on {days})",
                options="--backup-password-file, --backup-password-command",
            )
        )
    if key_only:
        _put_key_back(context, path, opener)
        return
    if only_key_is_damaged(settings.paths.vault, path, opener, allow_cheap=settings.cheap_kdf):
        echo(ONLY_KEY, err=True)
    if not yes:
        if not sys.stdin.isatty():
            raise SettingsError("restoring replaces the present store: give --yes")
        agrees(f"Replace the store by its copy of {minute(card.made_at)}?", abort=True)
    done = restore_store(settings, path, opener, current)
    if context.as_json:
        print_json(
            restored=backup_json(done.from_backup),
            replaced=None if done.replaced is None else str(done.replaced),
            forgotten=done.tombstones,
        )
        return
    echo(f"The store is as it was at {minute(done.from_backup.made_at)}.")
    if done.replaced is not None:
        echo(f"What it replaced is kept in {done.replaced}.")
    if done.tombstones == "the old store could not be read":
        echo("What was forgotten since then may have come back: the old store could not be read.")


@click.command()
@shared_options
def check(context: Context) -> int:
    """Look whether every page, table, search index and backup is whole; nothing is changed."""
    from assistant.wiring import open_store
    from memory.vault.backup import is_whole, list_backups
    from memory.vault.check import CheckReport, check_connection, check_pages
    from memory.vault.errors import StoreDamaged, StoreInUse
    from memory.vault.old_backups import list_unreadable

    secret, folder = context.secret(), context.settings.paths.vault
    try:
        with open_store(context.settings, secret, writer=False) as vault:
            with vault.pages() as pages:
                report = check_pages(pages)
            if report.sound:
                report = check_connection(vault.db)
    except StoreDamaged as error:  # it does not even open, and the way there found out why
        report = CheckReport(error.pages, (str(error),))
    indexes = False
    if report.sound:
        try:
            with open_store(context.settings, secret) as vault:
                report, indexes = check_connection(vault.db), True
        except StoreInUse:
            echo("Another Locket is writing, so the search indexes were not looked at.", err=True)
    backups = [(card, is_whole(card)) for card in list_backups(folder)]
    unreadable = list_unreadable(folder)
    if context.as_json:
        print_json(
            sound=report.sound,
            pages=list(report.pages),
            problems=list(report.problems),
            indexes=indexes,
            backups=[{**backup_json(card), "whole": whole} for card, whole in backups],
            unreadable_backups=list(unreadable),
        )
    else:
        _tell_check(report, backups)
        for name in unreadable:
            echo(f"DAMAGED  {name}")
    return int(Exit.OK if report.sound else Exit.STORE_DAMAGED)


@click.command()
@click.argument("destination", type=click.Path(path_type=Path))
@new_passphrase_options
@shared_options
def salvage(
    context: Context, destination: Path, new_password_file: Path | None, new_password_command: str | None
) -> int:
    """Make a new store in DESTINATION of whatever still reads in this one, which is left as it is."""
    from assistant.wiring import salvage_store, secret_of
    from memory.vault.keys import Passphrase

    secret = secret_of(context.secret())
    if isinstance(secret, Passphrase) and new_password_file is None and new_password_command is None:
        new = secret.text
    else:
        new = read_new_passphrase(new_password_file, new_password_command)
    done = salvage_store(context.settings, secret, destination, new)
    lost = done.unreadable + done.refused + done.unplaced
    if context.as_json:
        print_json(
            store=str(destination),
            damaged_pages=list(done.damaged),
            rows=dict(sorted(done.rows.items())),
            refused=done.refused,
            unreadable=done.unreadable,
            unplaced=done.unplaced,
        )
    else:
        echo(f"{sum(done.rows.values()):,} rows are saved in {destination}.")
        for table in ("conversation", "message", "fact", "episode"):
            echo(f"  {table:12} {done.rows.get(table, 0):,}")
        echo(f"{len(done.damaged)} pages are damaged; {lost:,} rows that were on them are lost.")
        echo("To use it, put it in the store's place (`locket paths` says where that is).", err=True)
    return int(Exit.PARTLY if done.damaged or lost else Exit.OK)


def backup_json(card: BackupCard) -> dict[str, Any]:
    """Return the documented shape of a backup."""
    return {
        "name": card.name,
        "path": str(card.path),
        "made_at": text_in_json(card.made_at),
        "reason": card.reason,
        "bytes": card.store_bytes,
        "opens_with": [
            {"id": i, "kind": kind, "created": text_in_json(created)} for i, kind, created in card.slots
        ],
    }


def opened_for_copies(context: Context) -> Vault:
    """Open the store, alone if possible: who opens it for writing meanwhile would clear a half backup away.

    A disk that takes no more bytes is the reason to copy it elsewhere, or to take old copies away, not an obstacle.
    """
    from assistant.wiring import open_store
    from memory.vault.errors import DiskFull, StoreInUse, StoreUnwritable

    secret = context.secret()
    try:
        return open_store(context.settings, secret)
    except (StoreInUse, DiskFull, StoreUnwritable):
        return open_store(context.settings, secret, writer=False)


def _put_key_back(context: Context, path: Path, opener: Secret) -> None:
    """Put only the key file of a backup back, and say what opens the store now."""
    from assistant.wiring import put_key_back

    done = put_key_back(context.settings, path, opener)
    if context.as_json:
        print_json(
            restored=backup_json(done.from_backup),
            replaced=None if done.replaced is None else str(done.replaced),
            forgotten="the store was not touched",
        )
        return
    echo("The key file is back, and the store is as it was.")
    if done.replaced is not None:
        echo(f"What it replaced is kept in {done.replaced}.")
    echo(f"What opens the store is what did at {minute(done.from_backup.made_at)}.", err=True)


def _backup_path(vault: Path, given: str) -> Path:
    inside = vault / "backups" / given
    return inside if inside.is_dir() and Path(given).name == given else Path(given).absolute()


def _opens(backup_folder: Path, secret: Secret, *, allow_cheap: bool) -> bool:
    from memory.vault import keyfile
    from memory.vault.errors import BackupUnusable, KeyFileDamaged, WrongPassphrase

    try:
        found = keyfile.load(backup_folder / "vault.key", allow_cheap=allow_cheap)
    except KeyFileDamaged as error:
        raise BackupUnusable(f"the backup's key file is damaged: {error}") from error
    try:
        next(keyfile.iter_opened(found, secret, allow_cheap=allow_cheap))
    except WrongPassphrase:
        return False
    return True


def _tell_check(report: CheckReport, backups: list[tuple[BackupCard, bool | None]]) -> None:
    echo("The store is whole." if report.sound else "The store is damaged.")
    if report.pages:
        echo(f"damaged pages: {', '.join(str(number) for number in report.pages)}")
    for words in report.problems:
        echo(f"  {words}")
    for card, whole in backups:
        found = {True: "whole", False: "DAMAGED", None: "put aside by a restore as it was, not looked at:"}[
            whole
        ]
        echo(f"{found:8} {card.name}")
    if not report.sound:
        from memory.vault.errors import StoreDamaged

        problem = to_problem(StoreDamaged("", report.pages))
        echo(f"locket: {problem.title}. {problem.hint}" if problem else "", err=True)


def _progress(word: str) -> Any:
    def tell(done: int, total: int) -> None:
        if sys.stderr.isatty() and total > 1:
            click.echo(f"{word} {done:,} of {total:,} pages\r", nl=False, err=True)

    return tell
