"""`locket model reembed`: have memories found by another embedding model, in one sitting or several.

Every finished piece is kept, so an interrupt, a crash or a power cut costs one piece. The surprise: the setting
changes last, so that until then everything else goes on with the model it had.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from assistant.cli import Context, print_json, shared_options
from assistant.problems import Exit
from assistant.settings import write_setting
from assistant.verbs.opening import writing
from assistant.visible import echo
from models import registry

if TYPE_CHECKING:
    from memory.memory import Memory

AT_ONCE = 64
"""Memories embedded between two commits: about a second of work."""

Tell = Callable[[int, int], None]


@click.command()
@click.argument("name", required=False, default="")
@shared_options
def reembed(context: Context, name: str) -> int:
    """Find memories by another embedding model: a GGUF file or a sentence-transformers folder.

    Without a NAME, the one of the settings makes what it still lacks. ctrl+c stops, and the same command goes on
    from there. A model that was used before keeps its vectors: going back to it is quick and changes nothing
    (`locket model drop-embedder` lets them go).
    """
    from dataclasses import replace  # noqa: PLC0415 - `--help` needs no store

    from assistant.runtimes import LocalRuntimes  # noqa: PLC0415 - as above

    found = registry.choose_embedder(context.settings.paths.models, name or context.settings.embedder)
    chosen = found.name if found.entry else str(found.path.absolute())
    settings = replace(context.settings, embedder=chosen)
    with writing(context, embedder=False) as memory:
        engine = LocalRuntimes(settings).embed(settings)
        try:
            with _stopped_by_interrupt() as stop:
                memory.use_embedder(engine)
                made, whole = _fill(memory, stop)
                now = memory.filling()
        finally:
            engine.close()
    assert now is not None
    if whole and name:
        write_setting(settings.paths.config, "embedder", chosen)
    if context.as_json:
        print_json(embedder=now.name, made=made, left=now.left, memories=now.total, in_use=now.in_use)
    elif whole:
        echo(f"{now.name} finds your memories from now on ({made:,} made, {now.total:,} in all).")
    else:
        echo(f"Stopped with {now.left:,} of {now.total:,} left. The same command goes on from here.")
    return int(Exit.OK if whole else Exit.INTERRUPTED)


def _fill(memory: Memory, stop: threading.Event) -> tuple[int, bool]:
    """Make vectors until none is missing; return how many were made and whether that is all."""
    start = memory.filling()
    assert start is not None
    made = 0
    with _bar(start.name, start.total) as tell:
        tell(start.done, start.total)
        more = start.left > 0
        while more and not stop.is_set():
            more = memory.embed_some(AT_ONCE)
            now = memory.filling()
            assert now is not None
            made, more = start.left - now.left, more or now.left > 0
            tell(now.done, now.total)
    return made, not more


@contextmanager
def _stopped_by_interrupt() -> Iterator[threading.Event]:
    """Take the first interrupt as a wish to stop after this piece; a second one ends at once."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def ask(_signal: int, _frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _bar(name: str, total: int) -> Iterator[Tell]:
    """Show how far it is on a terminal, and say what is done once elsewhere."""
    if not sys.stderr.isatty():
        echo(f"  {name} reads {total:,} memories…", err=True)
        yield lambda _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal gets a bar
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415

    columns: tuple[Any, ...] = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("ctrl+c stops"),
    )
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(name, total=total)
        yield lambda done, whole: bar.update(task, completed=done, total=whole)
