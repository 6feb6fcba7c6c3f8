"""`locket eval …`: how good recall is, measured with the pipeline that answers you."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assistant.cli import Context, Verbs, print_json, shared_options
from assistant.problems import Exit
from assistant.settings import Settings
from assistant.times import in_json
from assistant.verbs.eval_own import add, ask_own, own_lines, remove
from assistant.verbs.model import progress_bar
from assistant.visible import echo
from assistant.wiring import clock_of
from memory.ports import Embedder
from models.errors import ModelError

if TYPE_CHECKING:
    from assistant.evaluation.run import EvalReport
    from assistant.evaluation.synthetic import SyntheticReport

OWN = "your questions"
RUNS = "eval-runs.jsonl"
"""Figures of earlier runs, numbers and names only, in the logs folder."""


@click.group("eval", cls=Verbs)
def eval_verb() -> None:
    """Measure how well memories are found."""


for _verb in (add, remove):
    eval_verb.add_command(_verb)


@contextmanager
def _embedder(context: Context, *, wanted: bool) -> Iterator[Embedder | None]:
    """Start the embedding model, with its vectors kept between runs."""
    if not wanted:
        yield None
        return
    from assistant.evaluation.vector_cache import CachedEmbedder  # noqa: PLC0415 - only a measurement needs it
    from assistant.runtimes import LocalRuntimes  # noqa: PLC0415 - as above

    engine = LocalRuntimes(context.settings).embed(context.settings)
    try:
        yield CachedEmbedder(engine)
    finally:
        engine.close()


@eval_verb.command("run")
@click.option(
    "--dataset", type=click.Path(path_type=Path), default=None, help="A file of dialogues and questions."
)
@click.option(
    "--kinds",
    default="",
    help="What of the file is searched, with commas between: turn (unless said otherwise), observation, summary.",
)
@click.option(
    "--details", type=click.Path(path_type=Path), default=None, help="Write one JSON line a question."
)
@click.option("--no-embedder", is_flag=True, help="By words only.")
@click.option("--golden", is_flag=True, help="Your own questions, on your own memory.")
@click.option("--answers", is_flag=True, help="With --golden: does the model answer better with memory?")
@shared_options
def run(
    context: Context,
    dataset: Path | None,
    kinds: str,
    details: Path | None,
    no_embedder: bool,
    golden: bool,
    answers: bool,
) -> int:
    """Measure recall: on the built-in set, on a file, or on your own questions."""
    if answers and not golden:
        raise click.UsageError("--answers goes with --golden")
    if golden and dataset is not None:
        raise click.UsageError("--golden asks your own memory, --dataset a file: choose one")
    if dataset is None and (kinds or details is not None):
        raise click.UsageError("--kinds and --details go with --dataset")
    if golden:
        return _run_golden(context, embedder=not no_embedder, answers=answers)
    chosen = _kinds(kinds)
    if details is not None:
        _check_writable(details)
    with _embedder(context, wanted=not no_embedder) as embedder, progress_bar(counting=True) as tell:
        report = _measured(dataset, chosen, details, embedder, tell)
    shape = report.as_json()
    _keep(context, shape, with_vectors=not no_embedder)
    if context.as_json:
        click.echo(json.dumps(shape, ensure_ascii=False))
    else:
        for line in report.lines():
            echo(line)
    return int(Exit.OK)


def _kinds(said: str) -> tuple[str, ...]:
    from assistant.evaluation.dataset import KINDS  # noqa: PLC0415 - `--help` needs no store

    chosen = tuple(dict.fromkeys(kind.strip() for kind in said.split(",") if kind.strip()))
    unknown = [kind for kind in chosen if kind not in KINDS]
    if unknown or (said and not chosen):
        raise click.UsageError(f"--kinds knows {', '.join(KINDS)}, not {unknown[0] if unknown else said!r}")
    return chosen or KINDS[:1]


def _check_writable(path: Path) -> None:
    """Open the file, so that nobody waits for figures that cannot be written; what it holds stays until there are any."""
    try:
        path.open("a", encoding="utf-8").close()
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror}") from error


def _measured(
    dataset: Path | None, kinds: tuple[str, ...], details: Path | None, embedder: Embedder | None, tell: Any
) -> EvalReport | SyntheticReport:
    if dataset is None:
        from assistant.evaluation.synthetic import run_synthetic  # noqa: PLC0415 - `--help` needs no store

        return run_synthetic(embedder, progress=tell)
    from assistant.evaluation.run import run_dataset  # noqa: PLC0415 - as above

    return run_dataset(dataset, kinds, embedder=embedder, details=details, progress=tell)


@eval_verb.command()
@shared_options
def report(context: Context) -> int:
    """Compare the last two runs of each set: before and after a change of model, embedder or settings."""
    runs: dict[str, list[dict[str, Any]]] = {}
    for shape in _kept(context):
        runs.setdefault(" · ".join([shape["name"], *shape.get("kinds", [])]), []).append(shape)
    if not runs:
        echo("Nothing was measured yet: `locket eval run`.", err=True)
        return int(Exit.FAILURE)
    pairs: list[dict[str, Any]] = [
        {"set": name, "before": found[-2:][0], "after": found[-1]} for name, found in runs.items()
    ]
    if context.as_json:
        print_json(runs=pairs)
        return int(Exit.OK)
    for pair in pairs:
        before, after = _figures(pair["before"]), _figures(pair["after"])
        echo(f"{pair['set']}  {_changed(pair['before'], pair['after'])}")
        for name, now in after.items():
            was = before.get(name, now)
            echo(f"  {name:18} {was:.3f} → {now:.3f}  ({now - was:+.3f})")
    return int(Exit.OK)


def _changed(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Say what was changed between two runs."""
    was, now = before.get("setup", {}), after.get("setup", {})
    told = [f"{name}: {was[name]} → {now[name]}" for name in now if name in was and was[name] != now[name]]
    return f"({'; '.join(told)})" if told else "(the same models and settings)"


