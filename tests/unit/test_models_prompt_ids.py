"""Where each message of a prompt lies among its tokens, so that turns can be cut out of a cache."""

from collections.abc import Sequence

import pytest

from models.chat_template import FRAMING, ChatML, Piece
from models.prompt_ids import PromptTokenizer
from models.types import ChatMessage

BOS = 7
TALK = [
    ChatMessage("system", "the top"),
    ChatMessage("user", "an old question"),
    ChatMessage("assistant", "its answer"),
    ChatMessage("user", "a newer one"),
]


def tokenize(text: str, marks: bool) -> list[int]:
    return [(1000 if marks else 0) + ord(char) for char in text]


class Opened(ChatML):
    """A layout that begins every prompt with a mark of its own."""

    def pieces(self, messages: Sequence[ChatMessage], *, answer: bool) -> list[Piece]:
        return [Piece("<<", is_mark=True, message=FRAMING), *super().pieces(messages, answer=answer)]


@pytest.mark.parametrize("bos", [None, BOS])
@pytest.mark.parametrize("template", [ChatML(), Opened()])
def test_what_is_cut_by_the_measure_leaves_the_prompt_without_it(template: ChatML, bos: int | None) -> None:
    prompts = PromptTokenizer(template, tokenize, bos)
    whole = prompts.prompt(TALK, answer=True)
    measured = prompts.prompt(TALK[:3], answer=True).measured("")
    start = measured.leading + measured.per_message[0]
    end = start + sum(measured.per_message[1:])
    rest = prompts.prompt([TALK[0], TALK[3]], answer=True)
    assert whole.ids[:start] + whole.ids[end:] == rest.ids
    assert measured.total == sum(measured.per_message) + measured.framing
