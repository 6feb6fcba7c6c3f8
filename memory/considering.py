"""What would be remembered of a text, and why: the write path on any words, with nothing kept.

Owns the throw-away surroundings of one text: what was said before it and what is known already. The steps
are those of ``remembering``, run for real in a store in memory and rolled back.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from memory import acts, remembering
from memory.core import Core, MemorySettings
from memory.errors import BadInput
from memory.ids import new_id_maker
from memory.records import DEFAULT_PROFILE, USER, Conversation, Decided, Message, Role
from memory.saying import clean
from memory.store import conversations, messages

if TYPE_CHECKING:
    from sqlite_utils import Database

CONTEXT_LIMIT = 50
EXISTING_LIMIT = 1000
YEARS = range(1970, 3000)
"""When a text may have been said: ids count from 1970, and calendars of other programs end."""


@dataclass(frozen=True, slots=True)
class Considered:
    """One text with the decisions about it."""

    text: str
    decided: tuple[Decided, ...]
    existing: Mapping[str, str]
    """Ids of what was given as known, as they were given."""


@dataclass(frozen=True, slots=True)
class Question:
    """One text with what surrounds it."""

    text: str
    said_at: datetime
    context: tuple[tuple[Role, str], ...] = ()
    """What was said before it in the same conversation."""
    existing: tuple[Mapping[str, Any], ...] = ()
    """What is known: each has "text", and may have "id", "subject", "attribute", "value"."""


def would_remember(core: Core, text: str) -> tuple[Decided, ...]:
    """Decide about a text against what this store knows, writing nothing."""
    now = core.now()
    message = Message(
        id="",
        profile=core.profile,
        conversation="",
        parent=None,
        role=Role.USER,
        text=clean(text),
        said_at=now,
        zone=core.zone(),
    )
    return remembering.judge(core, message, remembering.propose(core, message), store=False)


class _UndoneError(Exception):
    """Ends a trial; carries nothing."""


def question_of(line: Mapping[str, Any], now: datetime) -> Question:
    """Read one request; raise BadInput naming the field that cannot be taken."""
    text = line.get("text")
    if not isinstance(text, str):
        raise BadInput('"text" must be a text')
    said_at = line.get("said_at") or now
    if isinstance(said_at, str):
        try:
            said_at = datetime.fromisoformat(said_at)
        except ValueError:
            raise BadInput(f'"said_at" is {said_at!r}; it must be an ISO 8601 time') from None
    if not isinstance(said_at, datetime):
        raise BadInput('"said_at" must be an ISO 8601 time')
    if said_at.year not in YEARS:
        raise BadInput(f'"said_at" is of the year {said_at.year}; {YEARS[0]} to {YEARS[-1]} can be judged')
    if said_at.tzinfo is None:
        said_at = said_at.replace(tzinfo=now.tzinfo)
    context = tuple(_said(one) for one in _list(line.get("context"), "context", CONTEXT_LIMIT))
    existing = tuple(_known(one) for one in _list(line.get("existing"), "existing", EXISTING_LIMIT))
    _require_names(existing)
    return Question(clean(text), said_at, context, existing)


def _require_names(existing: Sequence[Mapping[str, Any]]) -> None:
    """Refuse two known things under one id, and texts that hold half a character."""
    seen: set[str] = set()
    for one in existing:
        for name, value in one.items():
            if isinstance(value, str) and any("\ud800" <= sign <= "\udfff" for sign in value):
                raise BadInput(f'"existing" holds {name!a} with half a character (a lone surrogate)')
        if one.get("id") is None:
            continue
        if (ident := str(one["id"])) in seen:
            raise BadInput(f'"existing" has the id {ident!r} twice')
        seen.add(ident)


def _list(value: object, name: str, limit: int) -> Sequence[object]:
    if value is None:
        return ()
    if isinstance(value, str | Mapping):
        return (value,)
    if not isinstance(value, list):
        raise BadInput(f'"{name}" must be a list')
    if len(value) > limit:
        raise BadInput(f'"{name}" holds {len(value):,} entries; {limit:,} fit')
    return value


def _said(value: object) -> tuple[Role, str]:
    if isinstance(value, str):
        return Role.USER, value
    if isinstance(value, Mapping) and isinstance(value.get("text", value.get("content")), str):
        role = value.get("role", "user")
        text = str(value.get("text", value.get("content")))
        return (Role.ASSISTANT if role in ("assistant", "locket") else Role.USER), text
    raise BadInput('"context" holds something that is neither a text nor {"role", "text"}')


def _known(value: object) -> Mapping[str, Any]:
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, Mapping) and isinstance(value.get("text", value.get("value")), str):
        return {"text": value.get("value"), **value}
    raise BadInput('"existing" holds something that is neither a text nor {"text", …}')


def consider(db: Database, question: Question, settings: MemorySettings | None = None) -> Considered:
    """Decide about one text in a store in memory, and leave that store as it was."""
    instants = iter(range(1_000_000))

    def clock() -> datetime:  # one moment after the other, all before the text is judged
        return question.said_at - timedelta(seconds=60) + timedelta(microseconds=next(instants))

    core = Core(
        db=db,
        profile=DEFAULT_PROFILE,
        clock=clock,
        new_id=new_id_maker(clock, secrets.randbits),
        tombstone_key=bytes(32),
        settings=settings or MemorySettings(),
    )
    decided: tuple[Decided, ...] = ()
    names: dict[str, str] = {}
    try:
        with db.atomic():
            names = _prepare(core, question)
            message = _write(core, question)
            decided = remembering.judge(core, message, remembering.propose(core, message))
            raise _UndoneError  # noqa: TRY301 - the way to roll back
    except _UndoneError:
        pass
    return Considered(question.text, decided, names)


def _prepare(core: Core, question: Question) -> dict[str, str]:
    """Write what is known; the words of the user are read by the rules, the rest is taken as it is."""
    names: dict[str, str] = {}
    known = Conversation(core.new_id(), core.profile, "", core.now(), core.now())
    conversations.create_conversation(core.db, known)
    for number, one in enumerate(question.existing):
        given = str(one.get("id", number))
        if one.get("attribute"):
            fact = acts.add_fact(
                core,
                str(one["text"]),
                subject=str(one.get("subject") or USER),
                attribute=str(one["attribute"]),
                value=str(one.get("value") or one["text"]),
            )
            names[fact.id] = given
            continue
        message = _message(core, known.id, Role.USER, clean(str(one["text"])))
        found = remembering.judge(core, message, remembering.propose(core, message))
        kept = [done.id for done in found if done.id is not None]
        names |= dict.fromkeys(kept, given)
        if not kept:
            names[acts.add_fact(core, str(one["text"])).id] = given
    return names


def _write(core: Core, question: Question) -> Message:
    here = Conversation(core.new_id(), core.profile, "", core.now(), core.now())
    conversations.create_conversation(core.db, here)
    above: str | None = None
    for role, text in question.context:
        if not text.strip():
            continue
        message = _message(core, here.id, role, clean(text), above)
        above = message.id
        if role is Role.USER:  # so that "he" and "it" find what was just spoken of
            remembering.judge(core, message, remembering.propose(core, message))
    said = _message(core, here.id, Role.USER, question.text, above)
    return replace(said, said_at=question.said_at)


def _message(core: Core, conversation: str, role: Role, text: str, parent: str | None = None) -> Message:
    now = core.now()
    zone = now.strftime("%z") or "+0000"
    message = Message(
        id=core.new_id(),
        profile=core.profile,
        conversation=conversation,
        parent=parent,
        role=role,
        text=text,
        said_at=now,
        zone=f"{zone[:3]}:{zone[3:5]}",
    )
    messages.insert_message(core.db, message)
    return message
