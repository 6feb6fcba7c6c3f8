"""How a verb gets at the store: beside a running Locket for reading, alone for writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from assistant.cli import Context
from assistant.visible import echo
from memory.memory import Memory
from memory.reader import Reader
from models.errors import ModelError

if TYPE_CHECKING:
    from memory.vault.vault import Vault
    from models.ports import EmbedRuntime


def say_notices(vault: Vault) -> None:
    """Say on standard error what protects the store less than it should."""
    for words in vault.notices:
        echo(f"locket: {words}", err=True)


@contextmanager
def reading(context: Context) -> Iterator[Reader]:
    """Open the store for reading; a running Locket is not disturbed."""
    with reading_vault(context) as (vault, profile):
        yield Reader(vault.db, profile)


@contextmanager
def reading_vault(context: Context) -> Iterator[tuple[Vault, str]]:
    """Open the vault itself for reading, and name the profile; for what its keys tell."""
    from assistant.wiring import open_store, profile_id  # noqa: PLC0415 - `--help` needs no store

    with open_store(context.settings, context.secret(), writer=False) as vault:
        say_notices(vault)
        yield vault, profile_id(context.settings, vault)


@contextmanager
def embedding(context: Context) -> Iterator[EmbedRuntime | None]:
    """Start the embedding model; None when there is none that loads, and words still search."""
    from assistant.runtimes import LocalRuntimes  # noqa: PLC0415 - as above

    engine = None
    with suppress(ModelError):
        engine = LocalRuntimes(context.settings).embed(context.settings)
    try:
        yield engine
    finally:
        if engine is not None:
            engine.close()


@contextmanager
def writing(context: Context, *, embedder: bool = True) -> Iterator[Memory]:
    """Open the store for writing, with the embedding model when it loads."""
    from assistant.runtimes import LocalRuntimes  # noqa: PLC0415 - as above
    from assistant.wiring import memory_of, open_store  # noqa: PLC0415

    with open_store(context.settings, context.secret()) as vault:
        say_notices(vault)
        memory = memory_of(context.settings, vault)
        engine = None
        if embedder:
            with suppress(ModelError):  # words still search; the next start makes the vectors
                engine = LocalRuntimes(context.settings).embed(context.settings)
        try:
            if engine is not None:
                memory.use_embedder(engine)
            memory.finish_forgetting()  # of one that was killed before its proof
            yield memory
            while engine is not None and memory.embed_some():
                pass
        finally:
            if engine is not None:
                engine.close()
