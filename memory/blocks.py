"""The text of one turn's block: a dated line, then memory as marked lines of data.

Owns every character between the top of a user turn and the user's words. Knows nothing of budgets or of what
was sent before. The surprise: no rendered line holds a ``<``, so no remembered text can open or close a block.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone

from memory.records import ItemKind, Message, Origin, SentItem

OPEN = "<memory>"
CLOSE = "</memory>"
EARLIER = "- earlier in this conversation: "
STATE = "- this conversation: "
NOTICE = "- note: "
NOT_CONFIRMED = "; not confirmed since"
NOTE = "; note: "
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_KEPT_FORMAT = "\u200c\u200d"
"""Joiners that Persian, Hindi and emoji need; every other invisible character goes."""
_ANGLES = {ord(char): "‹" for char in "<＜﹤"}
_OURS = {ord("("): "[", ord(")"): "]"}
_OWN_TAG = re.compile(r"[<＜﹤](?=[\s/\u200b-\u200d]*memory\b)", re.IGNORECASE)
_ZONE = re.compile(r"([+-])(\d{2}):?(\d{2})")
_WHOSE: Mapping[str, str] = {
    Origin.USER_SAID: "the user said",
    Origin.USER_CONFIRMED: "the user confirmed",
    Origin.INFERRED: "a guess",
    Origin.IMPORTED: "imported",
    Origin.DOCUMENT: "a document says",
}
_OF_KIND: Mapping[str, str] = {
    ItemKind.ANSWER: "Locket said",
    ItemKind.EPISODE: "an earlier conversation",
    ItemKind.ATTACHMENT: "a document says",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One remembered thing on its way into a block."""

    id: str
    kind: str
    text: str
    as_of: datetime | None
    origin: str
    reason: str
    replaces: str | None = None
    """The older wording, when this line corrects something in the window."""
    tentative: bool = False
    note: str = ""
    score: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)


def neutral(text: str) -> str:
    """Fold a text to one visible line that cannot be taken for structure."""
    kept: list[str] = []
    for char in text:
        category = unicodedata.category(char)
        if category in ("Cc", "Zl", "Zp", "Zs"):
            kept.append(" ")
        elif category == "Cs":
            kept.append("\ufffd")
        elif category != "Cf" or char in _KEPT_FORMAT:
            kept.append(char)
    return " ".join("".join(kept).split()).translate(_ANGLES)


def words_of(text: str) -> str:
    """Give the user's words as they are sent: bare of outer space, and unable to forge a memory block."""
    return _OWN_TAG.sub("‹", text.strip())


def local_time(instant: datetime, zone: str) -> datetime:
    """Move an instant into a zone written as an offset; UTC when the zone cannot be read."""
    aware = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
    found = _ZONE.fullmatch(zone.strip())
    if found is None or int(found[2]) > 23 or int(found[3]) > 59:
        return aware.astimezone(UTC)
    offset = timedelta(hours=int(found[2]), minutes=int(found[3]))
    return aware.astimezone(timezone(-offset if found[1] == "-" else offset))


def said_at_line(message: Message) -> str:
    """Say when the message was written: weekday, date, time and zone."""
    local = local_time(message.said_at, message.zone)
    offset = f"{local:%z}"
    return f"[{WEEKDAYS[local.weekday()]} {local:%Y-%m-%d %H:%M} UTC{offset[:3]}:{offset[3:5]}]"


def render_line(line: Line, zone: str) -> str:
    """Write one line of data: when and whose word it is first, so that no text can pretend to be either."""
    whose = [_OF_KIND.get(line.kind) or _WHOSE.get(line.origin, "noted")]
    if line.as_of is not None:
        whose.insert(0, f"{local_time(line.as_of, zone):%Y-%m-%d}")
    if line.replaces:
        whose.append(f"now instead of {_beside(line.replaces)}")
    if line.tentative:
        whose.append("not confirmed since")
    note = f" ({_beside(line.note)})" if line.note else ""
    return f"- {', '.join(whose)}{note}: {neutral(line.text)}"


def _beside(text: str) -> str:
    """Fold a text that stands before the colon, where brackets are ours."""
    return neutral(text).translate(_OURS)


def as_told(lines: Iterable[Line]) -> list[Line]:
    """Put what Locket said before what the user said: a small model follows what stands nearest the question."""
    return sorted(lines, key=lambda line: line.kind != ItemKind.ANSWER)


def render_block(
    message: Message,
    lines: Sequence[str] = (),
    *,
    earlier: str = "",
    state: Sequence[str] = (),
    notices: Sequence[str] = (),
) -> str:
    """Write everything above the user's words, ready to have them appended."""
    inside = [EARLIER + neutral(earlier)] if earlier.strip() else []
    inside += lines
    inside += [STATE + neutral(part) for part in state if part.strip()]
    inside += [NOTICE + neutral(notice) for notice in notices if notice.strip()]
    body = [OPEN, *inside, CLOSE] if inside else []
    return "\n".join([said_at_line(message), *body, ""])


def sent_item(line: Line, tokens: int) -> SentItem:
    """Record a line as sent, so that the same line can be written again from the record alone."""
    reason = line.reason + (NOT_CONFIRMED if line.tentative else "") + (NOTE + line.note if line.note else "")
    return SentItem(
        id=line.id,
        kind=line.kind,
        text=line.text,
        as_of=line.as_of,
        origin=line.origin,
        score=line.score,
        parts=line.parts,
        tokens=tokens,
        reason=reason,
        replaces=line.replaces,
    )


def line_of(item: SentItem) -> Line:
    """Give back the line that an item was sent as."""
    reason, _, note = item.reason.partition(NOTE)
    tentative = reason.endswith(NOT_CONFIRMED)
    return Line(
        id=item.id,
        kind=item.kind,
        text=item.text,
        as_of=item.as_of,
        origin=item.origin,
        reason=reason.removesuffix(NOT_CONFIRMED),
        replaces=item.replaces,
        tentative=tentative,
        note=note,
        score=item.score,
        parts=item.parts,
    )
