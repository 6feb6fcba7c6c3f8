"""Which old turns leave the window, and which lines the newest turn may carry above the rest.

Owns the water marks and the room of the newest block; renders nothing that is sent. The surprise: a turn never
leaves alone because of one message; when the high mark is passed, whole turns go until the low mark is met.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.blocks import (
    CLOSE,
    EARLIER,
    NOTICE,
    OPEN,
    STATE,
    Line,
    neutral,
    render_block,
    render_line,
    words_of,
)
from memory.budget import Allocation, TurnRoom, TurnSection, Wish, fill
from memory.delta import Window, changes
from memory.ports import CountTokens
from memory.prompt_request import PromptRequest, SentTurn
from memory.records import ItemKind, LeftOut, WorkingState
from memory.working import render_state, trimmed

NO_ANSWER = "…"
"""Stands where an answer never came, so that turns keep alternating."""


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """What the newest turn would carry above one choice of kept turns."""

    window: Window
    lines: tuple[tuple[Line, int], ...]
    """Each with its tokens, the most important first."""
    left_out: tuple[LeftOut, ...]
    total: int
    """Tokens of the whole prompt, every part counted by itself."""
    memory: int
    """Memory tokens in the window, old blocks included."""
    earlier: str = ""
    state: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def section_of(kind: str) -> TurnSection:
    """Name the section that pays for an item of this kind."""
    if kind == ItemKind.EPISODE:
        return "episodes"
    return "attachments" if kind == ItemKind.ATTACHMENT else "memory"


def carried(turns: Sequence[SentTurn], section: TurnSection) -> int:
    """Count the tokens of one section in these turns' blocks."""
    return sum(item.tokens for turn in turns for item in turn.block_items if section_of(item.kind) == section)


def unsent(line: Line, reason: str, tokens: int) -> LeftOut:
    """Record that a line was not sent."""
    return LeftOut(line.id, line.kind, line.text, reason, line.score, line.parts, tokens)


class Planner:
    """Plans one prompt below a given top; counts every fixed part once."""

    def __init__(self, request: PromptRequest, head: str, allocation: Allocation, count: CountTokens) -> None:
        self._request = request
        self._head = head
        self._allocation = allocation
        self._count = count
        texts = [part for turn in request.turns for part in (turn.content, turn.answer or NO_ANSWER)]
        top, words, *sides = count(
            [head, render_block(request.message) + words_of(request.message.text), *texts]
        )
        frame = request.frame_tokens
        self._fixed = top + words + 3 * frame
        """The top and the bare newest turn, with the opening of the answer."""
        self.turn_costs = tuple(
            asked + said + 2 * frame for asked, said in zip(sides[::2], sides[1::2], strict=True)
        )

    def choose(self) -> tuple[int, TurnPlan]:
        """Decide how many of the oldest turns leave, and plan the newest turn above the others."""
        limits, turns = self._allocation, len(self._request.turns)
        plan = self.plan(0)
        if not turns or (plan.total <= limits.high and plan.memory <= limits.memory_most):
            return 0, plan
        for leaving in range(1, turns):
            if self._base(leaving) > limits.low:
                continue
            plan = self.plan(leaving)
            if plan.total <= limits.low and plan.memory <= limits.grants["memory"]:
                return leaving, plan
        newest = self.plan(turns - 1)
        if turns > 1 and newest.total <= limits.high:
            return turns - 1, newest
        return turns, self.plan(turns)

    def _base(self, leaving: int) -> int:
        return self._fixed + sum(self.turn_costs[leaving:])

    def plan(self, leaving: int) -> TurnPlan:
        """Plan the newest turn for the case that so many of the oldest turns leave."""
        request, grants = self._request, self._allocation.grants
        window = Window.of(self._head, request.turns[leaving:], request.head_parts)
        spare = self._allocation.room - self._base(leaving) - self._cost([OPEN, CLOSE])
        earlier = self._earlier(leaving, spare // 2)
        spare -= self._cost([EARLIER + neutral(earlier)] if earlier else [])
        state, trimmings = self._state(window, min(grants["state"], spare))
        spare -= self._cost([STATE + part for part in state])
        notices = tuple(notice for notice in request.notices if notice.strip())
        spare -= self._cost([NOTICE + notice for notice in notices])
        lines, left = changes(window, request.recall, request.updates, request.head_parts.pinned)
        costs = self._count([render_line(line, request.message.zone) + "\n" for line in lines])
        room = TurnRoom(
            memory=self._allocation.turn_memory,
            episodes=grants["episodes"] - carried(window.turns, "episodes") - self._cost(window.episodes),
            attachments=grants["attachments"] - carried(window.turns, "attachments"),
            together=self._allocation.turn_together,
            everything=spare,
        )
        wishes = [Wish(section_of(line.kind), cost) for line, cost in zip(lines, costs, strict=True)]
        decided = list(zip(lines, costs, fill(wishes, room), strict=True))
        granted = tuple((line, cost) for line, cost, reason in decided if not reason)
        return TurnPlan(
            window=window,
            lines=granted,
            left_out=(
                *(unsent(line, reason, cost) for line, cost, reason in decided if reason),
                *left,
                *trimmings,
            ),
            total=self._allocation.room - spare + sum(cost for _, cost in granted),
            memory=carried(window.turns, "memory")
            + sum(cost for line, cost in granted if section_of(line.kind) == "memory"),
            earlier=earlier,
            state=state,
            notices=notices,
        )

    def _earlier(self, leaving: int, most: int) -> str:
        """Sum up what leaves, cut from its start until it fits."""
        if not leaving:
            return ""
        request = self._request
        before = "" if request.rebuild else request.earlier_summary
        text = request.summarise(before, [(turn.text, turn.answer) for turn in request.turns[:leaving]])
        while text and self._cost([text]) > most:
            _, _, text = text[len(text) // 4 :].partition(" ")
        return text

    def _state(self, window: Window, most: int) -> tuple[tuple[str, ...], tuple[LeftOut, ...]]:
        """Render the state and what of it had no room; nothing when the window tells the same already."""
        state = self._request.state or WorkingState()
        fitting = trimmed(
            state, lambda smaller: self._cost([STATE + part for part in render_state(smaller)]) <= most
        )
        lines = (*render_state(fitting), *self._request.state_ended)
        if lines and [STATE + neutral(line) for line in lines] == window.told_state():
            return (), ()
        cut = (line for line in render_state(state) if line not in lines)
        return lines, tuple(LeftOut("state", "state", line, "over the state budget") for line in cut)

    def _cost(self, lines: Sequence[str]) -> int:
        return sum(self._count([line + "\n" for line in lines])) if lines else 0
