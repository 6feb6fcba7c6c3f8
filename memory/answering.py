"""COMMIT 2: the answer, its receipt and what recall was used are stored together.

Owns what finishing a turn writes. Reading never writes, so use counts are recorded here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC

from memory import branches
from memory.core import Core
from memory.head import is_at_the_top
from memory.prompt import summary_after
from memory.prompt_request import PromptRequest
from memory.provenance import own_words
from memory.records import Add, AssembledPrompt, Message, Role, SentItem, Supersede, Trace, Turn, Usage
from memory.secrets import mask
from memory.store import (
    conversations,
    derivations,
    episodes,
    facts,
    items,
    messages,
    traces,
    working_states,
)
from memory.store.mentions import mentions
from memory.store.settle import settle_answer
from memory.working import advance


def finish_turn(
    core: Core,
    turn: Turn,
    answer: str,
    stop_reason: str,
    prompt: AssembledPrompt,
    usage: Usage | None,
    request: PromptRequest | None,
) -> Message:
    """Commit an answer with its trace and return it as a message."""
    db, profile, now = core.db, core.profile, core.now()
    message = Message(
        id=core.new_id(),
        profile=profile,
        conversation=turn.conversation,
        parent=turn.message.id,
        role=Role.ASSISTANT,
        text=answer,
        said_at=now.astimezone(UTC),
        zone=core.zone(),
        masked=mask(answer),
        stop_reason=stop_reason,
        model=usage.model if usage else None,
    )
    with core.atomic():
        messages.insert_message(db, message)
        conversations.set_leaf(db, profile, turn.conversation, message.id, now)
        items.write_message_items(db, message, turn.message)
        traces.insert_trace(
            db,
            Trace(
                id=core.new_id(),
                profile=profile,
                conversation=turn.conversation,
                message=turn.message.id,
                answer=message.id,
                block=prompt.block,
                items=prompt.items,
                left_out=prompt.left_out,
                sections=prompt.sections,
                usage=usage,
                recorded_at=now,
            ),
            head_sha256=head_sha256(prompt.head),
        )
        _move_window(core, turn, prompt, request)
        derivations.derive_answer(
            db, message.id, [("message", turn.message.id), *((item.kind, item.id) for item in prompt.items)]
        )
        settle_answer(db, profile, message.id)
        if len(messages.children(db, profile, turn.message.id)) > 1:  # an earlier answer is left behind
            branches.follow(core, turn.conversation, message.id)
        _move_state(core, turn, message)
        recalled = [item for item in prompt.items if not is_at_the_top(item)]
        told = [item for item in recalled if item.kind == "fact"]
        facts.record_recalled(db, profile, [item.id for item in told], now)
        _weigh_use(core, told, answer)
        episodes.record_episodes_recalled(db, profile, [i.id for i in recalled if i.kind == "episode"], now)
    return message


def head_sha256(head: str) -> str:
    """Name a top, so that a receipt can tell which one it went out with."""
    return hashlib.sha256(head.encode("utf-8", "surrogatepass")).hexdigest()


def _move_window(core: Core, turn: Turn, prompt: AssembledPrompt, request: PromptRequest | None) -> None:
    """Keep the top as sent, and remember which turns left and what they said in short."""
    db, profile = core.db, core.profile
    conversation = conversations.get_conversation(db, profile, turn.conversation)
    if conversation.head != prompt.head:
        conversations.set_head(db, profile, turn.conversation, prompt.head)
    if prompt.dropped_turns and request is not None:
        kept = [t.message_id for t in request.turns if t.message_id not in prompt.dropped_turns]
        first = kept[0] if kept else turn.message.id
        conversations.set_mark(db, profile, turn.conversation, "window_from", first)
        conversations.set_mark(db, profile, turn.conversation, "earlier", summary_after(request, prompt))


def _move_state(core: Core, turn: Turn, answer: Message) -> None:
    """Keep what is true of the conversation after this turn, when the turn changed it."""
    db, profile = core.db, core.profile
    before = working_states.get_working_state(db, profile, turn.conversation)
    brought = [done.candidate.text for done in turn.decided if isinstance(done.decision, Add | Supersede)]
    after = advance(before, own_words(turn.message), answer.safe_text, brought)
    if after != before:
        working_states.put_working_state(
            db,
            profile,
            turn.conversation,
            after,
            message=turn.message.id,
            now=core.now(),
            new_id=core.new_id,
        )


def _weigh_use(core: Core, told: Sequence[SentItem], answer: str) -> None:
    """Let what the answer said gain importance; what is sent often and never said loses some."""
    values = {
        fact.id: fact.value for fact in facts.facts_with_ids(core.db, core.profile, [i.id for i in told])
    }
    helped = [ident for ident, value in values.items() if mentions(answer, value)]
    facts.record_use(core.db, core.profile, helped, [ident for ident in values if ident not in helped])
