"""One request to a server with the OpenAI shape, read on a thread of its own.

Owns the connection and the reading of its event lines, so that whoever waits can poll and stop at any
moment. Redirects are not followed: the key and the conversation go to the address that was given, or nowhere.
"""

import http.client
import json
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from queue import Empty, Full, Queue
from threading import Event, Thread, Timer
from typing import Any
from urllib.parse import urlsplit

from models.errors import RemoteFailed

_TICK_S = 0.02
_PATIENCE_S = 300.0
_ASK_S = 10.0
"""Small questions cannot be stopped, so they are not waited for as answers are: in all, however slowly it drips."""
_CONNECT_S = 5.0
_MAX_LINE = 4 * 1024 * 1024
_MAX_BODY = 16 * 1024 * 1024

NO_ADDRESS = "The server's address is not a web address (http://… or https://…)."
NAMED_INSIDE = "The server's address holds a name or a password: keep a key with `locket model remote-key`."
BROKE_OFF = "The server broke off in the middle of its answer."
OTHER_SHAPE = "The server's answer has another shape."

_PATH = re.compile(r"[!-~]*")
"""What a request's line can hold: no blank, and no letter beyond ASCII."""
Fields = dict[str, Any]
Opened = Callable[[socket.socket], None]
"""Is told of the line that is in use, so that somebody can hang up."""


@dataclass(frozen=True, slots=True)
class RemoteAddress:
    """Where a server is, and the key to it."""

    base: str
    api_key: str = field(default="", repr=False)

    def check(self) -> None:
        """Refuse what no server can be reached by, and a password that would be kept beside it in clear."""
        self.connect()
        if "@" in urlsplit(self.base).netloc:
            raise RemoteFailed(NAMED_INSIDE)

    def connect(self) -> tuple[http.client.HTTPConnection, str]:
        """Make a connection, not yet opened, and give the path that everything is under."""
        try:
            parts = urlsplit(self.base)
            if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
                raise RemoteFailed(NO_ADDRESS)
            if not _PATH.fullmatch(parts.path):
                raise RemoteFailed(NO_ADDRESS)
            kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
            return kind(parts.hostname, parts.port, timeout=_CONNECT_S), parts.path.rstrip("/")
        except (ValueError, http.client.InvalidURL) as error:  # a bracket too few, a port of six digits
            raise RemoteFailed(NO_ADDRESS) from error

    def headers(self) -> dict[str, str]:
        """Give the headers of every request."""
        common = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        return common | ({"Authorization": f"Bearer {self.api_key}"} if self.api_key else {})


def ask(
    address: RemoteAddress,
    method: str,
    path: str,
    body: Fields | None = None,
    opened: Opened = lambda _: None,
) -> Fields:
    """Send a small request and read its JSON answer."""
    used: list[socket.socket] = []

    def note(line: socket.socket) -> None:
        used.append(line)
        opened(line)

    def give_up() -> None:
        for line in used:
            hang_up(line)

    timer = Timer(_ASK_S, give_up)
    timer.daemon = True
    timer.start()
    try:
        response, connection = _request(address, method, path, body, _ASK_S, note)
        with closing(connection), response:
            answer = json.loads(response.read(_MAX_BODY))
    except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
        raise RemoteFailed("The server's answer could not be read.") from error
    finally:
        timer.cancel()
    if not isinstance(answer, dict):
        raise RemoteFailed(OTHER_SHAPE)
    return answer


def hang_up(line: socket.socket) -> None:
    """End a conversation from another thread: whoever waits for its words gets none."""
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


class RemoteLine:
    """The events of one request, as they come."""

    def __init__(self, address: RemoteAddress, path: str, body: Fields) -> None:
        self._queue: Queue[Fields | RemoteFailed | None] = Queue(64)
        self._left = Event()
        self._socket: socket.socket | None = None
        self.whole = False
        """Whether the server itself said that there is no more."""
        self._thread = Thread(target=self._run, args=(address, path, body), name="remote-line", daemon=True)
        self._thread.start()

    def take(self) -> Iterator[Fields | None]:
        """Give events until the last; None whenever nothing came for a moment."""
        while True:
            try:
                event = self._queue.get(timeout=_TICK_S)
            except Empty:
                yield None
                continue
            if event is None:
                return
            if isinstance(event, RemoteFailed):
                raise event
            yield event

    def leave(self) -> None:
        """Hang up."""
        self._left.set()
        if self._socket is not None:
            hang_up(self._socket)

    def _run(self, address: RemoteAddress, path: str, body: Fields) -> None:
        try:
            response, connection = _request(address, "POST", path, body, _PATIENCE_S, self._opened)
            with closing(connection), response:
                self._read(response)
            self._put(None)
        except RemoteFailed as error:
            self._put(error)
        except (OSError, http.client.HTTPException, ValueError, RecursionError):
            self._put(RemoteFailed(BROKE_OFF))

    def _opened(self, used: socket.socket) -> None:
        """Remember what to hang up."""
        self._socket = used
        if self._left.is_set():
            self.leave()

    def _read(self, response: http.client.HTTPResponse) -> None:
        while line := response.readline(_MAX_LINE):
            kind, _, value = line.strip().partition(b":")
            if kind != b"data":
                continue
            if value.strip() == b"[DONE]":
                self.whole = True
                return
            event = json.loads(value)
            if not isinstance(event, dict):
                raise RemoteFailed(OTHER_SHAPE)
            if "error" in event:
                raise RemoteFailed("The server reported an error in the middle of its answer.")
            if not self._put(event):
                return

    def _put(self, event: Fields | RemoteFailed | None) -> bool:
        while not self._left.is_set():
            try:
                self._queue.put(event, timeout=_TICK_S)
            except Full:
                continue
            return True
        return False


def _request(
    address: RemoteAddress,
    method: str,
    path: str,
    body: Fields | None,
    patience: float,
    opened: Opened,
) -> tuple[http.client.HTTPResponse, http.client.HTTPConnection]:
    connection, under = address.connect()
    try:
        connection.connect()
        connection.sock.settimeout(patience)
        opened(connection.sock)
        raw = None if body is None else json.dumps(body).encode("ascii")
        connection.request(method, under + path, raw, address.headers())
        response = connection.getresponse()
    except ValueError as error:  # a name or a key with letters that cannot be sent
        connection.close()
        raise RemoteFailed("The server's name or key holds characters that cannot be sent.") from error
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        raise RemoteFailed(f"The server does not answer ({type(error).__name__}).") from error
    if response.status != http.client.OK:
        response.close()
        connection.close()
        raise RemoteFailed(_refusal(response.status))
    return response, connection


def _refusal(status: int) -> str:
    """Say what an answer other than "fine" means."""
    match status:
        case 401 | 403:
            return f"The server refuses the key (answer {status})."
        case 400 | 413 | 422:
            return f"The server refuses the prompt (answer {status})."
        case 404:
            return f"The server has nothing at this address (answer {status})."
        case 429:
            return f"The server wants fewer questions, or the key is used up (answer {status})."
        case 503:
            return f"The server is still loading its model (answer {status})."
        case _ if 300 <= status < 400:
            return f"The server sends to another address (answer {status}), where nothing is sent unasked."
        case _ if status >= 500:
            return f"The server failed inside (answer {status})."
        case _:
            return f"The server answers {status}."
