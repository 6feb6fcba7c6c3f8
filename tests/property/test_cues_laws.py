from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from memory import policy
from memory.cues.message import candidates
from memory.languages import CODES, language
from memory.provenance import foreign_spans, own_text
from memory.records import Message, Role
from memory.secrets import find_secrets, mask

NOON = datetime(2026, 3, 11, 12, 0, tzinfo=UTC)
PIECES = st.sampled_from(
    [
        "My name is Ana",
        "I'm allergic to nuts and kiwi",
        "Ich wohne in Köln",
        "我叫小明",
        "मेरा नाम अनिल है",
        "Меня зовут Глеб",
        "not Rex but Max",
        "remember that",
        "actually,",
        "> quoted line\n",
        "```\ncode\n```",
        '"he said so and so"',
        "my pin is 4821",
        "4111 1111 1111 1111",
        "next Friday",
        ". ",
        "? ",
        "\n",
        " and ",
        "，",
    ]
)
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(PIECES, max_size=12).map(" ".join),
    st.lists(PIECES, max_size=8).map("".join),
)


def said(text: str, pasted: tuple[tuple[int, int], ...] = ()) -> Message:
    return Message("m", "default", "c", None, Role.USER, text, NOON, pasted=pasted)


@given(TEXTS)
def test_every_candidate_is_a_span_of_the_users_own_words(text: str) -> None:
    foreign, secrets = foreign_spans(text), find_secrets(text)
    for candidate in candidates(said(text)):
        assert text[candidate.start : candidate.end] == candidate.quote
        assert policy.validate(candidate, said(text), foreign, secrets) is None


@given(TEXTS)
def test_a_pasted_message_yields_nothing(text: str) -> None:
    assert candidates(said(text, ((0, len(text)),))) == ()


@given(TEXTS)
def test_reading_is_deterministic(text: str) -> None:
    assert candidates(said(text)) == candidates(said(text))


@given(TEXTS)
def test_foreign_spans_are_ordered_apart_and_inside(text: str) -> None:
    spans = foreign_spans(text)
    flat = [edge for span in spans for edge in span]
    assert flat == sorted(flat)
    assert all(0 <= start < end <= len(text) for start, end in spans) or text == ""
    assert len(own_text(text, spans)) == len(text)


@given(TEXTS)
def test_a_mask_removes_every_secret(text: str) -> None:
    masked = mask(text)
    found = find_secrets(text)
    assert (masked is None) == (not found)
    for secret in found:
        whole = text[secret.start : secret.end]
        assert masked is not None
        assert whole not in masked or text.count(whole) > 1 or whole in f"[{secret.kind}]"


@given(st.text(max_size=60))
def test_a_normalised_value_stays_as_it_is(value: str) -> None:
    once = policy.normalise(value)
    assert policy.normalise(once).split() == once.split() or once.endswith(("s", "ss")) or not once.isascii()


@given(st.sampled_from(CODES))
def test_every_language_says_what_a_reader_needs(code: str) -> None:
    pack = language(code)
    assert pack.code == code
    assert pack.slots
    assert pack.cues
    assert pack.kin
    assert pack.forget
    assert pack.listing
    assert pack.asks
