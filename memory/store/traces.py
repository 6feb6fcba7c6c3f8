"""The receipts of answers: what each prompt carried, what it left out, and what it cost.

Owns their JSON form. The block as sent is kept word for word, because later prompts repeat it. One surprise:
``trace_for`` takes the user's message or the answer, since people point at either.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from memory.clock import from_text, from_text_or_none, to_text, to_text_or_none
from memory.errors import NoReceipt, NotFound
from memory.records import LeftOut, SectionUse, SentItem, Trace, Usage
from memory.store.sql import Row, canonical, first, insert, listed, run, select

if TYPE_CHECKING:
    from sqlite_utils import Database

TRACE: Final = (
    "id, profile, conversation, message, answer, block, items, left_out, sections, usage, recorded_at"
)

FOR = f"""
SELECT {TRACE}
FROM trace
WHERE profile = :profile AND (message = :id OR answer = :id)
ORDER BY key DESC
LIMIT 1
"""

FOR_MESSAGES = f"""
SELECT {TRACE}
FROM trace
WHERE profile = :profile AND message IN (SELECT value FROM json_each(:messages))
ORDER BY key
"""

OF_CONVERSATION = f"""
SELECT {TRACE}
FROM trace
WHERE profile = :profile AND conversation = :conversation
ORDER BY key
"""

NEWEST = f"""
SELECT {TRACE}
FROM trace
WHERE profile = :profile AND conversation = :conversation
ORDER BY key DESC
LIMIT :limit
"""

HEAD_OF = """
SELECT head_sha256
FROM trace
WHERE profile = :profile AND id = :id
ORDER BY key
"""

TRIM = """
UPDATE trace
SET left_out = '[]'
WHERE profile = :profile AND recorded_at < :before AND left_out <> '[]'
"""

REWRITE = """
UPDATE trace
SET block = :block, items = :items, left_out = :left_out
WHERE profile = :profile AND id = :id
"""

DELETE = """
DELETE FROM trace
WHERE profile = :profile AND id IN (SELECT value FROM json_each(:ids))
"""


def insert_trace(db: Database, trace: Trace, *, head_sha256: str | None = None) -> None:
    """Keep the receipt of a turn; ``head_sha256`` tells which top of the prompt it went out with."""
    row = {
        "id": trace.id,
        "profile": trace.profile,
        "conversation": trace.conversation,
        "message": trace.message,
        "answer": trace.answer,
        "block": trace.block,
        "items": canonical([_sent_row(sent) for sent in trace.items]),
        "left_out": canonical([_left_out_row(left) for left in trace.left_out]),
        "sections": canonical([asdict(section) for section in trace.sections]),
        "usage": None if trace.usage is None else canonical(asdict(trace.usage)),
        "head_sha256": head_sha256,
        "recorded_at": to_text(trace.recorded_at),
    }
    insert(db, "trace", row)


def find_trace(db: Database, profile: str, ident: str) -> Trace | None:
    """Find the newest receipt of a turn by its user message or its answer."""
    row = first(db, FOR, profile=profile, id=ident)
    return None if row is None else trace_from(row)


def trace_for(db: Database, profile: str, ident: str) -> Trace:
    """Return the newest receipt of a turn by its user message or its answer."""
    trace = find_trace(db, profile, ident)
    if trace is None:
        raise NoReceipt(ident)
    return trace


def find_head_sha256(db: Database, profile: str, ident: str) -> str | None:
    """Find the hash of the top that the turn of this receipt went out with."""
    row = first(db, HEAD_OF, profile=profile, id=ident)
    return None if row is None else row["head_sha256"]


def newest_traces(db: Database, profile: str, conversation: str, limit: int) -> list[Trace]:
    """List a conversation's newest receipts, the newest first."""
    found = select(db, NEWEST, profile=profile, conversation=conversation, limit=limit)
    return [trace_from(row) for row in found]


def traces_for(db: Database, profile: str, messages: Iterable[str]) -> dict[str, Trace]:
    """Return the newest receipt of each turn by its user message."""
    found = select(db, FOR_MESSAGES, profile=profile, messages=listed(messages))
    return {row["message"]: trace_from(row) for row in found}


def list_traces(db: Database, profile: str, conversation: str) -> list[Trace]:
    """List a conversation's receipts in the order the answers were given."""
    found = select(db, OF_CONVERSATION, profile=profile, conversation=conversation)
    return [trace_from(row) for row in found]


def rewrite_trace(db: Database, trace: Trace) -> None:
    """Replace what a receipt holds of text, after something in it was forgotten."""
    changed = run(
        db,
        REWRITE,
        profile=trace.profile,
        id=trace.id,
        block=trace.block,
        items=canonical([_sent_row(sent) for sent in trace.items]),
        left_out=canonical([_left_out_row(left) for left in trace.left_out]),
    )
    if changed == 0:
        raise NotFound("receipt", trace.id)


def trim_left_out(db: Database, profile: str, before: datetime) -> int:
    """Drop what was not sent from receipts older than an instant; return how many changed."""
    return run(db, TRIM, profile=profile, before=to_text(before))


def delete_traces(db: Database, profile: str, idents: Iterable[str]) -> int:
    """Delete receipts."""
    return run(db, DELETE, profile=profile, ids=listed(idents))


def trace_from(row: Row) -> Trace:
    """Read a receipt."""
    usage = row["usage"]
    return Trace(
        id=row["id"],
        profile=row["profile"],
        conversation=row["conversation"],
        message=row["message"],
        answer=row["answer"],
        block=row["block"],
        items=tuple(_sent(sent) for sent in json.loads(row["items"])),
        left_out=tuple(LeftOut(**left) for left in json.loads(row["left_out"])),
        sections=tuple(SectionUse(**section) for section in json.loads(row["sections"])),
        usage=None if usage is None else Usage(**json.loads(usage)),
        recorded_at=from_text(row["recorded_at"]),
    )


def _sent_row(sent: SentItem) -> dict[str, Any]:
    return {
        "id": sent.id,
        "kind": sent.kind,
        "text": sent.text,
        "as_of": to_text_or_none(sent.as_of),
        "origin": sent.origin,
        "score": sent.score,
        "parts": dict(sent.parts),
        "tokens": sent.tokens,
        "reason": sent.reason,
        "replaces": sent.replaces,
    }


def _sent(row: Mapping[str, Any]) -> SentItem:
    values = dict(row)
    values["as_of"] = from_text_or_none(values["as_of"])
    return SentItem(**values)


def _left_out_row(left: LeftOut) -> dict[str, Any]:
    return {
        "id": left.id,
        "kind": left.kind,
        "text": left.text,
        "reason": left.reason,
        "score": left.score,
        "parts": dict(left.parts),
        "tokens": left.tokens,
    }
