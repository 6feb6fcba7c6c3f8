"""The words of memory as frozen values: what is stored, proposed, decided, recalled and sent.

Owns no behaviour beyond small derived answers. Imports the standard library only, so that every pure
module can use it. One surprise: the user is the subject ``"user"`` in every language.
More than 300 lines: the shared words of memory, read together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

USER = "user"
EVERY_PROFILE = "*"
DEFAULT_PROFILE = "default"
NEVER = 253402300799
"""9999-12-31T23:59:59Z in epoch seconds: the ``expires_at`` of an item that does not expire."""


class Role(StrEnum):
    """Who speaks in a conversation."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


class Origin(StrEnum):
    """Whose word a memory is; decides how far it is trusted."""

    USER_SAID = "user_said"
    USER_CONFIRMED = "user_confirmed"
    INFERRED = "inferred"
    IMPORTED = "imported"
    DOCUMENT = "document"


class ItemState(StrEnum):
    """Where an item may be found: only active items are recalled."""

    ACTIVE = "active"
    OUTDATED = "outdated"
    ARCHIVED = "archived"
    REVIEW = "review"
    SET_ASIDE = "set_aside"


class ItemKind(StrEnum):
    """What a searchable item stands for."""

    MESSAGE = "message"
    ANSWER = "answer"
    FACT = "fact"
    EPISODE = "episode"
    ATTACHMENT = "attachment"


class FactState(StrEnum):
    """The life of a fact. Every state but active is out of default recall."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    ARCHIVED = "archived"
    SET_ASIDE = "set_aside"


class Kind(StrEnum):
    """What a candidate or fact says about the world."""

    FACT = "fact"
    PREFERENCE = "preference"
    CONSTRAINT = "constraint"
    PLAN = "plan"
    EVENT = "event"
    DECISION = "decision"
    OPINION = "opinion"
    COMMITMENT = "commitment"
    RULE = "rule"


class Stability(StrEnum):
    """How long a statement usually stays true."""

    STABLE = "stable"
    SLOW = "slow"
    VOLATILE = "volatile"


class Cardinality(StrEnum):
    """Whether a subject has one value of an attribute at a time, or several."""

    SINGLE = "single"
    MULTI = "multi"


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``[start, end)`` of one message's raw text."""

    message: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance in a conversation tree."""

    id: str
    profile: str
    conversation: str
    parent: str | None
    role: Role
    text: str
    said_at: datetime
    """UTC instant."""
    zone: str = "+00:00"
    """The speaker's UTC offset, for the dated line of the prompt."""
    speaker: str = ""
    masked: str | None = None
    """The text with secrets masked; None when nothing had to be masked."""
    origin: Origin = Origin.USER_SAID
    pasted: tuple[tuple[int, int], ...] = ()
    """Spans of the text that were pasted or attached, not typed."""
    stop_reason: str | None = None
    """Why an answer ended; None for words of the user."""
    model: str | None = None
    source: str | None = None
    """Where an imported message came from."""

    @property
    def safe_text(self) -> str:
        """The text with secrets masked."""
        return self.text if self.masked is None else self.masked


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation; its messages form a tree whose current leaf is ``leaf``."""

    id: str
    profile: str
    title: str
    created_at: datetime
    updated_at: datetime
    leaf: str | None = None
    remembering: bool = True
    """False after /pause: nothing said here becomes a memory."""
    archived: bool = False
    origin: Origin = Origin.USER_SAID
    source: str | None = None
    head: str | None = None
    """The system block and opening episodes exactly as sent; None before the first prompt or after a rebuild."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One durable statement about the user or their world."""

    id: str
    profile: str
    subject: str
    attribute: str
    value: str
    text: str
    """One sentence, in the language it was said in."""
    kind: Kind
    origin: Origin
    recorded_at: datetime
    state: FactState = FactState.ACTIVE
    cardinality: Cardinality = Cardinality.SINGLE
    stability: Stability = Stability.STABLE
    language: str = "en"
    message: str | None = None
    start: int | None = None
    end: int | None = None
    quote: str = ""
    confidence: float = 0.9
    importance: float = 0.5
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_at: datetime | None = None
    superseded_by: str | None = None
    expires_at: datetime | None = None
    confirmed_at: datetime | None = None
    pinned: bool = False
    recalled: int = 0
    recalled_at: datetime | None = None
    source: str | None = None
    said_at: datetime | None = None
    """Event time: when it was first said, which decides what supersedes what."""

    @property
    def is_current(self) -> bool:
        """Whether this is what Locket now believes."""
        return self.state is FactState.ACTIVE and self.valid_to is None


