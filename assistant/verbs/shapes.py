"""The JSON shapes of the verbs, one function a shape. Documented in the manual; changing one raises the format."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from assistant.times import in_json
from memory.forget import ForgetPlan, Seal, Target
from memory.reader import Change
from memory.records import Conversation, Decided, Episode, Fact, LeftOut, Message, Rule, SentItem
from memory.store.stored import Certificate, Tombstone

if TYPE_CHECKING:
    from memory.retrieval.search import Found


def when(instant: datetime | None) -> str | None:
    """Return an instant as JSON has it, or nothing."""
    return in_json(instant)


def decided_json(done: Decided) -> dict[str, Any]:
    """Return a decision about a candidate."""
    candidate = done.candidate
    return {
        "decision": type(done.decision).__name__.lower(),
        "id": done.id,
        "text": candidate.text,
        "subject": candidate.subject,
        "attribute": candidate.attribute,
        "value": candidate.value,
        "kind": str(candidate.kind),
        "quote": candidate.quote,
        "reason": done.decision.reason,
        "supersedes": [fact.id for fact in done.superseded],
    }


def sent_json(item: SentItem) -> dict[str, Any]:
    """Return an item that was in the prompt."""
    return {
        "id": item.id,
        "kind": item.kind,
        "text": item.text,
        "as_of": when(item.as_of),
        "origin": item.origin,
        "score": round(item.score, 4),
        "parts": {name: round(value, 4) for name, value in item.parts.items()},
        "tokens": item.tokens,
        "reason": item.reason,
        "replaces": item.replaces,
    }


def left_out_json(item: LeftOut) -> dict[str, Any]:
    """Return an item that was considered and not sent."""
    return {
        "id": item.id,
        "kind": item.kind,
        "text": item.text,
        "reason": item.reason,
        "score": round(item.score, 4),
        "tokens": item.tokens,
    }


def fact_json(fact: Fact) -> dict[str, Any]:
    """Return a fact."""
    return {
        "id": fact.id,
        "kind": str(fact.kind),
        "text": fact.text,
        "subject": fact.subject,
        "attribute": fact.attribute,
        "value": fact.value,
        "state": str(fact.state),
        "origin": str(fact.origin),
        "valid_from": when(fact.valid_from),
        "valid_to": when(fact.valid_to),
        "recorded_at": when(fact.recorded_at),
        "pinned": fact.pinned,
        "source": fact.message or fact.source,
    }


def episode_json(episode: Episode) -> dict[str, Any]:
    """Return an episode, as far as it has the fields of a listing."""
    return {
        "id": episode.id,
        "kind": "episode",
        "text": f"{episode.title}: {episode.summary}",
        "subject": "conversation",
        "attribute": "episode",
        "value": episode.title,
        "state": episode.state,
        "origin": str(episode.origin),
        "valid_from": when(episode.started_at),
        "valid_to": when(episode.ended_at),
        "recorded_at": when(episode.recorded_at),
        "pinned": False,
        "source": episode.conversation,
    }


def episode_parts(episode: Episode) -> dict[str, Any]:
    """Return what an episode holds besides the fields of a listing."""
    return {
        "goal": episode.goal,
        "topics": list(episode.topics),
        "actions": list(episode.actions),
        "decisions": list(episode.decisions),
        "corrections": list(episode.corrections),
        "lessons": list(episode.lessons),
        "preferences": list(episode.preferences),
        "open_threads": list(episode.open_threads),
        "artifacts": list(episode.artifacts),
        "outcome": episode.outcome,
    }


def change_json(change: Change) -> dict[str, Any]:
    """Return one act on memory."""
    entry = change.entry
    return {
        "id": entry.id,
        "act": entry.act,
        "kind": entry.kind,
        "ref": entry.ref,
        "text": change.text,
        "actor": entry.actor,
        "recorded_at": when(entry.recorded_at),
        "conversation": entry.conversation,
        "undoable": change.can_be_undone,
    }


def rule_json(rule: Rule) -> dict[str, Any]:
    """Return a rule, as far as it has the fields of a listing."""
    return {
        "id": rule.id,
        "kind": "rule",
        "text": rule.text,
        "subject": "assistant",
        "attribute": "rule",
        "value": rule.text,
        "state": rule.state,
        "origin": str(rule.origin),
        "valid_from": when(rule.recorded_at),
        "valid_to": None,
        "recorded_at": when(rule.recorded_at),
        "pinned": True,
        "source": rule.message,
    }


def message_json(message: Message) -> dict[str, Any]:
    """Return a message."""
    return {
        "id": message.id,
        "parent": message.parent,
        "role": str(message.role),
        "text": message.text,
        "said_at": when(message.said_at),
    }


def conversation_json(conversation: Conversation) -> dict[str, Any]:
    """Return a conversation without its messages."""
    return {
        "id": conversation.id,
        "title": conversation.title,
        "created_at": when(conversation.created_at),
        "updated_at": when(conversation.updated_at),
        "remembering": conversation.remembering,
    }


def hit_json(hit: Found) -> dict[str, Any]:
    """Return something that a search found."""
    return {
        "id": hit.item.ref,
        "kind": str(hit.item.kind),
        "text": hit.item.text,
        "snippet": hit.snippet,
        "state": str(hit.item.state),
        "said_at": when(hit.item.said_at),
        "score": round(hit.score, 4),
        "conversation": hit.item.conversation,
    }


def target_json(target: Target) -> dict[str, Any]:
    """Return one thing that a forget would touch."""
    return {
        "id": target.id,
        "kind": target.kind,
        "text": target.text,
        "act": target.act,
        "reason": target.reason,
    }


def plan_json(plan: ForgetPlan) -> dict[str, Any]:
    """Return what a forget would touch."""
    return {
        "chosen": [target_json(target) for target in plan.chosen],
        "ticked": [target_json(target) for target in plan.ticked],
        "listed": [target_json(target) for target in plan.listed],
        "counts": plan.counts,
        "follows": dict(plan.follows),
    }


def certificate_json(certificate: Certificate, seal: Seal) -> dict[str, Any]:
    """Return the certificate of a forget; what it says itself cannot stand in for what was found out about it."""
    return {
        **certificate.payload,
        "id": certificate.id,
        "recorded_at": when(certificate.recorded_at),
        "genuine": seal is Seal.FITS,
        "seal": seal.value,
        "mac": certificate.mac,
    }


def tombstone_json(mark: Tombstone) -> dict[str, Any]:
    """Return a mark of something forgotten."""
    return {"id": mark.id, "kind": mark.kind, "recorded_at": when(mark.recorded_at), "message": mark.message}
