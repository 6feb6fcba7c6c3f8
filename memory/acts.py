"""What the user does to memories by hand: add, edit, pin, archive. Each is one journal line that can be undone.

Every function runs inside the caller's transaction and returns what it made.
"""

from __future__ import annotations

from dataclasses import replace

from memory import policy
from memory.attributes import attribute_named
from memory.core import Core
from memory.errors import BadInput
from memory.records import USER, Episode, Fact, FactState, Origin
from memory.secrets import find_secrets
from memory.store import episodes, facts
from memory.store.act import Act
from memory.store.derivations import derive
from memory.store.stored import Derivation

LONGEST_FACT = 1000


def _act(core: Core) -> Act:
    return Act(core.db, core.profile, core.now(), core.new_id, "user")


def _checked(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise BadInput("there is no text to remember")
    if len(text) > LONGEST_FACT:
        raise BadInput(f"a memory has at most {LONGEST_FACT:,} characters; this has {len(text):,}")
    if found := find_secrets(text):
        raise BadInput(f"this looks like a secret ({found[0].kind}); secrets are never kept as memories")
    return text


def add_fact(
    core: Core, text: str, *, subject: str = USER, attribute: str = "note", value: str | None = None
) -> Fact:
    """Store a fact in the user's own words; a single-valued attribute replaces its present value."""
    text = _checked(text)
    behaviour = attribute_named(attribute)
    now = core.now()
    fact = Fact(
        id=core.new_id(),
        profile=core.profile,
        subject=subject.casefold(),
        attribute=attribute,
        value=_checked(value or text),
        text=text,
        kind=behaviour.kind,
        origin=Origin.USER_CONFIRMED,
        recorded_at=now,
        cardinality=behaviour.cardinality,
        stability=behaviour.stability,
        quote=text,
        confidence=policy.CONFIDENCE_TOP,
        importance=policy.IMPORTANCE_REMEMBER,
        valid_from=now,
        confirmed_at=now,
        said_at=now,
    )
    act = _act(core)
    if behaviour.cardinality.value == "single":
        for old in facts.find_open(core.db, core.profile, fact.subject, attribute):
            act.write(old, _closed(old, fact))
    act.write(None, fact)
    act.close("add", "fact", fact.id)
    return fact


def edit_fact(core: Core, ident: str, text: str, value: str | None = None) -> Fact:
    """Say a fact anew: the old wording stays as history, the new one is the user's own."""
    old = facts.get_fact(core.db, core.profile, ident)
    if not old.is_current:
        raise BadInput("only a current memory can be edited")
    text = _checked(text)
    now = core.now()
    new = replace(
        old,
        id=core.new_id(),
        text=text,
        value=_checked(value or text),
        quote=text,
        message=None,
        start=None,
        end=None,
        origin=Origin.USER_CONFIRMED,
        recorded_at=now,
        said_at=now,
        valid_from=now,
        confirmed_at=now,
        confidence=policy.CONFIDENCE_TOP,
        recalled=0,
        recalled_at=None,
    )
    act = _act(core)
    act.write(old, _closed(old, new))
    act.write(None, new)
    derive(core.db, Derivation(new.id, "fact", old.id, "fact", "replaces"))
    if old.message is not None:  # forgetting the source must reach what was made of it by hand
        derive(core.db, Derivation(new.id, "fact", old.message, "message", "source"))
    act.close("edit", "fact", new.id)
    return new


def pin(core: Core, ident: str, pinned: bool) -> Fact:
    """Keep a fact in every prompt, or stop doing so."""
    old = facts.get_fact(core.db, core.profile, ident)
    if pinned and not old.is_current:
        raise BadInput("only a current memory can be pinned")
    return _change(core, old, replace(old, pinned=pinned), "pin" if pinned else "unpin")


def archive(core: Core, ident: str, archived: bool) -> Fact | Episode:
    """Hide a fact or an episode from recall, or bring it back."""
    episode = episodes.find_episode(core.db, core.profile, ident)
    if episode is not None:
        return _archive_episode(core, episode, archived)
    old = facts.get_fact(core.db, core.profile, ident)
    if archived:
        return _change(core, old, replace(old, state=FactState.ARCHIVED, pinned=False), "archive")
    if old.state is not FactState.ARCHIVED:
        raise BadInput("this memory is not archived")
    return _change(core, old, replace(old, state=FactState.ACTIVE), "restore")


def _archive_episode(core: Core, old: Episode, archived: bool) -> Episode:
    if old.state != ("active" if archived else "archived"):
        raise BadInput("this episode is not active" if archived else "this episode is not archived")
    new = replace(old, state="archived" if archived else "active")
    act = _act(core)
    act.write(old, new)
    act.close("archive" if archived else "restore", "episode", new.id)
    return new


def _change(core: Core, old: Fact, new: Fact, name: str) -> Fact:
    if old == new:
        return old
    act = _act(core)
    act.write(old, new)
    act.close(name, "fact", new.id)
    return new


def _closed(old: Fact, new: Fact) -> Fact:
    return replace(
        old,
        state=FactState.SUPERSEDED,
        valid_to=new.said_at,
        superseded_at=new.recorded_at,
        superseded_by=new.id,
        pinned=False,
    )
