"""Whether a profile answers through a server that the user runs, and the key to it, kept in the vault.

Owns the question and the yes. The address is an ordinary setting; the yes is the profile's own, so that one person's
words never leave because another person uses a server.
"""

from __future__ import annotations

import ipaddress
import os
import sys
from pathlib import Path
from urllib.parse import urlsplit

import click

from assistant.cli import Context, print_json, shared_options
from assistant.runtimes import REMOTE_KEY, REMOTE_YES
from assistant.settings import load_settings, write_setting
from assistant.visible import ask, echo


@click.command("remote")
@click.argument("url", default="")
@click.option("--model", "name", default=None, help="The model to ask the server for.")
@click.option("--off", is_flag=True, help="Keep this profile on this computer again.")
@shared_options
def remote(context: Context, url: str, name: str | None, off: bool) -> None:
    """Let this profile answer through a server you run (OpenAI's shape), at URL."""
    config = context.settings.paths.config
    address = url or context.settings.remote_url
    if not off and not address:
        raise click.UsageError("say the server's address")
    load_settings(os.environ, {"remote_url": url, "remote_model": name})  # refuses what cannot be kept
    from assistant.verbs.opening import writing  # noqa: PLC0415 - the other model verbs need no store

    with writing(context, embedder=False) as store:
        store.set_setting(REMOTE_YES, None if off else True)
    if url and not off:
        write_setting(config, "remote_url", url)
    if name is not None and not off:
        write_setting(config, "remote_model", name)
    if context.as_json:
        print_json(remote=not off, url=address or None)
    elif off:
        echo("This profile stays on this computer.")
    else:
        echo(f"This profile's words go to {address} from now on, secrets masked.")
    if not off and _is_open(address):
        echo("The way there is not encrypted (http): whoever is on it can read along.", err=True)


def _is_open(address: str) -> bool:
    """Tell whether words to this address cross a network in clear."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    try:
        stays = ipaddress.ip_address(host).is_loopback
    except ValueError:
        stays = host == "localhost" or host.endswith(".localhost")
    return parts.scheme == "http" and not stays


@click.command("remote-key")
@click.option("--key-file", type=click.Path(path_type=Path, exists=True), help="Read the key here.")
@click.option("--remove", is_flag=True, help="Forget the key.")
@shared_options
def remote_key(context: Context, key_file: Path | None, remove: bool) -> None:
    """Keep the key of the remote server in the vault; it is asked for, or read from standard input."""
    key = "" if remove else _read_key(key_file)
    if not remove and not key:
        raise click.UsageError("there is no key")
    from assistant.verbs.opening import writing  # noqa: PLC0415 - the other model verbs need no store

    with writing(context, embedder=False) as store:
        store.set_setting(REMOTE_KEY, key or None)
    if context.as_json:
        print_json(kept=bool(key))
    else:
        echo("The key is gone." if remove else "The key is in the vault.")


def _read_key(key_file: Path | None) -> str:
    if key_file is not None:
        try:
            return _one_word(key_file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise click.UsageError(f"cannot read the key from {key_file}: {error}") from error
    if sys.stdin.isatty():
        return _one_word(ask("Key", hide_input=True))
    return _one_word(sys.stdin.readline())


def _one_word(text: str) -> str:
    key = text.strip()
    if not (key.isascii() and key.isprintable()):
        raise click.UsageError("a key is one line of ASCII letters, digits and signs")
    return key