def _figures(shape: dict[str, Any]) -> dict[str, float]:
    """Return the numbers of a run that are worth comparing."""
    overall = shape.get("overall", {})
    if shape["name"] == OWN:
        figures = {"as they should be": shape["passed"] / max(1, shape["questions"])}
        for name, key in (("right with memory", "right_with_memory"), ("right without", "right_without")):
            figures |= {name: shape[key] / max(1, shape["answered"])} if key in shape else {}
        return figures
    figures = {
        name: overall[name] for name in ("recall@5", "recall@10", "recall@20", "mrr") if name in overall
    }
    return figures | {n: shape[n] for n in ("stale", "false_recall") if isinstance(shape.get(n), int | float)}


def _run_golden(context: Context, *, embedder: bool, answers: bool) -> int:
    with progress_bar(counting=True) as tell:
        shape = ask_own(context, embedder=embedder, answers=answers, tell=tell)
    if not shape["questions"]:
        echo("You have no questions yet: `locket eval add`, or + and - in the inspector.", err=True)
        return int(Exit.FAILURE)
    kept = {name: value for name, value in shape.items() if name != "results"}
    _keep(context, {"name": OWN} | kept, with_vectors=embedder)
    if context.as_json:
        print_json(**shape)
    else:
        for line in own_lines(shape):
            echo(line)
    return int(Exit.OK)


def _keep(context: Context, shape: dict[str, Any], *, with_vectors: bool) -> None:
    context.settings.paths.make_private()
    setup = _setup(context.settings, with_vectors=with_vectors)
    at = in_json(clock_of(context.settings)())
    line = json.dumps(shape | {"setup": setup, "at": at}, ensure_ascii=False)
    path = context.settings.paths.logs / RUNS
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def _setup(settings: Settings, *, with_vectors: bool) -> dict[str, Any]:
    """Return what a measurement depends on: which models, and the settings that matter to it."""
    from models import registry  # noqa: PLC0415 - looks at the disk

    folder = settings.paths.models
    found: dict[str, Any] = {}
    for role, choose, wanted in (
        ("model", registry.choose_chat, settings.model),
        ("embedder", registry.choose_embedder, settings.embedder),
    ):
        try:
            found[role] = choose(folder, wanted).name
        except ModelError:
            found[role] = "none"
    if not with_vectors:
        found["embedder"] = "words only"
    return found | {"window": settings.window, "profile": settings.profile, "remember": settings.remember}


def _kept(context: Context) -> list[dict[str, Any]]:
    path = context.settings.paths.logs / RUNS
    if not path.exists():
        return []
    return list(_whole(path.read_text(encoding="utf-8", errors="replace").splitlines()))


def _whole(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Give the runs that were written whole: a full disk cuts the last one short."""
    for line in lines:
        try:
            shape = json.loads(line)
            _figures(shape)
        except (ValueError, TypeError, KeyError, AttributeError):
            continue
        yield shape
