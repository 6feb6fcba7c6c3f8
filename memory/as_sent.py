"""A sent prompt read back from its receipt: the top, the turns above it, the block and the words.

Owns what can still be told of it, and says when something cannot. The surprise: nothing is rendered; every part
is what was stored when it was sent, and a top that has been replaced since is only known by its hash.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.answering import head_sha256
from memory.blocks import EARLIER, words_of
from memory.errors import NoReceipt, NotFound
from memory.prompt import standing
from memory.records import PromptMessage, Role, Trace
from memory.replay import Replay, replay
from memory.store import attachments, conversations, messages, traces
from memory.window import sent_turn

if TYPE_CHECKING:
    from memory.reader import Reader

OTHER_TOP = "The top of this prompt has been replaced since; its present form is not shown."
OTHER_TURNS = "Turns have left the window since; those above may have begun later in this prompt."


@dataclass(frozen=True, slots=True)
class AsSent:
    """A prompt, and what of it is not certain any more."""

    messages: tuple[PromptMessage, ...]
    gaps: tuple[str, ...] = ()


def replayed(reader: Reader, trace: Trace) -> Replay:
    """Render the memory of a turn again and compare it with what was sent."""
    message = messages.get_message(reader.db, reader.profile, trace.message)
    return replay(trace, message, lambda ident: _is_known(reader, ident))


def _is_known(reader: Reader, ident: str) -> bool:
    for find in (reader.get_any, lambda one: attachments.get_attachment(reader.db, reader.profile, one)):
        with suppress(NotFound):
            find(ident)
            return True
    return False


def as_sent(reader: Reader, trace: Trace) -> AsSent:
    """Read a prompt back, as far as it is still known."""
    db, profile = reader.db, reader.profile
    message = messages.get_message(db, profile, trace.message)
    conversation = conversations.get_conversation(db, profile, trace.conversation)
    path = messages.path(db, profile, message.parent)
    gaps: list[str] = []
    head = conversation.head or ""
    if not head or traces.find_head_sha256(db, profile, trace.id) != head_sha256(head):
        head = ""
        gaps.append(OTHER_TOP)
    first = conversations.find_mark(db, profile, trace.conversation, "window_from")
    start = next((n for n, one in enumerate(path) if one.id == first), 0)
    if first is not None and first == message.id:
        start = len(path)
    later = {one.id for one in messages.path(db, profile, conversation.leaf)} - {one.id for one in path}
    after = traces.traces_for(db, profile, sorted(later - {message.id}))
    if any(EARLIER in one.block for one in after.values()):
        gaps.append(OTHER_TURNS)
        start = 0
    turns = []
    for n, one in enumerate(path[start:], start):
        if one.role is Role.USER:
            follows = path[n + 1] if n + 1 < len(path) else None
            answer = follows if follows is not None and follows.role is Role.ASSISTANT else None
            turns.append(sent_turn(one, answer, traces.find_trace(db, profile, (answer or one).id)))
    elsewhere = trace.usage is not None and not trace.usage.model_sha256  # a server: secrets were masked
    text = message.safe_text if elsewhere else message.text
    newest = PromptMessage("user", trace.block + words_of(text))
    above = standing(head, turns)
    return AsSent((*(above if head else above[1:]), newest), tuple(gaps))


def trace_named(reader: Reader, ident: str) -> Trace:
    """Find the receipt that an id, or "last", names."""
    if ident != "last":
        return reader.trace_for(ident)
    for conversation in reader.list_conversations(limit=1):
        for trace in traces.newest_traces(reader.db, reader.profile, conversation.id, 1):
            return trace
    raise NoReceipt(ident)
