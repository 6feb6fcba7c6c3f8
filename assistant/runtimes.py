"""Which engines a Locket talks to. Owns the choice and the start of models, not what is said to them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from assistant.settings import Settings
from models.errors import EngineClosed, ModelError, ModelMissing, RemoteRefused
from models.ports import ChatRuntime, EmbedRuntime
from models.types import EngineSettings


class Runtimes(Protocol):
    """Starts the two engines."""

    def chat(self, settings: Settings) -> ChatRuntime:
        """Return a loaded chat model; raise ModelError when there is none that works."""

    def embed(self, settings: Settings) -> EmbedRuntime:
        """Return a loaded embedding model; raise ModelError when there is none that works."""

    def give_up(self) -> None:
        """End the engine that is just being loaded, and start none any more; called from another thread."""


REMOTE_YES = "remote"
"""The setting in the vault that says whether a profile uses the remote server."""
REMOTE_KEY = "remote_key"
"""The setting in the vault that holds the server's key."""


def may_use_remote(settings: Settings, *, agreed: bool) -> bool:
    """Tell whether words may go to the user's server: one is set, and this profile has agreed to it."""
    return bool(settings.remote_url) and agreed


def remote_chat(settings: Settings, key: str) -> ChatRuntime:
    """Return the user's own server, asked once; raise ModelError when it does not answer."""
    from models.remote import RemoteChat  # noqa: PLC0415 - nobody else may reach a network

    server = RemoteChat(settings.remote_url, model=settings.remote_model, api_key=key)
    try:
        server.open()
    except ModelError:
        server.close()
        raise
    return server


def check_incognito(settings: Settings, *, remote: bool) -> RemoteRefused | None:
    """Say why an incognito conversation gets no answer from a server, unless the settings allow it."""
    if not remote or settings.remote_incognito:
        return None
    return RemoteRefused("an incognito conversation stays on this computer, and the model is a remote server")


def engine_log(folder: Path, role: str) -> Path:
    """Name the file for what an engine mutters; a folder that cannot be made costs the log and not the model."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / f"{role}-engine-{os.getpid()}.log"


class LocalRuntimes:
    """Models in child processes of this program."""

    def __init__(self, settings: Settings) -> None:
        self._logs = settings.paths.logs
        self._loading: ChatRuntime | EmbedRuntime | None = None
        self._given_up = False

    def chat(self, settings: Settings) -> ChatRuntime:
        """Start the chosen chat model, else the best one installed."""
        from models import registry  # noqa: PLC0415 - looks at the disk, so only when a model is wanted
        from models.engine.client import ChatEngine  # noqa: PLC0415

        found = registry.choose_chat(settings.paths.models, settings.model)
        engine = ChatEngine(
            found.path,
            EngineSettings(
                n_ctx=settings.window,
                n_threads=settings.threads or None,
                n_threads_batch=settings.threads_batch or None,
                n_batch=settings.batch,
                n_gpu_layers=settings.gpu_layers,
            ),
            sha256=found.sha256,
            name=found.name,
            log_file=engine_log(self._logs, "chat"),
        )
        self._open(engine)
        return engine

    def embed(self, settings: Settings) -> EmbedRuntime:
        """Start the chosen embedding model, else the one installed."""
        from models import registry  # noqa: PLC0415 - as above
        from models.engine.client import EmbedEngine  # noqa: PLC0415

        found = registry.choose_embedder(settings.paths.models, settings.embedder)
        engine = EmbedEngine(
            found.path, sha256=found.sha256, name=found.name, log_file=engine_log(self._logs, "embed")
        )
        self._open(engine)
        return engine

    def give_up(self) -> None:
        """End the engine that is just being loaded: its process has the memory of a model, and may take long."""
        self._given_up = True
        if (engine := self._loading) is not None:
            engine.close()

    def _open(self, engine: ChatRuntime | EmbedRuntime) -> None:
        self._loading = engine
        try:
            if self._given_up:
                raise EngineClosed("No model is started any more.")
            engine.open()
        except ModelError:
            engine.close()
            raise
        finally:
            self._loading = None


class NoRuntimes:
    """No engines at all: everything but answers works."""

    def chat(self, settings: Settings) -> ChatRuntime:  # noqa: ARG002 - the port
        """Say that there is no chat model."""
        raise ModelMissing("no model was asked for")

    def embed(self, settings: Settings) -> EmbedRuntime:  # noqa: ARG002 - the port
        """Say that there is no embedding model."""
        raise ModelMissing("no embedding model was asked for")

    def give_up(self) -> None:
        """Nothing is being started."""
