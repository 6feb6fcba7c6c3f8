import pytest

from memory.store.mentions import mentions
from memory.store.parts import PART_SIZE, cut


def test_short_text_is_one_part() -> None:
    assert cut("  Hello there.\n") == ["Hello there."]


@pytest.mark.parametrize("blank", ["", " \n\t ", "\n" * 3000])
def test_blank_text_has_no_parts(blank: str) -> None:
    assert cut(blank) == []


def test_parts_end_where_paragraphs_do() -> None:
    first, second = "a " * 150, "b " * 150
    assert cut(f"{first}\n\n{second}", 400) == [first.strip(), second.strip()]


def test_small_paragraphs_share_a_part() -> None:
    assert cut("one\n\ntwo\n\n" + "three " * 66, 400) == ["one\n\ntwo", ("three " * 66).strip()]


def test_list_lines_stay_whole() -> None:
    lines = [f"- number {number}: {'x' * 60}" for number in range(20)]
    parts = cut("\n".join(lines), 200)
    assert [line for part in parts for line in part.splitlines()] == lines
    assert all(len(part) <= 200 for part in parts)


def test_long_paragraphs_are_cut_after_sentences() -> None:
    text = "This is a sentence of some length. " * 60
    assert all(part.endswith("length.") for part in cut(text))


def test_chinese_sentences_are_cut_after_their_full_stop() -> None:
    assert all(part.endswith("。") for part in cut("今天天气很好我们去公园散步吧。" * 100))


def test_a_fenced_block_stays_whole() -> None:
    code = "```python\n" + "\n".join(f"line_{number} = 1" for number in range(70)) + "\n\nx = 2\n```"
    assert PART_SIZE < len(code) < 2 * PART_SIZE
    assert cut(f"Before.\n{code}\nAfter. {'y ' * 400}")[1] == code


def test_a_far_too_long_fenced_block_is_cut_at_its_lines() -> None:
    lines = [f"line_{number} = {number}" for number in range(400)]
    parts = cut("```\n" + "\n".join(lines) + "\n```")
    assert len(parts) > 3
    assert [line for part in parts for line in part.splitlines()][1:-1] == lines


def test_an_open_fence_does_not_swallow_what_is_far_too_long() -> None:
    assert all(len(part) <= 2 * PART_SIZE for part in cut("```\n" + "word " * 4000))


def test_a_megabyte_without_spaces_is_cut_anyway() -> None:
    parts = cut("x" * 1_000_000)
    assert "".join(parts) == "x" * 1_000_000
    assert max(map(len, parts)) == PART_SIZE


def test_an_accent_stays_with_its_letter() -> None:
    parts = cut("e\u0301" * 1000, 101)
    assert all(part.startswith("e") for part in parts)


def test_no_word_is_lost_or_repeated() -> None:
    words = [f"word{number}" for number in range(3000)]
    text = "".join(f"{word}{'. ' if number % 7 else chr(10) * 2}" for number, word in enumerate(words))
    assert " ".join(cut(text)).replace(".", "").split() == words


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Your dog BISCUIT sleeps", "Biscuit"),
        ("(Biscuit)", "biscuit"),
        ("a  new\nYork minute", "New York"),
        ("我的狗叫饼干吗", "饼干"),
        ("ＡＢＣ", "abc"),
        ("costs 900€", "900€"),
        ("C++ is fine", "C++"),
        ("café", "cafe\u0301"),
    ],
)
def test_a_value_is_seen_in_whatever_form(text: str, value: str) -> None:
    assert mentions(text, value)


@pytest.mark.parametrize(
    ("text", "value"), [("steam engine", "tea"), ("Biscuits", "Biscuit"), ("anything", ""), ("1900", "900")]
)
def test_a_part_of_a_word_is_not_the_value(text: str, value: str) -> None:
    assert not mentions(text, value)


def test_a_later_place_counts_when_the_first_is_only_part_of_a_word() -> None:
    assert mentions("steam and tea", "tea")
