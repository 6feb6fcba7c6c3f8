"""The records that cross the seam between a model runtime and whoever uses it.

Owns shapes only: no behaviour, no imports of ours. The one surprise: an answer that was stopped or cut
short is not an error but a `StreamFinished` with its reason.
"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["system", "user", "assistant"]
TemplateKind: TypeAlias = Literal["chatml", "jinja", "remote"]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a prompt."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is chosen."""

    temperature: float = 0.7
    """0 always takes the likeliest token."""
    top_p: float = 0.95
    top_k: int = 40
    """0 keeps every candidate."""
    min_p: float = 0.05
    repeat_penalty: float = 1.0
    """1.0 changes nothing."""
    seed: int | None = None
    """None draws a new one for every answer."""
    max_tokens: int = 1024


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """What a person may tune about an engine; None leaves the choice to the engine."""

    n_ctx: int = 16_384
    """Upper bound of the window; a file trained on less gets less."""
    n_threads: int | None = None
    """Threads that write an answer; None is one less than the cores."""
    n_threads_batch: int | None = None
    """Threads that read a prompt; None is all cores."""
    n_batch: int = 128
    """Tokens read at a time: also how often reading reports progress and can be stopped."""
    n_gpu_layers: int = 0
    use_mmap: bool = True
    heartbeat_s: float = 20.0
    """An engine that does not answer a sign of life for this long is ended."""
    stall_s: float = 240.0
    """A request without any news for this long ends the engine: one batch should never take so long."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What is known of a loaded model."""

    name: str
    path: Path | None
    """None when the model is somebody else's server."""
    sha256: str
    """Empty when nobody has hashed the file."""
    architecture: str
    n_params: int
    n_ctx_train: int
    n_ctx: int
    """The window in use."""
    template_kind: TemplateKind
    kv_bytes_per_token: int
    quantisation: str
    file_bytes: int
    offloads: bool = False
    """Whether the library that runs it was built to use a graphics card."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A prompt in tokens, as it would be sent."""

    per_message: tuple[int, ...]
    """Tokens of each message with the marks around it."""
    framing: int
    """Tokens that belong to no message: what opens the prompt and the answer."""
    total: int
    ids_sha256: str
    """Names the exact token ids together with the model file; equal prompts have equal names."""
    leading: int = 0
    """The part of the framing that stands before the first message."""


@dataclass(frozen=True, slots=True)
class Prefilled:
    """How far an idle-time evaluation of a prompt got."""

    finished: bool
    evaluated: int
    reused: int


@dataclass(frozen=True, slots=True)
class EmbedIdentity:
    """What makes two vectors comparable: equal identities, comparable vectors."""

    name: str
    sha256: str
    dims: int
    normalised: bool


class StopReason(StrEnum):
    """Why an answer ended."""

    END = "end"
    LENGTH = "length"
    STOPPED = "stopped"
    ENGINE_DIED = "engine_died"


@dataclass(frozen=True, slots=True)
class PromptProgress:
    """How much of the new part of the prompt has been read."""

    done: int
    total: int
    """Only tokens that must be evaluated; re-used ones are in neither number."""


@dataclass(frozen=True, slots=True)
class StreamStarted:
    """The prompt has been read; the answer begins."""

    prompt_tokens: int
    reused: int
    evaluated: int
    ids_sha256: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some more text of the answer."""

    text: str
    n_tokens: int


@dataclass(frozen=True, slots=True)
class Thinking:
    """Some text the model wrote to itself; no part of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class StreamFinished:
    """The answer is over; always the last event."""

    stop_reason: StopReason
    n_tokens: int
    first_token_ms: float
    """0 when no token came."""
    tokens_per_s: float
    evaluated: int
    reused: int


StreamEvent: TypeAlias = PromptProgress | StreamStarted | Chunk | Thinking | StreamFinished
