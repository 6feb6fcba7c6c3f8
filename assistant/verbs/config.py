"""`locket config`: what is set, where that comes from, and setting one thing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import click

from assistant.cli import Context, print_json, shared_options
from assistant.settings import FILE_KEYS, Settings, SettingsError, load_settings, write_setting
from assistant.visible import echo


@click.command()
@click.argument("name", required=False)
@click.argument("value", required=False)
@shared_options
def config(context: Context, name: str | None, value: str | None) -> None:
    """Show every setting, or one by NAME; with VALUE, write it into the config file."""
    if name is not None and value is not None:
        _write(context.settings, name, value)
        context.settings = load_settings(os.environ)
    values = {key: _shown(getattr(context.settings, key)) for key in sorted(FILE_KEYS)}
    if name is not None:
        if name not in values:
            load_settings(os.environ, {name: ""})  # raises, and names the nearest one
        values = {name: values[name]}
    if context.as_json:
        print_json(file=str(context.settings.paths.config), settings=values)
        return
    defaults = Settings(context.settings.paths)
    for key, shown in values.items():
        mark = "" if shown == _shown(getattr(defaults, key)) else "  (set)"
        echo(f"{key:18} {shown}{mark}" if name is None else str(shown))


def _write(settings: Settings, name: str, value: str) -> None:
    """Write one setting after it was checked as it would be at the next start."""
    checked = load_settings(os.environ, {name: value})
    taken = getattr(checked, name)
    if isinstance(taken, Mapping):
        raise SettingsError(f"{name} is a table: write it in {settings.paths.config}")
    write_setting(settings.paths.config, name, taken)


def _shown(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value
