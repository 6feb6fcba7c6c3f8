"""New words for every row that keeps its place: messages, titles, notes, episodes, receipts.

Pure: takes rows as they are and returns rows as they are to be. One surprise: a receipt keeps the ids of what
was forgotten, without a word of it, so that it can still say that something was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

from memory.blocks import CLOSE, EARLIER, NOTICE, OPEN, STATE, neutral
from memory.forgetting.wording import MARK, Said, Spans, Wordings, blot, echoes
from memory.records import Message
from memory.secrets import mask
from memory.store.sql import canonical

Row = Mapping[str, Any]


def emptied(message: Message) -> dict[str, Any]:
    """Take the whole text out of a message and leave its place in the conversation."""
    return {"id": message.id, "text": MARK, "masked": None, "pasted": "[]"}


def redacted(message: Message, wordings: Wordings, spans: Spans, derived: Collection[Said]) -> dict[str, Any]:
    """Take out of a message what is forgotten: by its place, by its words, and what repeats it."""
    places = [*spans, *wordings.spans(message.text)]
    for said in derived:
        places += echoes(message.text, said)
    text = blot(message.text, places)
    return {"id": message.id, "text": text, "masked": mask(text), "pasted": None}


def removed_words(old: str, new: str) -> list[str]:
    """Return the runs of characters that were taken out, given both texts of one length."""
    if len(old) != len(new):
        return [old]
    pieces: list[str] = []
    start: int | None = None
    for place, (was, now) in enumerate(zip(old, new, strict=True)):
        if was != now and start is None:
            start = place
        elif start is not None and was == now and now != " ":
            pieces.append(old[start:place])
            start = None
    if start is not None:
        pieces.append(old[start:])
    return [piece.strip() for piece in pieces if piece.strip()]


def in_json(text: str, change: Callable[[str], str]) -> str:
    """Change every string inside a JSON text."""
    return canonical(_walk(json.loads(text), change))


def _walk(value: Any, change: Callable[[str], str]) -> Any:
    match value:
        case str():
            return change(value)
        case list():
            return [_walk(each, change) for each in value]
        case dict():
            return {name: _walk(each, change) for name, each in value.items()}
        case _:
            return value


def episode_row(row: Row, wordings: Wordings) -> dict[str, Any]:
    """Take out of an episode what is forgotten; whole entries of its lists go."""
    detail = {
        name: [each for each in value if not wordings.says(each)] if isinstance(value, list) else value
        for name, value in json.loads(row["detail"]).items()
    }
    new = {"id": row["id"], "detail": in_json(canonical(detail), wordings.without)}
    return new | {name: wordings.without(row[name]) for name in ("title", "goal", "summary")}


def trace_row(
    row: Row, wordings: Wordings, gone: Collection[str], changed: Collection[str], *, own: bool
) -> dict[str, Any] | None:
    """Take out of a receipt what is forgotten, or return None when it holds nothing of it.

    ``gone`` are ids whose text goes, ``changed`` ids that lost some words; ``own`` says that the whole
    conversation had it, so that its notes lose the words too.
    """
    items, lost, softened = _sent(json.loads(row["items"]), wordings, gone, changed)
    left_out, _, _ = _sent(json.loads(row["left_out"]), wordings, gone, changed)
    block = _block(row["block"], wordings, lost, softened, own=own)
    new = {"block": block, "items": canonical(items), "left_out": canonical(left_out)}
    if all(new[name] == row[name] for name in new):
        return None
    return {"id": row["id"], **new}


def _sent(
    items: list[dict[str, Any]], wordings: Wordings, gone: Collection[str], changed: Collection[str]
) -> tuple[list[dict[str, Any]], set[str], set[str]]:
    """Return the entries without the words, and the texts as they stood in lines that go or change."""
    lost: set[str] = set()
    softened: set[str] = set()
    kept = []
    for item in items:
        new = dict(item)
        if item["id"] in gone:
            lost.add(neutral(item["text"]))
            new |= {"text": MARK} | ({"replaces": MARK} if item.get("replaces") else {})
        else:
            if item["id"] in changed:
                new["text"] = wordings.without(item["text"])
            if item.get("replaces"):
                new["replaces"] = wordings.without(item["replaces"])
            if new != item:
                softened.add(neutral(item["text"]))
        if "reason" in new:  # a note beside a line stands there
            new["reason"] = wordings.without(new["reason"])
        kept.append(new)
    return kept, {text for text in lost if text}, {text for text in softened if text}


def _block(
    text: str, wordings: Wordings, lost: Collection[str], softened: Collection[str], *, own: bool
) -> str:
    lines: list[str] = []
    for line in text.split("\n"):
        if any(line.endswith(f": {words}") for words in lost):
            continue
        notes = own and line.startswith("- ") and _is_about_the_conversation(line)
        if notes or any(line.endswith(f": {words}") for words in softened):
            lines.append(wordings.without(line))
        else:
            lines.append(line)
    joined = "\n".join(lines)
    return joined.replace(f"{OPEN}\n{CLOSE}\n", "") if joined != text else text


def _is_about_the_conversation(line: str) -> bool:
    return line.startswith((EARLIER, STATE, NOTICE))
