from hypothesis import given
from hypothesis import strategies as st

from models.answer_text import AnswerText

STOPS = ("<|im_end|>", "STOP")


def run(*pieces: bytes, thinking: bool = False) -> tuple[str, str, bool]:
    reader = AnswerText(STOPS, thinking=thinking)
    parts = [part for piece in pieces for part in reader.feed(piece)] + reader.finish()
    said = "".join(part.text for part in parts if not part.thinking)
    thought = "".join(part.text for part in parts if part.thinking)
    return said, thought, reader.stopped


def test_plain_text_passes_at_once() -> None:
    reader = AnswerText()
    assert [part.text for part in reader.feed(b"Hello")] == ["Hello"]


def test_a_character_cut_in_two_is_shown_once_and_whole() -> None:
    duck = "🦆".encode()
    assert run(b"a ", duck[:2], duck[2:], b" b") == ("a 🦆 b", "", False)


def test_half_a_character_at_the_end_is_dropped() -> None:
    assert run(b"done", "é".encode()[:1]) == ("done", "", False)


def test_blanks_around_the_answer_are_dropped_and_kept_inside() -> None:
    assert run(b"\n\n ", b"one\n", b"\n", b"two", b"\n ", b"\n") == ("one\n\ntwo", "", False)


def test_a_stop_mark_spelled_out_ends_the_answer() -> None:
    assert run(b"yes ", b"<|im", b"_end|>", b" more") == ("yes", "", True)


def test_what_only_looks_like_a_stop_mark_is_shown() -> None:
    assert run(b"a <|im", b"possible|> b") == ("a <|impossible|> b", "", False)


def test_thoughts_are_kept_apart() -> None:
    assert run(b"\n<th", b"ink>\nhm, ", b"so</thi", b"nk>\n\nYes.") == ("Yes.", "hm, so", False)


def test_thoughts_may_be_open_from_the_start() -> None:
    assert run(b"hm</think>Yes.", thinking=True) == ("Yes.", "hm", False)


def test_thoughts_that_never_end_are_no_answer() -> None:
    assert run(b"<think>hm, ", b"hm") == ("", "hm, hm", False)


def test_a_stop_mark_in_thoughts_is_a_thought() -> None:
    assert run(b"<think>STOP</think>go") == ("go", "STOP", False)


def test_the_mark_of_thoughts_in_the_middle_of_an_answer_is_text() -> None:
    assert run(b"write <think> there") == ("write <think> there", "", False)


@given(st.text(), st.data())
def test_any_text_cut_anywhere_comes_out_stripped_and_whole(text: str, data: st.DataObject) -> None:
    raw = text.encode("utf-8", "replace")
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=8)))
    pieces = [raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    whole = raw.decode("utf-8")
    expected = min((whole.split(stop)[0] for stop in STOPS), key=len).strip()
    if not whole.lstrip().startswith("<think>"):
        assert run(*pieces)[0] == expected
