"""`locket model embedders` and `model drop-embedder`: whose vectors the store holds, and letting the old ones go.

A model that was used before keeps its vectors, so that going back is quick; only its owner can tell that nobody
will. The surprise: dropping needs no model file, so it works when the model is long deleted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assistant.cli import Context, print_json, shared_options
from assistant.verbs.opening import reading, writing
from assistant.visible import agrees, echo

if TYPE_CHECKING:
    from memory.retrieval.reembedding import Kept

STATES = {"active": "finds your memories", "filling": "not finished", "kept": "kept for going back"}


@click.command()
@shared_options
def embedders(context: Context) -> None:
    """List the embedding models whose vectors the store holds."""
    from memory.retrieval.reembedding import list_kept  # noqa: PLC0415 - `--help` needs no store

    with reading(context) as reader:
        found = list_kept(reader.db)
    if context.as_json:
        print_json(embedders=[_shape(one) for one in found])
        return
    for one in found:
        mark = "*" if one.state == "active" else " "
        echo(f"{mark} {one.name:28} {one.sha256[:12]}  {_vectors(one)}, {STATES[one.state]}")
    if not found:
        echo("No embedding model has read your memories yet; they are found by words.")


@click.command("drop-embedder")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@shared_options
def drop_embedder(context: Context, name: str, yes: bool) -> None:
    """Remove the vectors of a model that finds your memories no longer (its name, or the beginning of its hash).

    Nothing that you said is touched. Going back to the model makes them anew.
    """
    question = f"Remove the vectors that {name} made? Your memories stay."
    if not yes and not agrees(question):
        raise click.Abort
    with writing(context, embedder=False) as memory:
        gone = memory.drop_embedder(name)
    if context.as_json:
        print_json(dropped=_shape(gone))
    else:
        echo(f"Gone: {_vectors(gone)} of {gone.name}.")


def _vectors(one: Kept) -> str:
    return "1 vector" if one.vectors == 1 else f"{one.vectors:,} vectors"


def _shape(one: Kept) -> dict[str, Any]:
    return {
        "name": one.name,
        "sha256": one.sha256,
        "size": one.dims,
        "state": one.state,
        "vectors": one.vectors,
    }
