"""Whether memory helps the model: each question of the user's is answered twice, with memory and without it.

An answer is right when it says the value of a memory it should have been given. Each is asked in an incognito
conversation of its own that may read memory, so that nothing of it is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.chat.events import AnswerFinished, TurnFailed
from assistant.settings import Settings
from models.errors import EngineUnavailable

if TYPE_CHECKING:
    from assistant.evaluation.throwaway import Progress
    from assistant.locket import Locket

LONGEST_ANSWER = 96
"""Tokens; a value that has not come by then will not come."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question with the values of which an answer must say one."""

    question: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """A question answered with memory and without."""

    question: str
    with_memory: bool
    without_memory: bool


def settings_for(settings: Settings) -> Settings:
    """Return the settings under which answers are compared: memory is lent, and nothing is drawn by chance."""
    return replace(
        settings,
        incognito_recall=True,
        temperature=0.0,
        seed=1,
        max_answer=min(settings.max_answer, LONGEST_ANSWER),
    )


async def compare(locket: Locket, wanted: Sequence[Wanted], progress: Progress) -> list[Compared]:
    """Ask every question both ways."""
    found = []
    for number, one in enumerate(wanted, 1):
        right = [is_said(one.values, await _answer(locket, one.question, use=use)) for use in (True, False)]
        found.append(Compared(one.question, *right))
        progress("answering", number, len(wanted))
    return found


def is_said(values: Sequence[str], answer: str) -> bool:
    """Tell whether an answer says one of the values."""
    said = answer.casefold()
    return any(value.casefold() in said for value in values if value)


async def _answer(locket: Locket, question: str, *, use: bool) -> str:
    """Return the answer to a question; raise what kept the model from giving one."""
    answer = ""
    async for event in locket.turn(question, conversation=None, use_memory=use, incognito=True):
        if isinstance(event, AnswerFinished):
            answer = event.message.text
        elif isinstance(event, TurnFailed):
            raise event.error or EngineUnavailable(event.problem.title)
    return answer
