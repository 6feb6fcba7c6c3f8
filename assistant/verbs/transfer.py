"""`locket export` and `locket import`: memory that leaves as one file and arrives from one."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from assistant import carrying
from assistant.cli import Context, print_json, shared_options
from assistant.problems import Exit
from assistant.visible import agrees, echo

if TYPE_CHECKING:
    from memory.transfer.report import ImportReport

IN_CLEAR = (
    "Whoever gets this file can read it. Secrets that Locket recognises are masked, everything else is not, "
    "and it cannot be imported again."
)
FORMATS = ("chatgpt", "claude", "mem0", "mcp", "markdown", "lines")
Tell = Callable[[int, int], None]
F = TypeVar("F", bound=Callable[..., Any])


def archive_options(command: F) -> F:
    """Give a verb the ways to name an archive's own passphrase, as ``archive_passphrase`` takes them."""
    command = click.option(
        "--archive-password-file",
        type=click.Path(path_type=Path),
        default=None,
        help="Read the archive's passphrase here.",
    )(command)
    return click.option(
        "--archive-password-command", default=None, help="Run this and read the archive's passphrase from it."
    )(command)


def outgoing_options(in_clear: str) -> Callable[[F], F]:
    """Give a verb that writes a file its protection, and how to do without; ``in_clear`` says what that means."""

    def given(command: F) -> F:
        command = archive_options(command)
        for option in (
            click.option("--replace", is_flag=True, help="Write over a file that is there."),
            click.option("--yes", is_flag=True, help="Do not ask again before writing in clear."),
            click.option("--plaintext", is_flag=True, help=in_clear),
        ):
            command = option(command)
        return command

    return given


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--what",
    type=click.Choice(["all", "memory", "chats"]),
    default="all",
    show_default=True,
    help="Everything, what is remembered, or what was said.",
)
@outgoing_options("Write a masked copy that anybody can read.")
@shared_options
def export(
    context: Context,
    file: Path,
    what: str,
    plaintext: bool,
    yes: bool,
    replace: bool,
    **archive: Any,
) -> None:
    """Write everything Locket knows into one encrypted FILE, which `age -d` opens too."""
    from assistant.wiring import open_store  # noqa: PLC0415 - `--help` needs no store

    check_target(file, replace=replace)
    passphrase = None
    if plaintext:
        confirm_clear(yes=yes)
    with open_store(context.settings, context.secret(), writer=False) as vault:
        if not plaintext:
            passphrase = archive_passphrase(**archive, new=True)
        with _progress("writing") as tell:
            manifest = carrying.export_to(
                context.settings,
                vault.db,
                vault.key("tombstones"),
                file,
                passphrase,
                what,  # type: ignore[arg-type]  # click checked it
                tell,
            )
    if context.as_json:
        print_json(
            file=str(file),
            what=what,
            encrypted=not plaintext,
            made_at=manifest.made_at,
            counts=dict(manifest.counts),
            sha256=manifest.sha256,
        )
        return
    echo(f"{file}: {manifest.total:,} records, {file.stat().st_size:,} bytes.")
    if not plaintext:
        echo(carrying.OPENS_WITH, err=True)


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--dry-run", is_flag=True, help="Check everything and say what would change, then change nothing."
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["auto", "locket", *FORMATS]),
    default="auto",
    show_default=True,
    help="What FILE is: Locket's own archive, or another program's export (a file, a ZIP or a folder).",
)
@click.option(
    "--trust",
    is_flag=True,
    help="Recall another program's words at once and remember what they say of you; otherwise its memories wait in Review and its conversations"
    " are only searchable.",
)
@archive_options
@shared_options
def import_(
    context: Context,
    file: Path,
    dry_run: bool,
    kind: str,
    trust: bool,
    **archive: Any,
) -> int:
    """Take in FILE: an archive of Locket's own whole or not at all, another program's export as far as it reads."""
    if not file.exists():
        raise click.UsageError(f"there is no {file}")
    if kind == "locket" or (kind == "auto" and carrying.is_own(file)):
        if trust:
            raise click.UsageError("--trust is for other programs' exports; an archive keeps its own trust")
        report = _import_archive(context, file, dry_run=dry_run, **archive)
    else:
        carrying.check_source(file)
        report = _import_foreign(context, file, kind, trust=trust, dry_run=dry_run)
    _tell(context, report, dry_run=dry_run)
    return int(Exit.PARTLY if report.skipped else Exit.OK)


def _import_archive(context: Context, file: Path, *, dry_run: bool, **archive: Any) -> ImportReport:
    from assistant.wiring import open_store  # noqa: PLC0415 - `--help` needs no store

    carrying.check_encrypted(file)
    with open_store(context.settings, context.secret()) as vault:
        passphrase = archive_passphrase(**archive)
        with _progress("checking" if dry_run else "taking in") as tell:
            return carrying.import_from(context.settings, vault, file, passphrase, dry_run=dry_run, tell=tell)


def _import_foreign(context: Context, path: Path, kind: str, *, trust: bool, dry_run: bool) -> ImportReport:
    from assistant.wiring import open_store  # noqa: PLC0415 - `--help` needs no store

    with open_store(context.settings, context.secret()) as vault, _progress("reading") as tell:
        return carrying.import_from(
            context.settings, vault, path, None, kind=kind, trust=trust, dry_run=dry_run, tell=tell
        )


def _tell(context: Context, report: ImportReport, *, dry_run: bool) -> None:
    if context.as_json:
        print_json(
            **{name: dict(counts) for name, counts in carrying.counted_by_outcome(report).items()},
            skipped=[{"what": one.what, "reason": one.reason} for one in report.skipped],
            forgotten_elsewhere=list(report.forgotten_elsewhere),
            dry_run=dry_run,
        )
        return
    for line in carrying.report_lines(report):
        echo(line)
    for line in carrying.remark_lines(report):
        echo(line, err=True)
    if dry_run:
        echo(carrying.DRY, err=True)


def check_target(file: Path, *, replace: bool) -> None:
    """Refuse a path that nothing can, or should, be written to."""
    if refusal := carrying.target_refusal(file):
        raise click.UsageError(refusal)
    if file.exists() and not replace:
        raise click.UsageError(f"{file} is there already; --replace writes over it")


def confirm_clear(*, yes: bool, words: str = IN_CLEAR) -> None:
    """Have writing in clear confirmed once more."""
    echo(words, err=True)
    if yes:
        return
    if not sys.stdin.isatty():
        raise click.UsageError("writing in clear must be confirmed: add --yes")
    agrees("Write it in clear?", abort=True)


def archive_passphrase(
    archive_password_file: Path | None = None,
    archive_password_command: str | None = None,
    *,
    new: bool = False,
) -> str:
    """Return an archive's own passphrase from its first source."""
    from assistant.secret import ARCHIVE_VARIABLE, read_passphrase  # noqa: PLC0415

    return read_passphrase(
        os.environ,
        archive_password_file,
        archive_password_command,
        variable=ARCHIVE_VARIABLE,
        options="--archive-password-file, --archive-password-command",
        prompt="New passphrase for the archive" if new else "Passphrase of the archive",
        confirm=new,
    )


@contextmanager
def _progress(what: str) -> Iterator[Tell | None]:
    """Show a bar on a terminal and nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal gets a bar
    from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[far]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, far="")

        def tell(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total or None, far=carrying.how_far(done, total))

        yield tell
