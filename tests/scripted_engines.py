"""The models of a whole Locket in a test: one scripted chat, and an embedder or none."""

from typing import Generic, TypeVar

from models.errors import ModelMissing
from models.hash_embedder import HashEmbedder
from models.ports import ChatRuntime, EmbedRuntime
from models.scripted import ScriptedChat

Talker = TypeVar("Talker", bound=ScriptedChat)


class ScriptedEngines(Generic[Talker]):
    """Gives the same chat, opened, each time one is started, and the same embedder unless there is none."""

    def __init__(self, talker: Talker, embedder: HashEmbedder | None = None) -> None:
        self.talker = talker
        self.embedder = embedder

    def chat(self, _settings: object) -> ChatRuntime:
        self.talker.open()
        return self.talker

    def embed(self, _settings: object) -> EmbedRuntime:
        if self.embedder is None:
            raise ModelMissing("none")
        self.embedder.open()
        return self.embedder

    def give_up(self) -> None:
        """Nothing takes long here."""


PlainEngines = ScriptedEngines[ScriptedChat]


def plain_engines() -> PlainEngines:
    """A chat that says what memory sent it, and an embedder."""
    return ScriptedEngines(ScriptedChat(), HashEmbedder())