@dataclass(frozen=True, slots=True)
class Episode:
    """What happened in a closed run of turns."""

    id: str
    profile: str
    conversation: str
    first_message: str
    last_message: str
    title: str
    goal: str
    summary: str
    started_at: datetime
    ended_at: datetime
    recorded_at: datetime
    worded: bool = False
    """Whether the summary was worded by a model (at most once) or built from cues."""
    topics: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    open_threads: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()
    outcome: str = ""
    state: Literal["active", "stale", "archived", "set_aside"] = "active"
    recalled: int = 0
    recalled_at: datetime | None = None
    origin: Origin = Origin.USER_SAID


@dataclass(frozen=True, slots=True)
class Rule:
    """How the user wants things done; only ever written by the user's own yes."""

    id: str
    profile: str
    text: str
    lineage: str
    """The id of the first version; all versions of one rule share it."""
    version: int
    recorded_at: datetime
    state: Literal["active", "replaced", "retired"] = "active"
    origin: Origin = Origin.USER_CONFIRMED
    message: str | None = None


@dataclass(frozen=True, slots=True)
class WorkingState:
    """What is true of this conversation now."""

    goal: str = ""
    steps: tuple[tuple[str, str], ...] = ()
    """Pairs of step and status ("open", "doing", "done")."""
    gathered: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to say."""
        return not (self.goal or self.steps or self.gathered or self.questions)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposed memory, tied to the exact words it came from."""

    kind: Kind
    subject: str
    attribute: str
    value: str
    text: str
    quote: str
    start: int
    end: int
    language: str = "en"
    origin: Origin = Origin.USER_SAID
    cardinality: Cardinality = Cardinality.SINGLE
    stability: Stability = Stability.STABLE
    confidence: float = 0.9
    importance: float = 0.5
    said_at: datetime | None = None
    """Event time: the instant of the message, which decides what supersedes what."""
    valid_from: datetime | None = None
    expires_at: datetime | None = None
    is_correction: bool = False
    """Whether the user says that an earlier value was wrong or has changed."""
    closes: str | None = None
    """The value an explicit correction names ("not Biscuit"); closes that one of several."""
    pronoun: bool = False
    """Whether the subject was only pointed at ("he's called …") and had to be bound."""
    rule: str = ""
    """Which pattern or writer proposed it, for the reasons shown."""


@dataclass(frozen=True, slots=True)
class Add:
    """Store the candidate as a new fact."""

    reason: str


@dataclass(frozen=True, slots=True)
class Confirm:
    """The same again: refresh the fact and raise its confidence."""

    fact: str
    reason: str


@dataclass(frozen=True, slots=True)
class Merge:
    """The same in other words: keep the fact, add this source to it."""

    fact: str
    reason: str


@dataclass(frozen=True, slots=True)
class Supersede:
    """A newer value: close these facts and store the candidate."""

    facts: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Review:
    """Ask the user first."""

    reason: str


@dataclass(frozen=True, slots=True)
class Ignore:
    """Store nothing."""

    reason: str


Decision = Add | Confirm | Merge | Supersede | Review | Ignore


@dataclass(frozen=True, slots=True)
class Decided:
    """A candidate with its decision and what came of it."""

    candidate: Candidate
    decision: Decision
    id: str | None = None
    """The fact or candidate row written or refreshed; None when nothing was stored."""
    superseded: tuple[Fact, ...] = ()
    journal: str | None = None
    """The journal row that undo takes; None when nothing was stored."""


