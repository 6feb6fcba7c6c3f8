"""`locket paths`: where everything is."""

from __future__ import annotations

import click

from assistant.cli import Context, print_json, shared_options
from assistant.visible import echo


@click.command()
@shared_options
def paths(context: Context) -> None:
    """Print where the config, the store, the models and the logs are."""
    named = context.settings.paths.named()
    if context.as_json:
        print_json(**named)
        return
    for name, place in named.items():
        echo(f"{name:8} {place}")
