"""Claude's export: conversations as lists of messages, and what it remembered as Markdown.

Pure. One surprise: what was pasted into a message is not in its text but beside it, and comes along as an
attachment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from memory.transfer.report import Skipped
from memory.transfer.sources.prose import statements
from memory.transfer.sources.shapes import (
    UNKNOWN,
    Piece,
    SourceAttachment,
    SourceConversation,
    SourceMessage,
    fingerprint,
    instant,
    memory_of,
    sequence,
    table,
    words,
)

SENDERS: Final = {"human": "user", "assistant": "assistant"}


def is_claude(value: object) -> bool:
    """Tell whether parsed JSON looks like this export's conversations or memories."""
    keys = {"chat_messages", "conversations_memory", "project_memories"}
    return any(not keys.isdisjoint(table(one)) for one in sequence(value))


def walk(value: object) -> Iterator[Piece]:
    """Yield every conversation or memory of a parsed ``conversations.json`` or ``memories.json``."""
    for number, one in enumerate(sequence(value), start=1):
        found = table(one)
        if "chat_messages" in found:
            yield _conversation(found, number)
        elif "conversations_memory" in found or "project_memories" in found:
            yield from _memories(found)
        else:
            yield Skipped(f"entry {number}", "it is neither a conversation nor memories")


def _memories(found: Mapping[str, Any]) -> Iterator[Piece]:
    texts = [found.get("conversations_memory"), *table(found.get("project_memories")).values()]
    for text in texts:
        for statement in statements(words(text)):
            yield memory_of(statement)


def _conversation(found: Mapping[str, Any], number: int) -> Piece:
    title = words(found.get("name"))
    name = f"conversation {number}" + (f" ({title[:60]})" if title else "")
    entries = [table(one) for one in sequence(found.get("chat_messages"))]
    times = [time for one in entries if (time := instant(one.get("created_at"))) is not None]
    created = instant(found.get("created_at")) or min(times, default=UNKNOWN)
    parents = {
        ident: words(one.get("parent_message_uuid"))
        for one in entries
        if (ident := words(one.get("uuid"))) and "parent_message_uuid" in one
    }
    messages: dict[str, SourceMessage] = {}
    for position, one in enumerate(entries):
        role = SENDERS.get(words(one.get("sender")))
        text, attached = _text(one), _attachments(one)
        if role is None or not (text or attached):
            continue
        ident = words(one.get("uuid")) or fingerprint(str(position), text)
        if ident in messages:
            continue
        above = next(reversed(messages), None)
        if "parent_message_uuid" in one:
            above = _climb(parents, words(one["parent_message_uuid"]), messages)
        said_at = instant(one.get("created_at")) or created
        shown = text or "\n".join(f"[{each.name}]" for each in attached)
        messages[ident] = SourceMessage(ident, above, role, shown, said_at, None, attached)
    if not messages:
        return Skipped(name, "it holds no messages")
    leaf = next(reversed(messages))
    return SourceConversation(
        id=words(found.get("uuid")) or fingerprint(*messages),
        title=title or messages[next(iter(messages))].text[:200],
        created_at=created,
        updated_at=instant(found.get("updated_at")) or max(times, default=created),
        messages=tuple(messages.values()),
        leaf=leaf,
    )


def _climb(parents: Mapping[str, str], above: str, messages: Mapping[str, SourceMessage]) -> str | None:
    """Find the nearest message above that is there; the root's parent is an id that nothing has."""
    seen: set[str] = set()
    while above and above not in messages and above not in seen:
        seen.add(above)
        above = parents.get(above, "")
    return above if above in messages else None


def _text(entry: Mapping[str, Any]) -> str:
    blocks = [table(block) for block in sequence(entry.get("content"))]
    said = [words(block.get("text")) for block in blocks if block.get("type") == "text"]
    return "\n\n".join(text for text in said if text) or words(entry.get("text"))


def _attachments(entry: Mapping[str, Any]) -> tuple[SourceAttachment, ...]:
    found = []
    for one in map(table, sequence(entry.get("attachments"))):
        text = words(one.get("extracted_content"))
        if text:
            found.append(SourceAttachment(words(one.get("file_name")) or "pasted text", text))
    return tuple(found)
