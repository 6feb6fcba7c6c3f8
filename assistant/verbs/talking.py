"""What `ask` and `chat --plain` share: a turn printed as it happens, and its JSON at the end.

Owns the words of a conversation without a screen. No boxes and no cursor movement, so that a screen reader
reads it in order.
"""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import click

from assistant.chat.events import (
    AnswerFinished,
    MemoryChanged,
    Notice,
    PromptAssembled,
    ReadingPrompt,
    TokenDelta,
    TurnBegan,
    TurnEvent,
    TurnFailed,
)
from assistant.locket import Locket
from assistant.problems import Exit, Problem
from assistant.verbs.shapes import decided_json, left_out_json, sent_json
from assistant.visible import echo
from memory.records import (
    Add,
    AssembledPrompt,
    Confirm,
    Decided,
    Merge,
    Message,
    Recall,
    Review,
    Supersede,
    Usage,
)

ROUNDS = 6
"""Batches of vectors that a one-shot verb waits for; the rest is made when Locket next idles."""
FENCE = re.compile(r"^(`{3,}|~{3,})[^\n]*\n(.*?)^\1\s*$", re.MULTILINE | re.DOTALL)


@dataclass(slots=True)
class Heard:
    """What a turn has brought so far."""

    conversation: str = ""
    message: str = ""
    answer: Message | None = None
    stop_reason: str = ""
    usage: Usage | None = None
    prompt: AssembledPrompt | None = None
    recall: Recall | None = None
    decided: list[Decided] = field(default_factory=list)
    problem: Problem | None = None

    @property
    def exit_code(self) -> int:
        """What the verb returns."""
        return int(self.problem.exit_code) if self.problem else int(Exit.OK)


async def hear(
    events: AsyncIterator[TurnEvent], stop: Callable[[], None], *, say: Callable[[str], None] | None
) -> Heard:
    """Follow a turn to its end; ``say`` prints the answer as it comes. An interrupt stops the answer."""
    heard = Heard()
    loop = asyncio.get_running_loop()
    with suppress(
        NotImplementedError, ValueError, RuntimeError
    ):  # no signals here: another thread, or Windows
        loop.add_signal_handler(signal.SIGINT, stop)
    try:
        async for event in events:
            _take(heard, event, say)
    finally:
        with suppress(NotImplementedError, ValueError, RuntimeError):
            loop.remove_signal_handler(signal.SIGINT)
    return heard


def _take(heard: Heard, event: TurnEvent, say: Callable[[str], None] | None) -> None:
    match event:
        case TurnBegan(turn):
            heard.conversation, heard.message = turn.conversation, turn.message.id
        case PromptAssembled(prompt, recall):
            heard.prompt, heard.recall = prompt, recall
        case ReadingPrompt(done, total):
            _progress(done, total)
        case TokenDelta(text):
            if say is not None:
                say(text)
        case Notice(text):
            echo(f"({text})", err=True)
        case MemoryChanged(decided):
            heard.decided += decided
        case AnswerFinished(message, stop_reason, usage):
            heard.answer, heard.stop_reason, heard.usage = message, stop_reason, usage
        case TurnFailed(problem):
            heard.problem = problem
        case _:
            pass


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty() and total > 256:
        end = "\r" if done < total else "\r\033[K"
        click.echo(f"reading {done:,} of {total:,} tokens{end}", nl=False, err=True)


def tell_memory(decided: list[Decided]) -> list[str]:
    """Say in words what was remembered, each sentence once: two facts may stand in the same one."""
    lines = []
    for done in decided:
        match done.decision:
            case Add() | Supersede():
                old = f" (was: {', '.join(f.value for f in done.superseded)})" if done.superseded else ""
                lines.append(f"remembered: {done.candidate.text}{old}")
            case Confirm() | Merge():
                lines.append(f"confirmed: {done.candidate.text}")
            case Review(reason):
                lines.append(f"to review: {done.candidate.text} ({reason})")
            case _:
                pass
    return list(dict.fromkeys(lines))


def turn_json(heard: Heard) -> dict[str, Any]:
    """Return the documented shape of one answer."""
    usage, prompt = heard.usage, heard.prompt
    return {
        "answer": heard.answer.text if heard.answer else "",
        "conversation": heard.conversation,
        "message": heard.answer.id if heard.answer else heard.message,
        "stop_reason": heard.stop_reason or ("failed" if heard.problem else ""),
        "model": usage.model if usage else None,
        "remembered": [decided_json(done) for done in heard.decided],
        "recalled": [sent_json(item) for item in prompt.items] if prompt else [],
        "left_out": [left_out_json(item) for item in prompt.left_out] if prompt else [],
        "tokens": {
            "prompt": usage.prompt_tokens if usage else (prompt.tokens if prompt else 0),
            "evaluated": usage.evaluated if usage else 0,
            "reused": usage.reused if usage else 0,
            "answer": usage.answer_tokens if usage else 0,
            "sections": {s.name: s.tokens for s in prompt.sections} if prompt else {},
        },
        "timing": {
            "first_token_ms": round(usage.first_token_ms, 1) if usage else 0,
            "tokens_per_s": round(usage.tokens_per_s, 1) if usage else 0,
        },
    }


def first_code_block(text: str) -> str | None:
    """Return the inside of the first fenced code block."""
    found = FENCE.search(text)
    return found[2] if found else None


def why_lines(heard: Heard) -> list[str]:
    """Say what the answer rested on."""
    if heard.prompt is None:
        return []
    lines = [f"why: {item.text}  score {item.score:.2f}, {item.tokens} tokens" for item in heard.prompt.items]
    lines += [f"left out: {item.text} ({item.reason})" for item in heard.prompt.left_out[:8]]
    return lines or ["why: nothing from memory was used"]


async def settled(locket: Locket) -> None:
    """Let memory finish what a one-shot verb would otherwise leave for later: vectors of the new words."""
    for _ in range(ROUNDS):
        if not await locket.make_vectors():
            return
