"""The chat model as memory uses it in idle time: one short JSON answer, given up when somebody comes.

Owns how the model is asked (always the same way, so that the same words give the same memories). The surprise: what
fails is as good as given up, because the next quiet moment tries again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from assistant.chat.prefix import as_sent
from memory.records import PromptMessage
from models.errors import Interrupted, ModelError
from models.ports import ChatRuntime
from models.types import Sampling

log = logging.getLogger("locket.distiller")

LONGEST_ANSWER = 512
"""Tokens."""


class ChatDistiller:
    """Fills a fixed shape from a prompt, leaving the conversation's cache as it was."""

    def __init__(self, engine: ChatRuntime, disturbed: threading.Event) -> None:
        self._engine = engine
        self._disturbed = disturbed

    @property
    def parameters(self) -> int | None:
        """How large the model is; None when nobody knows."""
        return self._engine.card.n_params or None

    def complete(self, messages: Sequence[PromptMessage], schema: Mapping[str, Any]) -> str | None:
        """Return JSON text of the shape; None when it gave way or failed."""
        sampling = Sampling(temperature=0.0, seed=0, max_tokens=LONGEST_ANSWER)
        try:
            return self._engine.complete(as_sent(messages), schema, sampling, self._disturbed)
        except Interrupted:
            return None
        except ModelError as error:
            log.warning("distilling ended: %s", type(error).__name__)
            return None
