"""What the frames say: requests, events and errors as headers and payloads.

Owns the translation both ways, so that neither end spells a field name twice. Text travels in payloads
only, never in headers, and every payload that holds several texts is JSON.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar, assert_never

from models.engine.protocol import Frame
from models.errors import BY_NAME, EngineCrashed, ModelError
from models.types import (
    ChatMessage,
    Chunk,
    EmbedIdentity,
    Measured,
    ModelCard,
    Prefilled,
    PromptProgress,
    StopReason,
    StreamEvent,
    StreamFinished,
    StreamStarted,
    Thinking,
)

_T = TypeVar("_T")


def pack_messages(messages: Sequence[ChatMessage]) -> bytes:
    """Turn a prompt into a payload."""
    return json.dumps([[message.role, message.text] for message in messages]).encode("ascii")


def unpack_messages(payload: bytes) -> list[ChatMessage]:
    """Read a prompt from a payload."""
    return [ChatMessage(role, text) for role, text in json.loads(payload)]


def pack_texts(texts: Sequence[str]) -> bytes:
    """Turn texts into a payload."""
    return json.dumps(list(texts)).encode("ascii")


def unpack_texts(payload: bytes) -> list[str]:
    """Read texts from a payload."""
    return [str(text) for text in json.loads(payload)]


def event_frame(request: int, event: StreamEvent) -> Frame:
    """Turn an event of an answer into a frame."""
    match event:
        case PromptProgress():
            kind, text = "progress", ""
        case StreamStarted():
            kind, text = "started", ""
        case Chunk(text=text):
            kind = "chunk"
        case Thinking(text=text):
            kind = "thinking"
        case StreamFinished():
            kind, text = "finished", ""
        case _:
            assert_never(event)
    fields = {name: value for name, value in asdict(event).items() if name != "text"}
    return Frame({"id": request, "event": kind, **fields}, text.encode("utf-8", "replace"))


_Reader = Callable[[Mapping[str, Any], str], StreamEvent]
_READERS: dict[str, _Reader] = {
    "progress": lambda h, _: PromptProgress(int(h["done"]), int(h["total"])),
    "started": lambda h, _: StreamStarted(
        int(h["prompt_tokens"]), int(h["reused"]), int(h["evaluated"]), str(h["ids_sha256"])
    ),
    "chunk": lambda h, text: Chunk(text, int(h["n_tokens"])),
    "thinking": lambda _, text: Thinking(text),
    "finished": lambda h, _: StreamFinished(
        StopReason(h["stop_reason"]),
        int(h["n_tokens"]),
        float(h["first_token_ms"]),
        float(h["tokens_per_s"]),
        int(h["evaluated"]),
        int(h["reused"]),
    ),
}


def read_event(frame: Frame) -> StreamEvent:
    """Read an event of an answer from a frame."""
    try:
        return _READERS[frame.header["event"]](frame.header, frame.payload.decode("utf-8"))
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        raise EngineCrashed("The engine sent an event that could not be read.") from error


def read_counts(frame: Frame, wanted: int) -> list[int]:
    """Read token counts from a reply."""
    counts = _read_json(frame, list)
    if len(counts) != wanted or not all(_is_amount(number) for number in counts):
        raise EngineCrashed("The engine sent counts that could not be read.")
    return counts


def read_measured(frame: Frame) -> Measured:
    """Read the measure of a prompt from a reply."""
    fields = _read_json(frame, dict)
    try:
        shares = tuple(fields["per_message"])
        measured = Measured(**{**fields, "per_message": shares})
    except (KeyError, TypeError) as error:
        raise EngineCrashed("The engine sent a measure that could not be read.") from error
    numbers = (*shares, measured.framing, measured.total, measured.leading)
    if not all(_is_amount(number) for number in numbers) or not isinstance(measured.ids_sha256, str):
        raise EngineCrashed("The engine sent a measure that could not be read.")
    return measured


def read_prefilled(frame: Frame) -> Prefilled:
    """Read how far an evaluation got from a reply."""
    fields = _read_json(frame, dict)
    try:
        done = Prefilled(**fields)
    except TypeError as error:
        raise EngineCrashed("The engine sent a reply that could not be read.") from error
    if not _is_amount(done.evaluated) or not _is_amount(done.reused):
        raise EngineCrashed("The engine sent a reply that could not be read.")
    return done


def read_done(frame: Frame) -> bool:
    """Read from a reply whether something was done."""
    return frame.header.get("done") is True


def read_text(frame: Frame) -> str:
    """Read a text from a reply."""
    return frame.payload.decode("utf-8", "replace")


def _is_amount(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def plain(answer: Measured | Prefilled) -> dict[str, Any]:
    """Turn a record into plain values for a reply."""
    return asdict(answer)


def reply_frame(request: int, answer: object) -> Frame:
    """Turn a reply made of plain values into a frame."""
    return Frame({"id": request, "event": "result"}, json.dumps(answer).encode("ascii"))


def _read_json(frame: Frame, shape: type[_T]) -> _T:
    try:
        answer = json.loads(frame.payload)
    except (ValueError, RecursionError) as error:
        raise EngineCrashed("The engine sent a reply that could not be read.") from error
    if not isinstance(answer, shape):
        raise EngineCrashed("The engine sent a reply of another shape.")
    return answer


def card_fields(card: ModelCard) -> dict[str, Any]:
    """Turn a card into header fields."""
    return asdict(card) | {"path": None if card.path is None else str(card.path)}


def read_card(frame: Frame) -> ModelCard:
    """Read a card from the reply to `open`."""
    fields: Any = frame.header.get("card")
    try:
        path = None if fields["path"] is None else Path(fields["path"])
        card = ModelCard(**{**fields, "path": path})
    except (KeyError, TypeError) as error:
        raise EngineCrashed("The engine sent a card that could not be read.") from error
    words = (card.name, card.sha256, card.architecture, card.quantisation)
    numbers = (card.n_params, card.n_ctx_train, card.n_ctx, card.kv_bytes_per_token, card.file_bytes)
    if not all(isinstance(word, str) for word in words) or not all(map(_is_amount, numbers)):
        raise EngineCrashed("The engine sent a card that could not be read.")
    return card


def read_identity(frame: Frame) -> EmbedIdentity:
    """Read what an embedder is from the reply to `open`."""
    fields: Any = frame.header.get("identity")
    try:
        identity = EmbedIdentity(**fields)
    except TypeError as error:
        raise EngineCrashed("The engine sent an identity that could not be read.") from error
    if not _is_amount(identity.dims) or not isinstance(identity.name, str):
        raise EngineCrashed("The engine sent an identity that could not be read.")
    return identity


def error_frame(request: int, error: ModelError) -> Frame:
    """Turn an error that the other end knows into a frame."""
    detail = error.detail.encode("utf-8", "replace")
    return Frame({"id": request, "event": "error", "error": type(error).__name__}, detail)


def read_error(frame: Frame) -> ModelError:
    """Read an error from a frame; an unknown one counts as a crash."""
    kind = BY_NAME.get(str(frame.header.get("error")), EngineCrashed)
    return kind(frame.payload.decode("utf-8", "replace"))
