"""The working state edited by hand: one piece added, said anew, ticked or removed.

Owns how a piece is named ("step-2", the second step) and refuses what does not fit. Pure: takes a state and returns
the next one; storing it is the caller's. The surprise: the goal is one piece, so adding one replaces it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from memory.errors import BadInput
from memory.records import WorkingState
from memory.working import MAX_GATHERED, MAX_QUESTIONS, MAX_STEPS

PARTS: Final = ("goal", "step", "known", "question")
STATUSES: Final = ("open", "doing", "done")
_MOST: Final = {"step": MAX_STEPS, "known": MAX_GATHERED, "question": MAX_QUESTIONS}


def places(state: WorkingState) -> tuple[tuple[str, str], ...]:
    """List every piece with its name, in the order in which they are shown."""
    named = [("goal", state.goal)] if state.goal else []
    for part in PARTS[1:]:
        named += [(f"{part}-{n}", text) for n, text in enumerate(_texts(state, part), 1)]
    return tuple(named)


def piece(state: WorkingState, place: str) -> str:
    """Return the text of one piece; raise BadInput when there is none of that name."""
    found = dict(places(state)).get(place)
    if found is None:
        names = ", ".join(name for name, _ in places(state)) or "nothing"
        raise BadInput(f"there is no {place!r} here; there is {names}")
    return found


def added(state: WorkingState, part: str, text: str) -> WorkingState:
    """Add a piece at the end of its part; a goal takes the place of the one before."""
    if part not in PARTS:
        raise BadInput(f"{part!r} is none of {', '.join(PARTS)}")
    text = _said(text)
    if part == "goal":
        return replace(state, goal=text)
    texts = _texts(state, part)
    if len(texts) >= _MOST[part]:
        raise BadInput(f"{_MOST[part]} of these fit; remove one first")
    if part == "step":
        return replace(state, steps=(*state.steps, (text, "open")))
    return _with(state, part, (*texts, text))


def edited(state: WorkingState, place: str, text: str) -> WorkingState:
    """Say one piece anew; a step keeps its status."""
    piece(state, place)
    text = _said(text)
    if place == "goal":
        return replace(state, goal=text)
    part, at = _split(place)
    if part == "step":
        steps = list(state.steps)
        steps[at] = (text, steps[at][1])
        return replace(state, steps=tuple(steps))
    texts = list(_texts(state, part))
    texts[at] = text
    return _with(state, part, tuple(texts))


def removed(state: WorkingState, place: str) -> WorkingState:
    """Take one piece out."""
    piece(state, place)
    if place == "goal":
        return replace(state, goal="")
    part, at = _split(place)
    if part == "step":
        return replace(state, steps=state.steps[:at] + state.steps[at + 1 :])
    texts = _texts(state, part)
    return _with(state, part, texts[:at] + texts[at + 1 :])


def ticked(state: WorkingState, place: str, status: str | None = None) -> WorkingState:
    """Give a step this status, or the next one: open, doing, done, open again."""
    piece(state, place)
    part, at = _split(place)
    if part != "step":
        raise BadInput("only a step can be ticked")
    if status is not None and status not in STATUSES:
        raise BadInput(f"{status!r} is none of {', '.join(STATUSES)}")
    text, before = state.steps[at]
    turn = STATUSES.index(before) + 1 if before in STATUSES else 0
    steps = list(state.steps)
    steps[at] = (text, status or STATUSES[turn % len(STATUSES)])
    return replace(state, steps=tuple(steps))


def _texts(state: WorkingState, part: str) -> tuple[str, ...]:
    match part:
        case "step":
            return tuple(text for text, _ in state.steps)
        case "known":
            return state.gathered
        case _:
            return state.questions


def _with(state: WorkingState, part: str, texts: tuple[str, ...]) -> WorkingState:
    return replace(state, gathered=texts) if part == "known" else replace(state, questions=texts)


def _split(place: str) -> tuple[str, int]:
    part, _, number = place.partition("-")
    return part, int(number or 1) - 1


def _said(text: str) -> str:
    folded = " ".join(text.split())
    if not folded:
        raise BadInput("there is no text in this")
    return folded
