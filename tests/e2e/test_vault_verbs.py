"""The vault between processes: asked to lock, made by two at once, a full disk, a terminal that goes away."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from real_home import PASSPHRASE, Home

from memory.vault.kdf import CHEAPEST
from memory.vault.keys import Passphrase
from memory.vault.lock import find_holder
from memory.vault.vault import open_vault

pty = pytest.importorskip("pty", reason="there are no such terminals")

DEADLINE = 120.0

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals of POSIX"),
    pytest.mark.timeout(600),
]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home without any model."""
    return Home(tmp_path / "home")


def wait(until: Callable[[], object], what: str) -> None:
    end = time.monotonic() + DEADLINE
    while not until():
        assert time.monotonic() < end, f"in vain: {what}"
        time.sleep(0.02)


def holder(home: Home) -> int | None:
    found = find_holder(home.path / "vault" / "vault.lock")
    return None if found is None else found.pid


def facts(home: Home) -> list[str]:
    return [item["text"] for item in home.json("memory", "list")["items"]]


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, home: Home, *arguments: str) -> None:
        self.shown = ""
        pid, self.master = pty.fork()
        if pid == 0:
            environment = home.environment({"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "30"})
            os.execve(sys.executable, [sys.executable, "-m", "assistant", *arguments], environment)  # noqa: S606
        self.pid = pid
        self.ended: int | None = None

    def read(self) -> str:
        """Take what is on the screen so far; a screen that is not read stands still."""
        while self.master >= 0 and select.select([self.master], [], [], 0)[0]:
            try:
                piece = os.read(self.master, 1 << 16)
            except OSError:
                break
            if not piece:
                break
            self.shown += piece.decode(errors="replace")
        return self.shown

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def hang_up(self) -> None:
        os.close(self.master)
        self.master = -1

    def has_ended(self) -> bool:
        self.read()
        if self.ended is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.ended = os.waitstatus_to_exitcode(status)
        return self.ended is not None


def started(home: Home, typed: str) -> Iterator[Terminal]:
    """Give the screen with this typed into it in one burst, once the store is open; end it afterwards."""
    assert home.run("vault", "init").returncode == 0
    terminal = Terminal(home)
    wait(lambda: "passphrase" in terminal.read(), "the locked screen")
    terminal.type(typed)
    wait(lambda: terminal.read() and holder(home) == terminal.pid, "the store to be open")
    yield terminal
    if not terminal.has_ended():
        os.kill(terminal.pid, signal.SIGKILL)
        wait(terminal.has_ended, "the end")
    if terminal.master >= 0:
        os.close(terminal.master)


@pytest.fixture
def screen(home: Home) -> Iterator[Terminal]:
    """The screen, unlocked."""
    yield from started(home, PASSPHRASE + "\r")


@pytest.fixture
def hasty(home: Home) -> Iterator[Terminal]:
    """The screen of somebody who types on after the passphrase without looking."""
    yield from started(home, PASSPHRASE + "\rearly bird")


def test_a_screen_that_is_asked_to_lock_drops_the_store_and_stays(home: Home, screen: Terminal) -> None:
    asked = home.start("vault", "lock", "--json")
    wait(lambda: screen.read() and asked.poll() is not None, "the answer")
    out, err = asked.communicate()
    assert asked.returncode == 0, err
    assert json.loads(out) == {"format": 1, "was_open": True, "pid": screen.pid}
    assert holder(home) is None
    assert not screen.has_ended()
    assert home.json("vault", "lock")["was_open"] is False
    assert home.run("memory", "add", "my dog is called Biscuit").returncode == 0


def test_what_is_typed_in_one_burst_with_the_passphrase_is_in_the_prompt(hasty: Terminal) -> None:
    def shown() -> str:
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", hasty.read())

    wait(lambda: "early bird" in shown(), "the words in the prompt")
    assert "Wrong passphrase" not in shown()


def test_a_terminal_that_goes_away_takes_the_open_store_with_it(home: Home, screen: Terminal) -> None:
    screen.hang_up()
    wait(screen.has_ended, "the program's end")
    assert holder(home) is None
    assert home.run("vault", "check").returncode == 0


def test_a_plain_chat_that_is_asked_to_lock_ends_and_keeps_what_was_said(home: Home) -> None:
    assert home.run("vault", "init").returncode == 0
    chat = home.start("chat", "--plain")
    assert chat.stdin is not None
    assert chat.stdout is not None
    chat.stdin.write("/remember my dog is called Biscuit\n")
    chat.stdin.flush()
    assert "Biscuit" in chat.stdout.readline()
    asked = home.json("vault", "lock")
    assert asked["pid"] == chat.pid
    chat.wait(DEADLINE)
    out, err = chat.communicate()
    assert chat.returncode == 0, err
    assert "Fatal" not in err
    assert facts(home) == ["my dog is called Biscuit"]
    assert out is not None


def test_lines_that_are_piped_in_are_all_answered(home: Home) -> None:
    assert home.run("vault", "init").returncode == 0
    talk = "/remember my dog is called Biscuit\n\n/remember my cat is called Tiger\n/memory cat"
    done = home.run("chat", "--plain", text=talk)
    assert done.returncode == 0, done.stderr
    assert "Tiger" in done.stdout.splitlines()[-1]
    assert len(facts(home)) == 2


def test_two_that_make_the_store_at_once_make_one(home: Home) -> None:
    ways = [home.start("vault", "init", extra={"LOCKET_PASSPHRASE": f"passphrase {n}"}) for n in range(4)]
    for process in ways:
        process.communicate()
    ended = [process.returncode for process in ways]
    assert ended.count(0) == 1, ended
    assert {code for code in ended if code} <= {1, 11}
    winner = ended.index(0)
    for n in range(4):
        done = home.run("vault", "slots", extra={"LOCKET_PASSPHRASE": f"passphrase {n}"})
        assert done.returncode == (0 if n == winner else 12)


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
from assistant.cli import main
sys.exit(main(sys.argv[2:]))
"""


def limited(home: Home, size: int, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a verb on a disk that takes no more than so many bytes a file."""
    return subprocess.run(
        [sys.executable, "-c", LIMITED, str(size), *arguments],
        env=home.environment({"LOCKET_NEW_PASSPHRASE": "another set of words"}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_the_limit_really_stops_a_plain_write(tmp_path: Path) -> None:
    code = LIMITED.replace("from assistant.cli import main", "")
    code = code.replace(
        "sys.exit(main(sys.argv[2:]))", "f = open(sys.argv[2], 'wb', 0); [f.write(bytes(5000)) for _ in 'ab']"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, "4096", str(tmp_path / "x")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "File too large" in done.stderr
    assert (tmp_path / "x").stat().st_size <= 4096


@pytest.mark.parametrize(
    ("size", "verb"),
    [
        (512, "memory add something"),
        (40960, "memory add something"),
        (512, "vault backup"),
        (512, "vault passphrase"),
        (512, "vault recovery --unconfirmed"),
        (40960, "vault rotate --yes"),
    ],
)
def test_on_a_full_disk_each_verb_says_so_and_changes_nothing(home: Home, size: int, verb: str) -> None:
    assert home.run("vault", "init").returncode == 0
    assert home.run("memory", "add", "my dog is called Biscuit").returncode == 0
    key = (home.path / "vault" / "vault.key").read_bytes()
    done = limited(home, size, *verb.split())
    assert done.returncode == 18, done.stderr
    assert "The disk is full" in done.stderr
    if "rotate" not in verb:  # a rotation that stopped leaves both keys there, and the next opening drops one
        assert (home.path / "vault" / "vault.key").read_bytes() == key
    assert facts(home) == ["my dog is called Biscuit"]
    assert home.run("vault", "check").returncode == 0


def test_a_store_that_cannot_be_made_for_lack_of_space_leaves_none(home: Home) -> None:
    done = limited(home, 4096, "vault", "init")
    assert done.returncode == 18, done.stderr
    assert home.run("vault", "init").returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="where a process's limits can be read")
def test_the_process_that_has_the_keys_leaves_no_core(home: Home) -> None:
    assert home.run("vault", "init").returncode == 0
    chat = home.start("chat", "--plain")
    wait(lambda: holder(home) == chat.pid, "the store to be open")
    limits = Path(f"/proc/{chat.pid}/limits").read_text()
    (core,) = [line for line in limits.splitlines() if line.startswith("Max core file size")]
    assert core.split()[4:6] == ["0", "0"]
    chat.kill()
    chat.communicate()
    with open_vault(home.path / "vault", Passphrase(PASSPHRASE), params=CHEAPEST, allow_cheap=True) as vault:
        assert vault.writable, "a lock whose holder was killed does not keep anybody out"
