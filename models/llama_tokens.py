"""A chat model's way from messages to token ids.

Owns the joining of a file's template with its tokenizer; needs no weights, so that a prompt of the past can be
laid out again in a second. Inside an engine only, from any thread.
"""

from collections.abc import Sequence
from pathlib import Path

from models.chat_template import Template, choose_template
from models.llama_vocabulary import LlamaVocabulary
from models.prompt_ids import PromptTokenizer
from models.types import ChatMessage, EngineSettings, Measured


def template_of(vocabulary: LlamaVocabulary) -> Template:
    """Choose the layout of a model's prompts."""
    return choose_template(
        vocabulary.chat_template(), bos=vocabulary.token_text("bos"), eos=vocabulary.token_text("eos")
    )


def tokenizer_of(vocabulary: LlamaVocabulary, template: Template) -> PromptTokenizer:
    """Join a layout with the tokenizer it is for."""
    return PromptTokenizer(
        template, lambda text, marks: vocabulary.tokenize(text, marks=marks), vocabulary.bos
    )


class LlamaTokens:
    """One model file, opened without its weights."""

    def __init__(self, path: Path, settings: EngineSettings, *, sha256: str) -> None:
        vocabulary = LlamaVocabulary(path, settings, weights=False)
        self._sha256 = sha256
        self._prompts = tokenizer_of(vocabulary, template_of(vocabulary))

    def count(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text, without any framing."""
        return [len(self._prompts.text(text, marks=False)) for text in texts]

    def measure(self, messages: Sequence[ChatMessage]) -> Measured:
        """Count a prompt exactly as it would be sent."""
        return self._prompts.prompt(messages, answer=True).measured(self._sha256)
