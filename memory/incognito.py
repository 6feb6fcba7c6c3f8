"""A conversation that leaves no trace: a memory of its own that is in no file and ends with it.

Nothing in here can reach the store but ``keep``, which the user asks for. The surprise: it begins knowing
nothing; what the store remembers is lent for reading only when the user's settings say so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from memory import boundaries, branches, remembering, window
from memory.core import Core
from memory.memory import Memory
from memory.persona import find_persona, set_persona
from memory.ports import CountTokens, Embedder
from memory.recalling import question, recall_from
from memory.records import DEFAULT_PROFILE, Decided, Message, Recall, Role, Turn
from memory.store import (
    conversations,
    derivations,
    facts,
    items,
    jobs,
    messages,
    profiles,
    rules,
    traces,
    working_states,
)
from memory.store.migrations import migrate
from memory.store.stored import Profile
from memory.vault.ephemeral import open_ephemeral


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of an incognito conversation that was kept after all."""

    conversation: str
    decided: tuple[Decided, ...]
    """What is remembered of it."""


class Incognito(Memory):
    """The memory of one incognito conversation after another, until it is closed."""

    def __init__(self, core: Core, lender: Core | None = None) -> None:
        super().__init__(core)
        self._lender = lender

    def use_embedder(self, embedder: Embedder | None) -> None:
        """Search what is lent with this model; nothing said here gets a vector."""
        if self._lender is not None:
            self._lender.embedder = embedder

    def recall(self, turn: Turn, count: CountTokens | None = None) -> Recall:
        """Find what is lent; without that nothing is recalled, for all there is stands in the window."""
        asked = question(turn.message)
        if self._lender is None:
            return Recall(asked)
        seen = window.read_window(self._core, turn)
        return recall_from(self._lender, asked, previous=seen.path[-2:], count=count)

    def keep(self, conversation: str, home: Memory) -> Kept:
        """Copy a conversation into the store as if it had been an ordinary one."""
        return home.take_in(lambda core: _copied(self._core, core, conversation))

    def close(self) -> None:
        """Forget everything that was said."""
        self._requests.clear()
        self._core.db.close()


def open_incognito(home: Core, *, lend: bool) -> Incognito:
    """Begin to talk without a trace, knowing what the store remembers only when it is lent."""
    db = open_ephemeral(migrate)
    core = Core(
        db=db,
        profile=home.profile,
        clock=home.clock,
        new_id=home.new_id,
        tombstone_key=bytes(32),
        settings=replace(home.settings, remember=False),
    )
    with core.atomic():
        if home.profile != DEFAULT_PROFILE:
            profiles.insert_profile(db, Profile(home.profile, home.profile, home.now()))
        if lend:
            _lend_the_top(home, core)
    return Incognito(core, home if lend else None)


def _lend_the_top(home: Core, core: Core) -> None:
    """Copy what stands in every prompt: persona, rules, pinned and important facts."""
    set_persona(core, find_persona(home.db, home.profile))
    for rule in rules.current_rules(home.db, home.profile):
        rules.insert_rule(core.db, replace(rule, message=None))
    minded = facts.minded_facts(home.db, home.profile, "", home.now())
    for fact in (*facts.list_facts(home.db, home.profile, pinned=True), *minded):
        facts.insert_fact(core.db, replace(fact, message=None, start=None, end=None))


def _copied(source: Core, target: Core, ident: str) -> Kept:
    db, profile = target.db, target.profile
    home = conversations.get_conversation(source.db, profile, ident)
    conversations.create_conversation(db, replace(home, leaf=None, head=None))
    said: dict[str, Message] = {}
    for message in messages.all_messages(source.db, profile, ident):
        said[message.id] = message
        messages.insert_message(db, message)
        items.write_message_items(db, message, said.get(message.parent or ""))
    for link in derivations.list_parents(source.db, said):
        derivations.derive(db, link)
    for trace in traces.list_traces(source.db, profile, ident):
        head = traces.find_head_sha256(source.db, profile, trace.id)
        traces.insert_trace(db, trace, head_sha256=head)
    conversations.set_leaf(db, profile, ident, home.leaf, home.updated_at)
    _copy_state(source, target, ident)
    path = messages.path(db, profile, home.leaf)
    decided: list[Decided] = []
    for message in path:
        if message.role is not Role.USER:
            continue
        if home.remembering and target.settings.remember:
            decided += remembering.judge(target, message, remembering.propose(target, message))
        else:
            boundaries.leave_out(target, message)
    branches.follow(target, ident, home.leaf)
    jobs.enqueue(db, "distil", profile, {"conversation": ident}, now=target.now(), new_id=target.new_id)
    return Kept(ident, tuple(decided))


def _copy_state(source: Core, target: Core, ident: str) -> None:
    state = working_states.get_working_state(source.db, source.profile, ident)
    leaf = conversations.get_conversation(source.db, source.profile, ident).leaf
    working_states.put_working_state(
        target.db,
        target.profile,
        ident,
        state,
        message=leaf,
        now=target.now(),
        new_id=target.new_id,
    )
