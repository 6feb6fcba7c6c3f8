"""Runs a program that asks for passphrases on its terminal, as a person at a keyboard would."""

import fcntl
import os
import pty
import select
import shutil
import subprocess
import termios
import time
from collections.abc import Mapping

import pytest


def age_program() -> str:
    """Return where Debian's `age` is; skip the test, or in CI fail it, where it is not installed."""
    program = shutil.which("age")
    if program is None:
        reason = "the program `age` is not installed (`make age-for-tests`)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return program


def answer(arguments: list[str], answers: list[str], environment: Mapping[str, str] | None = None) -> str:
    """Run a program, give one answer to each line that ends with a colon, and return all it said; it must succeed."""
    terminal, theirs = pty.openpty()
    running = subprocess.Popen(
        arguments,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
        preexec_fn=_own_terminal,  # noqa: PLW1509 - it makes one system call
    )
    os.close(theirs)
    deadline = time.monotonic() + 60
    said = before = b""
    waiting = list(answers)
    try:
        while time.monotonic() < deadline:
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    said += os.read(terminal, 4096)
                except OSError:
                    break  # it closed its terminal: it has ended
                if waiting and said.rstrip().endswith(b":"):
                    os.write(terminal, waiting.pop(0).encode() + b"\n")
                    before, said = before + said, b""
            elif running.poll() is not None:
                break
        assert running.wait(timeout=60) == 0, said
        assert not waiting
        return (before + said).decode(errors="replace")
    finally:
        running.kill()
        os.close(terminal)


def _own_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