@dataclass(frozen=True, slots=True)
class Item:
    """The one searchable unit: a message, fact, episode or passage."""

    key: int
    """Local integer key, never exported."""
    id: str
    kind: ItemKind
    ref: str
    profile: str
    text: str
    context: str = ""
    subject: str = ""
    language: str = ""
    state: ItemState = ItemState.ACTIVE
    said_at: datetime | None = None
    expires_at: int = NEVER
    origin: Origin = Origin.USER_SAID
    importance: float = 0.5
    conversation: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """An item with its score and the named parts the score is made of."""

    item: Item
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    as_of: datetime | None = None
    tentative: bool = False
    """Whether a slow-changing fact has not been confirmed for long."""
    note: str = ""
    """A short correction shown beside the text ("later: Waffle")."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An item that was considered and not sent, with the reason."""

    id: str
    kind: str
    text: str
    reason: str
    score: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Recall:
    """The outcome of one recall: hits best first, and what was considered and left out."""

    query: str
    hits: tuple[Hit, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    notice: str = ""
    """Words for the user when recall was limited ("keywords only: the embedding model did not load")."""
    unasked: bool = False
    """Whether memory was not to be asked at all: then nothing remembered stands in a new top either."""


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message as the engine gets it; satisfies the engine's shape by structure."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class SentItem:
    """An item that a prompt carried, for the trace, the inspector and the next delta."""

    id: str
    kind: str
    text: str
    as_of: datetime | None
    origin: str
    score: float
    parts: Mapping[str, float]
    tokens: int
    reason: str = ""
    replaces: str | None = None
    """The older wording this line replaces in the window; None for a first sending."""


@dataclass(frozen=True, slots=True)
class SectionUse:
    """Tokens of one named part of the prompt against its cap."""

    name: str
    tokens: int
    cap: int


@dataclass(frozen=True, slots=True)
class AssembledPrompt:
    """The prompt that leaves: it always fits the window minus the reserve."""

    messages: tuple[PromptMessage, ...]
    head: str
    """The system message exactly as sent, to be stored with the conversation."""
    block: str
    """The part of the last user turn above the user's words, exactly as sent."""
    items: tuple[SentItem, ...]
    left_out: tuple[LeftOut, ...]
    sections: tuple[SectionUse, ...]
    tokens: int
    window: int
    reserve: int
    dropped_turns: tuple[str, ...] = ()
    """Ids of user messages whose turns left the window with this prompt."""
    leaving: tuple[PromptMessage, ...] = ()
    """The messages of those turns as they stood below the top, so that an engine can find and drop them."""
    rebuilt: bool = False
    """Whether the top was rendered anew, so that the engine must not reuse its cache below it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that has begun: the user's words are safe on disk."""

    conversation: str
    message: Message
    decided: tuple[Decided, ...] = ()
    notices: tuple[str, ...] = ()
    """Words for the user about this message ("a card number was masked")."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a turn cost the engine."""

    prompt_tokens: int
    evaluated: int
    reused: int
    answer_tokens: int
    first_token_ms: float
    tokens_per_s: float
    ids_sha256: str
    model: str
    model_sha256: str


@dataclass(frozen=True, slots=True)
class Trace:
    """Why an answer said what it said: the stored receipt of one turn."""

    id: str
    profile: str
    conversation: str
    message: str
    """The user message of the turn."""
    answer: str | None
    block: str
    items: tuple[SentItem, ...]
    left_out: tuple[LeftOut, ...]
    sections: tuple[SectionUse, ...]
    usage: Usage | None
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One write to memory; holds ids of version rows, never text."""

    id: str
    profile: str
    act: str
    kind: str
    ref: str
    versions: tuple[str, ...]
    actor: Literal["auto", "user", "import"]
    recorded_at: datetime
    conversation: str | None = None
    message: str | None = None
    undone_by: str | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """Pending work that survives a crash; the payload holds ids, never text."""

    id: str
    kind: str
    profile: str
    payload: Mapping[str, Any]
    state: Literal["pending", "running", "done", "failed"]
    created_at: datetime
    attempts: int = 0
