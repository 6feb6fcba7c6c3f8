"""From the user's words to decided memories: candidates, checks, neighbours, decision, rows.

Owns the order of those steps. Decides nothing (``policy``) and writes no row itself (``store.apply``).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta

from memory import policy
from memory.attributes import related
from memory.core import Core
from memory.cues.message import candidates
from memory.provenance import foreign_spans
from memory.records import Candidate, Decided, Fact, Ignore, Message, Role
from memory.secret_answers import secrets_of
from memory.store import candidates as queue
from memory.store import facts, messages, tombstones
from memory.store.act import Actor
from memory.store.apply import apply_decision

logger = logging.getLogger("locket.memory")

KNOWN_FACTS = 200
"""Current facts among which a pronoun may find its subject."""
TOUCHED_FACTS = 12
LONGEST_READ = 20_000
"""Characters: a longer message is a document, whoever typed it, and documents become no memories."""
UNSLOTTED = "note"
"""An attribute with any number of values: only the same value is worth a look."""


def propose(core: Core, message: Message) -> tuple[Candidate, ...]:
    """Return what the rules find in a message, bound to what this conversation touched last."""
    if len(message.text) > LONGEST_READ:
        return ()
    touched = facts.facts_touched(core.db, core.profile, message.conversation, TOUCHED_FACTS)
    known = facts.list_facts(core.db, core.profile, limit=KNOWN_FACTS)
    above = messages.find_message(core.db, core.profile, message.parent) if message.parent else None
    asked = above.safe_text if above and above.role is Role.ASSISTANT else ""
    try:
        return candidates(message, touched=touched, known=known, asked=asked)
    except Exception as error:  # noqa: BLE001 - a rule that fails may cost a memory, never the message
        logger.error("rules failed: %s", type(error).__name__)  # noqa: TRY400 - a traceback may quote the message
        return ()


def judge(
    core: Core,
    message: Message,
    found: Sequence[Candidate],
    *,
    near: Callable[[Candidate], tuple[tuple[Fact, float], ...]] | None = None,
    limits: policy.Limits | None = None,
    store: bool = True,
    actor: Actor = "auto",
) -> tuple[Decided, ...]:
    """Check, decide and (unless told otherwise) store each candidate, in order."""
    if not found:
        return ()
    foreign = foreign_spans(message.text, message.pasted)
    secrets = secrets_of(message)
    decided = []
    for candidate in found:
        refused = policy.validate(candidate, message, foreign, secrets)
        if refused is not None:
            decided.append(Decided(candidate, refused))
            continue
        beside = neighbours(
            core, candidate, message.id, message.conversation, near(candidate) if near else ()
        )
        decision = policy.decide(candidate, beside, limits or core.settings.limits)
        if not store or isinstance(decision, Ignore):
            decided.append(Decided(candidate, decision))
            continue
        decided.append(
            apply_decision(
                core.db,
                candidate,
                decision,
                profile=core.profile,
                conversation=message.conversation,
                message=message.id,
                now=core.now(),
                new_id=core.new_id,
                actor=actor,
            )
        )
    return tuple(decided)


def neighbours(
    core: Core,
    candidate: Candidate,
    message: str | None,
    conversation: str | None,
    near: tuple[tuple[Fact, float], ...] = (),
) -> policy.Neighbours:
    """Collect what the store already knows around a candidate."""
    db, profile = core.db, core.profile
    slot: list[Fact] = []
    if candidate.attribute != UNSLOTTED or candidate.is_correction:
        for attribute in related(candidate.attribute):
            slot += facts.find_open(db, profile, candidate.subject, attribute)
    day = core.now() - timedelta(days=1)
    return policy.Neighbours(
        same=tuple(
            facts.find_by_value(
                db, profile, candidate.value, subject=candidate.subject, attribute=candidate.attribute
            )
        ),
        slot=tuple(slot),
        near=near,
        tombstoned=is_forgotten(core, candidate, message),
        rejected_always=queue.is_rejected_always(db, profile, candidate),
        writes_in_conversation=facts.count_writes(db, profile, day, conversation),
        writes_today=facts.count_writes(db, profile, day),
    )


def is_forgotten(core: Core, candidate: Candidate, message: str | None) -> bool:
    """Tell whether the user asked to forget this: the same statement, or these very words."""
    slot = (candidate.subject, candidate.attribute, candidate.value)
    for key in (core.tombstone_key, *tombstones.other_keys(core.db)):
        digest = policy.slot_hash(key, core.profile, *slot)
        if tombstones.find_tombstones(core.db, core.profile, digest.hex()):
            return True
    return message is not None and tombstones.is_covered(
        core.db, core.profile, message, candidate.start, candidate.end
    )
