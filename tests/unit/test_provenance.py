from __future__ import annotations

import pytest

from memory.provenance import foreign_spans, own_text, touches


def foreign(text: str, *pasted: tuple[int, int]) -> list[str]:
    return [text[start:end] for start, end in foreign_spans(text, pasted)]


def test_pasted_spans_are_foreign() -> None:
    assert foreign("see this: abc", (10, 13)) == ["abc"]


def test_a_paste_beyond_the_text_is_clipped() -> None:
    assert foreign_spans("abc", ((1, 99),)) == ((1, 3),)


@pytest.mark.parametrize(
    "quoted",
    [
        '"my name is Eve Smith"',
        "„Ich heiße Anna und wohne hier“",
        "« je m'appelle Anna et voilà »",
        "「我的名字叫小明而且住在」",
        "“I live in a small hut”",
    ],
)
def test_long_quotations_are_foreign(quoted: str) -> None:
    assert foreign(f"so {quoted} then") == [quoted]


def test_a_quoted_title_is_the_users_own() -> None:
    assert foreign('my favourite book is "Dune"') == []


def test_apostrophes_are_no_quotation_marks() -> None:
    assert foreign("My wife's name is Ana and I'm Tom's dad") == []


def test_fences_and_inline_code_are_foreign() -> None:
    assert foreign("a `my name is Bob` b\n```\nx\n```\nc") == ["`my name is Bob`", "```\nx\n```"]


def test_an_open_fence_runs_to_the_end() -> None:
    assert foreign("look\n```\nmy name is Bob") == ["```\nmy name is Bob"]


def test_block_quotes_are_foreign_line_by_line() -> None:
    assert foreign("> my name is Bob\nI am Ana") == ["> my name is Bob"]


@pytest.mark.parametrize(
    "text",
    [
        "Summarise this email: I moved to Atlantis last week",
        "Übersetze: Ich wohne in einer Höhle",
        "He wrote: I live under a bridge",
        "翻译：我住在虚构的城市里",
    ],
)
def test_text_handed_over_is_foreign_after_the_colon(text: str) -> None:
    assert foreign(text)
    assert foreign(text)[0].endswith(text[-8:])


def test_a_users_own_colon_is_kept() -> None:
    assert foreign("We talked and agreed: no more sugar in this house") == []


def test_a_mail_header_makes_the_rest_foreign() -> None:
    assert foreign("hm\nFrom: a@b.test\nSubject: hi\n\nI live in Rome") == [
        "From: a@b.test\nSubject: hi\n\nI live in Rome"
    ]


def test_many_lines_are_a_document() -> None:
    text = "\n".join(f"line {n}" for n in range(13))
    assert foreign_spans(text) == ((0, len(text)),)


def test_own_text_keeps_every_offset() -> None:
    text = "a `b` c"
    own = own_text(text, foreign_spans(text))
    assert own == "a     c"
    assert len(own) == len(text)


def test_touching_needs_a_shared_character() -> None:
    assert touches(((2, 4),), 3, 9)
    assert not touches(((2, 4),), 4, 9)
