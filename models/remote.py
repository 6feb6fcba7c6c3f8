"""A chat on a server that the user runs: llama.cpp's, vLLM, or any other with the OpenAI shape.

Owns the translation between that shape and ours; has the same methods as an engine, so nobody above it
needs to know. What a server does not tell is estimated on the safe side: tokens when it has no tokenizer to
ask, and what it re-used. Its cache is its own, so eviction and saving are not ours to do.
"""

import hashlib
import json
import math
import socket
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Event
from typing import Any

from models.errors import ContextOverflow, EngineClosed, Interrupted, RemoteFailed
from models.remote_answer import RemoteAnswer, read_delta
from models.remote_line import Fields, RemoteAddress, RemoteLine, ask, hang_up
from models.types import (
    ChatMessage,
    Measured,
    ModelCard,
    Prefilled,
    Sampling,
    StopReason,
    StreamEvent,
)

_BYTES_PER_TOKEN = 3.0
"""Cautious: most text has more, so an estimate is too large rather than too small."""
_PER_MESSAGE = 8
_DEFAULT_WINDOW = 8192
_MOST_WINDOW = 100_000_000
_MAX_NAME = 200
_KEPT_COUNTS = 8192
_SHAPES: tuple[Callable[[Fields], Fields], ...] = (
    lambda schema: {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": schema},
    },
    lambda schema: {"type": "json_object", "schema": schema},
)
"""How a shape is asked for: OpenAI's way first, then an older one that some servers know instead."""


