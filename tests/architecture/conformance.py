"""States, for the type checker alone, which class fits which port. Nothing runs it.

Each function assigns a concrete to the port it is used as; a method that drifts from its port is an error
of `make lint`, on the line that names both.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.ports import Embedder
    from models.engine.client import ChatEngine, EmbedEngine
    from models.ports import ChatRuntime, EmbedRuntime
    from models.scripted import HashEmbedder, ScriptedChat


def engines_are_runtimes(chat: "ChatEngine", embed: "EmbedEngine") -> "tuple[ChatRuntime, EmbedRuntime]":
    """An engine process is a runtime."""
    return chat, embed


def fakes_are_runtimes(chat: "ScriptedChat", embed: "HashEmbedder") -> "tuple[ChatRuntime, EmbedRuntime]":
    """What stands in for an engine has its shape, whole."""
    return chat, embed


def embedders_serve_memory(engine: "EmbedEngine", fake: "HashEmbedder") -> "tuple[Embedder, Embedder]":
    """Memory's own, smaller port is met by both without their knowing it."""
    return engine, fake
