"""`locket model bench`: what a model costs on this computer, with different numbers of threads.

Owns the table; the measuring is the models' own. What else runs meanwhile is part of the result, and said.
"""

from __future__ import annotations

from dataclasses import asdict
from threading import Event

import click

from assistant.cli import Context, print_json, shared_options
from assistant.settings import RANGES
from assistant.visible import echo
from models import registry
from models.types import EngineSettings

HEADER = "writing  reading    load   prompt  tokens/s  first word, warm   answer tokens/s"


@click.command()
@click.argument("name", default="")
@click.option(
    "--threads", "pairs", multiple=True, metavar="W,R", help="Threads for writing and reading, as 1,2."
)
@click.option("--quick", is_flag=True, help="A short prompt and a short answer.")
@shared_options
def bench(context: Context, name: str, pairs: tuple[str, ...], quick: bool) -> None:
    """Measure a model with different numbers of threads; without NAME the one that answers."""
    from models.bench import bench_model, default_choices  # noqa: PLC0415 - only this verb measures

    found = registry.choose_chat(context.settings.paths.models, name or context.settings.model)
    choices = [_pair(text) for text in pairs] or default_choices()
    stop = Event()
    rows = []
    tuned = EngineSettings(
        n_ctx=4096, n_batch=context.settings.batch, n_gpu_layers=context.settings.gpu_layers
    )
    measured = bench_model(
        found.path,
        choices,
        stop,
        settings=tuned,
        prompt_repeats=8 if quick else 36,
        answer_tokens=8 if quick else 32,
    )
    if not context.as_json:
        echo(f"{found.name}; other work on this computer is part of these numbers")
        echo(HEADER)
    for row in measured:
        rows.append(asdict(row))
        if not context.as_json:
            echo(
                f"{row.n_threads:>7}  {row.n_threads_batch:>7}  {row.load_s:>5.1f}s  {row.prompt_tokens:>6}"
                f"  {row.prompt_tokens_per_s:>8.1f}  {row.repeat_first_token_ms:>14.0f}ms"
                f"  {row.answer_tokens_per_s:>15.1f}"
            )
    if context.as_json:
        print_json(model=found.name, rows=rows)


def _pair(text: str) -> tuple[int, int]:
    writing, comma, reads = text.partition(",")
    try:
        pair = int(writing), int(reads if comma else writing)
    except ValueError:
        raise click.UsageError(f"--threads takes two numbers as 1,2, not {text!r}") from None
    most = int(RANGES["threads"][1])
    if not 1 <= min(pair) <= max(pair) <= most:
        raise click.UsageError(f"--threads takes numbers from 1 to {most}")
    return pair