class RemoteChat:
    """A chat model behind an address."""

    def __init__(self, base: str, *, model: str = "", api_key: str = "", n_ctx: int | None = None) -> None:
        self._address = RemoteAddress(base.removesuffix("/").removesuffix("/v1"), api_key)
        self._model = model
        self._wanted_window = n_ctx
        self._card: ModelCard | None = None
        self._open = False
        self._asked: socket.socket | None = None
        self._tokenizes = True
        self._shape = 0
        self._counts: OrderedDict[bytes, int] = OrderedDict()

    @property
    def card(self) -> ModelCard:
        """Describe the server's model, as far as it says."""
        if self._card is None:
            raise EngineClosed("The server has not been asked yet.")
        return self._card

    @property
    def pid(self) -> int:
        """Give no process id: the process is somebody else's."""
        return 0

    @property
    def log_tail(self) -> str:
        """Give no last words: the log is somebody else's."""
        return ""

    def open(self) -> ModelCard:
        """Ask the server which model it has and how much it holds."""
        listed = self._ask("GET", "/v1/models").get("data")
        names = (
            [str(row["id"]) for row in listed if isinstance(row, dict) and "id" in row]
            if isinstance(listed, list)
            else []
        )
        if self._model and names and self._model not in names:
            raise RemoteFailed(f"The server has no model called {self._model}.")
        name = self._model or (names[0] if names else "default")
        window = self._wanted_window or self._asked_window() or _DEFAULT_WINDOW
        self._model = name
        self._card = ModelCard(
            name="".join(filter(str.isprintable, name))[:_MAX_NAME],  # it is shown, and may hold anything
            path=None,
            sha256="",
            architecture="unknown",
            n_params=0,
            n_ctx_train=window,
            n_ctx=window,
            template_kind="remote",
            kv_bytes_per_token=0,
            quantisation="unknown",
            file_bytes=0,
        )
        self._open = True
        return self._card

    def close(self) -> None:
        """Stop using the server, also when another thread waits for the answer to a question."""
        self._open = False
        self._counts.clear()
        if self._asked is not None:
            hang_up(self._asked)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Count tokens: by the server's tokenizer when it lends it, else cautiously."""
        self._check_open()
        return [self._count(text) for text in texts]

    def measure(self, messages: Sequence[ChatMessage]) -> Measured:
        """Estimate a prompt; its name is over the words, since the ids are the server's."""
        self._check_open()
        shares = tuple(self._count(message.text.strip()) + _PER_MESSAGE for message in messages)
        return Measured(shares, _PER_MESSAGE, sum(shares) + _PER_MESSAGE, self._name(messages))

    def stream(
        self,
        messages: Sequence[ChatMessage],
        sampling: Sampling,
        stop: Event,
        poll: Callable[[], None] | None = None,
    ) -> Iterator[StreamEvent]:
        """Answer, event by event; `poll` runs at least every 50 ms, between events."""
        measured = self.measure(messages)
        if measured.total >= self.card.n_ctx:
            raise ContextOverflow(
                f"The prompt has about {measured.total} tokens, the window {self.card.n_ctx}."
            )
        answer = RemoteAnswer(measured)
        if stop.is_set():
            yield answer.finished(StopReason.STOPPED)
            return
        body = self._body(messages, sampling) | {
            "stream": True,
            "stream_options": {"include_usage": True},
            "cache_prompt": True,
        }
        line = RemoteLine(self._address, "/v1/chat/completions", body)
        try:
            for event in line.take():
                if poll is not None:
                    poll()
                if stop.is_set() or not self._open:
                    answer.reason = StopReason.STOPPED
                    break
                if event is not None:
                    yield from answer.add(event)
                if answer.has_more_than(sampling.max_tokens):  # it does not keep to what it was asked
                    answer.reason = StopReason.LENGTH
                    break
            else:
                answer.check_end(whole=line.whole)
        except RemoteFailed:
            if not answer.spoke:
                raise
            answer.reason = StopReason.ENGINE_DIED
        finally:
            line.leave()
        yield from answer.close()
        yield answer.finished(answer.reason)

    def prefill(self, messages: Sequence[ChatMessage], stop: Event) -> Prefilled:
        """Do nothing: a server that is not ours is not kept busy ahead of time."""
        del messages, stop
        return Prefilled(finished=False, evaluated=0, reused=0)

    def complete(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any], sampling: Sampling, stop: Event
    ) -> str:
        """Write one JSON text of the given shape, if the server keeps to it."""
        self._check_open()
        body = self._body(messages, sampling) | {"stream": True}
        shape, self._shape = self._shape, 0  # whatever goes wrong, the next call begins with the first
        try:
            text = self._written(body | {"response_format": _SHAPES[shape](dict(schema))}, stop)
        except RemoteFailed:
            if shape + 1 == len(_SHAPES):
                raise
            shape += 1  # a server that does not know one spelling refuses the whole request
            text = self._written(body | {"response_format": _SHAPES[shape](dict(schema))}, stop)
        try:
            json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RemoteFailed("The server did not keep to the shape it was asked for.") from error
        self._shape = shape
        return text

    def _written(self, body: Fields, stop: Event) -> str:
        """Give the whole text of an answer that nobody watches."""
        if stop.is_set():
            raise Interrupted("The background work gave way.")
        line = RemoteLine(self._address, "/v1/chat/completions", body)
        parts: list[str] = []
        try:
            for event in line.take():
                if stop.is_set():
                    raise Interrupted("The background work gave way.")
                if event is not None:
                    parts.append(read_delta(event)[0])
        finally:
            line.leave()
        return "".join(parts).strip()

    def evict(self, start: int, end: int) -> bool:
        """Say no: the cache is the server's."""
        del start, end
        return False

    def reset(self) -> None:
        """Do nothing here: the server decides what it keeps, and we cannot make it forget."""

    # ---- parts ----------------------------------------------------------------------------------

    def _ask(self, method: str, path: str, body: Fields | None = None) -> Fields:
        """Ask a small question, which closing ends."""

        def opened(line: socket.socket) -> None:
            self._asked = line

        try:
            return ask(self._address, method, path, body, opened)
        finally:
            self._asked = None

    def _body(self, messages: Sequence[ChatMessage], sampling: Sampling) -> Fields:
        body: Fields = {
            "model": self._model,
            "messages": [{"role": message.role, "content": _sendable(message.text)} for message in messages],
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "max_tokens": sampling.max_tokens,
        }
        return body if sampling.seed is None else body | {"seed": sampling.seed}

    def _asked_window(self) -> int:
        """Ask for the window where a server tells it; 0 when it does not."""
        try:
            settings = self._ask("GET", "/props").get("default_generation_settings")
        except RemoteFailed:
            return 0
        window = settings.get("n_ctx") if isinstance(settings, dict) else None
        return window if type(window) is int and 0 < window <= _MOST_WINDOW else 0

    def _count(self, text: str) -> int:
        """Count one text; the same one is never sent twice, so that a turn asks about its new words only."""
        key = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
        known = self._counts.get(key)
        if known is None:
            known = self._counts[key] = self._counted(text)
            if len(self._counts) > _KEPT_COUNTS:
                self._counts.popitem(last=False)
        else:
            self._counts.move_to_end(key)
        return known

    def _counted(self, text: str) -> int:
        if self._tokenizes and text:
            try:
                tokens = self._ask(
                    "POST", "/tokenize", {"content": _sendable(text), "add_special": False}
                ).get("tokens")
            except RemoteFailed:
                tokens = None
            if isinstance(tokens, list):
                return len(tokens)
            self._tokenizes = False
        return math.ceil(len(text.encode("utf-8", "replace")) / _BYTES_PER_TOKEN)

    def _name(self, messages: Sequence[ChatMessage]) -> str:
        rows = json.dumps([self._model, *([m.role, m.text.strip()] for m in messages)])
        return hashlib.sha256(rows.encode("ascii")).hexdigest()

    def _check_open(self) -> None:
        if not self._open:
            raise EngineClosed("The server is not in use.")


def _sendable(text: str) -> str:
    """Give a text as any server can take it: JSON may spell halves of characters, and some servers fall over them."""
    return text.strip().encode("utf-8", "replace").decode("utf-8")
