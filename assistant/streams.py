"""The three streams of the process, for when the shell closed one or its disk is full.

Knows nothing of what is printed. The surprise: a closed stream frees its number, and the next file opened would be
written to by whoever prints; so an empty one takes its place before anything is opened.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress


def open_missing_streams() -> None:
    """Put an empty stream where the shell closed one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - as long as the process


class NoScreenError(Exception):
    """There is nothing to draw the screen on, or nobody who types."""


def require_screen(environment: Mapping[str, str]) -> None:
    """Raise unless there is a terminal to read keys from and to draw on; the screen is drawn on standard error."""
    for stream, words in ((sys.stdin, "keys come from no terminal"), (sys.stderr, "there is no terminal")):
        if not stream.isatty():
            raise NoScreenError(words)
    if environment.get("TERM") == "dumb":
        raise NoScreenError("this terminal (TERM=dumb) only prints lines")


def discard_the_rest() -> None:
    """Let what standard output still holds go nowhere, so that ending does not fail once more."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError, ValueError):  # a stream without a file behind it
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
