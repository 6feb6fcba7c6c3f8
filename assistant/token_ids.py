"""Whether a prompt of the past would reach its model as the same token ids today.

Owns the search for the model that answered and the comparison of two hashes; the text itself is compared
elsewhere. The surprise: a model file is opened for its words only, since nothing has to be evaluated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from assistant.chat.prefix import as_sent as as_messages
from assistant.runtimes import engine_log
from assistant.settings import Settings
from memory.as_sent import AsSent
from memory.records import Trace
from models import registry
from models.engine.tokens import TokenEngine
from models.errors import ModelError
from models.types import ChatMessage


class IdsOutcome(StrEnum):
    """What came of laying a prompt out again."""

    EQUAL = "equal"
    DIFFERENT = "different"
    OTHER_MODEL = "other model"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class SameIds:
    """The comparison, and in words why it came to that."""

    outcome: IdsOutcome
    why: str


def compare_ids(settings: Settings, trace: Trace, prompt: AsSent) -> SameIds:
    """Lay a sent prompt out again with the model that got it, if it is here, and compare the hashes."""
    usage = trace.usage
    if usage is None or not usage.ids_sha256:
        return SameIds(IdsOutcome.UNKNOWN, "No model has answered, so there are no token ids.")
    if not usage.model_sha256:
        return SameIds(IdsOutcome.UNKNOWN, "A server answered; its token ids are not known here.")
    if prompt.gaps:
        return SameIds(IdsOutcome.UNKNOWN, "Not all of the prompt is kept, so its token ids cannot be told.")
    path = _find_model(settings, usage.model_sha256)
    if path is None:
        return SameIds(
            IdsOutcome.OTHER_MODEL,
            f"The text is the same, but the tokenizer is another one: {usage.model} answered and is not here.",
        )
    try:
        now = _hash_of(settings, path, usage.model_sha256, as_messages(prompt.messages))
    except ModelError as error:
        return SameIds(IdsOutcome.UNKNOWN, error.detail)
    if now == usage.ids_sha256:
        return SameIds(IdsOutcome.EQUAL, "Computed again, its token ids are equal too.")
    return SameIds(
        IdsOutcome.DIFFERENT, "Computed again, its token ids differ: the layout of prompts has changed since."
    )


def _find_model(settings: Settings, sha256: str) -> Path | None:
    """Find a model file by its hash: the one that is set, else any in the folder."""
    folder = settings.paths.models
    try:
        chosen = registry.choose_chat(folder, settings.model)
    except ModelError:
        chosen = None
    if chosen is not None and chosen.sha256 == sha256:
        return chosen.path
    return next((one.path for one in registry.list_models(folder) if one.sha256 == sha256), None)


def _hash_of(settings: Settings, path: Path, sha256: str, messages: Sequence[ChatMessage]) -> str:
    """Let an engine without weights name the token ids of a prompt."""
    engine = TokenEngine(path, sha256=sha256, log_file=engine_log(settings.paths.logs, "tokens"))
    try:
        engine.open()
        return engine.measure(messages).ids_sha256
    finally:
        engine.close()
