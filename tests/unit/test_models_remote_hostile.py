"""A chat on a server that says anything at all: what is kept is words, and what is shown is what it was."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from threading import Event

import pytest
from contract_engine import finished, text_of, user

from models import remote_line
from models.errors import EngineClosed, ModelError, RemoteFailed
from models.remote import RemoteChat
from models.types import Sampling, StopReason, StreamEvent, Thinking

pytestmark = pytest.mark.loopback

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
MODELS = b'{"data": [{"id": "served\\u001b[31m"}]}'
DONE = b"data: [DONE]\n\n"
Serve = Callable[[bytes], RemoteChat]


def event(delta: dict[str, object], finish: str | None = None, **beside: object) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return b"data: " + json.dumps({"choices": [choice], **beside}).encode() + b"\n\n"


def in_chunks(*parts: bytes) -> bytes:
    """Write parts as a body that says how long each is, without the part that says it is over."""
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)


class Bytes:
    """A server that answers a chat with given bytes, and hangs up."""

    def __init__(self, answer: bytes) -> None:
        self.answer = answer
        self.released = Event()
        self.asked = Event()
        self.dripping = ""
        self.heard = b""
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self.released.set()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                line, _ = self._socket.accept()
                threading.Thread(target=self._talk, args=(line,), daemon=True).start()

    def _talk(self, line: socket.socket) -> None:
        with suppress(OSError), closing(line), line.makefile("rb") as file:
            path = file.readline().split()[1].decode()
            size = 0
            while header := file.readline().strip():
                name, _, value = header.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
            self.heard = file.read(size)
            if path == self.dripping:
                self.asked.set()
                line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
                while not self.released.wait(0.02):
                    line.sendall(b" ")
            elif path == "/v1/chat/completions":
                line.sendall(self.answer)
            elif path == "/v1/models":
                line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(MODELS) + MODELS)
            else:
                line.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")


@pytest.fixture
def server() -> Iterator[Bytes]:
    with closing(Bytes(b"")) as server:
        yield server


@pytest.fixture
def serve(server: Bytes) -> Serve:
    def opened(answer: bytes) -> RemoteChat:
        server.answer = answer
        chat = RemoteChat(server.url)
        chat.open()
        return chat

    return opened


def ask(chat: RemoteChat, most: int = 64) -> list[StreamEvent]:
    return list(chat.stream([user("hello")], Sampling(max_tokens=most), Event()))


@pytest.mark.parametrize(
    "answer",
    [
        HEAD + b"<html>Please log in</html>",
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        HEAD + b'{"choices": [{"message": {"content": "all at once"}}]}',
        HEAD + b'{"error": {"message": "used up"}}',
    ],
    ids=["a page", "nothing", "no stream", "an error"],
)
def test_what_is_no_answer_is_not_kept_as_an_empty_one(serve: Serve, answer: bytes) -> None:
    with pytest.raises(RemoteFailed, match="another shape"):
        ask(serve(answer))


@pytest.mark.parametrize(
    "answer",
    [
        HEAD + event({"content": "Good"}) + event({"content": " day"}),
        in_chunks(event({"content": "Good"}), event({"content": " day"})),
    ],
    ids=["to its end", "in chunks"],
)
def test_a_line_that_is_cut_between_two_words_is_no_whole_answer(serve: Serve, answer: bytes) -> None:
    """Its reader would take half an answer for all of it."""
    events = ask(serve(answer))
    assert text_of(events) == "Good day"
    assert finished(events).stop_reason is StopReason.ENGINE_DIED


def test_a_server_may_end_by_saying_why_or_by_saying_that_it_is_done(serve: Serve) -> None:
    for end in (event({}, "stop"), DONE):
        assert finished(ask(serve(HEAD + event({"content": "Good"}) + end))).stop_reason is StopReason.END


def test_numbers_that_cannot_be_kept_count_as_not_told(serve: Serve) -> None:
    told = {"prompt_n": 10**30, "cache_n": -5}
    last = finished(ask(serve(HEAD + event({"content": "ok"}, "stop", timings=told) + DONE)))
    assert last.evaluated < 100
    assert last.reused == 0


def test_words_that_are_none_are_left_out_and_halves_of_characters_replaced(serve: Serve) -> None:
    events = ask(
        serve(
            HEAD
            + event({"content": ["a", {"b": 1}]})
            + event({"reasoning_content": "\ud800hm"})
            + event({"content": "\ud800ok"}, "stop")
            + DONE
        )
    )
    assert text_of(events) == "?ok"
    assert [one.text for one in events if isinstance(one, Thinking)] == ["?hm"]


def test_a_server_that_does_not_stop_at_what_was_asked_is_cut_off(serve: Serve) -> None:
    events = ask(serve(HEAD + event({"content": " on"}) * 500 + DONE), most=8)
    assert finished(events).stop_reason is StopReason.LENGTH
    assert len(text_of(events).split()) < 12


def test_a_models_name_cannot_steer_the_terminal(serve: Serve) -> None:
    assert serve(b"").card.name == "served[31m"


@pytest.mark.parametrize(
    ("status", "words"),
    [(302, "another address"), (404, "nothing at this"), (429, "fewer questions"), (500, "failed inside")],
)
def test_each_refusal_has_its_words(serve: Serve, status: int, words: str) -> None:
    with pytest.raises(RemoteFailed, match=words):
        ask(serve(b"HTTP/1.1 %d No\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n" % status))


@pytest.mark.parametrize("path", ["/v1/models", "/tokenize"])
def test_an_answer_that_drips_is_not_waited_for(
    server: Bytes, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Every drop would start the patience anew, and nobody can stop a small question."""
    monkeypatch.setattr(remote_line, "_ASK_S", 0.3)
    server.dripping = path
    chat = RemoteChat(server.url)
    begun = time.monotonic()
    if path == "/tokenize":
        chat.open()
        assert chat.count(["one two three"])[0] >= 4
    else:
        with pytest.raises(RemoteFailed):
            chat.open()
    assert time.monotonic() - begun < 20


def test_closing_ends_a_question_that_is_not_answered(server: Bytes) -> None:
    """Locking must not wait for somebody else's server."""
    server.dripping = "/tokenize"
    chat = RemoteChat(server.url)
    chat.open()

    def count() -> None:
        with suppress(ModelError):
            chat.count(["word"])

    asking = threading.Thread(target=count)
    asking.start()
    assert server.asked.wait(20)
    begun = time.monotonic()
    chat.close()
    asking.join(20)
    assert not asking.is_alive()
    assert time.monotonic() - begun < remote_line._ASK_S / 2


def test_closing_ends_an_answer_and_what_was_said_can_still_be_summed_up(serve: Serve) -> None:
    chat = serve(HEAD + event({"content": "Good"}) + event({"content": " day"}) + DONE)
    events = []
    for one in chat.stream([user("hello")], Sampling(), Event()):
        events.append(one)
        chat.close()
    assert finished(events).stop_reason is StopReason.STOPPED
    assert chat.card.n_ctx == 8192
    with pytest.raises(EngineClosed):
        chat.count(["x"])


def test_half_a_character_is_never_sent(server: Bytes, serve: Serve) -> None:
    """Some servers fall over it, and give nothing at all."""
    chat = serve(HEAD + event({"content": "Good"}, "stop") + DONE)
    list(chat.stream([user("one \ud800 two")], Sampling(), Event()))
    assert json.loads(server.heard)["messages"][0]["content"] == "one ? two"
