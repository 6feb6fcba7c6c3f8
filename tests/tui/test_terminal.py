"""A window that was closed: noticed without a signal, written to no more, and left."""

import os
import pty
import sys
import threading
from dataclasses import dataclass, field
from typing import Any

import pytest

from assistant.tui import terminal


@dataclass
class Guard:
    """A timer that only says what it was to do."""

    seconds: float
    act: object
    arguments: tuple[int, ...]
    daemon: bool = False
    started: bool = False

    def start(self) -> None:
        self.started = True


@dataclass
class Driver:
    written: list[str] = field(default_factory=list)

    def write(self, text: str) -> None:
        self.written.append(text)


@dataclass
class Screen:
    _driver: Driver | None


def test_a_terminal_is_gone_once_its_window_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    window, ours = pty.openpty()
    with os.fdopen(ours) as stream:
        monkeypatch.setattr(sys, "__stdin__", stream)
        assert not terminal.is_gone()
        os.close(window)
        assert terminal.is_gone()
    assert terminal.is_gone()


def test_without_standard_input_there_was_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "__stdin__", None)
    assert not terminal.is_gone()


def test_nothing_is_written_to_a_terminal_that_is_gone_and_the_end_is_certain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    guards: list[Guard] = []

    def timer(*given: Any) -> Guard:
        guards.append(Guard(*given))
        return guards[-1]

    monkeypatch.setattr(threading, "Timer", timer)
    driver = Driver()
    terminal.fall_silent(Screen(driver))  # type: ignore[arg-type]
    driver.write("secret")
    assert driver.written == []
    (guard,) = guards
    assert (guard.started, guard.daemon, guard.act) == (True, True, os._exit)
    assert guard.arguments == (terminal.HUNG_UP,)
