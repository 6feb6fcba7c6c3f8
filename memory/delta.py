"""What a turn has to say that its window does not hold yet.

Owns the comparison of what was recalled or changed with what earlier blocks and the top carried. Counts nothing.
The surprise: a correction that was sent is sent again when it is recalled, as long as the older wording can
still be read further up, because small models follow a fresh line better than one from several turns ago.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memory.blocks import STATE, Line, neutral
from memory.head import HeadParts, episode_line, episodes_in, facts_in, holds, minded_line, pinned_line
from memory.prompt_request import SentTurn
from memory.records import Fact, Hit, ItemKind, LeftOut, Recall, SentItem

MAX_TURN_EPISODES = 3
ALREADY = "already in the conversation"
RECALLED = "recalled"
CHANGED = "changed since it was sent"
REPEATED = "changed earlier, and the older wording is still in the conversation"
PINNED = "pinned since the conversation began"

_VERSIONED = frozenset({ItemKind.FACT, ItemKind.EPISODE})


@dataclass(frozen=True, slots=True)
class Window:
    """What a prompt holds before its newest turn."""

    pinned: tuple[str, ...]
    """Rendered lines of the facts in the top, pinned or important."""
    episodes: tuple[str, ...]
    turns: tuple[SentTurn, ...]
    top: tuple[Line, ...] = ()
    """What the top is known to carry, with ids."""

    @classmethod
    def of(cls, head: str, turns: Sequence[SentTurn], parts: HeadParts) -> Window:
        """Read a window from its top and its turns; the parts tell which items stand in the top."""
        said, episodes = facts_in(head), episodes_in(head)
        facts = [*map(pinned_line, parts.pinned), *map(minded_line, parts.minded)]
        top = [line for line in facts if holds(said, line.text)]
        top += [line for line in map(episode_line, parts.episodes) if holds(episodes, line.text)]
        return cls(said, episodes, tuple(turns), tuple(top))

    def latest(self, ident: str) -> SentItem | None:
        """Find the newest line about an item that changes by version."""
        for turn in reversed(self.turns):
            for item in reversed(turn.block_items):
                if item.id == ident:
                    return item
        return None

    def in_top(self, line: Line) -> bool:
        """Tell whether the top says this already."""
        if line.kind == ItemKind.EPISODE and any(known.id == line.id for known in self.top):
            return True
        return holds(self.pinned if line.kind == ItemKind.FACT else self.episodes, line.text)

    def told_state(self) -> list[str]:
        """Give the lines of the newest working state that a block tells."""
        for turn in reversed(self.turns):
            lines = [line for line in turn.block.split("\n") if line.startswith(STATE)]
            if lines:
                return lines
        return []

    def holds_text(self, ident: str, text: str) -> bool:
        """Tell whether a block carries exactly this text of this item."""
        return any(item.id == ident and item.text == text for turn in self.turns for item in turn.block_items)

    def can_read(self, wording: str, *, besides: str) -> bool:
        """Tell whether a wording stands anywhere in the window, other than as what ``besides`` replaces."""
        wanted = wording.casefold()
        if any(wanted in line.casefold() for line in (*self.pinned, *self.episodes)):
            return True
        return any(
            wanted in turn.text.casefold()
            or wanted in (turn.answer or "").casefold()
            or any(item.id != besides and wanted in item.text.casefold() for item in turn.block_items)
            for turn in self.turns
        )


def _hit_line(hit: Hit) -> Line:
    return Line(
        id=hit.item.ref,
        kind=hit.item.kind,
        text=hit.item.text,
        as_of=hit.as_of or hit.item.said_at,
        origin=hit.item.origin,
        reason=RECALLED,
        tentative=hit.tentative,
        note=hit.note,
        score=hit.score,
        parts=hit.parts,
    )


def _replaced(updates: Sequence[tuple[Fact, Fact]], window: Window) -> dict[str, tuple[Fact, str]]:
    """Map the id of each current fact to it and the older wording to name; chains end at their newest fact."""
    older = {new.id: old for old, new in updates}
    passed = {old.id for old, new in updates if old.id != new.id}
    current: dict[str, tuple[Fact, str]] = {}
    for _, new in updates:
        if new.id in passed:
            continue
        chain: list[Fact] = []
        at = new.id
        while at in older and older[at] not in chain:
            chain.append(older[at])
            if older[at].id == at:
                break
            at = older[at].id
        readable = (old for old in chain if window.can_read(_wording(old, new), besides=new.id))
        current[new.id] = (new, _wording(next(readable, chain[0]), new))
    return current


def _wording(old: Fact, new: Fact) -> str:
    """Name the older version by what differs: its value, or the whole sentence when only that changed."""
    return old.text if old.value == new.value or not old.value else old.value


def _update_lines(
    updates: Sequence[tuple[Fact, Fact]], hits: Mapping[str, Hit], window: Window
) -> dict[str, Line]:
    lines: dict[str, Line] = {}
    for ident, (new, wording) in _replaced(updates, window).items():
        last = window.latest(ident)
        told = last is not None and last.text == new.text and last.replaces is not None
        if told and (ident not in hits or not window.can_read(wording, besides=ident)):
            continue
        base = _hit_line(hits[ident]) if ident in hits else pinned_line(new)
        lines[ident] = replace(base, text=new.text, reason=REPEATED if told else CHANGED, replaces=wording)
    return lines


def changes(
    window: Window, recall: Recall, updates: Sequence[tuple[Fact, Fact]], pinned: Sequence[Fact]
) -> tuple[tuple[Line, ...], tuple[LeftOut, ...]]:
    """Say which lines this turn should carry, most important first, and what needs no sending."""
    by_ref = {hit.item.ref: hit for hit in reversed(recall.hits) if hit.item.kind in _VERSIONED}
    updated = _update_lines(updates, by_ref, window)
    lines: list[Line] = list(updated.values())
    left: list[LeftOut] = []
    lines += [
        replace(pinned_line(fact), reason=PINNED)
        for fact in pinned
        if fact.id not in updated and not holds(window.pinned, fact.text) and window.latest(fact.id) is None
    ]
    taken = {(line.id, line.text) for line in lines}
    episodes = 0
    for hit in recall.hits:
        line = _recalled(hit, window)
        if hit.item.ref in updated or (line is not None and (line.id, line.text) in taken):
            continue
        if line is None or not neutral(hit.item.text):
            left.append(_left(hit, ALREADY if line is None else "nothing to show"))
            continue
        if line.kind == ItemKind.EPISODE:
            episodes += 1
            if episodes > MAX_TURN_EPISODES:
                left.append(_left(hit, f"more than {MAX_TURN_EPISODES} earlier conversations for one turn"))
                continue
        taken.add((line.id, line.text))
        lines.append(line)
    return tuple(lines), tuple(left)


def _recalled(hit: Hit, window: Window) -> Line | None:
    """Give the line for a hit, or None when the window says it already."""
    line = _hit_line(hit)
    if hit.item.kind not in _VERSIONED:
        return None if window.holds_text(line.id, line.text) else line
    last = window.latest(line.id)
    if last is None:
        return None if window.in_top(line) else line
    if last.text != line.text:
        return replace(line, reason=CHANGED, replaces=last.text)
    if last.replaces and window.can_read(last.replaces, besides=line.id):
        return replace(line, reason=REPEATED, replaces=last.replaces)
    return None


def _left(hit: Hit, reason: str) -> LeftOut:
    return LeftOut(hit.item.ref, hit.item.kind, hit.item.text, reason, hit.score, hit.parts)
