"""What the engine has evaluated, kept in step with the prompt, so that a turn costs only its new words.

Owns when an engine must drop something and what it reads ahead of time; renders nothing. The surprise: tokens are
only cut out of the conversation that the engine was last given, since it would cut them out of any other just as well.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from assistant.chat.counter import TokenCounter
from memory.records import AssembledPrompt, PromptMessage
from memory.standing import Standing
from models.errors import EngineCrashed
from models.ports import ChatRuntime
from models.types import ChatMessage

STEP = 384
"""Tokens read ahead between two looks at how far it is."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class _Live:
    """What the engine was given last."""

    conversation: str | None
    head: str


def as_sent(messages: Sequence[PromptMessage]) -> list[ChatMessage]:
    """Turn memory's messages into the engine's."""
    return [ChatMessage(message.role, message.text) for message in messages]


class Prefix:
    """One engine's evaluated prompt."""

    def __init__(self, engine: ChatRuntime, count: TokenCounter) -> None:
        self._engine = engine
        self._count = count
        self._live: _Live | None = None
        self._made_anew: _Live | None = None

    @property
    def conversation(self) -> str | None:
        """The conversation that the engine was last given; None when none was, or one not yet begun."""
        return self._live.conversation if self._live else None

    def prepare(self, conversation: str, prompt: AssembledPrompt) -> None:
        """Bring the engine in step with a prompt that is about to be sent."""
        wanted = _Live(conversation, prompt.head)
        had_turns = len(prompt.messages) > 2 or bool(prompt.leaving)
        if prompt.rebuilt and had_turns and self._made_anew != wanted:
            self.reset()
        elif prompt.leaving and self._live == wanted:
            self._cut(prompt)
        self._made_anew = None
        self._live = wanted

    def reset(self) -> None:
        """Make the engine forget everything it has evaluated, of every conversation."""
        self._live = self._made_anew = None
        with suppress(EngineCrashed):  # then it holds nothing any more
            self._engine.reset()

    def _cut(self, prompt: AssembledPrompt) -> None:
        """Cut the turns that left out of the cache; when the engine cannot, the prompt is evaluated once again."""
        before = self._engine.measure(as_sent([prompt.messages[0], *prompt.leaving]))
        start = before.leading + before.per_message[0]
        with suppress(EngineCrashed):  # the next one starts empty, and reads everything
            self._engine.evict(start, start + sum(before.per_message[1:]))

    def read_ahead(self, standing: Standing, disturbed: threading.Event, progress: Progress) -> bool:
        """Evaluate the beginning of the next prompt piece by piece; False when somebody came first."""
        here = _Live(standing.conversation, standing.head)
        if standing.rebuilt and self._made_anew != here:
            self.reset()
            self._made_anew = here
        self._live = here
        messages = as_sent(standing.messages)
        costs = self._count([message.text for message in messages])
        total, done, pending = sum(costs), 0, 0
        for number, cost in enumerate(costs, 1):
            pending += cost
            if pending < STEP and number < len(costs):
                continue
            progress(done, total)
            if disturbed.is_set() or not self._engine.prefill(messages[:number], disturbed).finished:
                return False
            done, pending = done + pending, 0
        progress(total, total)
        return True
