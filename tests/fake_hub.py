"""A model hub on this machine that can misbehave, as its client meets it: metadata first, then bytes.

Owns one file under any name and the ways of giving it wrongly. What it was asked is kept, for tests that
say what may be asked twice and what may be told about this machine.
"""

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CONTENT = bytes(range(256)) * 4096
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Hub(ThreadingHTTPServer):
    """A hub with one file; `mode` says what is wrong with it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.mode = "good"
        self.content = CONTENT
        self.ranges: list[str] = []
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def elsewhere(self) -> str:
        """Give the same server under another name, which a client must take for another host."""
        return f"http://localhost:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Hub

    def do_HEAD(self) -> None:
        self.note()
        refusal = {"gated": (403, "GatedRepo"), "no-repository": (401, "RepoNotFound")}.get(self.server.mode)
        if self.server.mode in {"missing", "busy"}:
            self.refuse(404 if self.server.mode == "missing" else 503, "")
        elif refusal:
            self.refuse(*refusal)
        elif self.server.mode == "no-file":
            self.refuse(404, "EntryNotFound")
        elif self.server.mode == "elsewhere":
            self.describe(302)
        else:
            self.describe(200)

    def do_GET(self) -> None:
        self.note()
        wanted = self.headers.get("Range", "")
        if self.server.mode == "elsewhere" and self.headers["Host"].startswith("127"):
            self.describe(302)
            return
        self.server.ranges.append(wanted)
        content, mode = self.server.content, self.server.mode
        first = int(wanted[6:-1]) if wanted and mode != "no-ranges" else 0
        if first >= len(content):
            self.refuse(416, "")
            return
        rest = content[first:]
        if mode == "floods":
            rest *= 3
        elif mode == "truncated":
            rest = rest[: len(rest) // 2]
        self.send_response(206 if first else 200)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        breaks_off = mode == "breaks-off" and not wanted
        self.wfile.write(rest[: len(rest) // 2] if breaks_off else rest)

    def describe(self, status: int) -> None:
        """Say what the file is, the way the hub does for a large one."""
        content = self.server.content
        self.send_response(status)
        size = 10**15 if self.server.mode == "huge" else len(content)
        etag = hashlib.sha256(content).hexdigest()
        if self.server.mode == "lies":
            etag = SHA256
        elif self.server.mode == "no-hash":
            etag = "0" * 40
        self.send_header("X-Linked-Etag", f'"{etag}"')
        self.send_header("X-Linked-Size", str(size))
        self.send_header("X-Repo-Commit", "1" * 40)
        if status == 302:
            self.send_header("Location", f"{self.server.elsewhere}/blob")
        self.send_header("Content-Length", "0" if status == 302 else str(size))
        self.end_headers()

    def refuse(self, status: int, code: str) -> None:
        self.send_response(status)
        if code:
            self.send_header("X-Error-Code", code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def note(self) -> None:
        self.server.paths.append(f"{self.command} {self.path}")
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def running_hub() -> Iterator[Hub]:
    """Run a hub for a while."""
    hub = Hub()
    thread = threading.Thread(target=hub.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield hub
    finally:
        hub.shutdown()
        thread.join()
        hub.server_close()
