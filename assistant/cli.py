"""The command line: `locket` alone opens the screen, every verb does one thing and ends.

Owns options that all verbs share, the way errors reach people, and exit codes. Families of verbs are loaded
when one of theirs is called, so that `locket --version` imports next to nothing.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assistant.lock_request import survive_requests
from assistant.problems import Exit, to_problem
from assistant.settings import Settings, load_settings
from assistant.streams import discard_the_rest, open_missing_streams, require_screen
from assistant.visible import echo, say_misuse

if TYPE_CHECKING:
    from memory.vault.keys import Secret

FAMILIES: Mapping[str, str] = {
    "ask": "assistant.verbs.ask:ask",
    "chat": "assistant.verbs.chat:chat",
    "memory": "assistant.verbs.memory:memory",
    "conversations": "assistant.verbs.conversations:conversations",
    "vault": "assistant.verbs.vault:vault",
    "export": "assistant.verbs.transfer:export",
    "import": "assistant.verbs.transfer:import_",
    "model": "assistant.verbs.model:model",
    "eval": "assistant.verbs.eval:eval_verb",
    "profile": "assistant.verbs.profile:profile",
    "paths": "assistant.verbs.paths:paths",
    "config": "assistant.verbs.config:config",
    "doctor": "assistant.verbs.doctor:doctor",
}
WHOLE = 1000
"""Characters of a verb's sentence in a list of verbs: more than any has."""
FORMAT = 1
"""The version of every JSON shape; raised when a field changes its meaning or goes."""


@dataclass(slots=True)
class Context:
    """What a verb gets: the settings and where the passphrase comes from."""

    settings: Settings
    password_file: Path | None = None
    password_command: str | None = None
    as_json: bool = False
    keyring: bool | None = None
    """What was said on the command line of the system's keyring; None is nothing."""
    extra: dict[str, Any] = field(default_factory=dict)

    def secret(self, *, of_keys: bool = False, store_may_be_gone: bool = False) -> str | Secret:
        """Return what unlocks the store: what was given, else the keyring's if a slot is for it, else what is typed.

        A verb that changes what opens the store (``of_keys``) takes the keyring only when told to.
        """
        from assistant.secret import read_secret  # noqa: PLC0415 - only verbs that unlock need it
        from assistant.wiring import require_store  # noqa: PLC0415

        if not store_may_be_gone:  # nobody is asked for the passphrase of nothing
            require_store(self.settings)
        asked = self.keyring if self.keyring is not None or not of_keys else False
        return read_secret(
            os.environ, self.settings, self.password_file, self.password_command, keyring=asked
        )


class Verbs(click.Group):
    """A family whose help says what each verb does in a whole sentence, on as many lines as that takes."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs with their sentences uncut."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, verb.get_short_help_str(WHOLE)) for name, verb in found if verb and not verb.hidden]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


class Families(Verbs):
    """Loads a family of verbs when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return every verb, known without importing any."""
        return sorted({*super().list_commands(ctx), *FAMILIES})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the verb, imported now."""
        if cmd_name not in FAMILIES:
            return super().get_command(ctx, cmd_name)
        module, _, name = FAMILIES[cmd_name].partition(":")
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command


def shared_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb the options that every verb has, and hand it a Context."""

    @click.option("--profile", default=None, help="Whose memory: a profile's name.")
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
    @click.option(
        "--password-file", type=click.Path(path_type=Path), default=None, help="Read the passphrase here."
    )
    @click.option("--password-command", default=None, help="Run this and read the passphrase from it.")
    @click.option("--keyring/--no-keyring", default=None, help="Unlock with the system's keyring, or never.")
    @click.pass_context
    def wrapped(
        ctx: click.Context,
        /,
        profile: str | None,
        as_json: bool,
        password_file: Path | None,
        password_command: str | None,
        keyring: bool | None,
        **rest: Any,
    ) -> Any:
        settings = load_settings(os.environ, {"profile": profile, "keyring": keyring})
        context = Context(settings, password_file, password_command, as_json, keyring)
        return ctx.invoke(command, context, **rest)

    wrapped.__name__ = getattr(command, "__name__", "verb")
    wrapped.__doc__ = command.__doc__
    wrapped.__click_params__ = [*getattr(command, "__click_params__", []), *wrapped.__click_params__]  # type: ignore[attr-defined]
    return wrapped


def print_json(**values: Any) -> None:
    """Print one JSON object to standard output, with the format's version."""
    click.echo(json.dumps({"format": FORMAT, **values}, ensure_ascii=False, default=str))


def show_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    """Print the version and end."""
    if not value or ctx.resilient_parsing:
        return
    try:
        number = version("locket-assistant")
    except PackageNotFoundError:
        number = "0 (not installed)"
    click.echo(f"locket {number}")
    ctx.exit()


@click.group(
    cls=Families, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--version",
    is_flag=True,
    callback=show_version,
    expose_value=False,
    is_eager=True,
    help="Print the version.",
)
@click.option("--profile", default=None, help="Whose memory: a profile's name.")
@click.option("--keyring/--no-keyring", default=None, help="Unlock with the system's keyring, or never.")
@click.pass_context
def cli(ctx: click.Context, profile: str | None, keyring: bool | None) -> None:
    """Locket: a private assistant that lives on this computer. Without a verb it opens the screen."""
    if ctx.invoked_subcommand is None:
        from assistant.tui.start import run_screen  # noqa: PLC0415 - the screen is loaded only when it is shown

        require_screen(os.environ)
        flags = {"profile": profile, "keyring": keyring}
        ctx.exit(run_screen(load_settings(os.environ, flags)))


def complain(error: BaseException) -> int:
    """Say a known error in words on standard error and return its exit code; raise an unknown one."""
    problem = to_problem(error)
    if problem is None:
        raise error
    echo(f"locket: {problem.title}. {problem.detail}".rstrip(), err=True)
    if problem.hint:
        echo(f"        {problem.hint}", err=True)
    if problem.exit_code is Exit.DISK_FULL:
        discard_the_rest()
    return int(problem.exit_code)


def _require_text(arguments: list[str]) -> None:
    """Refuse what was typed or handed over in bytes that are no text: it could be neither kept nor shown."""
    for place, argument in enumerate(arguments, 1):
        if any("\ud800" <= one <= "\udfff" for one in argument):
            raise click.UsageError(f"argument {place} is not valid UTF-8")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    os.umask(0o077)
    survive_requests()
    open_missing_streams()
    try:
        _require_text(sys.argv[1:] if arguments is None else arguments)
        result = cli.main(args=arguments, prog_name="locket", standalone_mode=False)
    except click.UsageError as error:
        say_misuse(error)
        return int(Exit.USAGE)
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("locket: interrupted", err=True)
        return int(Exit.INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        return int(Exit.FAILURE)
    except Exception as error:  # noqa: BLE001 - the process's edge: words for the known, a crash for the rest
        return complain(error)
    return result if isinstance(result, int) else 0
