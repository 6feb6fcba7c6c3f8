"""An engine process without a model that misbehaves as its first argument says; used by the fault tests.

Speaks real frames over its real pipes, so that what the parent does about a broken engine is tried on a
process. The well-behaved parts answer like an engine would.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from models.engine.protocol import VERSION, Frame, encode, read_frame

CARD = {
    "name": "fake",
    "path": None,
    "sha256": "",
    "architecture": "fake",
    "n_params": 1,
    "n_ctx_train": 4096,
    "n_ctx": 4096,
    "template_kind": "chatml",
    "kv_bytes_per_token": 1,
    "quantisation": "none",
    "file_bytes": 1,
}
FINISH = {
    "event": "finished",
    "stop_reason": "end",
    "n_tokens": 1,
    "first_token_ms": 1.0,
    "tokens_per_s": 1.0,
    "evaluated": 1,
    "reused": 0,
}


MEASURE = {"per_message": [1], "framing": 1, "total": 2, "ids_sha256": "", "leading": 0}
ODD: tuple[tuple[dict[str, Any], bytes], ...] = (
    ({"event": []}, b""),
    ({"event": "result"}, b""),
    ({"event": "result"}, b'"x"'),
    ({"event": "result"}, b"[" * 100_000),
    ({"event": "result"}, b'["many"]'),
    ({"event": "result"}, b"[1, 2, 3]"),
    ({"event": "result"}, b"\xff\xfe"),
    ({"event": "result", "done": "maybe"}, b'{"finished": 1, "evaluated": "x", "reused": []}'),
    (
        {"event": "result"},
        b'{"per_message": ["x"], "framing": 1, "total": 1, "ids_sha256": "", "leading": 0}',
    ),
    ({"event": "chunk", "n_tokens": float("inf")}, b"x"),
    ({"event": "finished", "stop_reason": []}, b""),
    ({"event": "error", "error": {"a": 1}}, b"\xff"),
    ({"event": "error"}, b""),
)
"""Frames that are well formed and make no sense; the mode `odd-N` answers everything with one of them."""
ODD_CARDS: tuple[Any, ...] = (None, [], "x", {"path": 3}, {**CARD, "n_ctx": "4096"}, {**CARD, "name": None})


def send(number: int, fields: dict[str, Any], payload: bytes = b"") -> None:
    """Write a frame."""
    os.write(1, encode(Frame({"id": number, **fields}, payload)))


def say(number: int, text: str) -> None:
    """Write a piece of an answer."""
    send(number, {"event": "chunk", "n_tokens": 1}, text.encode())


def first_time(marker: Path) -> bool:
    """Tell whether this is the first engine of its test, and leave a mark for the next."""
    if marker.exists():
        return False
    marker.touch()
    return True


def stream(number: int, mode: str, marker: Path) -> None:
    """Answer, or do what the mode says instead."""
    match mode:
        case "dies-before-words":
            os.kill(os.getpid(), signal.SIGKILL)
        case "dies-once-before-words" if first_time(marker):
            os.kill(os.getpid(), signal.SIGKILL)
        case "dies-of-a-nameless-signal":
            os.kill(os.getpid(), signal.SIGRTMIN + 1)
        case "dies-after-words":
            say(number, "half an")
            os.kill(os.getpid(), signal.SIGKILL)
        case "speaks-and-waits":
            say(number, "half an")
            return
        case "floods":
            while True:
                say(number, "x" * 1000)
        case "speaks-nonsense":
            os.write(1, b"ggml_abort: this is no frame at all, and long enough to be read as one")
            time.sleep(60)
        case "huge-frame":
            os.write(1, b"\xff" * 8)
            time.sleep(60)
        case "half-frame":
            os.write(1, encode(Frame({"id": number, "event": "chunk"}, b"abc"))[:-1])
            os._exit(0)
        case "bad-event":
            send(number, {"event": "chunk"})
        case "unknown-event":
            send(number, {"event": "song"})
        case "deaf":
            os.kill(os.getpid(), signal.SIGSTOP)
        case "stuck":
            return
        case "chatters":
            for _ in range(400):
                os.write(2, b"a line for the log that nobody wants \x1b[31m\n" * 100)
    say(number, "whole")
    send(number, FINISH)


def main(mode: str, marker: Path) -> None:
    """Run until the line ends."""
    if mode == "ends-at-once":
        sys.stderr.write("no such library\n")
        os._exit(3)
    send(0, {"event": "hello", "protocol": VERSION + (mode == "newer"), "pid": os.getpid()})
    if mode == "never-reads":
        time.sleep(60)
    with os.fdopen(os.dup(0), "rb") as line:
        while (frame := read_frame(line)) is not None:
            number = int(frame.header["id"])
            match frame.header["op"]:
                case op if mode == f"dies-at-{op}" or (mode == f"dies-once-at-{op}" and first_time(marker)):
                    os.kill(os.getpid(), signal.SIGKILL)
                case "count" if mode == "counts-for-ever":
                    pass
                case "open" if mode.startswith("card-"):
                    send(number, {"event": "result", "card": ODD_CARDS[int(mode.removeprefix("card-"))]})
                case op if mode.startswith("odd-") and op not in {"open", "ping", "cancel", "credit"}:
                    send(number, *ODD[int(mode.removeprefix("odd-"))])
                case "open" if mode == "aborts-on-open":
                    os.abort()
                case "open" if mode == "bad-card":
                    send(number, {"event": "result", "card": {"name": "x"}})
                case "open" if mode == "loads-for-ever" or (
                    mode == "loads-for-ever-once" and first_time(marker)
                ):
                    pass
                case "open":
                    send(number, {"event": "result", "card": CARD})
                case "ping":
                    still_s, quick_s = 999.0 * (mode == "stuck"), 999.0 * (mode == "counts-for-ever")
                    send(0, {"event": "pong", "still_s": still_s, "quick_s": quick_s})
                case "count" if mode == "dies-on-count" or (
                    mode == "dies-once-on-count" and first_time(marker)
                ):
                    os.kill(os.getpid(), signal.SIGKILL)
                case "count":
                    send(number, {"event": "result"}, json.dumps([1]).encode())
                case "measure" if mode == "bad-measure":
                    send(number, {"event": "result"}, b'{"per_message": 3}')
                case "stream":
                    stream(number, mode, marker)
                case "measure":
                    send(number, {"event": "result"}, json.dumps(MEASURE).encode())
                case "prefill":
                    send(number, {"event": "result"}, b'{"finished": true, "evaluated": 1, "reused": 0}')
                case "complete" | "evict" | "reset":
                    send(number, {"event": "result", "done": True}, b"{}")
                case _:
                    pass


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
