"""The review queue: what waits for the user's word, and what a word does.

Nothing in the queue is recalled or sent. An accepted candidate is the user's own word from then on; one that
is rejected for good is never proposed again. Runs inside the caller's transaction.
"""

from __future__ import annotations

from dataclasses import replace

from memory import policy, remembering, ruling
from memory.core import Core
from memory.errors import BadInput
from memory.records import Add, Candidate, Decided, Decision, Ignore, Kind, Origin, Review, Rule, Supersede
from memory.secrets import find_secrets
from memory.store import candidates as queue
from memory.store.act import Act
from memory.store.apply import apply_decision
from memory.store.stored import QueuedCandidate


def accept(core: Core, ident: str, text: str | None = None) -> Decided | Rule:
    """Take a waiting candidate for true, in the user's own wording where one is given."""
    queued = _waiting(core, ident)
    candidate = _confirmed(queued.candidate, text)
    if candidate.kind is Kind.RULE:
        rule = ruling.add_rule(core, candidate.text, message=queued.message)
        _settle(core, queued, "accepted", rule.id)
        return rule
    decision = _decision(core, queued, candidate)
    return apply_decision(
        core.db,
        candidate,
        decision,
        profile=core.profile,
        conversation=queued.conversation,
        message=queued.message,
        now=core.now(),
        new_id=core.new_id,
        actor="user",
        accepted=queued.id,
    )


def reject(core: Core, ident: str, *, always: bool = False) -> QueuedCandidate:
    """Say no to a waiting candidate, this time or for good."""
    queued = _waiting(core, ident)
    return _settle(core, queued, "rejected_always" if always else "rejected", None)


def _waiting(core: Core, ident: str) -> QueuedCandidate:
    queued = queue.get_candidate(core.db, core.profile, ident)
    if queued.state != "pending":
        raise BadInput(f"this was decided before: {queued.state.replace('_', ' ')}")
    return queued


def _confirmed(candidate: Candidate, text: str | None) -> Candidate:
    """Make a candidate the user's own word."""
    own = replace(candidate, origin=Origin.USER_CONFIRMED, confidence=policy.CONFIDENCE_TOP, pronoun=False)
    if text is None:
        return own
    text = " ".join(text.split())
    if not text:
        raise BadInput("there is no text to remember")
    if found := find_secrets(text):
        raise BadInput(f"this looks like a secret ({found[0].kind}); secrets are never kept as memories")
    value = candidate.value if candidate.value and candidate.value in text else text
    return replace(own, text=text, value=value)


def _decision(core: Core, queued: QueuedCandidate, candidate: Candidate) -> Decision:
    """Decide anew, as for the user's own word; what was only doubtful is no reason to ask again."""
    beside = remembering.neighbours(core, candidate, None, queued.conversation)
    beside = replace(
        beside, tombstoned=False, rejected_always=False, writes_in_conversation=0, writes_today=0
    )
    decision = policy.decide(candidate, beside, core.settings.limits)
    if not isinstance(decision, Review | Ignore):
        return decision
    own = [fact for fact in beside.slot if fact.attribute == candidate.attribute]
    if candidate.cardinality.value == "single" and own:
        return Supersede(tuple(fact.id for fact in own), "you said yes")
    return Add("you said yes")


def _settle(core: Core, queued: QueuedCandidate, state: str, result: str | None) -> QueuedCandidate:
    done = replace(queued, state=state, result=result, decided_at=core.now())  # type: ignore[arg-type]
    act = Act(core.db, core.profile, core.now(), core.new_id, "user", queued.conversation, queued.message)
    act.write(queued, done)
    act.close(state, "candidate", queued.id)
    return done
