"""The parent's side of a model that is opened for its words only.

Owns an engine without weights: it takes a second and little memory, and can tell which token ids a prompt has.
Nothing can be asked of it that needs an evaluation.
"""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from models.engine.host import EngineHost
from models.engine.wire import pack_messages, read_measured
from models.types import ChatMessage, EngineSettings, Measured


class TokenEngine:
    """A chat model's tokenizer and template, in a process of their own."""

    def __init__(self, path: Path, *, sha256: str, log_file: Path | None = None) -> None:
        settings = EngineSettings()
        fields = {
            "role": "tokens",
            "path": str(path),
            "name": path.stem,
            "sha256": sha256,
            "settings": asdict(settings),
        }
        self._host = EngineHost("tokens", path, fields, settings=settings, log_file=log_file, command=None)

    def open(self) -> None:
        """Start the engine."""
        self._host.open()

    def close(self) -> None:
        """End the engine."""
        self._host.close()

    def measure(self, messages: Sequence[ChatMessage]) -> Measured:
        """Count a prompt exactly as it would be sent, and name its token ids."""
        return read_measured(self._host.ask("measure", {}, pack_messages(messages), again=True))
