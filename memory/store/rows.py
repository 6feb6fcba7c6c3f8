"""Rows become records here, and records become rows: one pair of functions a table, by column name.

The column lists carry their table's name, so that they can stand in a join. More than 300 lines: it is the
one place that knows every column.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from memory.clock import from_text, from_text_or_none, to_text, to_text_or_none
from memory.policy import normalise
from memory.records import (
    Candidate,
    Cardinality,
    Conversation,
    Episode,
    Fact,
    FactState,
    Item,
    ItemKind,
    ItemState,
    Job,
    JournalEntry,
    Kind,
    Message,
    Origin,
    Role,
    Rule,
    Stability,
    WorkingState,
)
from memory.store.sql import Row, canonical
from memory.store.stored import (
    Attachment,
    Certificate,
    Derivation,
    Draft,
    Golden,
    Profile,
    QueuedCandidate,
    Tombstone,
    Version,
)


def _columns(table: str, names: str) -> str:
    return ", ".join(f"{table}.{name}" for name in names.split())


PROFILE: Final = _columns("profile", "id name created_at")
CONVERSATION: Final = _columns(
    "conversation",
    "id profile title created_at updated_at leaf remembering archived origin source head",
)
MESSAGE: Final = _columns(
    "message",
    "id profile conversation parent role speaker text masked said_at zone origin pasted stop_reason model source",
)
ATTACHMENT: Final = _columns(
    "attachment", "id profile conversation message name media_type text sha256 recorded_at"
)
DRAFT: Final = _columns("draft", "id profile conversation kind text recorded_at")
FACT: Final = _columns(
    "fact",
    "id profile subject attribute value value_norm text language kind cardinality stability origin message"
    " span_start span_end quote said_at confidence importance valid_from valid_to recorded_at superseded_at"
    " superseded_by expires_at confirmed_at state pinned recalled recalled_at source",
)
EPISODE: Final = _columns(
    "episode",
    "id profile conversation first_message last_message title goal summary worded detail started_at ended_at"
    " recorded_at state recalled recalled_at origin",
)
RULE: Final = _columns("rule", "id profile text lineage version state origin message recorded_at")
CANDIDATE: Final = _columns(
    "candidate",
    "id profile conversation message kind text payload reason origin state result recorded_at decided_at",
)
DERIVATION: Final = _columns("derivation", "child child_kind parent parent_kind role span_start span_end")
VERSION: Final = _columns("version", "id profile kind ref before after recorded_at")
ITEM: Final = _columns(
    "item",
    "key id kind ref profile text context subject language state said_at expires_at origin importance"
    " conversation",
)
JOURNAL: Final = _columns(
    "journal", "id profile act kind ref versions actor conversation message recorded_at undone_by"
)
JOB: Final = _columns("job", "id kind profile payload state attempts recorded_at")
TOMBSTONE: Final = _columns("tombstone", "id profile kind hash message span_start span_end recorded_at")
CERTIFICATE: Final = _columns("certificate", "id profile payload mac recorded_at")
GOLDEN: Final = _columns("golden", "id profile question expected should recorded_at")

_EPISODE_LISTS: Final = (
    "topics",
    "actions",
    "decisions",
    "corrections",
    "lessons",
    "preferences",
    "open_threads",
    "artifacts",
)


def profile(row: Row) -> Profile:
    """Read a profile."""
    return Profile(row["id"], row["name"], from_text(row["created_at"]))


def conversation(row: Row) -> Conversation:
    """Read a conversation."""
    return Conversation(
        id=row["id"],
        profile=row["profile"],
        title=row["title"],
        created_at=from_text(row["created_at"]),
        updated_at=from_text(row["updated_at"]),
        leaf=row["leaf"],
        remembering=bool(row["remembering"]),
        archived=bool(row["archived"]),
        origin=Origin(row["origin"]),
        source=row["source"],
        head=row["head"],
    )


def conversation_row(record: Conversation) -> dict[str, Any]:
    """Write a conversation."""
    return {
        "id": record.id,
        "profile": record.profile,
        "title": record.title,
        "created_at": to_text(record.created_at),
        "updated_at": to_text(record.updated_at),
        "leaf": record.leaf,
        "remembering": int(record.remembering),
        "archived": int(record.archived),
        "origin": record.origin.value,
        "source": record.source,
        "head": record.head,
    }


def message(row: Row) -> Message:
    """Read a message."""
    return Message(
        id=row["id"],
        profile=row["profile"],
        conversation=row["conversation"],
        parent=row["parent"],
        role=Role(row["role"]),
        text=row["text"],
        said_at=from_text(row["said_at"]),
        zone=row["zone"],
        speaker=row["speaker"],
        masked=row["masked"],
        origin=Origin(row["origin"]),
        pasted=tuple((start, end) for start, end in json.loads(row["pasted"])),
        stop_reason=row["stop_reason"],
        model=row["model"],
        source=row["source"],
    )


def message_row(record: Message) -> dict[str, Any]:
    """Write a message."""
    return {
        "id": record.id,
        "profile": record.profile,
        "conversation": record.conversation,
        "parent": record.parent,
        "role": record.role.value,
        "speaker": record.speaker,
        "text": record.text,
        "masked": record.masked,
        "said_at": to_text(record.said_at),
        "zone": record.zone,
        "origin": record.origin.value,
        "pasted": canonical([list(span) for span in record.pasted]),
        "stop_reason": record.stop_reason,
        "model": record.model,
        "source": record.source,
    }


def attachment(row: Row) -> Attachment:
    """Read an attachment."""
    return Attachment(
        id=row["id"],
        profile=row["profile"],
        conversation=row["conversation"],
        message=row["message"],
        name=row["name"],
        media_type=row["media_type"],
        text=row["text"],
        sha256=row["sha256"],
        recorded_at=from_text(row["recorded_at"]),
    )


def draft(row: Row) -> Draft:
    """Read a draft."""
    return Draft(
        id=row["id"],
        profile=row["profile"],
        conversation=row["conversation"],
        kind=row["kind"],
        text=row["text"],
        recorded_at=from_text(row["recorded_at"]),
    )


def fact(row: Row) -> Fact:
    """Read a fact."""
    return Fact(
        id=row["id"],
        profile=row["profile"],
        subject=row["subject"],
        attribute=row["attribute"],
        value=row["value"],
        text=row["text"],
        kind=Kind(row["kind"]),
        origin=Origin(row["origin"]),
        recorded_at=from_text(row["recorded_at"]),
        state=FactState(row["state"]),
        cardinality=Cardinality(row["cardinality"]),
        stability=Stability(row["stability"]),
        language=row["language"],
        message=row["message"],
        start=row["span_start"],
        end=row["span_end"],
        quote=row["quote"],
        confidence=row["confidence"],
        importance=row["importance"],
        valid_from=from_text_or_none(row["valid_from"]),
        valid_to=from_text_or_none(row["valid_to"]),
        superseded_at=from_text_or_none(row["superseded_at"]),
        superseded_by=row["superseded_by"],
        expires_at=from_text_or_none(row["expires_at"]),
        confirmed_at=from_text_or_none(row["confirmed_at"]),
        pinned=bool(row["pinned"]),
        recalled=row["recalled"],
        recalled_at=from_text_or_none(row["recalled_at"]),
        source=row["source"],
        said_at=from_text_or_none(row["said_at"]),
    )


def fact_row(record: Fact) -> dict[str, Any]:
    """Write a fact, with its value in the form that is compared."""
    return {
        "id": record.id,
        "profile": record.profile,
        "subject": record.subject,
        "attribute": record.attribute,
        "value": record.value,
        "value_norm": normalise(record.value),
        "text": record.text,
        "language": record.language,
        "kind": record.kind.value,
        "cardinality": record.cardinality.value,
        "stability": record.stability.value,
        "origin": record.origin.value,
        "message": record.message,
        "span_start": record.start,
        "span_end": record.end,
        "quote": record.quote,
        "said_at": to_text_or_none(record.said_at),
        "confidence": record.confidence,
        "importance": record.importance,
        "valid_from": to_text_or_none(record.valid_from),
        "valid_to": to_text_or_none(record.valid_to),
        "recorded_at": to_text(record.recorded_at),
        "superseded_at": to_text_or_none(record.superseded_at),
        "superseded_by": record.superseded_by,
        "expires_at": to_text_or_none(record.expires_at),
        "confirmed_at": to_text_or_none(record.confirmed_at),
        "state": record.state.value,
        "pinned": int(record.pinned),
        "recalled": record.recalled,
        "recalled_at": to_text_or_none(record.recalled_at),
        "source": record.source,
    }


def episode(row: Row) -> Episode:
    """Read an episode."""
    detail = json.loads(row["detail"])
    return Episode(
        id=row["id"],
        profile=row["profile"],
        conversation=row["conversation"],
        first_message=row["first_message"],
        last_message=row["last_message"],
        title=row["title"],
        goal=row["goal"],
        summary=row["summary"],
        started_at=from_text(row["started_at"]),
        ended_at=from_text(row["ended_at"]),
        recorded_at=from_text(row["recorded_at"]),
        worded=bool(row["worded"]),
        outcome=detail.get("outcome", ""),
        state=row["state"],
        recalled=row["recalled"],
        recalled_at=from_text_or_none(row["recalled_at"]),
        origin=Origin(row["origin"]),
        **{name: tuple(detail.get(name, ())) for name in _EPISODE_LISTS},
    )


def episode_row(record: Episode) -> dict[str, Any]:
    """Write an episode; its lists share one JSON column."""
    detail: dict[str, Any] = {name: list(getattr(record, name)) for name in _EPISODE_LISTS}
    detail["outcome"] = record.outcome
    return {
        "id": record.id,
        "profile": record.profile,
        "conversation": record.conversation,
        "first_message": record.first_message,
        "last_message": record.last_message,
        "title": record.title,
        "goal": record.goal,
        "summary": record.summary,
        "worded": int(record.worded),
        "detail": canonical(detail),
        "started_at": to_text(record.started_at),
        "ended_at": to_text(record.ended_at),
        "recorded_at": to_text(record.recorded_at),
        "state": record.state,
        "recalled": record.recalled,
        "recalled_at": to_text_or_none(record.recalled_at),
        "origin": record.origin.value,
    }


def rule(row: Row) -> Rule:
    """Read a rule."""
    return Rule(
        id=row["id"],
        profile=row["profile"],
        text=row["text"],
        lineage=row["lineage"],
        version=row["version"],
        recorded_at=from_text(row["recorded_at"]),
        state=row["state"],
        origin=Origin(row["origin"]),
        message=row["message"],
    )


def rule_row(record: Rule) -> dict[str, Any]:
    """Write a rule."""
    return {
        "id": record.id,
        "profile": record.profile,
        "text": record.text,
        "lineage": record.lineage,
        "version": record.version,
        "state": record.state,
        "origin": record.origin.value,
        "message": record.message,
        "recorded_at": to_text(record.recorded_at),
    }


def candidate(row: Row) -> QueuedCandidate:
    """Read a candidate of the review queue."""
    return QueuedCandidate(
        id=row["id"],
        profile=row["profile"],
        conversation=row["conversation"],
        message=row["message"],
        candidate=candidate_from(json.loads(row["payload"])),
        reason=row["reason"],
        recorded_at=from_text(row["recorded_at"]),
        state=row["state"],
        result=row["result"],
        decided_at=from_text_or_none(row["decided_at"]),
    )


def candidate_row(record: QueuedCandidate) -> dict[str, Any]:
    """Write a candidate of the review queue."""
    return {
        "id": record.id,
        "profile": record.profile,
        "conversation": record.conversation,
        "message": record.message,
        "kind": record.candidate.kind.value,
        "text": record.candidate.text,
        "payload": canonical(candidate_payload(record.candidate)),
        "reason": record.reason,
        "origin": record.candidate.origin.value,
        "state": record.state,
        "result": record.result,
        "recorded_at": to_text(record.recorded_at),
        "decided_at": to_text_or_none(record.decided_at),
    }


_CANDIDATE_TIMES: Final = ("said_at", "valid_from", "expires_at")


def candidate_payload(record: Candidate) -> dict[str, Any]:
    """Write the fields of a proposal as JSON values."""
    payload: dict[str, Any] = {each.name: getattr(record, each.name) for each in fields(record)}
    for name in _CANDIDATE_TIMES:
        payload[name] = to_text_or_none(payload[name])
    return payload


def candidate_from(payload: Mapping[str, Any]) -> Candidate:
    """Read the fields of a proposal."""
    values = dict(payload)
    for name in _CANDIDATE_TIMES:
        values[name] = from_text_or_none(values[name])
    values["kind"] = Kind(values["kind"])
    values["origin"] = Origin(values["origin"])
    values["cardinality"] = Cardinality(values["cardinality"])
    values["stability"] = Stability(values["stability"])
    return Candidate(**values)


def working_state(row: Row) -> WorkingState:
    """Read a working state."""
    state = json.loads(row["state"])
    return WorkingState(
        goal=state["goal"],
        steps=tuple((step, status) for step, status in state["steps"]),
        gathered=tuple(state["gathered"]),
        questions=tuple(state["questions"]),
    )


def working_state_text(record: WorkingState) -> str:
    """Write a working state as JSON text."""
    return canonical(
        {
            "goal": record.goal,
            "steps": [list(step) for step in record.steps],
            "gathered": list(record.gathered),
            "questions": list(record.questions),
        }
    )


def derivation(row: Row) -> Derivation:
    """Read a derivation."""
    return Derivation(
        child=row["child"],
        child_kind=row["child_kind"],
        parent=row["parent"],
        parent_kind=row["parent_kind"],
        role=row["role"],
        start=row["span_start"],
        end=row["span_end"],
    )


def version(row: Row) -> Version:
    """Read a version."""
    return Version(
        id=row["id"],
        profile=row["profile"],
        kind=row["kind"],
        ref=row["ref"],
        before=None if row["before"] is None else json.loads(row["before"]),
        after=None if row["after"] is None else json.loads(row["after"]),
        recorded_at=from_text(row["recorded_at"]),
    )


def item(row: Row) -> Item:
    """Read an item."""
    return Item(
        key=row["key"],
        id=row["id"],
        kind=ItemKind(row["kind"]),
        ref=row["ref"],
        profile=row["profile"],
        text=row["text"],
        context=row["context"],
        subject=row["subject"],
        language=row["language"],
        state=ItemState(row["state"]),
        said_at=from_text_or_none(row["said_at"]),
        expires_at=row["expires_at"],
        origin=Origin(row["origin"]),
        importance=row["importance"],
        conversation=row["conversation"],
    )


def journal_entry(row: Row) -> JournalEntry:
    """Read a line of the journal."""
    return JournalEntry(
        id=row["id"],
        profile=row["profile"],
        act=row["act"],
        kind=row["kind"],
        ref=row["ref"],
        versions=tuple(json.loads(row["versions"])),
        actor=row["actor"],
        recorded_at=from_text(row["recorded_at"]),
        conversation=row["conversation"],
        message=row["message"],
        undone_by=row["undone_by"],
    )


def journal_row(record: JournalEntry) -> dict[str, Any]:
    """Write a line of the journal."""
    return {
        "id": record.id,
        "profile": record.profile,
        "act": record.act,
        "kind": record.kind,
        "ref": record.ref,
        "versions": canonical(list(record.versions)),
        "actor": record.actor,
        "conversation": record.conversation,
        "message": record.message,
        "recorded_at": to_text(record.recorded_at),
        "undone_by": record.undone_by,
    }


def job(row: Row) -> Job:
    """Read a job."""
    return Job(
        id=row["id"],
        kind=row["kind"],
        profile=row["profile"],
        payload=json.loads(row["payload"]),
        state=row["state"],
        created_at=from_text(row["recorded_at"]),
        attempts=row["attempts"],
    )


def tombstone(row: Row) -> Tombstone:
    """Read a tombstone."""
    return Tombstone(
        id=row["id"],
        profile=row["profile"],
        kind=row["kind"],
        hash=row["hash"],
        recorded_at=from_text(row["recorded_at"]),
        message=row["message"],
        start=row["span_start"],
        end=row["span_end"],
    )


def certificate(row: Row) -> Certificate:
    """Read a certificate."""
    return Certificate(
        id=row["id"],
        profile=row["profile"],
        payload=json.loads(row["payload"]),
        mac=row["mac"],
        recorded_at=from_text(row["recorded_at"]),
    )


def golden(row: Row) -> Golden:
    """Read a golden question."""
    return Golden(
        id=row["id"],
        profile=row["profile"],
        question=row["question"],
        expected=tuple(json.loads(row["expected"])),
        should=bool(row["should"]),
        recorded_at=from_text(row["recorded_at"]),
    )
