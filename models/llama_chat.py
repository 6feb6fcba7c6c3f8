"""A conversation with a loaded model: prompts in, events out.

Owns the sequence of one answer: find what is already evaluated, read the rest in batches, write token by
token, and stop at any moment. Inside an engine only, from one thread, but for `count` and `measure`: they
only tokenise, which is allowed beside an evaluation, and so never wait for one.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from models.answer_text import AnswerText, Part
from models.errors import ContextOverflow, Interrupted, NotAChatModel, WindowTooSmall
from models.gguf import read_header
from models.llama_cache import SequenceCache, common_prefix
from models.llama_context import LlamaContext
from models.llama_sampler import Sampler
from models.llama_tokens import template_of, tokenizer_of
from models.registry import MIN_WINDOW, fitting_window
from models.types import (
    ChatMessage,
    Chunk,
    EngineSettings,
    Measured,
    ModelCard,
    Prefilled,
    PromptProgress,
    Sampling,
    StopReason,
    StreamEvent,
    StreamFinished,
    StreamStarted,
    Thinking,
)


class Control(Protocol):
    """Whoever may end the work, and is told of each step."""

    @property
    def stopped(self) -> bool:
        """Tell whether the work should end."""
        ...

    def step(self) -> None:
        """Learn that the work got on."""
        ...


class LlamaChat:
    """One chat model and what it has evaluated so far."""

    def __init__(self, path: Path, settings: EngineSettings, *, name: str, sha256: str) -> None:
        header = read_header(path)
        header.check_chat()
        if header.n_ctx_train < MIN_WINDOW:
            raise WindowTooSmall(
                f"{name} holds {header.n_ctx_train} tokens; a conversation needs {MIN_WINDOW} at least."
            )
        self._context = LlamaContext(path, settings, fitting_window(header, settings.n_ctx))
        if self._context.has_encoder:
            raise NotAChatModel(f"{name} translates or classifies; it does not converse.")
        template = template_of(self._context)
        self._stops = template.stops
        self._opens_thinking = template.opens_thinking
        self._prompts = tokenizer_of(self._context, template)
        self._cache = SequenceCache(self._context)
        self.card = ModelCard(
            name=name,
            path=path,
            sha256=sha256,
            architecture=header.architecture,
            n_params=self._context.n_params,
            n_ctx_train=header.n_ctx_train,
            n_ctx=self._context.n_ctx,
            template_kind=template.kind,
            kv_bytes_per_token=header.kv_bytes_per_token,
            quantisation=header.quantisation,
            file_bytes=header.file_bytes,
            offloads=self._context.offloads,
        )
        self._probe()

    def count(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text, without any framing."""
        return [len(self._prompts.text(text, marks=False)) for text in texts]

    def measure(self, messages: Sequence[ChatMessage]) -> Measured:
        """Count a prompt exactly as it would be sent."""
        return self._prompts.prompt(messages, answer=True).measured(self.card.sha256)

    def stream(
        self, messages: Sequence[ChatMessage], sampling: Sampling, control: Control
    ) -> Iterator[StreamEvent]:
        """Answer a prompt, event by event."""
        begun = time.monotonic()
        prompt = self._prompts.prompt(messages, answer=True)
        self._check_fits(prompt.ids)
        reused = self._cache.adopt(prompt.ids)
        before = len(self._context.held)
        yield from self._read(prompt.ids[reused:], control)
        evaluated = len(self._context.held) - before
        if len(self._context.held) < len(prompt.ids):
            yield StreamFinished(StopReason.STOPPED, 0, 0.0, 0.0, evaluated, reused)
            return
        yield StreamStarted(len(prompt.ids), reused, evaluated, prompt.name(self.card.sha256))
        room = min(sampling.max_tokens, self._context.n_ctx - len(prompt.ids))
        answer = _Answer(AnswerText(self._stops, thinking=self._opens_thinking))
        yield from self._write(answer, Sampler(self._context, sampling), room, control)
        yield answer.finished(begun, evaluated, reused)

    def prefill(self, messages: Sequence[ChatMessage], control: Control) -> Prefilled:
        """Evaluate the beginning of a coming prompt."""
        prompt = self._prompts.prompt(messages, answer=False)
        self._check_fits(prompt.ids)
        reused = self._cache.adopt([*prompt.ids, -1])
        for _ in self._read(prompt.ids[reused:], control):
            pass
        held = len(self._context.held)
        return Prefilled(held == len(prompt.ids), held - reused, reused)

    def complete(
        self,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any],
        sampling: Sampling,
        control: Control,
    ) -> str:
        """Write one JSON text of the given shape, and leave the conversation as it was."""
        prompt = self._prompts.prompt(messages, answer=True)
        self._check_fits(prompt.ids)
        saved = self._cache.enter_background()
        try:
            reused = self._context.keep(
                min(common_prefix(self._context.held, prompt.ids), len(prompt.ids) - 1)
            )
            for _ in self._read(prompt.ids[reused:], control):
                pass
            if len(self._context.held) < len(prompt.ids):
                raise Interrupted("The background work gave way.")
            room = min(sampling.max_tokens, self._context.n_ctx - len(prompt.ids))
            answer = _Answer(AnswerText())
            parts = [
                event.text
                for event in self._write(answer, Sampler(self._context, sampling, schema), room, control)
                if isinstance(event, Chunk)
            ]
            if answer.reason is StopReason.STOPPED:
                raise Interrupted("The background work gave way.")
            return "".join(parts)
        finally:
            self._cache.leave_background(saved, len(prompt.ids))

    def evict(self, start: int, end: int) -> bool:
        """Drop evaluated tokens [start, end) and move the later ones up."""
        return self._context.evict(start, end)

    def reset(self) -> None:
        """Forget everything evaluated and every tokenised text."""
        self._cache.clear()
        self._prompts.clear()

    # ---- steps ----------------------------------------------------------------------------------

    def _read(self, ids: Sequence[int], control: Control) -> Iterator[PromptProgress]:
        """Evaluate tokens in batches until done or stopped."""
        self._context.stop_when(lambda: control.stopped)
        for first in range(0, len(ids), self._context.n_batch):
            batch = ids[first : first + self._context.n_batch]
            control.step()
            if control.stopped or not self._context.decode(batch):
                return
            yield PromptProgress(first + len(batch), len(ids))

    def _write(
        self, answer: "_Answer", sampler: Sampler, room: int, control: Control
    ) -> Iterator[StreamEvent]:
        """Choose and evaluate tokens until the answer is over."""
        self._context.stop_when(lambda: control.stopped)
        try:
            while answer.reason is None:
                token = sampler.next()
                if self._context.ends_answer(token):
                    answer.reason = StopReason.END
                    break
                yield from answer.add(self._context.piece(token))
                if answer.text.stopped:
                    answer.reason = StopReason.END
                elif answer.n_tokens >= room:
                    answer.reason = StopReason.LENGTH
                else:
                    control.step()
                    if control.stopped or not self._context.decode([token]):
                        answer.reason = StopReason.STOPPED
        finally:
            sampler.close()
        yield from answer.close()

    def _check_fits(self, ids: Sequence[int]) -> None:
        if not ids:
            raise ContextOverflow("The prompt is empty.")
        if len(ids) >= self._context.n_ctx:
            raise ContextOverflow(
                f"The prompt has {len(ids)} tokens, and the window holds {self._context.n_ctx}."
            )

    def _probe(self) -> None:
        """Evaluate one token, so that a file that loads but cannot run is found out now."""
        self._context.decode(self._context.tokenize("a", marks=False)[:1] or [0])
        self._context.clear()


