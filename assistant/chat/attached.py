"""Text files that go along with a message: what may be one, and how it stands in the message.

Owns the limits, in words, and the line that marks a file's text. What is attached counts as pasted: it is read by
the model and searched, and nothing in it is taken for the user's own word. One surprise: the marking line is how a
stored message is shown short again, so only spans that were attached are looked at, never what was typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.paths import Kind, kind_of, typed_path
from memory.errors import BadInput

LONGEST_FILE = 200_000
"""Characters; of a longer file a part should be attached."""
CHARACTERS_A_TOKEN = 4
"""Rarely more, so a file over this many characters for each token of the window cannot fit."""
ROOM = 75
"""Percent of the window that a message may have; the rest is for the answer and what is always said."""

Span = tuple[int, int]
_MARK = re.compile(r"\[file: ([^\]\n]+)\]\n")


@dataclass(frozen=True, slots=True)
class Attached:
    """One file's text."""

    name: str
    text: str

    @property
    def block(self) -> str:
        """The text as it stands in the message."""
        return f"[file: {self.name}]\n{self.text}"


def read_attached(typed: str, window: int = 0) -> Attached:
    """Read a file to attach; raise BadInput, with the reason, for what cannot be. ``window`` is in tokens, 0 unknown."""
    path = typed_path(typed.strip().strip("'\""))
    if kind_of(path) is Kind.FOLDER:
        raise BadInput(f"{path} is a folder; attach a file")
    if kind_of(path) is not Kind.FILE:
        raise BadInput(f"there is no file {path}")
    try:
        if path.stat().st_size > LONGEST_FILE * 4:
            raise BadInput(_too_long(path.name, path.stat().st_size, "bytes"))
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    text = _decoded(path.name, content).replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    if not text.strip():
        raise BadInput(f"{path.name} is empty")
    if len(text) > LONGEST_FILE:
        raise BadInput(_too_long(path.name, len(text), "characters"))
    tokens, room = len(text) // CHARACTERS_A_TOKEN, window * ROOM // 100
    if window and tokens > room:
        raise BadInput(
            f"{path.name} has about {tokens:,} tokens, and about {room:,} fit into the model's window beside the"
            " rest; attach a part of it"
        )
    return Attached(_plain(path.name), text)


def _decoded(name: str, content: bytes) -> str:
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = "\x00"
    if "\x00" in text:
        raise BadInput(f"{name} is not text; pictures, PDF and office files cannot be attached")
    return text


def _too_long(name: str, size: int, unit: str) -> str:
    return (
        f"{name} has {size:,} {unit}; up to {LONGEST_FILE:,} characters can be attached. Attach a part of it"
    )


def _plain(name: str) -> str:
    """Make a file's name fit for the marking line."""
    kept = "".join(c if c.isprintable() and c not in "[]" else "_" for c in name)
    return kept[:200] or "file"


def with_blocks(text: str, spans: Sequence[Span], blocks: Iterable[str]) -> tuple[str, tuple[Span, ...]]:
    """Append blocks below a text, each as a pasted span of its own."""
    found = list(spans)
    for block in blocks:
        text += "\n\n" if text else ""
        found.append((len(text), len(text) + len(block)))
        text += block
    return text, tuple(found)


def take_off(text: str, spans: Sequence[Span]) -> tuple[str, tuple[Span, ...], tuple[Attached, ...]]:
    """Take the attached files off the end of a message again."""
    left, found = list(spans), []
    while left and left[-1][1] == len(text) and (mark := _MARK.match(text, *left[-1])):
        found.append(Attached(mark[1], text[mark.end() :]))
        text = text[: left.pop()[0]].rstrip("\n")
    kept = tuple((a, min(b, len(text))) for a, b in left if a < len(text))
    return text, kept, tuple(reversed(found))


def unknown_spans(text: str) -> tuple[Span, ...]:
    """Return the spans of a kept text whose own are not known: all of it, each file apart."""
    starts = [mark.start() for mark in _MARK.finditer(text) if text[: mark.start()][-2:] in ("", "\n\n")]
    edges = [*dict.fromkeys([0, *starts]), len(text)]
    ends = [*(start - 2 for start in edges[1:-1]), len(text)]
    return tuple((start, end) for start, end in zip(edges, ends, strict=False) if start < end)


def shortened_files(text: str, spans: Sequence[Span]) -> str:
    """Return a message for the eye: each attached file as one line."""
    for start, end in sorted(spans, reverse=True):
        if mark := _MARK.match(text, start, end):
            text = f"{text[:start]}[file: {mark[1]} · {end - mark.end():,} characters]{text[end:]}"
    return text
