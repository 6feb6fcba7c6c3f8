"""Where a run of turns ends, and what is kept of it: one episode at most, committed with the mark that says so.

Owns which messages an episode covers. Words no model. The surprise: the mark moves even when nothing is worth
an episode, so that every message is looked at once; a long run gives several episodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from memory.core import Core
from memory.distilling import WORD
from memory.episode_cues import episode_cues
from memory.episodes import Place, episode_of
from memory.records import Episode, Fact, Message, Role
from memory.remembering import LONGEST_READ
from memory.store import conversations, due, episodes, facts, jobs, messages
from memory.store.act import Act
from memory.store.derivations import derive, list_parents
from memory.store.stored import Derivation
from memory.vault.crashpoints import point

IDLE_MINUTES = 30
"""Minutes without a message after which a conversation has ended for now."""
MOST_MESSAGES = 40
"""Messages of the user in one episode."""
AGAIN = "derive-episodes"


Stop = Callable[[], None]
"""Called between two messages; raises when somebody came, before anything is written."""


def go_on() -> None:
    """Let nobody come first."""


def close_one(core: Core, conversation: str, stop: Stop = go_on) -> Episode | None:
    """Close the next run of a conversation; the caller owns the transaction."""
    db, profile = core.db, core.profile
    run = _at_most(_since_last(core, conversation))
    said = [message for message in run if message.role is Role.USER]
    made = _derived(core, said, Place(core.new_id(), profile, conversation, core.now()), stop)
    if made is not None:
        act = Act(db, profile, core.now(), core.new_id, "auto", conversation, said[-1].id)
        act.write(None, made)
        for message in said:
            derive(db, Derivation(made.id, "episode", message.id, "message", "source"))
        act.close("episode", "episode", made.id)
        jobs.enqueue(db, WORD, profile, {"episode": made.id}, now=core.now(), new_id=core.new_id)
    point("boundary.kept")
    upto = run[-1].id if run else conversations.get_conversation(db, profile, conversation).leaf
    conversations.set_mark(db, profile, conversation, "episode_upto", upto)
    due.finish_distilling(db, profile, core.now())
    return made


def close_all(core: Core, conversation: str) -> tuple[Episode, ...]:
    """Close a conversation to its end, each run in a transaction of its own."""
    made = []
    while not is_closed(core, conversation):
        with core.atomic():
            if (episode := close_one(core, conversation)) is not None:
                made.append(episode)
    return tuple(made)


def is_closed(core: Core, conversation: str) -> bool:
    """Tell whether every message of the current path was looked at."""
    leaf = conversations.get_conversation(core.db, core.profile, conversation).leaf
    return conversations.find_mark(core.db, core.profile, conversation, "episode_upto") == leaf


def next_due(core: Core, *, idle_only: bool = True) -> str | None:
    """Find a conversation that has ended: for half an hour, or at all when everything ends."""
    before = core.now() - timedelta(minutes=IDLE_MINUTES) if idle_only else None
    return due.boundary_due(core.db, core.profile, before)


def leave_out(core: Core, message: Message) -> None:
    """Keep a message out of every episode and of distilling, because nothing is to be remembered of it."""
    messages.mark_distilled(core.db, core.profile, [message.id], core.now())
    conversations.set_mark(core.db, core.profile, message.conversation, "episode_upto", message.id)


def derive_again(core: Core) -> bool:
    """Make one waiting job's episodes anew from what forgetting left of their sources."""
    job = jobs.next_waiting(core.db, core.profile, AGAIN)
    if job is None:
        return False
    with core.atomic():
        for ident in job.payload.get("episodes", ()):
            old = episodes.find_episode(core.db, core.profile, ident)
            if old is not None and old.state == "stale":
                _derive_one(core, old)
        jobs.done(core.db, job.id, core.now())
    return True


def _derive_one(core: Core, old: Episode) -> None:
    parents = [link.parent for link in list_parents(core.db, [old.id]) if link.role == "source"]
    said = [
        message
        for message in messages.list_messages(core.db, core.profile, parents)
        if message.role is Role.USER
    ]
    made = _derived(core, said, Place(old.id, core.profile, old.conversation, core.now()))
    if made is not None:
        made = replace(made, recalled=old.recalled, recalled_at=old.recalled_at)
    act = Act(core.db, core.profile, core.now(), core.new_id, "auto", old.conversation)
    act.write(old, made)
    act.close("derive", "episode", old.id)


def _derived(core: Core, said: list[Message], place: Place, stop: Stop = go_on) -> Episode | None:
    read = [message for message in said if len(message.text) <= LONGEST_READ]
    return episode_of(episode_cues(read, stop), said, _changes(core, said), place)


def _changes(core: Core, said: list[Message]) -> list[tuple[Fact, Fact]]:
    """Pair the facts said in these messages with those whose place they took."""
    heard = [message.id for message in said]
    resting = facts.facts_resting_on(core.db, core.profile, heard)
    new = {fact.id: fact for fact in resting if fact.message in heard}  # first said here, not repeated
    old = due.replaced_by(core.db, core.profile, list(new))
    return [(fact, new[fact.superseded_by]) for fact in old if fact.superseded_by is not None]


def _since_last(core: Core, conversation: str) -> list[Message]:
    """List the messages of the current path that no episode was looked for in."""
    db, profile = core.db, core.profile
    path = messages.path(db, profile, conversations.get_conversation(db, profile, conversation).leaf)
    mark = conversations.find_mark(db, profile, conversation, "episode_upto")
    at = next((n for n, message in enumerate(path) if message.id == mark), None)
    if at is not None:
        return path[at + 1 :]
    if mark is None:
        return path
    known = [episode.id for episode in episodes.episodes_of(db, profile, conversation)]
    told = {link.parent for link in list_parents(db, known)}  # another branch: what it shares was told
    return [message for message in path if message.id not in told]


def _at_most(run: list[Message]) -> list[Message]:
    """Cut a run after so many messages of the user, answers to the last one included."""
    said = 0
    for n, message in enumerate(run):
        said += message.role is Role.USER
        if said > MOST_MESSAGES:
            return run[:n]
    return run
