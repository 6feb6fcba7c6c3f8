"""A chat on somebody else's server, against servers on this machine that behave and misbehave.

Longer than most: every way of misbehaving is told to the one server defined here.
"""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event
from typing import Any

import pytest
from contract_engine import FACTS, SYSTEM, ChatContract, finished, text_of, user

from models.errors import ContextOverflow, EngineClosed, Interrupted, ModelError, RemoteFailed
from models.remote import RemoteChat
from models.types import ChatMessage, Sampling, StopReason, StreamEvent, Thinking

pytestmark = pytest.mark.loopback

WORDS = ["Good", " day", ",", " 🦆", "."]


class Server(ThreadingHTTPServer):
    """A small server with the OpenAI shape."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.mode = "good"
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.counted: list[str] = []
        self.released = Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_: object) -> None:
        """Say nothing of those who hang up."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.keys.append(self.headers.get("Authorization", ""))
        match (self.path, self.server.mode):
            case (_, "down"):
                self.send_error(503)
            case (_, "no key"):
                self.send_error(401)
            case (_, "redirect"):
                self.send_response(302)
                self.send_header("Location", "http://127.0.0.1:9/elsewhere")
                self.end_headers()
            case (_, "no json"):
                self._json(b"<html>")
            case (_, "a list"):
                self._json(b"[]")
            case ("/v1/models", _):
                self._json(json.dumps({"data": [{"id": "served"}]}).encode())
            case ("/props", "bare"):
                self.send_error(404)
            case ("/props", _):
                self._json(json.dumps({"default_generation_settings": {"n_ctx": 2048}}).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/tokenize":
            self.server.counted.append(body["content"])
            if self.server.mode == "bare":
                self.send_error(404)
            elif self.server.mode == "no tokens":
                self.server.released.wait(20)
            else:
                self._json(json.dumps({"tokens": re.findall(r"\w+|\S", body["content"])}).encode())
            return
        self.server.asked.append(body)
        self.server.keys.append(self.headers.get("Authorization", ""))
        older = body.get("response_format", {}).get("type") == "json_object"
        refuses = self.server.mode == "refuses" or (self.server.mode == "older" and not older)
        self.send_response(400 if refuses else 200)
        self.end_headers()
        self._speak(body)

    def _speak(self, body: dict[str, Any]) -> None:
        mode = self.server.mode
        if "response_format" in body:
            self._event({"content": "no json" if mode == "shapeless" else '{"facts": '})
            self._event({"content": '["tea"]}'})
        words = [] if "response_format" in body else WORDS[: body["max_tokens"]]
        for index, word in enumerate(words):
            if mode == "thinks" and index == 0:
                self._event({"reasoning_content": "hm"})
            if index == 2 and mode == "hangs":
                self.server.released.wait(20)
            if index == 2 and mode in {"breaks off", "garbage", "too deep", "error inside"}:
                junk = {
                    "breaks off": b'data: {"cho',
                    "garbage": b"data: 17\n\n",
                    "too deep": b"data: " + b"[" * 100_000 + b"\n\n",
                }
                self.wfile.write(junk.get(mode, b'data: {"error": {"message": "secret"}}\n\n'))
                return
            self._event({"content": word})
        cut = mode == "cut" or len(words) == body["max_tokens"]
        self._event({}, "length" if cut else "stop")
        numbers = (
            {"prompt_n": "five", "cache_n": [40]} if mode == "odd numbers" else {"prompt_n": 5, "cache_n": 40}
        )
        self.wfile.write(b"data: " + json.dumps({"choices": [], "timings": numbers}).encode() + b"\n\n")
        self.wfile.write(b": a comment\n\ndata: [DONE]\n\n")

    def _event(self, delta: dict[str, str], finish: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        self.wfile.write(b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n")

    def _json(self, raw: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.released.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def chat(server: Server) -> RemoteChat:
    chat = RemoteChat(server.url, api_key="sk-canary")
    chat.open()
    return chat


class TestAServer(ChatContract):
    """What every chat promises holds for one that is somewhere else."""


def ask(chat: RemoteChat, *texts: str) -> list[StreamEvent]:
    return list(chat.stream([SYSTEM, *map(user, texts)], Sampling(seed=3), Event()))


def test_the_server_says_which_model_and_window_it_has(chat: RemoteChat) -> None:
    assert (chat.card.name, chat.card.n_ctx, chat.card.template_kind) == ("served", 2048, "remote")


def test_an_answer_comes_word_by_word_and_ends(chat: RemoteChat) -> None:
    events = ask(chat, "hello")
    assert text_of(events) == "Good day, 🦆."
    last = finished(events)
    assert (last.stop_reason, last.evaluated, last.reused) == (StopReason.END, 5, 40)


def test_numbers_that_are_none_count_as_not_told(chat: RemoteChat, server: Server) -> None:
    server.mode = "odd numbers"
    last = finished(ask(chat, "hello"))
    assert (last.evaluated, last.reused) == (chat.measure([SYSTEM, user("hello")]).total, 0)


def test_a_server_that_is_silent_about_tokens_is_not_waited_for(
    chat: RemoteChat, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("models.remote_line._ASK_S", 0.05)
    server.mode = "no tokens"
    assert chat.count(["one two three"])[0] >= 4


def test_the_prompt_is_sent_as_it_is_and_grows_at_its_end(chat: RemoteChat, server: Server) -> None:
    ask(chat, " one ")
    list(
        chat.stream([SYSTEM, user("one"), ChatMessage("assistant", "yes"), user("two")], Sampling(), Event())
    )
    first, second = (body["messages"] for body in server.asked)
    assert second[: len(first)] == first
    assert first[-1] == {"role": "user", "content": "one"}
    assert server.asked[0]["seed"] == 3
    assert server.asked[0]["cache_prompt"] is True


def test_the_key_is_sent_and_never_shown(chat: RemoteChat, server: Server) -> None:
    ask(chat, "hello")
    assert set(server.keys) == {"Bearer sk-canary"}
    assert "sk-canary" not in repr(chat._address)


def test_thoughts_are_kept_apart(chat: RemoteChat, server: Server) -> None:
    server.mode = "thinks"
    events = ask(chat, "hello")
    assert [event.text for event in events if isinstance(event, Thinking)] == ["hm"]
    assert text_of(events) == "Good day, 🦆."


def test_an_answer_cut_by_length_says_so(chat: RemoteChat, server: Server) -> None:
    server.mode = "cut"
    assert finished(ask(chat, "hello")).stop_reason is StopReason.LENGTH


@pytest.mark.parametrize("mode", ["breaks off", "garbage", "too deep", "error inside"])
def test_a_server_that_fails_after_words_keeps_them(chat: RemoteChat, server: Server, mode: str) -> None:
    server.mode = mode
    events = ask(chat, "hello")
    assert text_of(events) == "Good day"
    assert finished(events).stop_reason is StopReason.ENGINE_DIED


def test_a_server_that_refuses_says_so_in_words(chat: RemoteChat, server: Server) -> None:
    server.mode = "refuses"
    with pytest.raises(RemoteFailed, match="refuses the prompt"):
        ask(chat, "hello")


def test_an_answer_that_hangs_can_be_stopped(chat: RemoteChat, server: Server) -> None:
    server.mode = "hangs"
    stop, polls = Event(), [0]
    begun = time.monotonic()

    def poll() -> None:
        polls[0] += 1
        if polls[0] > 10:
            stop.set()

    events = list(chat.stream([SYSTEM, user("hello")], Sampling(), stop, poll))
    assert finished(events).stop_reason is StopReason.STOPPED
    assert text_of(events) == "Good day"
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize(
    ("mode", "words"),
    [("down", "loading"), ("no key", "key"), ("redirect", "302"), ("no json", "read"), ("a list", "shape")],
)
def test_a_server_that_cannot_be_used_says_why(server: Server, mode: str, words: str) -> None:
    server.mode = mode
    with pytest.raises(RemoteFailed, match=words):
        RemoteChat(server.url).open()


@pytest.mark.parametrize(
    "address",
    [
        "ftp://127.0.0.1",
        "127.0.0.1",
        "file:///etc/passwd",
        "",
        "http://",
        "http://[127.0.0.1",
        "http://127.0.0.1:80800",
        "http://127.0.0.1:port",
        "http://127.0.0.1 /",
        "http://127.0.0.1/ö",
    ],
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(RemoteFailed, match="address"):
        RemoteChat(address).open()


@pytest.mark.parametrize(
    ("address", "key"), [("http://" + "a" * 70, ""), ("{url}", "two\nlines"), ("{url}", "schlüßel€")]
)
def test_a_name_or_a_key_that_cannot_be_sent_is_refused(server: Server, address: str, key: str) -> None:
    with pytest.raises(RemoteFailed):
        RemoteChat(address.format(url=server.url), api_key=key).open()


def test_nobody_there_is_said_at_once() -> None:
    with pytest.raises(RemoteFailed, match="does not answer"):
        RemoteChat("http://127.0.0.1:9").open()


def test_a_model_the_server_does_not_have_is_refused(server: Server) -> None:
    with pytest.raises(RemoteFailed, match="unicorn"):
        RemoteChat(server.url + "/v1", model="unicorn").open()


def test_tokens_are_counted_by_the_server_or_estimated(chat: RemoteChat, server: Server) -> None:
    assert chat.count(["one two three", ""]) == [3, 0]
    server.mode = "bare"
    bare = RemoteChat(server.url)
    assert bare.open().n_ctx == 8192
    assert bare.count(["one two three"])[0] >= 4


def test_a_turn_asks_the_server_about_its_new_words_only(chat: RemoteChat, server: Server) -> None:
    history = [SYSTEM, *(user(f"part {number}") for number in range(20))]
    list(chat.stream(history, Sampling(), Event()))
    asked = len(server.counted)
    list(chat.stream([*history, user("and now?")], Sampling(), Event()))
    assert server.counted[asked:] == ["and now?"]


def test_too_long_a_prompt_never_leaves(chat: RemoteChat, server: Server) -> None:
    with pytest.raises(ContextOverflow):
        ask(chat, "word " * 3000)
    assert server.asked == []


def test_a_completion_asks_for_a_shape_and_checks_it(chat: RemoteChat, server: Server) -> None:
    assert chat.complete([user("x")], FACTS, Sampling(), Event()) == '{"facts": ["tea"]}'
    assert server.asked[0]["response_format"]["json_schema"]["schema"] == FACTS
    server.mode = "shapeless"
    with pytest.raises(RemoteFailed, match="shape"):
        chat.complete([user("x")], FACTS, Sampling(), Event())


def test_a_server_that_knows_the_older_spelling_of_shapes_is_asked_in_it(
    chat: RemoteChat, server: Server
) -> None:
    server.mode = "older"
    for _ in range(2):
        assert chat.complete([user("x")], FACTS, Sampling(), Event()) == '{"facts": ["tea"]}'
    kinds = [body["response_format"]["type"] for body in server.asked]
    assert kinds == ["json_schema", "json_object", "json_object"]
    assert server.asked[-1]["response_format"]["schema"] == FACTS


@pytest.mark.parametrize(
    "use",
    [
        lambda chat: chat.count(["x"]),
        lambda chat: chat.measure([user("x")]),
        lambda chat: ask(chat, "x"),
    ],
)
def test_a_closed_chat_refuses(chat: RemoteChat, use: Callable[[RemoteChat], object]) -> None:
    chat.close()
    with pytest.raises(EngineClosed):
        use(chat)


def test_what_a_server_cannot_do_is_declined(chat: RemoteChat) -> None:
    stop = Event()
    assert not chat.prefill([user("x")], stop).finished
    assert not chat.evict(0, 1)
    chat.reset()
    stop.set()
    with pytest.raises(Interrupted):
        chat.complete([user("x")], FACTS, Sampling(), stop)
    with pytest.raises(ModelError):
        RemoteChat("http://127.0.0.1:9").count(["x"])
