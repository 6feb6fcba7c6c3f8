"""`locket model …`: which models there are, which one answers, and fetching one when asked to."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import click

from assistant.cli import Context, Verbs, print_json, shared_options
from assistant.paths import Kind, kind_of, typed_path
from assistant.settings import write_setting
from assistant.verbs.embedders import drop_embedder, embedders
from assistant.verbs.model_bench import bench
from assistant.verbs.reembed import reembed
from assistant.verbs.remote import remote, remote_key
from assistant.visible import agrees, echo
from models import catalogue, registry
from models.hashes import HashBook

Progress = Any


@click.group(cls=Verbs)
def model() -> None:
    """List, fetch, choose and check models."""


for _verb in (bench, drop_embedder, embedders, reembed, remote, remote_key):
    model.add_command(_verb)


@contextmanager
def progress_bar(*, counting: bool = False) -> Iterator[Any]:
    """Show a download, or with ``counting`` how many are done, on a terminal; say each stage once elsewhere."""
    if not sys.stderr.isatty():
        said: set[str] = set()

        def tell(what: str, _done: int, _total: int) -> None:
            if what not in said:
                said.add(what)
                echo(f"  {what}…", err=True)

        yield tell
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal gets a bar
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar  # noqa: PLC0415

    done = MofNCompleteColumn() if counting else DownloadColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), done, TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("starting", total=None)
        yield lambda what, done, total: bar.update(
            task, description=what, completed=done, total=total or None
        )


def fetch(context: Context, name: str) -> Path:
    """Fetch one model of the catalogue into the models folder; an interrupt stops it and keeps what came."""
    from models.pull import pull  # noqa: PLC0415 - nothing else may reach the network

    entry = catalogue.get_entry(name)
    echo(f"{entry.title}, {entry.size / 1e6:,.0f} MB, licence {entry.licence}", err=True)
    stop = Event()
    with progress_bar() as tell:
        try:
            return pull(name, context.settings.paths.models, tell, stop)
        except KeyboardInterrupt:
            stop.set()
            raise


@model.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@shared_options
def setup(context: Context, yes: bool) -> None:
    """Fetch the starter models that are missing: one to talk, one to find memories by meaning."""
    context.settings.paths.make_private()
    folder = context.settings.paths.models
    starters = [entry for entry in catalogue.load_catalogue() if entry.starter]
    missing = [entry for entry in starters if not (folder / entry.file).exists()]
    size = sum(entry.size for entry in missing) / 1e6
    if missing and not yes and not agrees(f"Fetch {len(missing)} models, {size:,.0f} MB?"):
        raise click.Abort
    fetched = [str(fetch(context, entry.name)) for entry in missing]
    if context.as_json:
        print_json(fetched=fetched, present=[entry.name for entry in starters])
    else:
        echo("The starter models are ready." if fetched else "The starter models were there already.")


@model.command("list")
@shared_options
def list_(context: Context) -> None:
    """List the models here, and those that can be fetched."""
    installed = registry.list_models(context.settings.paths.models)
    names = {listed.name for listed in installed}
    offered = [entry for entry in catalogue.load_catalogue() if entry.name not in names]
    best = registry.recommend().name
    if context.as_json:
        print_json(
            installed=[_listed_json(listed) for listed in installed],
            available=[
                {
                    "name": e.name,
                    "title": e.title,
                    "size": e.size,
                    "memory": e.memory,
                    "licence": e.licence,
                    "recommended": e.name == best,
                }
                for e in offered
            ],
            chosen=context.settings.model or None,
        )
        return
    folder = context.settings.paths.models
    wanted = (context.settings.model, context.settings.embedder)
    chosen = {registry.find_path(folder, one) for one in wanted if one}
    for listed in installed:
        mark = "*" if listed.path in chosen else " "
        words = listed.problem or f"{listed.role} model"
        echo(f"{mark} {listed.name:28} {words}")
    for entry in offered:
        advice = ", recommended for this computer" if entry.name == best else ""
        echo(
            f"  {entry.name:28} can be fetched: {entry.size / 1e6:,.0f} MB,"
            f" {entry.memory / 1e6:,.0f} MB of memory when it runs, {entry.licence}{advice}"
        )


def _listed_json(listed: registry.ListedModel) -> dict[str, Any]:
    header = listed.header
    return {
        "name": listed.name,
        "path": str(listed.path),
        "role": listed.role,
        "sha256": listed.sha256 or None,
        "problem": listed.problem or None,
        "parameters": header.n_params if header else None,
        "window": header.n_ctx_train if header else None,
        "architecture": header.architecture if header else None,
    }


@model.command()
@click.argument("name")
@shared_options
def info(context: Context, name: str) -> None:
    """Say what is known of a model, without loading it."""
    entry = catalogue.find_entry(name)
    folder = context.settings.paths.models
    found = registry.find_path(folder, name)
    listed = registry.describe(folder, found) if found is not None else None
    if listed is None and entry is None:
        catalogue.get_entry(name)
    shape: dict[str, Any] = _listed_json(listed) if listed else {"name": name}
    if entry is not None:
        shape |= {"title": entry.title, "licence": entry.licence, "size": entry.size, "memory": entry.memory}
    if context.as_json:
        print_json(**shape)
        return
    for key, value in shape.items():
        if value is not None:
            echo(f"{key:14} {value}")


@model.command()
@click.argument("path", type=click.Path(path_type=Path))
@shared_options
def add(context: Context, path: Path) -> None:
    """Take in a GGUF file that you have: check it, pin its hash and use it from now on."""
    from models.gguf import read_header  # noqa: PLC0415 - only this verb reads a header itself

    path = typed_path(str(path)).absolute()
    if kind_of(path / "modules.json") is Kind.FILE:
        raise click.UsageError(
            f"{path.name} is a folder of an embedding model: `locket model reembed {path}` uses it"
        )
    header = read_header(path)
    embeds = header.is_embedder
    if not embeds:
        header.check_chat()
    context.settings.paths.make_private()
    folder = context.settings.paths.models
    path = registry.take_in(folder, path)
    entry = catalogue.find_entry(path.name)
    book = HashBook(folder)
    book.forget(path)  # whoever adds a file again says that it is meant to be what it is now
    digest = book.verify(path, entry.sha256 if entry else "")
    listed = registry.describe(folder, path)
    write_setting(context.settings.paths.config, "embedder" if embeds else "model", _setting(folder, listed))
    if context.as_json:
        print_json(path=str(path), sha256=digest, role="embed" if embeds else "chat")
    else:
        echo(
            f"{listed.name} is checked (sha256 {digest[:16]}…) and will be used from now on. "
            "It stays where it is."
        )


def _setting(folder: Path, listed: registry.ListedModel) -> str:
    """Name a model in the settings: by its name when that leads to it, else by its place."""
    return listed.name if registry.find_path(folder, listed.name) == listed.path else str(listed.path)


@model.command()
@click.argument("name")
@shared_options
def use(context: Context, name: str) -> None:
    """Answer with this model from now on; conversations stay."""
    folder = context.settings.paths.models
    found = registry.choose_chat(folder, name)
    named = _setting(folder, registry.describe(folder, found.path))
    write_setting(context.settings.paths.config, "model", named)
    if context.as_json:
        print_json(model=found.name, path=str(found.path))
    else:
        echo(f"{found.name} answers from now on.")


@model.command("pull")
@click.argument("name")
@shared_options
def pull_(context: Context, name: str) -> None:
    """Fetch a model of the catalogue."""
    context.settings.paths.make_private()
    path = fetch(context, name)
    if context.as_json:
        print_json(path=str(path))
    else:
        echo(f"{name} is in {path}.")


@model.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@shared_options
def remove(context: Context, name: str, yes: bool) -> None:
    """Delete a model file from the models folder."""
    folder = context.settings.paths.models
    path = registry.find_path(folder, name)
    if path is None or path.parent != folder or not path.is_file():
        catalogue.get_entry(name)
        raise click.UsageError(f"{name} is not a file in {folder}")
    size = path.stat().st_size / 1e6
    question = (
        f"Take {path.name} from the models?" if path.is_symlink() else f"Delete {path.name}, {size:,.0f} MB?"
    )
    if not yes and not agrees(question):
        raise click.Abort
    is_link = path.is_symlink()
    chosen = [key for key in ("model", "embedder") if _leads_to(context, key, path)]
    path.unlink()
    HashBook(folder).forget(path)
    for key in chosen:
        write_setting(context.settings.paths.config, key, "")
    if context.as_json:
        print_json(removed=str(path))
    elif is_link:
        echo(f"{path.name} is no longer among the models; the file itself stays where it is.")
    else:
        echo(f"{path.name} is deleted.")


def _leads_to(context: Context, key: str, path: Path) -> bool:
    """Tell whether a setting chooses this file."""
    named = str(getattr(context.settings, key))
    return bool(named) and registry.find_path(context.settings.paths.models, named) == path
