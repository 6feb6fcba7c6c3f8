"""Where what unlocks comes from: a file, a command, the environment, a keyring's slot, else a prompt without echo.

The keyring stands in for the person at the prompt, so it is asked just before. The environment is asked after the explicit options because other programs of the same user can read it.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.settings import PassphraseError, Settings
from assistant.visible import ask, echo

if TYPE_CHECKING:
    from memory.vault.keys import Secret

VARIABLE = "LOCKET_PASSPHRASE"
PROMPT = "Passphrase"
ARCHIVE_VARIABLE = "LOCKET_ARCHIVE_PASSPHRASE"


def read_secret(
    environment: Mapping[str, str],
    settings: Settings,
    file: Path | None,
    command: str | None,
    *,
    keyring: bool | None,
) -> str | Secret:
    """Return what unlocks the store; ``keyring`` is True when it was asked for by name, False when it is not to be.

    A keyring that does not unlock it is said on standard error, and the next source is taken.
    """
    given = file or command or environment.get(VARIABLE)
    if keyring or (keyring is None and not given):
        found = _of_keyring(settings, by_name=bool(keyring))
        if found is not None:
            return found
    return read_passphrase(environment, file, command)


def read_passphrase(
    environment: Mapping[str, str],
    file: Path | None,
    command: str | None,
    *,
    variable: str = VARIABLE,
    prompt: str = PROMPT,
    confirm: bool = False,
    options: str = "--password-file, --password-command",
) -> str:
    """Return a passphrase from its first source; raise PassphraseError when there is none."""
    if file is not None:
        return _from_file(file)
    if command is not None:
        return _from_command(command)
    if value := environment.get(variable):
        return value
    if not sys.stdin.isatty():
        which = "" if prompt == PROMPT else f"{prompt[0].lower()}{prompt[1:]} is missing: "
        raise PassphraseError(f"{which}give {options} or {variable}, or run it in a terminal")
    return ask(prompt, hide_input=True, confirmation_prompt=confirm)


def _of_keyring(settings: Settings, *, by_name: bool) -> Secret | None:
    from assistant.wiring import find_keyring_secret  # noqa: PLC0415 - `--help` needs no store
    from memory.vault.errors import KeyringUnavailable  # noqa: PLC0415

    try:
        found = find_keyring_secret(settings)
    except KeyringUnavailable as error:
        echo(f"locket: the system's keyring does not unlock the store: {error}.", err=True)
        return None
    if found is None and by_name:
        echo("locket: no key slot is for a keyring (`locket vault slots add keyring`).", err=True)
    return found


def _from_file(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise PassphraseError(f"it cannot be read from {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise PassphraseError(f"it cannot be read from {path}, which is no text") from error
    return _one_line(text, str(path))


def _from_command(command: str) -> str:
    try:
        done = subprocess.run(shlex.split(command), stdout=subprocess.PIPE, text=True, check=True)
    except subprocess.CalledProcessError as error:
        raise PassphraseError(f"the passphrase command failed and returned {error.returncode}") from error
    except (OSError, ValueError) as error:
        raise PassphraseError(f"the passphrase command does not run: {error}") from error
    return _one_line(done.stdout, "the passphrase command")


def _one_line(text: str, where: str) -> str:
    line = text.split("\n", 1)[0].rstrip("\r")
    if not line:
        raise PassphraseError(f"{where} gave an empty one")
    return line
