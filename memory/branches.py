"""Memory follows the branch of a conversation that is talked in.

What rests only on words of another branch is set aside with them and returns when the user does; what the user
said yes to, or worded by hand, stays. Nothing is deleted. Runs inside the caller's transaction. The surprise:
it works from the present rows alone, so that following the same path twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from memory.branch_plan import FactPlan
from memory.core import Core
from memory.errors import BadInput
from memory.provenance import own_words
from memory.records import Fact, FactState, ItemState, Message, Role, WorkingState
from memory.store import branching, conversations, episodes, facts, items, messages, working_states
from memory.store.act import Act
from memory.store.derivations import list_parents
from memory.store.settle import settle
from memory.working import advance

OWN = frozenset({"accepted", "replaces"})
"""Links that say that the user had a hand in it."""


@dataclass(frozen=True, slots=True)
class _Sides:
    """The messages of a conversation on and off the path that is talked in."""

    path: tuple[Message, ...]
    on: frozenset[str]
    off: frozenset[str]


def switch(core: Core, conversation: str, leaf: str | None) -> None:
    """Talk on below a message; None is before the first."""
    home = conversations.get_conversation(core.db, core.profile, conversation)
    if leaf is not None:
        wanted = messages.find_message(core.db, core.profile, leaf)
        if wanted is None or wanted.conversation != home.id:
            raise BadInput("this message is not in the conversation")
    if leaf != home.leaf:
        conversations.set_leaf(core.db, core.profile, home.id, leaf, core.now())
    follow(core, home.id, leaf)
    _new_top(core, home.id, leaf)


def follow(core: Core, conversation: str, leaf: str | None) -> None:
    """Set aside what rests only on words off the path to a message, and take up again what rests on the path."""
    path = tuple(messages.path(core.db, core.profile, leaf))
    on = frozenset(message.id for message in path)
    every = messages.all_messages(core.db, core.profile, conversation)
    sides = _Sides(path, on, frozenset(message.id for message in every) - on)
    if not sides.off and not branching.refs_with_items(core.db, on, "set_aside"):
        return
    back = _move_messages(core, sides)
    act = Act(core.db, core.profile, core.now(), core.new_id, "auto", conversation)
    plan = FactPlan(core)
    resting = facts.facts_resting_on(core.db, core.profile, sides.on | sides.off)
    leaving = _only_left(core, [fact.id for fact in resting], sides.off)
    plan.leave(fact for fact in resting if fact.id in leaving)
    plan.come_back(fact for fact in resting if fact.id not in leaving)
    touched = plan.write(act) + _move_episodes(act, sides, core, conversation)
    touched += _move_candidates(act, sides, core, conversation)
    if touched:
        act.close("branch", "conversation", conversation)
    _settle_messages(core, back)
    messages.mark_distilled(core.db, core.profile, sides.off, core.now())
    _move_state(core, conversation, sides)


def _move_messages(core: Core, sides: _Sides) -> list[str]:
    """Take the words off the path out of recall; return the ids of those that are in again."""
    gone = branching.refs_with_items(core.db, sides.off, "active", "outdated")
    items.set_state(core.db, gone, ItemState.SET_ASIDE)
    back = branching.refs_with_items(core.db, sides.on, "set_aside")
    items.set_state(core.db, back, ItemState.ACTIVE)
    return back


def _settle_messages(core: Core, back: list[str]) -> None:
    """Have words that are in recall again leave it when what they say is over."""
    if back:
        told: list[Fact] = facts.facts_resting_on(core.db, core.profile, back)
        settle(core.db, core.profile, [fact.id for fact in told])


def _only_left(core: Core, made: Iterable[str], off: frozenset[str]) -> set[str]:
    """Return those of these that rest on words off the path and on nothing else."""
    sources: dict[str, set[str]] = {}
    own: set[str] = set()
    for link in list_parents(core.db, made):
        if link.role == "source":
            sources.setdefault(link.child, set()).add(link.parent)
        elif link.role in OWN:
            own.add(link.child)
    return {ident for ident, parents in sources.items() if parents <= off} - own


def _move_episodes(act: Act, sides: _Sides, core: Core, conversation: str) -> list[str]:
    known = episodes.episodes_of(core.db, core.profile, conversation)
    leaving = _only_left(core, [episode.id for episode in known], sides.off)
    moved = []
    for episode in known:
        leaves = episode.id in leaving
        if episode.state == "active" and leaves:
            act.write(episode, replace(episode, state="set_aside"))
        elif episode.state == "set_aside" and not leaves:
            act.write(episode, replace(episode, state="active"))
        else:
            continue
        moved.append(episode.id)
    return moved


def _move_candidates(act: Act, sides: _Sides, core: Core, conversation: str) -> list[str]:
    known = branching.waiting_in(core.db, core.profile, conversation)
    leaving = _only_left(core, [queued.id for queued in known], sides.off)
    moved = []
    for queued in known:
        leaves = queued.id in leaving
        if (queued.state == "pending") != leaves:
            continue
        act.write(queued, replace(queued, state="set_aside" if leaves else "pending"))
        moved.append(queued.id)
    return moved


def _new_top(core: Core, conversation: str, leaf: str | None) -> None:
    """Have the prompt made anew, and forget where a window began that is not on this path."""
    db, profile = core.db, core.profile
    conversations.set_head(db, profile, conversation, None)
    first = conversations.find_mark(db, profile, conversation, "window_from")
    if first is not None and all(message.id != first for message in messages.path(db, profile, leaf)):
        conversations.set_mark(db, profile, conversation, "window_from", None)
        conversations.set_mark(db, profile, conversation, "earlier", None)


def _move_state(core: Core, conversation: str, sides: _Sides) -> None:
    """Work out what is true of the conversation on this path, from the last words on it that the state knows."""
    made_by = branching.state_made_by(core.db, core.profile, conversation)
    known = [message.id for message in sides.path]
    state, start = WorkingState(), 0
    if made_by in known:
        state = working_states.get_working_state(core.db, core.profile, conversation)
        start = known.index(made_by) + 1
    elif made_by not in sides.off and made_by is not None:
        return
    before = state if made_by in known else None
    for n, message in enumerate(sides.path):
        if n < start or message.role is not Role.USER:
            continue
        after = sides.path[n + 1] if n + 1 < len(sides.path) else None
        told = facts.facts_resting_on(core.db, core.profile, [message.id])
        brought = [fact.text for fact in told if fact.state is FactState.ACTIVE]
        moved = advance(state, own_words(message), after.safe_text if after else None, brought)
        state, made_by = moved, message.id if moved != state else made_by
    if state == before:
        return
    if state == WorkingState():
        branching.drop_working_state(core.db, core.profile, conversation)
        return
    working_states.put_working_state(
        core.db, core.profile, conversation, state, message=made_by, now=core.now(), new_id=core.new_id
    )
