"""From the bytes a model writes to the text a person reads.

Owns four small matters: characters cut in two between tokens, stop marks spelled out as text, the part a
model thinks to itself, and blank space around the answer. Pure: knows no tokens and no model. The text it
gives, joined, is already stripped, so it equals what later prompts will hold.
"""

import codecs
from dataclasses import dataclass
from enum import Enum

OPEN_MARK = "<think>"
CLOSE_MARK = "</think>"


@dataclass(frozen=True, slots=True)
class Part:
    """Some text that may be shown."""

    text: str
    thinking: bool


class _State(Enum):
    START = 0
    THINKING = 1
    ANSWER = 2


class AnswerText:
    """Takes pieces of one answer in order and gives what is certain to belong to it."""

    def __init__(self, stops: tuple[str, ...] = (), *, thinking: bool = False) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._stops = stops
        self._state = _State.THINKING if thinking else _State.START
        self._held = ""
        self._begun = False
        self.stopped = False
        """True once a stop mark was met; nothing after it is given."""

    def feed(self, piece: bytes) -> list[Part]:
        """Add what a token stands for."""
        self._held += self._decoder.decode(piece)
        return self._drain(final=False)

    def finish(self) -> list[Part]:
        """Give what was held back; half a character and trailing blanks are dropped."""
        return self._drain(final=True)

    def _drain(self, *, final: bool) -> list[Part]:
        parts: list[Part] = []
        while not self.stopped and (part := self._step(final=final)) is not None:
            if part.text:
                parts.append(part)
        return parts

    def _step(self, *, final: bool) -> Part | None:
        """Do one thing with the held text; None when more text is needed first."""
        match self._state:
            case _State.START:
                return self._start(final=final)
            case _State.THINKING:
                return self._think(final=final)
            case _State.ANSWER:
                return self._answer(final=final)

    def _start(self, *, final: bool) -> Part | None:
        text = self._held.lstrip()
        if text.startswith(OPEN_MARK):
            self._held = text[len(OPEN_MARK) :].lstrip("\n")
            self._state = _State.THINKING
        elif not final and OPEN_MARK.startswith(text):
            return None
        else:
            self._state = _State.ANSWER
        return Part("", thinking=False)

    def _think(self, *, final: bool) -> Part | None:
        thought, mark, rest = self._held.partition(CLOSE_MARK)
        if mark:
            self._held, self._state = rest, _State.ANSWER
            return Part(thought, thinking=True)
        keep = 0 if final else _overlap(self._held, (CLOSE_MARK,))
        return self._give(len(self._held) - keep, thinking=True)

    def _answer(self, *, final: bool) -> Part | None:
        if not self._begun:
            self._held = self._held.lstrip()
            self._begun = bool(self._held)
        found = [at for stop in self._stops if (at := self._held.find(stop)) >= 0]
        if found:
            text, self._held, self.stopped = self._held[: min(found)].rstrip(), "", True
            return Part(text, thinking=False)
        keep = 0 if final else _overlap(self._held, self._stops)
        return self._give(len(self._held[: len(self._held) - keep].rstrip()), thinking=False)

    def _give(self, size: int, *, thinking: bool) -> Part | None:
        """Let go of the first `size` characters."""
        if size <= 0:
            return None
        text, self._held = self._held[:size], self._held[size:]
        return Part(text, thinking)


def _overlap(text: str, marks: tuple[str, ...]) -> int:
    """Give the length of the longest end of `text` that could be the beginning of a mark."""
    longest = max((len(mark) - 1 for mark in marks), default=0)
    for size in range(min(longest, len(text)), 0, -1):
        if any(mark.startswith(text[-size:]) for mark in marks):
            return size
    return 0