class _Answer:
    """The counts of one answer."""

    def __init__(self, text: AnswerText) -> None:
        self.text = text
        self.reason: StopReason | None = None
        self.n_tokens = 0
        self._unreported = 0
        self._first = 0.0
        self._last = 0.0

    def add(self, piece: bytes) -> Iterator[StreamEvent]:
        """Count a token, and give what may be shown of it."""
        self._last = time.monotonic()
        self._first = self._first or self._last
        self.n_tokens += 1
        self._unreported += 1
        yield from self._events(self.text.feed(piece))

    def close(self) -> Iterator[StreamEvent]:
        """Give what was held back."""
        yield from self._events(self.text.finish())

    def finished(self, begun: float, evaluated: int, reused: int) -> StreamFinished:
        """Sum up."""
        span = self._last - self._first
        speed = (self.n_tokens - 1) / span if span > 0 else 0.0
        first_ms = (self._first - begun) * 1000 if self._first else 0.0
        reason = self.reason or StopReason.STOPPED
        return StreamFinished(reason, self.n_tokens, round(first_ms, 1), round(speed, 2), evaluated, reused)

    def _events(self, parts: Sequence[Part]) -> Iterator[StreamEvent]:
        for part in parts:
            if part.thinking:
                yield Thinking(part.text)
            else:
                yield Chunk(part.text, self._unreported)
                self._unreported = 0
