"""The one pipeline of a turn, as a generator of events. Every durable write of a turn happens in here.

The user's words are committed before anything else runs; whatever ends the answer, what was said of it is
committed too. Knows neither screens nor SQL.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assistant.chat.counter import TokenCounter
from assistant.chat.events import (
    AnswerFinished,
    MemoryChanged,
    Notice,
    PromptAssembled,
    ReadingPrompt,
    Thinking,
    TokenDelta,
    TurnBegan,
    TurnEvent,
    TurnFailed,
)
from assistant.chat.prefix import Prefix, as_sent
from assistant.problems import to_problem
from memory.memory import Memory
from memory.ports import CountTokens
from memory.records import AssembledPrompt, Recall, Turn, Usage
from memory.retrieval.selection import tokens_of
from models import types as model
from models.errors import EngineCrashed, ModelError, ModelMissing, RemoteFailed
from models.ports import ChatRuntime

CROWDED = (
    "The model's window has been over four fifths full for five turns: its oldest turns soon leave it. "
    "They stay in the conversation and in memory; /new starts with an empty window."
)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who answers, and how."""

    engine: ChatRuntime | None
    """None when no model could be loaded."""
    count: TokenCounter | None
    sampling: model.Sampling
    unavailable: Exception | None = None
    """Why there is no engine."""
    prefix: Prefix | None = None
    """What the engine has evaluated; None when there is no engine."""


def opening(turn: Turn) -> Iterator[TurnEvent]:
    """Tell of a turn whose words were just committed."""
    yield TurnBegan(turn)
    for words in turn.notices:
        yield Notice(words)
    if turn.decided:
        yield MemoryChanged(turn.decided)


def answer(
    memory: Memory,
    speaker: Speaker,
    turn: Turn,
    *,
    stop: threading.Event,
    poll: Callable[[], None] | None = None,
    use_memory: bool = True,
) -> Iterator[TurnEvent]:
    """Answer a turn that has begun (or whose earlier answer is left behind as a branch)."""
    try:
        if speaker.engine is None or speaker.count is None or speaker.prefix is None:
            raise speaker.unavailable or ModelMissing("no model is loaded")  # noqa: TRY301
        card = speaker.engine.card
        # what a server may not get to see is not sent to it to be counted either
        count = None if card.path is None else _counting(speaker.count)
        recall = (
            _recalled(memory, turn, count) if use_memory else Recall(turn.message.safe_text, unasked=True)
        )
        prompt = memory.assemble(
            turn,
            recall,
            speaker.count,
            speaker.count.frame,
            card.n_ctx,
            model_sha256=card.sha256,
            masked=card.path is None,
        )
        if recall.notice:
            yield Notice(recall.notice)
        yield PromptAssembled(prompt, recall)
        speaker.prefix.prepare(turn.conversation, prompt)
        yield from _stream(memory, speaker.engine, speaker.sampling, turn, prompt, stop, poll)
        if memory.is_crowded(turn.conversation, prompt.window - prompt.reserve):
            yield Notice(CROWDED)
    except Exception as error:
        problem = to_problem(error)
        if problem is None:
            raise
        yield TurnFailed(problem, error)


def _recalled(memory: Memory, turn: Turn, count: CountTokens | None) -> Recall:
    """Recall; by words alone, and saying so, once the embedding model is gone."""
    try:
        return memory.recall(turn, count)
    except ModelError:
        memory.use_embedder(None)
        return memory.recall(turn, count)


def _counting(count: CountTokens) -> CountTokens:
    """Count with the model, and guess when that fails: the prompt is counted next, and says why it cannot be."""

    def counted(texts: Sequence[str]) -> list[int]:
        try:
            return count(texts)
        except ModelError:
            return tokens_of(texts, None)

    return counted


def _stream(
    memory: Memory,
    engine: ChatRuntime,
    sampling: model.Sampling,
    turn: Turn,
    prompt: AssembledPrompt,
    stop: threading.Event,
    poll: Callable[[], None] | None,
) -> Iterator[TurnEvent]:
    words: list[str] = []
    started: model.StreamStarted | None = None
    finished: model.StreamFinished | None = None
    failure: ModelError | None = None
    try:
        for event in engine.stream(as_sent(prompt.messages), sampling, stop, poll):
            match event:
                case model.PromptProgress(done, total):
                    yield ReadingPrompt(done, total)
                case model.StreamStarted():
                    started = event
                case model.Chunk(text, _):
                    words.append(text)
                    yield TokenDelta(text)
                case model.Thinking(text):
                    yield Thinking(text)
                case model.StreamFinished():
                    finished = event
    except ModelError as error:
        if not words:
            raise
        failure = None if stop.is_set() else error  # locking ends an engine that does not stop by itself
    finally:
        text = "".join(words).strip()
        reason = finished.stop_reason if finished else _reason(failure)
        usage = _usage(engine, started, finished)
        message = None
        if text or (finished and reason is not model.StopReason.ENGINE_DIED):
            message = memory.finish_turn(turn, text, str(reason), prompt, usage)
    if failure is not None:
        yield Notice(_died(failure))
    elif reason is model.StopReason.ENGINE_DIED and message is None:  # nothing but thoughts had come
        raise _died_thinking(engine)
    elif reason is model.StopReason.ENGINE_DIED:
        who = "The server broke off" if engine.card.path is None else "The model's process ended"
        yield Notice(f"{who} in the middle of the answer; what was said is kept.")
    if message is not None:
        yield AnswerFinished(message, str(reason), usage)


def _reason(failure: ModelError | None) -> model.StopReason:
    return model.StopReason.STOPPED if failure is None else model.StopReason.ENGINE_DIED


def _died_thinking(engine: ChatRuntime) -> ModelError:
    if engine.card.path is None:
        return RemoteFailed("The server broke off before the first word of its answer.")
    return EngineCrashed("It ended before the first word of the answer.")


def _died(failure: ModelError) -> str:
    problem = to_problem(failure)
    return f"{problem.title}. {problem.hint}" if problem else failure.detail


def _usage(
    engine: ChatRuntime, started: model.StreamStarted | None, finished: model.StreamFinished | None
) -> Usage | None:
    if started is None or finished is None:
        return None
    card = engine.card
    return Usage(
        prompt_tokens=started.prompt_tokens,
        evaluated=started.evaluated,
        reused=started.reused,
        answer_tokens=finished.n_tokens,
        first_token_ms=finished.first_token_ms,
        tokens_per_s=finished.tokens_per_s,
        ids_sha256=started.ids_sha256,
        model=card.name,
        model_sha256=card.sha256,
    )
