"""How much an embedding model is given at once: much where nobody waits, little where somebody may come. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

EMBED_BATCH = 32
"""Texts given to the engine at once; between two batches the work can be stopped."""

GIVES_WAY = 400
"""Characters given at once where somebody may come: some hundredths of a second of work, or one longer text."""


def batches(
    waiting: Sequence[tuple[int, str]], characters: int | None = None
) -> Iterator[list[tuple[int, str]]]:
    """Cut what waits, in its order, into pieces for the engine."""
    batch: list[tuple[int, str]] = []
    held = 0
    for one in waiting:
        full = len(batch) == EMBED_BATCH or (characters is not None and held + len(one[1]) > characters)
        if batch and full:
            yield batch
            batch, held = [], 0
        batch.append(one)
        held += len(one[1])
    if batch:
        yield batch
