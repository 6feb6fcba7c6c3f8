"""How the window is divided: caps per section, the room of one turn, and a fill that is a prefix.

Owns numbers only and never sees a text, except to count it. Caps are not targets: what a section leaves
unused goes to the turns. The surprise: an item whose section is full still uses up its part of the turn,
because otherwise a larger window could send less.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from memory.errors import BadInput, BudgetImpossible
from memory.ports import CountTokens

Section = Literal["system", "pinned", "episodes", "memory", "state", "turns", "attachments"]
TurnSection = Literal["memory", "episodes", "attachments"]
"""The sections that recall fills."""
SECTIONS: tuple[Section, ...] = ("system", "pinned", "episodes", "memory", "state", "turns", "attachments")


NO_ROOM = "no room left in the window"


@dataclass(frozen=True, slots=True)
class BudgetSettings:
    """What a person may set about the window; shares are parts of the window minus the reserve."""

    window: int = 16_384
    reserve_share: float = 0.20
    """Part of the window kept free for the answer."""
    system: float = 0.15
    pinned: float = 0.05
    episodes: float = 0.10
    memory: float = 0.15
    state: float = 0.05
    turns: float = 0.35
    attachments: float = 0.15
    memory_borrow: float = 0.40
    """How far memory may grow into room that others leave, before old turns must go."""
    per_turn_memory: int = 800
    """Most tokens of memory and older episodes together in one turn."""
    high_water: float = 0.90
    low_water: float = 0.50
    min_window: int = 4_096

    def __post_init__(self) -> None:
        """Refuse numbers that cannot divide anything."""
        shares = [self.share(name) for name in SECTIONS]
        if min(shares) < 0 or sum(shares) > 1 + 1e-9:
            raise BadInput(
                "the shares of the prompt's sections must not be negative, nor add up to more than 1"
            )
        if not 0 < self.reserve_share < 1:
            raise BadInput("the share kept for the answer must lie between 0 and 1")
        if not 0 < self.low_water < self.high_water <= 1:
            raise BadInput(
                "the low water mark must lie above 0 and below the high one, and that at most at 1"
            )
        if not self.memory <= self.memory_borrow <= 1 or self.per_turn_memory < 0:
            raise BadInput("memory may borrow up to a share between its own and 1")

    def share(self, section: Section) -> float:
        """Give the share of one section."""
        shares: Mapping[Section, float] = {
            "system": self.system,
            "pinned": self.pinned,
            "episodes": self.episodes,
            "memory": self.memory,
            "state": self.state,
            "turns": self.turns,
            "attachments": self.attachments,
        }
        return shares[section]


@dataclass(frozen=True, slots=True)
class Allocation:
    """The division of one window; the grants never add up to more than the room."""

    window: int
    reserve: int
    grants: Mapping[Section, int]
    """Tokens by section."""
    memory_most: int
    """Memory tokens in the window past which old turns leave."""
    turn_memory: int
    """Memory tokens one turn may add, episodes apart."""
    turn_together: int
    """Memory and older episodes one turn may add together."""
    high: int
    """Tokens past which old turns leave."""
    low: int
    """Tokens they leave down to."""

    @property
    def room(self) -> int:
        """Tokens that a prompt may have."""
        return self.window - self.reserve


def reserve_of(settings: BudgetSettings) -> int:
    """Return the tokens of the window that are kept for the answer."""
    return int(settings.window * settings.reserve_share)


def allocate(settings: BudgetSettings, wanted: Mapping[Section, int] | None = None) -> Allocation:
    """Divide the window: every section up to its cap, memory up to what it may borrow, the rest to turns.

    Without ``wanted`` each section is granted its whole cap.
    """
    if settings.window < settings.min_window:
        raise BudgetImpossible(
            f"the model's window of {settings.window:,} tokens is too small: at least {settings.min_window:,} are needed"
        )
    reserve = reserve_of(settings)
    room = settings.window - reserve
    caps: dict[Section, int] = {name: int(settings.share(name) * room) for name in SECTIONS}
    memory_most = int(settings.memory_borrow * room)
    grants = dict(caps)
    if wanted is not None:
        for name in SECTIONS:
            grants[name] = min(max(0, wanted.get(name, 0)), caps[name])
        others = sum(grants[name] for name in SECTIONS if name not in ("memory", "turns"))
        grants["memory"] = min(max(0, wanted.get("memory", 0)), memory_most, room - others)
    grants["turns"] = room - sum(grants[name] for name in SECTIONS if name != "turns")
    return Allocation(
        window=settings.window,
        reserve=reserve,
        grants=MappingProxyType(grants),
        memory_most=memory_most,
        turn_memory=min(settings.per_turn_memory, caps["memory"] // 3),
        turn_together=settings.per_turn_memory,
        high=int(settings.high_water * room),
        low=int(settings.low_water * room),
    )


@dataclass(frozen=True, slots=True)
class Wish:
    """One line that would like to be sent."""

    section: TurnSection
    tokens: int


@dataclass(frozen=True, slots=True)
class TurnRoom:
    """What one turn may still add."""

    memory: int
    episodes: int
    attachments: int
    together: int
    """Memory and episodes."""
    everything: int
    """All three."""


def fill(wishes: Sequence[Wish], room: TurnRoom) -> tuple[str, ...]:
    """Say for each wish, best first, why it is not granted; an empty reason grants it.

    Each limit is a running sum that closes at the first wish past it, so more room never drops a wish.
    """
    most: dict[TurnSection, int] = {
        "memory": room.memory,
        "episodes": room.episodes,
        "attachments": room.attachments,
    }
    used = dict.fromkeys(most, 0)
    together = everything = 0
    reasons: list[str] = []
    for wish in wishes:
        everything += wish.tokens
        used[wish.section] += wish.tokens
        if wish.section != "attachments":
            together += wish.tokens
        if everything > room.everything:
            reasons.append(NO_ROOM)
        elif wish.section != "attachments" and together > room.together:
            reasons.append("over what one turn may add")
        elif used[wish.section] > most[wish.section]:
            reasons.append(f"over the {wish.section} budget")
        else:
            reasons.append("")
    return tuple(reasons)


class CountCache:
    """Token counts by content hash: each text is counted once, and no text is kept."""

    __slots__ = ("_count", "_known", "_most")

    def __init__(self, count: CountTokens, most: int = 4_096) -> None:
        self._count = count
        self._known: OrderedDict[bytes, int] = OrderedDict()
        self._most = most

    def __call__(self, texts: Sequence[str]) -> list[int]:
        """Count the texts, asking the tokenizer once, and only for the unknown ones."""
        keys = [
            hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts
        ]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        fresh = dict(zip(new, self._count(list(new.values())), strict=True)) if new else {}
        answer = [fresh[key] if key in fresh else self._known[key] for key in keys]
        for key, tokens in zip(keys, answer, strict=True):
            self._known[key] = tokens
            self._known.move_to_end(key)
        while len(self._known) > self._most:
            self._known.popitem(last=False)
        return answer
