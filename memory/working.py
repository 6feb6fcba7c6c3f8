"""Working state by rule: what this conversation is about now, and what was said before its window.

Owns plain patterns in a few languages and sizes; never calls a model. The surprise: a question of the user is
open only until an answer comes, a question of the answer only until the user speaks again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from memory.errors import BadInput
from memory.records import WorkingState
from memory.secrets import mask

MAX_STATE_BYTES = 4_096
MAX_SUMMARY_CHARS = 1_200
MAX_PIECE_CHARS = 160
MAX_GATHERED = 12
MAX_QUESTIONS = 4
MAX_STEPS = 12
STATE_FIELDS = ("goal", "steps", "known so far", "open questions")
NOTHING = ": none"
"""What a field that was emptied by hand is told as, after its name."""
_PLAN = 2
"""Fewest numbered lines that make a plan."""

_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？।])|\n+")
_QUESTION_END = ("?", "？", "؟")
_NUMBERED = re.compile(r"^\s*(\d{1,2})[.)]\s+(\S.*)$", re.MULTILINE)
_MARKS = re.compile(r"[*_`#]+")
_GOALS = re.compile(
    r"""(?ix)
      \b(?: i(?:'d|\ would)?\ (?:want|need|like|have)\ to | i(?:'m|\ am)\ (?:trying|planning|going)\ to
        | (?:please\ |can\ you\ |could\ you\ )*help\ me(?:\ to)? | let(?:'s|\ us)\ (?:plan|write|make|build|find|work\ out) | my\ goal\ is)\b
    | \b(?: ich\ (?:will|möchte|muss|würde\ gern) | hilf\ mir | kannst\ du\ mir\ .*helfen | mein\ ziel\ ist)\b
    | \b(?: quiero | quisiera | necesito | ayúdame\ a | mi\ objetivo\ es)\b
    | \b(?: je\ (?:veux|voudrais|dois) | j'aimerais | aide[sz]?-moi\ à | mon\ but\ est)\b
    | \b(?: я\ хочу | мне\ нужно | помоги(?:те)?\ мне | моя\ цель)\b
    | (?: मैं.*(?:चाहता|चाहती)\ हूँ | मुझे.*(?:चाहिए|करना\ है) | मेरी\ मदद )
    | (?: 我想 | 我要 | 我需要 | 帮我 | 幫我 | 请帮 | 我的目标 )
    """
)
_DONE = re.compile(
    r"(?i)\b(?:step|schritt|paso|étape|шаг)\s+(\d{1,2})\b[^.!?\n]*\b(?:done|finished|complete|ready|erledigt|fertig|hecho|terminado|fait|finie?|готово?|сделано?)"
    r"|\b(?:done with|finished|completed)\s+(?:step\s+)?(\d{1,2})\b"
    r"|第\s*(\d{1,2})\s*步.{0,6}(?:完成|做完|好了)"
)
_DOING = re.compile(
    r"(?i)\b(?:working on|doing|starting|now on|let's do|next is)\s+step\s+(\d{1,2})\b"
    r"|\b(?:beginne|mache)\s+(?:gerade\s+)?schritt\s+(\d{1,2})\b"
)


def sentences(text: str) -> Iterator[str]:
    """Split a text into folded sentences."""
    for part in _SENTENCE.split(text):
        folded = " ".join(part.split())
        if folded:
            yield folded


def cut(text: str, most: int) -> str:
    """Shorten a text at a word, with an ellipsis when something went."""
    folded = " ".join(text.split())
    if len(folded) <= most:
        return folded
    head = folded[: max(0, most - 1)]
    space = head.rfind(" ")
    return (head[:space] if space > most // 2 else head).rstrip(" ,;:") + "…"


def _questions(text: str) -> list[str]:
    return [cut(part, MAX_PIECE_CHARS) for part in sentences(text) if part.endswith(_QUESTION_END)]


def _goal(text: str) -> str:
    for part in sentences(text):
        if _GOALS.search(part):
            return cut(part, MAX_PIECE_CHARS)
    return ""


def _plan(answer: str) -> tuple[tuple[str, str], ...]:
    """Take the numbered lines of an answer, when they count 1, 2, 3 …, as a plan."""
    found = _NUMBERED.findall(answer)
    if len(found) < _PLAN or [int(number) for number, _ in found] != list(range(1, len(found) + 1)):
        return ()
    return tuple((cut(_MARKS.sub("", text), MAX_PIECE_CHARS), "open") for _, text in found[:MAX_STEPS])


def _moved(steps: tuple[tuple[str, str], ...], text: str) -> tuple[tuple[str, str], ...]:
    marks: dict[int, str] = {}
    for pattern, status in ((_DOING, "doing"), (_DONE, "done")):
        for found in pattern.finditer(text):
            marks[int(next(group for group in found.groups() if group))] = status
    return tuple((step, marks.get(index, status)) for index, (step, status) in enumerate(steps, 1))


def _last(old: Sequence[str], new: Sequence[str], most: int) -> tuple[str, ...]:
    """Append without repeating, and keep the newest."""
    seen: dict[str, None] = {}
    for piece in (*old, *new):
        seen.pop(piece, None)
        seen[piece] = None
    return tuple(seen)[-most:] if most else ()


def advance(state: WorkingState, user: str, answer: str | None, gathered: Sequence[str] = ()) -> WorkingState:
    """Take one turn in: pass the user's own words, masked, the answer, and the facts it brought."""
    steps = _moved(state.steps, user)
    goal = _goal(user)
    plan = _plan(answer or "") if goal or _asks_for_steps(user) else ()
    questions = _last(() if answer else state.questions, _questions(answer or user), MAX_QUESTIONS)
    moved = WorkingState(
        goal=goal or state.goal,
        steps=plan or steps,
        gathered=_last(state.gathered, [cut(piece, MAX_PIECE_CHARS) for piece in gathered], MAX_GATHERED),
        questions=questions,
    )
    return trimmed(moved, lambda smaller: len(to_json(smaller).encode()) <= MAX_STATE_BYTES)


_STEPS_ASKED = re.compile(
    r"(?i)\b(?:steps?|plan|how (?:do|can|should) (?:i|we)|schritte?|wie (?:kann|soll) ich|pasos?|étapes?|план|шаги)\b|步骤|计划|योजना|कदम"
)


def _asks_for_steps(text: str) -> bool:
    return _STEPS_ASKED.search(text) is not None


def trimmed(state: WorkingState, fits: Callable[[WorkingState], bool]) -> WorkingState:
    """Drop field by field until it fits: finished steps, gathered facts, questions, later steps, then the goal."""
    while not state.is_empty and not fits(state):
        done = next((index for index, step in enumerate(state.steps) if step[1] == "done"), None)
        if done is not None:
            state = replace(state, steps=state.steps[:done] + state.steps[done + 1 :])
        elif state.gathered:
            state = replace(state, gathered=state.gathered[1:])
        elif state.questions:
            state = replace(state, questions=state.questions[1:])
        elif state.steps:
            state = replace(state, steps=state.steps[:-1])
        else:
            state = replace(state, goal=cut(state.goal, len(state.goal) // 2) if len(state.goal) > 1 else "")
    return state


def render_state(state: WorkingState) -> tuple[str, ...]:
    """Write the state as short lines, one a field."""
    told = (
        state.goal,
        "; ".join(f"[{status}] {step}" for step, status in state.steps),
        "; ".join(state.gathered),
        " ".join(state.questions),
    )
    return tuple(f"{name}: {text}" for name, text in zip(STATE_FIELDS, told, strict=True) if text)


def checked(state: WorkingState) -> WorkingState:
    """Return a state that somebody wrote by hand as it may be kept: secrets masked, pieces short, all of it small."""

    def kept(text: str) -> str:
        return cut(mask(text) or text, MAX_PIECE_CHARS)

    small = WorkingState(
        goal=kept(state.goal),
        steps=tuple((kept(step), status) for step, status in state.steps if step.strip())[:MAX_STEPS],
        gathered=tuple(kept(piece) for piece in state.gathered if piece.strip())[-MAX_GATHERED:],
        questions=tuple(kept(piece) for piece in state.questions if piece.strip())[-MAX_QUESTIONS:],
    )
    return trimmed(small, lambda smaller: len(to_json(smaller).encode()) <= MAX_STATE_BYTES)


def to_json(state: WorkingState) -> str:
    """Write the state as JSON, always in the same order."""
    return json.dumps(
        {
            "goal": state.goal,
            "steps": [list(step) for step in state.steps],
            "gathered": list(state.gathered),
            "questions": list(state.questions),
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def from_json(text: str) -> WorkingState:
    """Read a stored state back."""
    try:
        raw = json.loads(text)
        return WorkingState(
            goal=str(raw["goal"]),
            steps=tuple((str(step), str(status)) for step, status in raw["steps"]),
            gathered=tuple(str(piece) for piece in raw["gathered"]),
            questions=tuple(str(piece) for piece in raw["questions"]),
        )
    except (ValueError, TypeError, KeyError) as error:
        raise BadInput("the stored working state cannot be read") from error


def running_summary(earlier: str, left: Sequence[tuple[str, str | None]]) -> str:
    """Add the turns that left the window, pairs of words and answer, to the summary of those before.

    Each gives the first sentence of either side; when it grows too long the oldest sentences go.
    """
    pieces = [earlier.strip()] if earlier.strip() else []
    for words, answer in left:
        asked = next(sentences(words), "")
        replied = next(sentences(answer or ""), "")
        if asked:
            pieces.append(f"The user: {cut(asked, MAX_PIECE_CHARS)}")
        if replied:
            pieces.append(f"Locket: {cut(replied, MAX_PIECE_CHARS)}")
    whole = " ".join(pieces)
    if len(whole) <= MAX_SUMMARY_CHARS:
        return whole
    tail = whole[-(MAX_SUMMARY_CHARS - 1) :]
    space = tail.find(" ")
    return "…" + tail[space + 1 :]
