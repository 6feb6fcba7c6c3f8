import io
import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.engine import wire
from models.engine.inbox import Inbox
from models.engine.launch import child_environment
from models.engine.protocol import MAX_HEADER, MAX_PAYLOAD, Frame, ProtocolBrokenError, encode, read_frame
from models.errors import BY_NAME, EngineCrashed, ModelError
from models.types import (
    ChatMessage,
    Chunk,
    PromptProgress,
    StopReason,
    StreamEvent,
    StreamFinished,
    StreamStarted,
    Thinking,
)

EVENTS: list[StreamEvent] = [
    PromptProgress(1, 2),
    StreamStarted(10, 4, 6, "ab"),
    Chunk("grün 🦆", 2),
    Thinking("hm"),
    StreamFinished(StopReason.LENGTH, 3, 1.5, 20.0, 6, 4),
]


@given(
    st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=20), max_size=4),
    st.binary(max_size=200),
)
def test_a_frame_comes_out_as_it_went_in(header: dict[str, object], payload: bytes) -> None:
    line = io.BytesIO(encode(Frame(header, payload)) * 2)
    assert [read_frame(line), read_frame(line), read_frame(line)] == [Frame(header, payload)] * 2 + [None]


@given(st.integers(1, 10_000))
def test_a_frame_cut_anywhere_is_broken(at: int) -> None:
    whole = encode(Frame({"id": 1}, b"payload"))
    with pytest.raises(ProtocolBrokenError):
        read_frame(io.BytesIO(whole[: 1 + at % (len(whole) - 1)]))


@given(st.binary(min_size=1, max_size=100))
def test_noise_is_broken_or_a_frame_and_nothing_else(noise: bytes) -> None:
    try:
        frame = read_frame(io.BytesIO(noise))
    except ProtocolBrokenError:
        return
    assert isinstance(frame, Frame)


@pytest.mark.parametrize(
    "raw",
    [
        struct.pack(">II", MAX_HEADER + 1, 0),
        struct.pack(">II", 2, MAX_PAYLOAD + 1),
        struct.pack(">II", 2, 0) + b"[]",
        struct.pack(">II", 2, 0) + b"{{",
        struct.pack(">II", 60_000, 0) + b"[" * 60_000,
    ],
)
def test_a_frame_of_another_kind_is_broken(raw: bytes) -> None:
    with pytest.raises(ProtocolBrokenError):
        read_frame(io.BytesIO(raw))


def test_too_large_a_frame_is_refused_by_its_sender() -> None:
    with pytest.raises(ProtocolBrokenError):
        encode(Frame({"a": "x" * MAX_HEADER}))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_comes_out_as_it_went_in(event: StreamEvent) -> None:
    assert wire.read_event(wire.event_frame(7, event)) == event


def test_text_never_travels_in_a_header() -> None:
    for event in EVENTS:
        assert "hm" not in json.dumps(wire.event_frame(1, event).header)


@pytest.mark.parametrize("kind", BY_NAME.values())
def test_an_error_comes_out_as_it_went_in(kind: type[ModelError]) -> None:
    read = wire.read_error(wire.error_frame(1, kind("It went wrong.")))
    assert type(read) is kind
    assert read.detail == "It went wrong."


def test_an_unknown_error_is_a_crash() -> None:
    assert type(wire.read_error(Frame({"error": "SomethingElse"}, b"x"))) is EngineCrashed


@given(st.lists(st.text(), max_size=4))
def test_any_text_can_travel(texts: list[str]) -> None:
    assert wire.unpack_texts(wire.pack_texts(texts)) == texts
    messages = [ChatMessage("user", text) for text in texts]
    assert wire.unpack_messages(wire.pack_messages(messages)) == messages


def ask(number: int, op: str) -> Frame:
    return Frame({"id": number, "op": op})


def test_the_conversation_comes_before_background_work_and_questions_beside_both() -> None:
    inbox = Inbox()
    for number, op in enumerate(["complete", "stream", "count", "prefill", "measure"]):
        inbox.add(ask(number, op))
    assert [inbox.next().number for _ in range(3)] == [1, 0, 3]
    assert [inbox.next_quick().number for _ in range(2)] == [2, 4]


def test_background_work_gives_way_to_a_message_and_not_to_a_question() -> None:
    inbox = Inbox()
    inbox.add(ask(1, "complete"))
    job = inbox.next()
    inbox.add(ask(2, "count"))
    assert not job.stopped
    inbox.add(ask(3, "stream"))
    assert job.stopped


def test_a_message_does_not_give_way_to_another() -> None:
    inbox = Inbox()
    inbox.add(ask(1, "stream"))
    job = inbox.next()
    inbox.add(ask(2, "stream"))
    assert not job.stopped


def test_a_request_can_be_cancelled_before_it_runs() -> None:
    inbox = Inbox()
    inbox.add(ask(1, "stream"))
    inbox.add(ask(2, "stream"))
    inbox.cancel(2)
    assert [inbox.next().stopped, inbox.next().stopped] == [False, True]


def test_work_without_a_step_is_told_from_work_that_gets_on() -> None:
    inbox = Inbox()
    assert inbox.still_s() == 0
    inbox.add(ask(1, "stream"))
    inbox.next()
    stuck = inbox.still_s()
    assert inbox.still_s() >= stuck
    inbox.step()
    assert inbox.still_s() < 5


def test_a_child_sees_no_secrets_of_ours() -> None:
    seen = child_environment(
        {"PATH": "/bin", "LOCKET_PASSPHRASE": "x", "HF_TOKEN": "y", "PYTHONSTARTUP": "z"}
    )
    assert seen["PATH"] == "/bin"
    assert not {"LOCKET_PASSPHRASE", "HF_TOKEN", "PYTHONSTARTUP"} & seen.keys()
    assert seen["OMP_WAIT_POLICY"] == "PASSIVE"
