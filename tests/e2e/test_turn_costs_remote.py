"""Answers from a server that the user runs: a real one, from llama-cpp-python, in a process of its own on this machine."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from contract_engine import ChatContract
from real_home import Home

from models.remote import RemoteChat

pytest.importorskip("fastapi", reason="the server's own requirements are not installed")
pytestmark = [pytest.mark.model, pytest.mark.loopback, pytest.mark.timeout(600)]

KEY = "a-key-that-only-this-test-knows"
CARD = "4111 1111 1111 1111"


@dataclass(frozen=True)
class Server:
    """A server and where it listens."""

    url: str
    process: "subprocess.Popen[bytes]"
    log: Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def server(smoke_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    port = free_port()
    log = tmp_path_factory.mktemp("server") / "log"
    with log.open("wb") as lines:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "llama_cpp.server", "--model", str(smoke_model)),
                *("--host", "127.0.0.1", "--port", str(port), "--api_key", KEY),
                *("--n_ctx", "4096", "--n_threads", "1", "--model_alias", "smoke", "--verbose", "False"),
            ],
            stdout=lines,
            stderr=subprocess.STDOUT,
            env={k: v for k, v in os.environ.items() if not k.startswith("LOCKET_")},
        )
    url = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + 180
    while not answers(url):
        assert process.poll() is None, log.read_text(errors="replace")[-2000:]
        assert time.monotonic() < deadline, "the server never came up"
        time.sleep(0.2)
    yield Server(url, process, log)
    process.terminate()
    process.wait(30)


def answers(url: str) -> bool:
    line = http.client.HTTPConnection(url.removeprefix("http://"), timeout=5)
    try:
        line.request("GET", "/v1/models", headers={"Authorization": f"Bearer {KEY}"})
        return bool(json.loads(line.getresponse().read())["data"])
    except OSError:
        return False
    finally:
        line.close()


@pytest.fixture
def home(server: Server, tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    assert home.run("vault", "init").returncode == 0
    assert home.run("model", "remote-key", text=f"{KEY}\n").returncode == 0
    assert home.run("model", "remote", server.url, "--model", "smoke").returncode == 0
    return home


class TestARealServer(ChatContract):
    """What every chat promises holds for a model behind a real server."""

    @pytest.fixture
    def chat(self, server: Server) -> Iterator[RemoteChat]:
        chat = RemoteChat(server.url, model="smoke", api_key=KEY, n_ctx=4096)
        chat.open()
        yield chat
        chat.close()


def test_a_server_answers_and_what_was_said_is_remembered(home: Home) -> None:
    first = home.json("ask", "Remember that my dog is called Biscuit")
    assert first["answer"]
    assert first["model"] == "smoke"
    again = home.json("ask", "What is my dog called?")
    assert any("Biscuit" in item["text"] for item in again["recalled"])
    assert again["tokens"]["prompt"] > 0


def test_the_key_is_in_the_vault_and_nowhere_else(home: Home, server: Server) -> None:
    assert home.json("ask", "Hello")["answer"]
    assert not [path for path in home.files() if KEY.encode() in path.read_bytes()]
    assert home.run("model", "remote-key", "--remove").returncode == 0
    refused = home.run("ask", "Hello")
    assert refused.returncode == 14, refused.stdout
    assert "server" in refused.stderr


def test_a_profile_that_did_not_agree_sends_nothing(home: Home) -> None:
    assert home.run("model", "remote", "--off").returncode == 0
    refused = home.run("ask", "Hello")
    assert refused.returncode == 14
    assert "no model" in refused.stderr


def test_the_prompt_as_sent_shows_no_secret(home: Home) -> None:
    told = home.json("ask", f"My card is {CARD}. Is that a good number?")
    prompt = home.json("memory", "why", told["message"], "--prompt")["prompt"]
    assert not any(CARD in one["text"] for one in prompt)


def test_a_server_that_is_gone_is_said_in_words(home: Home) -> None:
    assert home.run("model", "remote", f"http://127.0.0.1:{free_port()}").returncode == 0
    refused = home.run("ask", "Hello")
    assert refused.returncode == 14
    assert "remote server" in refused.stderr
