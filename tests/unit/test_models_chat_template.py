from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.chat_template import FRAMING, ChatML, JinjaTemplate, Piece, Template, choose_template
from models.errors import ModelUnusable, NotAChatModel
from models.prompt_ids import PromptTokenizer
from models.types import ChatMessage

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content']"
    " + '<|im_end|>' + '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
GEMMA = (
    "{{ bos_token }}{% if messages[0].role == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
    "{% for m in messages %}<start_of_turn>{{ 'model' if m.role == 'assistant' else m.role }}\n"
    "{{ m.content | trim }}<end_of_turn>\n{% endfor %}"
    "{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}"
)
STRICT = (
    "{% for m in messages %}{% if not loop.first and loop.previtem.role == m.role %}"
    "{{ raise_exception('speakers must take turns') }}{% endif %}[{{ m.role }}]{{ m.content }}{% endfor %}"
)
SAID = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
THINKING = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>\n<think>\n"
TALK = [
    ChatMessage("system", "Be brief."),
    ChatMessage("user", " hello "),
    ChatMessage("assistant", "hi"),
    ChatMessage("user", "bye"),
]
WORDS = st.text(alphabet=st.characters(codec="utf-8"), max_size=40)


def joined(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def test_a_template_that_says_the_same_is_replaced_by_ours() -> None:
    assert choose_template(CHATML).kind == "chatml"


def test_any_other_template_is_used_as_it_is() -> None:
    template = choose_template(GEMMA, bos="<bos>")
    assert template.kind == "jinja"
    assert joined(template.pieces(TALK[1:2], answer=True)) == (
        "<bos><start_of_turn>user\nhello<end_of_turn>\n<start_of_turn>model\n"
    )


@pytest.mark.parametrize("source", [None, ""])
def test_no_template_is_no_chat_model(source: str | None) -> None:
    with pytest.raises(NotAChatModel):
        choose_template(source)


def test_a_template_without_a_system_role_gets_its_words_in_front_of_the_users() -> None:
    text = joined(JinjaTemplate(GEMMA).pieces(TALK, answer=False))
    assert text.startswith("<start_of_turn>user\nBe brief.\n\nhello<end_of_turn>\n")


def test_two_messages_in_a_row_are_joined_when_the_template_insists() -> None:
    messages = [ChatMessage("user", "one"), ChatMessage("user", "two")]
    assert joined(JinjaTemplate(STRICT).pieces(messages, answer=False)) == "[user]one\n\ntwo"


def test_a_template_may_open_the_answer_with_thoughts() -> None:
    assert choose_template(THINKING).opens_thinking


@pytest.mark.parametrize(
    "source",
    [
        "{% for m in messages %}<{{ m.role }}>{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}",
        "{% set today = strftime_now('%d %B %Y') %}{{ today }}" + SAID,
        "{% if tools is not none or documents is not none %}You have tools: {{ tools }}{% endif %}" + SAID,
    ],
    ids=["a tag of training", "a date", "tools"],
)
def test_what_templates_expect_to_be_there_is_there_and_adds_nothing(source: str) -> None:
    """A date in the top would have the whole prompt read again after midnight."""
    pieces = choose_template(source).pieces(TALK[:2], answer=True)
    assert joined(pieces) == "<system>Be brief.<user>hello"


@pytest.mark.parametrize(
    "source",
    [
        "{% for m in messages %}",
        "nothing of what was said",
        "{% for m in messages %}{{ m.content }}{{ m.content }}{% endfor %}",
        "{{ messages.__class__.__mro__[1].__subclasses__() }}{% for m in messages %}{{ m.content }}{% endfor %}",
        "{{ messages[0].content.nothing.at.all }}",
        "{{ 1 // 0 }}",
        "{% for a in range(100000000) %}{% endfor %}",
        "x" * 300_000,
    ],
    ids=["broken", "deaf", "twice", "escape", "undefined", "arithmetic", "endless", "long"],
)
def test_a_template_that_cannot_be_trusted_is_refused_in_words(source: str) -> None:
    with pytest.raises(ModelUnusable):
        choose_template(source)


def test_the_same_conversation_is_always_laid_out_alike_and_grows_at_its_end() -> None:
    for template in (ChatML(), JinjaTemplate(GEMMA)):
        short = joined(template.pieces(TALK[1:3], answer=False))
        assert joined(template.pieces(TALK[1:], answer=True)).startswith(short)


@given(
    st.lists(WORDS, min_size=1, max_size=4),
    st.sampled_from([ChatML(), JinjaTemplate(GEMMA), JinjaTemplate(STRICT)]),
)
def test_words_never_end_up_in_marks(texts: list[str], template: Template) -> None:
    roles = ("user", "assistant")
    messages = [ChatMessage(roles[i % 2], text) for i, text in enumerate(texts)]  # type: ignore[arg-type]  # a role
    blank = [ChatMessage(message.role, "") for message in messages]
    pieces = template.pieces(messages, answer=True)
    assert [p for p in pieces if p.is_mark] == [p for p in template.pieces(blank, answer=True) if p.is_mark]
    assert [p.text for p in pieces if not p.is_mark] == [text.strip() for text in texts]


def byte_tokens(text: str, marks: bool) -> list[int]:
    """Stand in for a tokenizer: marks and words never share a number."""
    return [byte + 256 * marks for byte in text.encode("utf-8", "replace")]


def test_what_each_message_costs_adds_up() -> None:
    prompt = PromptTokenizer(ChatML(), byte_tokens, None).prompt(TALK, answer=True)
    measured = prompt.measured("")
    assert sum(measured.per_message) + measured.framing == measured.total == len(prompt.ids)
    assert measured.framing == len("<|im_start|>assistant\n")


def test_a_model_that_wants_a_first_token_gets_it_once() -> None:
    bos = ord("<") + 256
    assert PromptTokenizer(ChatML(), byte_tokens, 1).prompt(TALK, answer=True).ids[0] == 1
    assert PromptTokenizer(ChatML(), byte_tokens, bos).prompt(TALK, answer=True).ids[:2] != [bos, bos]


def test_each_text_is_tokenised_once() -> None:
    asked: list[str] = []

    def counting(text: str, marks: bool) -> list[int]:
        asked.append(text)
        return byte_tokens(text, marks)

    tokenizer = PromptTokenizer(ChatML(), counting, None)
    for _ in range(3):
        tokenizer.prompt(TALK, answer=True)
    assert asked.count("hello") == 1
    tokenizer.clear()
    tokenizer.prompt(TALK, answer=True)
    assert asked.count("hello") == 2


def test_the_last_piece_of_an_open_prompt_belongs_to_no_message() -> None:
    assert ChatML().pieces(TALK, answer=True)[-1].message == FRAMING
