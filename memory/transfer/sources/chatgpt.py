"""ChatGPT's export: conversations as trees of nodes, of which some are hidden and some are tools' talk.

Pure. One surprise: what is left out of a tree leaves no gap; the nodes below it hang below the next one above
that is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from memory.transfer.report import Skipped
from memory.transfer.sources.shapes import (
    UNKNOWN,
    Piece,
    SourceConversation,
    SourceMessage,
    fingerprint,
    instant,
    sequence,
    table,
    words,
)

ROLES: Final = frozenset({"user", "assistant"})
LEFT_OUT: Final = frozenset(
    {"thoughts", "reasoning_recap", "user_editable_context", "model_editable_context"}
)
HIDDEN: Final = "is_visually_hidden_from_conversation"


def is_chatgpt(value: object) -> bool:
    """Tell whether parsed JSON looks like this export."""
    return any("mapping" in table(one) for one in sequence(value))


def walk(value: object) -> Iterator[Piece]:
    """Yield every conversation of a parsed ``conversations.json``."""
    for number, one in enumerate(sequence(value), start=1):
        yield _conversation(table(one), number)


def _conversation(found: Mapping[str, Any], number: int) -> Piece:
    title = words(found.get("title"))
    name = f"conversation {number}" + (f" ({title[:60]})" if title else "")
    nodes = {ident: table(node) for ident, node in table(found.get("mapping")).items()}
    if not nodes:
        return Skipped(name, "it holds no messages")
    times = [time for node in nodes.values() if (time := _time(node)) is not None]
    created = instant(found.get("create_time")) or min(times, default=UNKNOWN)
    shown = {ident: one for ident, node in nodes.items() if (one := _shown(node, found)) is not None}
    if not shown:
        return Skipped(name, "none of its messages is text of yours or an answer")
    above = {ident: _visible_above(ident, nodes, shown) for ident in shown}
    messages = tuple(
        SourceMessage(
            id=ident,
            parent=above[ident],
            role=shown[ident][0],
            text=shown[ident][1],
            said_at=_time(nodes[ident]) or created,
            model=shown[ident][2],
        )
        for ident in _parents_first(above)
    )
    current = found.get("current_node")
    current = current if isinstance(current, str) else ""
    leaf = current if current in shown else _visible_above(current, nodes, shown)
    return SourceConversation(
        id=words(found.get("id")) or words(found.get("conversation_id")) or fingerprint(*sorted(nodes)),
        title=title or messages[0].text[:200],
        created_at=created,
        updated_at=instant(found.get("update_time")) or max(times, default=created),
        messages=messages,
        leaf=leaf if isinstance(leaf, str) else messages[-1].id,
    )


def _time(node: Mapping[str, Any]) -> datetime | None:
    return instant(table(node.get("message")).get("create_time"))


def _shown(node: Mapping[str, Any], conversation: Mapping[str, Any]) -> tuple[str, str, str | None] | None:
    """Return role, text and model of a node that a person saw, None for any other."""
    message = table(node.get("message"))
    metadata, content = table(message.get("metadata")), table(message.get("content"))
    role = words(table(message.get("author")).get("role"))
    if role not in ROLES or metadata.get(HIDDEN) is True or words(content.get("content_type")) in LEFT_OUT:
        return None
    if message.get("recipient", "all") not in ("all", None):
        return None  # words for a tool, not for a person
    parts = [part for part in sequence(content.get("parts")) if isinstance(part, str) and part.strip()]
    text = "\n\n".join(parts) or words(content.get("text"))
    if not text.strip():
        return None
    model = words(metadata.get("model_slug")) or words(conversation.get("default_model_slug")) or None
    return role, text, model if role == "assistant" else None


def _visible_above(
    ident: str, nodes: Mapping[str, Mapping[str, Any]], shown: Mapping[str, Any]
) -> str | None:
    """Climb to the nearest node above that is shown; a ring of parents ends the climb."""
    seen = {ident}
    above = table(nodes.get(ident)).get("parent")
    while isinstance(above, str) and above in nodes and above not in seen:
        if above in shown:
            return above
        seen.add(above)
        above = nodes[above].get("parent")
    return None


def _parents_first(above: Mapping[str, str | None]) -> list[str]:
    """Order nodes so that each comes after the one above it; of a ring, one is made the root."""
    ordered: dict[str, None] = {}
    for ident in above:
        way: dict[str, None] = {}
        step: str | None = ident
        while step is not None and step not in ordered and step not in way:
            way[step] = None
            step = above[step]
        ordered.update(dict.fromkeys(reversed(way)))
    return list(ordered)
