"""What the next prompt of a conversation is made of, read from the store.

Owns which turns are still in the window and what changed since they were sent. Writes nothing; the prompt
itself is ``prompt.assemble``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.blocks import STATE, neutral, render_block
from memory.budget import BudgetSettings
from memory.core import Core
from memory.head import HeadParts, facts_in, holds
from memory.persona import persona_of
from memory.prompt_request import PromptRequest, SentTurn
from memory.records import Conversation, Fact, Message, Recall, Role, Supersede, Trace, Turn, WorkingState
from memory.store import branching, conversations, episodes, facts, messages, rules, traces, working_states
from memory.working import NOTHING, STATE_FIELDS, render_state

OPENING_EPISODES = 3


@dataclass(frozen=True, slots=True)
class Window:
    """The turns that stand in the prompt before the newest message."""

    conversation: Conversation
    turns: tuple[SentTurn, ...]
    path: tuple[Message, ...]
    earlier: str = ""
    """What left this window, in short."""
    model_sha256: str | None = None
    """The model that answered last; None when nothing tells."""

    @property
    def message_ids(self) -> frozenset[str]:
        """Every message whose words are in the prompt."""
        kept = {turn.message_id for turn in self.turns}
        inside: set[str] = set()
        keeping = False
        for message in self.path:
            keeping = message.id in kept if message.role is Role.USER else keeping
            if keeping:
                inside.add(message.id)
        return frozenset(inside)


def read_window(core: Core, turn: Turn) -> Window:
    """Read the turns above a message, from the first that has not left the window."""
    return window_above(core, turn.conversation, turn.message.parent, turn.message.id)


def window_above(core: Core, ident: str, leaf: str | None, newest: str | None = None) -> Window:
    """Read the turns up to a message; ``newest`` is the one that comes after it."""
    db, profile = core.db, core.profile
    conversation = conversations.get_conversation(db, profile, ident)
    path = tuple(messages.path(db, profile, leaf))
    first = conversations.find_mark(db, profile, ident, "window_from")
    above = next((n for n, message in enumerate(path) if message.id == first), None)
    if above is None and first is not None and first == newest:
        above = len(path)  # every turn above it has left
    earlier = conversations.find_mark(db, profile, ident, "earlier") if above is not None else None
    turns: list[SentTurn] = []
    model: str | None = None
    inside = path[above or 0 :]
    for n, message in enumerate(inside):
        if message.role is not Role.USER:
            continue
        after = inside[n + 1] if n + 1 < len(inside) else None
        answer = after if after is not None and after.role is Role.ASSISTANT else None
        trace = traces.find_trace(db, profile, answer.id if answer else message.id)
        turns.append(sent_turn(message, answer, trace))
        if trace is not None and trace.usage is not None:
            model = trace.usage.model_sha256
    return Window(conversation, tuple(turns), path, earlier or "", model)


def sent_turn(message: Message, answer: Message | None, trace: Trace | None) -> SentTurn:
    """Give a turn as it was sent; one that never was has the barest block."""
    return SentTurn(
        message_id=message.id,
        block=trace.block if trace else render_block(message),
        text=message.safe_text,
        answer=answer.safe_text if answer else None,
        items=trace.items if trace else (),
    )


def changed_facts(core: Core, window: Window, turn: Turn) -> tuple[tuple[Fact, Fact], ...]:
    """Pair the facts that this window tells in an older version with the current ones."""
    db, profile = core.db, core.profile
    sent = {item.id: item.text for past in window.turns for item in past.items if item.kind == "fact"}
    told = facts.facts_with_ids(db, profile, sorted(sent))
    told += _replaced_at_the_top(core, window)
    told += facts.facts_resting_on(db, profile, sorted(window.message_ids))
    now_decided = [
        old for done in turn.decided if isinstance(done.decision, Supersede) for old in done.superseded
    ]
    told += facts.facts_with_ids(db, profile, sorted({fact.id for fact in now_decided}))
    pairs: dict[str, tuple[Fact, Fact]] = {}
    for old in told:
        new = _current(core, old)
        if new is None:
            continue
        if new.id != old.id and new.id not in sent:
            pairs[old.id] = (old, new)
        elif new.id == old.id and sent.get(old.id, old.text) != old.text:  # said anew under the same id
            pairs[old.id] = (replace(old, text=sent[old.id]), old)
    return tuple(pairs[ident] for ident in sorted(pairs))


def _replaced_at_the_top(core: Core, window: Window) -> list[Fact]:
    """Find the facts that the stored top still tells although newer ones have replaced them."""
    lines = facts_in(window.conversation.head or "")
    if not lines:
        return []
    sent = facts.replaced_facts_sent(core.db, core.profile, window.conversation.id)
    return [fact for fact in sent if holds(lines, fact.text)]


def _current(core: Core, fact: Fact) -> Fact | None:
    """Follow a fact to the one that is believed now."""
    seen: set[str] = set()
    here: Fact | None = fact
    while here is not None and not here.is_current:
        if here.superseded_by is None or here.id in seen:
            return None
        seen.add(here.id)
        here = facts.find_fact(core.db, core.profile, here.superseded_by)
    return here


def head_parts(core: Core, conversation: str) -> HeadParts:
    """Collect what the top of a prompt says now."""
    db, profile = core.db, core.profile
    return HeadParts(
        persona=persona_of(core),
        rules=tuple(rule.text for rule in rules.current_rules(db, profile)),
        pinned=tuple(facts.list_facts(db, profile, pinned=True)),
        minded=tuple(facts.minded_facts(db, profile, conversation, core.now())),
        episodes=tuple(episodes.opening_episodes(db, profile, conversation, OPENING_EPISODES)),
        zone=core.zone(),
    )


def must_rebuild(window: Window, model_sha256: str | None) -> bool:
    """Tell whether the top must be made anew: it was taken away, or another model reads it now."""
    if window.conversation.head is None:
        return True
    return None not in (model_sha256, window.model_sha256) and model_sha256 != window.model_sha256


def has_changed(state: WorkingState, sent: Sequence[str]) -> bool:
    """Tell whether the lines of the window do not tell the goal and the steps as they are now.

    Questions and what was gathered stand in the window as they were said, so they alone are no news.
    """
    for line in render_state(replace(state, gathered=(), questions=())):
        field = STATE + line.partition(":")[0] + ":"
        newest = next((told for told in reversed(sent) if told.startswith(field)), "")
        if newest != STATE + neutral(line):
            return True
    return False


def ended_fields(state: WorkingState, sent: Sequence[str]) -> tuple[str, ...]:
    """Return a line for each field that the window still tells of and that is empty now."""
    present = {line.partition(":")[0] for line in render_state(state)}
    ended = []
    for name in STATE_FIELDS:
        newest = next((told for told in reversed(sent) if told.startswith(f"{STATE}{name}:")), "")
        if name not in present and newest not in ("", f"{STATE}{name}{NOTHING}"):
            ended.append(name + NOTHING)
    return tuple(ended)


def request_for(
    core: Core,
    turn: Turn,
    window: Window,
    recall: Recall,
    budget: BudgetSettings,
    frame: int,
    model_sha256: str | None = None,
) -> PromptRequest:
    """Put together what one prompt is made of; a message that was answered before keeps its block."""
    db, profile = core.db, core.profile
    before = traces.find_trace(db, profile, turn.message.id)
    state = working_states.get_working_state(db, profile, turn.conversation)
    sent = [line for past in window.turns for line in past.block.split("\n")]
    # written by hand since the last answer: all of it is news, and what was taken out is too
    by_hand = branching.state_made_by(db, profile, turn.conversation) == turn.message.parent
    ended = ended_fields(state, sent) if by_hand else ()
    parts = head_parts(core, turn.conversation)
    if recall.unasked:
        parts = replace(parts, pinned=(), minded=(), episodes=())
    return PromptRequest(
        message=turn.message,
        recall=recall if before is None else Recall(recall.query, left_out=before.left_out),
        head=window.conversation.head,
        head_parts=parts,
        turns=window.turns,
        updates=() if before is not None else changed_facts(core, window, turn),
        state=state if by_hand or has_changed(state, sent) else None,
        state_ended=ended,
        earlier_summary=window.earlier,
        settings=budget,
        frame_tokens=frame,
        rebuild=must_rebuild(window, model_sha256),
        again=None if before is None else sent_turn(turn.message, None, before),
    )
