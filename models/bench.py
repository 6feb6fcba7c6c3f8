"""What a model costs on this machine with different numbers of threads.

Owns the measuring; each row is a fresh engine, since threads are fixed when a model is loaded. Numbers are
for the machine as it is now: other work on it is part of the result.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

from models.cores import usable_cores
from models.engine.client import ChatEngine
from models.errors import Interrupted
from models.types import ChatMessage, EngineSettings, Sampling, StopReason, StreamFinished

_SENTENCE = "The quick brown fox jumps over the lazy dog near the river bank. "


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One measurement."""

    n_threads: int
    n_threads_batch: int
    load_s: float
    prompt_tokens: int
    prompt_tokens_per_s: float
    answer_tokens_per_s: float
    repeat_first_token_ms: float
    """Time to the first word when only the last message is new."""


def default_choices(cores: int | None = None) -> list[tuple[int, int]]:
    """Give the pairs of threads worth comparing: for writing, for reading."""
    all_cores = cores or usable_cores()
    pairs = [(max(1, all_cores - 1), all_cores), (all_cores, all_cores), (1, 1)]
    half = max(1, all_cores // 2)
    return list(dict.fromkeys([*pairs, (half, all_cores), (half, half)]))


def bench_model(
    path: Path,
    choices: Sequence[tuple[int, int]],
    stop: Event,
    *,
    settings: EngineSettings = EngineSettings(n_ctx=4096),  # noqa: B008 (frozen)
    prompt_repeats: int = 36,
    answer_tokens: int = 32,
) -> Iterator[BenchRow]:
    """Measure one model with each choice of threads."""
    for n_threads, n_threads_batch in choices:
        tuned = replace(settings, n_threads=n_threads, n_threads_batch=n_threads_batch)
        engine = ChatEngine(path, tuned)
        begun = time.monotonic()
        try:
            engine.open()
            load_s = time.monotonic() - begun
            yield _measure(engine, load_s, (n_threads, n_threads_batch), prompt_repeats, answer_tokens, stop)
        finally:
            engine.close()


def _measure(
    engine: ChatEngine,
    load_s: float,
    threads: tuple[int, int],
    repeats: int,
    answer_tokens: int,
    stop: Event,
) -> BenchRow:
    messages = [ChatMessage("user", _SENTENCE * repeats)]
    sampling = Sampling(temperature=0.0, max_tokens=answer_tokens)
    first = _run(engine, messages, sampling, stop)
    messages += [ChatMessage("assistant", "Yes."), ChatMessage("user", "Go on with the story.")]
    second = _run(engine, messages, sampling, stop)
    speeds = [run.tokens_per_s for run in (first, second) if run.tokens_per_s > 0]
    return BenchRow(
        n_threads=threads[0],
        n_threads_batch=threads[1],
        load_s=round(load_s, 2),
        prompt_tokens=first.evaluated,
        prompt_tokens_per_s=round(first.evaluated / max(first.first_token_ms / 1000, 1e-6), 1),
        answer_tokens_per_s=max(speeds, default=0.0),
        repeat_first_token_ms=second.first_token_ms,
    )


def _run(engine: ChatEngine, messages: list[ChatMessage], sampling: Sampling, stop: Event) -> StreamFinished:
    *_, last = engine.stream(messages, sampling, stop)
    assert isinstance(last, StreamFinished)
    if last.stop_reason is StopReason.STOPPED:
        raise Interrupted("The measurement was stopped.")
    return last
