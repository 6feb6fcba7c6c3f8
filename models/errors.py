"""Everything that can be wrong with a model, as one tree.

    ModelError                      never raised itself
    ├── ModelMissing                no file there, or no such name
    ├── ModelUnusable               a file, but not one that can be run
    │   ├── NotAChatModel           it loads, yet nobody taught it to converse
    │   └── WindowTooSmall          it cannot hold a conversation in its window
    ├── ModelChanged                the bytes are not the ones that were agreed on
    ├── RuntimeMissing              the library that runs models is not installed
    ├── ContextOverflow             the prompt is longer than the window
    ├── Interrupted                 background work gave way, or was asked to stop
    ├── EngineCrashed               the process died or misbehaved; carries the end of its log
    ├── EngineUnavailable           it kept dying on this model, so it is not started again
    ├── EngineClosed                used after `close()`
    ├── RemoteFailed                somebody else's server said no, or nothing
    ├── RemoteRefused               words that must stay here were about to leave
    └── PullFailed                  no source of a download worked

Each carries one sentence about what happened; what to do about it is for whoever shows it.
"""


# ruff: noqa: N818 (a name here says what happened; the tree says that it is an error)


class ModelError(Exception):
    """Root of the tree."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class ModelMissing(ModelError):
    """There is no such model here."""


class ModelUnusable(ModelError):
    """The file cannot be run as a model."""


class NotAChatModel(ModelUnusable):
    """The file has no way of saying who speaks."""


class WindowTooSmall(ModelUnusable):
    """The window is too small for a conversation."""


class ModelChanged(ModelError):
    """The file differs from the one that was pinned."""


class RuntimeMissing(ModelError):
    """A library needed to run models cannot be imported."""


class ContextOverflow(ModelError):
    """The prompt does not fit the window."""


class Interrupted(ModelError):
    """Background work ended early because something else came first."""


class EngineCrashed(ModelError):
    """An engine ended when it should not have."""

    def __init__(self, detail: str, log_tail: str = "") -> None:
        super().__init__(detail)
        self.log_tail = log_tail


class EngineUnavailable(ModelError):
    """An engine died too often on this model."""


class EngineClosed(ModelError):
    """The engine was closed by its owner."""


class RemoteFailed(ModelError):
    """A server run by the user did not give a usable answer."""


class RemoteRefused(ModelError):
    """What was asked may not go to a server."""


class PullFailed(ModelError):
    """Every source of a download failed."""


BY_NAME: dict[str, type[ModelError]] = {
    kind.__name__: kind
    for kind in (
        ModelMissing,
        ModelUnusable,
        NotAChatModel,
        WindowTooSmall,
        ModelChanged,
        RuntimeMissing,
        ContextOverflow,
        Interrupted,
        EngineCrashed,
        EngineUnavailable,
        EngineClosed,
        RemoteFailed,
        RemoteRefused,
        PullFailed,
    )
}
"""What an engine may report by name across its pipe."""
