"""One answer of a server with the OpenAI shape, from its events to ours.

Owns the reading of what servers send, each in its own dialect: whatever is missing or of another type counts
as absent, since no two of them agree.
"""

import time
from collections.abc import Iterator, Sequence

from models.answer_text import AnswerText, Part
from models.errors import RemoteFailed
from models.remote_line import BROKE_OFF, OTHER_SHAPE, Fields
from models.types import Chunk, Measured, StopReason, StreamEvent, StreamFinished, StreamStarted, Thinking

_MOST_TOKENS = 100_000_000
"""More than any window holds: a number beyond is none."""


class RemoteAnswer:
    """What has come of one answer."""

    def __init__(self, measured: Measured) -> None:
        self._measured = measured
        self._text = AnswerText()
        self._begun = time.monotonic()
        self._first = 0.0
        self._started = False
        self._n_tokens = 0
        self._usage: tuple[int, int] | None = None
        self._heard = False
        self._ended = False
        self.spoke = False
        self.reason = StopReason.END

    def add(self, event: Fields) -> Iterator[StreamEvent]:
        """Take in one event of the server."""
        text, thought, finish = read_delta(event)
        self._heard = True
        self._ended = self._ended or bool(finish)
        self._usage = _usage(event) or self._usage
        if text or thought:
            yield from self._start()
            self._n_tokens += 1
        if thought:
            self.spoke = True
            yield Thinking(thought)
        yield from self._parts(self._text.feed(text.encode("utf-8")), 1)
        if finish == "length":
            self.reason = StopReason.LENGTH

    def check_end(self, *, whole: bool) -> None:
        """Refuse an end that nobody announced: a line that was cut looks like the end of any other."""
        if not (whole or self._ended):
            raise RemoteFailed(BROKE_OFF if self._heard else OTHER_SHAPE)

    def has_more_than(self, most: int) -> bool:
        """Tell whether more has come than was asked for."""
        return self._n_tokens > most

    def close(self) -> Iterator[StreamEvent]:
        """Give what was held back."""
        if self.reason is not StopReason.STOPPED:
            yield from self._start()
        yield from self._parts(self._text.finish(), 0)

    def finished(self, reason: StopReason) -> StreamFinished:
        """Sum up, with the server's own numbers where it gave them."""
        span = time.monotonic() - self._first if self._first else 0.0
        evaluated, reused = self._usage or (self._measured.total, 0)
        return StreamFinished(
            reason,
            self._n_tokens,
            round((self._first - self._begun) * 1000, 1) if self._first else 0.0,
            round(self._n_tokens / span, 2) if span > 0 else 0.0,
            evaluated,
            reused,
        )

    def _start(self) -> Iterator[StreamEvent]:
        if not self._started:
            self._started = True
            self._first = time.monotonic()
            yield StreamStarted(self._measured.total, 0, self._measured.total, self._measured.ids_sha256)

    def _parts(self, parts: Sequence[Part], n_tokens: int) -> Iterator[StreamEvent]:
        for part in parts:
            self.spoke = True
            yield Thinking(part.text) if part.thinking else Chunk(part.text, n_tokens)


def read_delta(event: Fields) -> tuple[str, str, str]:
    """Read text, thought and reason of the end from an event; whatever is missing is empty."""
    choices = event.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    delta = choice.get("delta") or choice.get("message") or {}
    if not isinstance(delta, dict):
        return "", "", ""
    thought = _words(delta.get("reasoning_content")) or _words(delta.get("reasoning"))
    return _words(delta.get("content")), thought, _words(choice.get("finish_reason"))


def _usage(event: Fields) -> tuple[int, int] | None:
    """Read the tokens evaluated and re-used, if the server says."""
    timings, usage = event.get("timings"), event.get("usage")
    if isinstance(timings, dict) and _is_amount(timings.get("prompt_n")):
        return timings["prompt_n"], _amount(timings.get("cache_n"))
    if isinstance(usage, dict) and _is_amount(usage.get("prompt_tokens")):
        details = usage.get("prompt_tokens_details")
        cached = _amount(details.get("cached_tokens")) if isinstance(details, dict) else 0
        return max(0, usage["prompt_tokens"] - cached), cached
    return None


def _words(value: object) -> str:
    """Give a text that can be shown and kept: JSON may spell halves of characters."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""


def _amount(value: object) -> int:
    return value if isinstance(value, int) and _is_amount(value) else 0


def _is_amount(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS
