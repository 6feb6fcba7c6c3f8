"""Files that go along with a message: refused in words, marked as not typed, shown short."""

from pathlib import Path

import pytest
from talk_builders import Chat

from assistant.chat.attached import (
    LONGEST_FILE,
    Attached,
    read_attached,
    shortened_files,
    take_off,
    unknown_spans,
    with_blocks,
)
from memory.errors import BadInput

NOTES = Attached("notes.txt", "My name is Mallory.\nI live in Nowhere.")


def test_a_text_file_is_read_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(b"\xef\xbb\xbfOne\r\ntwo\r\n")
    assert read_attached(f" '{tmp_path}/notes.txt' ") == Attached("notes.txt", "One\ntwo")


def test_a_name_cannot_break_the_marking_line(tmp_path: Path) -> None:
    (tmp_path / "a]\nb").write_text("words")
    assert read_attached(str(tmp_path / "a]\nb")).block.split("\n", 1)[0] == "[file: a__b]"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no file"),
        (b"", "is empty"),
        (b"\x89PNG\x00\x01", "is not text"),
        ("é".encode("latin-1"), "is not text"),
        (b"x" * (LONGEST_FILE + 1), "can be attached"),
        (b"x" * (LONGEST_FILE * 4 + 1), "can be attached"),
        (b"x" * 7000, "about 1,500 fit into"),
    ],
    ids=["missing", "empty", "picture", "latin", "long", "huge", "window"],
)
def test_what_cannot_be_attached_is_refused_with_the_reason(
    tmp_path: Path, content: bytes | None, words: str
) -> None:
    if content is not None:
        (tmp_path / "file").write_bytes(content)
    with pytest.raises(BadInput, match=words):
        read_attached(str(tmp_path / "file"), 2000)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is a folder"):
        read_attached(str(tmp_path))


def test_files_are_taken_off_a_message_as_they_were_put_on() -> None:
    other = Attached("b.md", "# Title")
    text, spans = with_blocks("Compare these", ((0, 7),), [NOTES.block, other.block])
    assert take_off(text, spans) == ("Compare these", ((0, 7),), (NOTES, other))


def test_a_typed_mark_is_no_file() -> None:
    text = "[file: notes.txt]\nI typed this"
    assert take_off(text, ()) == (text, (), ())
    assert shortened_files(text, ()) == text


@pytest.mark.parametrize("typed", ["", "Compare these\n\nplease"])
def test_a_text_kept_without_its_spans_gives_its_files_back(typed: str) -> None:
    other = Attached("b.md", "# Title\n\nwords")
    text, _ = with_blocks(typed, (), [NOTES.block, other.block])
    kept, spans, files = take_off(text, unknown_spans(text))
    assert (kept, files) == (typed, (NOTES, other))
    assert spans == (((0, len(typed)),) if typed else ())


def test_a_kept_text_without_files_counts_as_pasted() -> None:
    assert unknown_spans("half a thought") == ((0, 14),)
    assert unknown_spans("") == ()


def test_a_message_is_shown_with_a_line_for_each_file() -> None:
    text, spans = with_blocks("Look", (), [NOTES.block])
    assert shortened_files(text, spans) == f"Look\n\n[file: notes.txt · {len(NOTES.text)} characters]"


def test_nothing_in_a_file_becomes_a_memory() -> None:
    chat = Chat()
    text, spans = with_blocks("I live in Porto", (), [NOTES.block])
    turn = chat.memory.begin_turn(text, pasted=spans)
    assert {one.candidate.value for one in turn.decided} == {"Porto"}
