"""What must not be loaded before the first picture, and where the log goes."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.tui.crash import problem_of
from assistant.tui.start import keep_logs

LATE = (
    "numpy",
    "sqlite_utils",
    "sqlcipher3",
    "cryptography",
    "markdown_it",
    "memory.records",
    "assistant.wiring",
)


def test_the_locked_screen_waits_for_neither_store_nor_conversation() -> None:
    program = "import sys, assistant.tui.start; print(*sys.modules, sep='\\n')"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "assistant.tui.screens.unlock" in loaded
    assert loaded.isdisjoint(LATE)


def test_whether_there_is_a_store_is_known_before_anything_else_is_loaded() -> None:
    program = (
        "import os, sys; from assistant.settings import load_settings; from assistant.tui.doors import real_doors\n"
        "print(real_doors().store_exists(load_settings(os.environ)), *sys.modules, sep='\\n')"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    answer, *loaded = ran.stdout.split()
    assert answer == "False"
    assert set(loaded).isdisjoint(LATE)


def test_an_unforeseen_error_goes_to_the_log_file_without_its_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = logging.getLogger("locket")
    before = list(ours.handlers), ours.propagate
    try:
        keep_logs(tmp_path)
        problem_of(ValueError("the harbour at noon"))
        logged = (tmp_path / "screen.log").read_text()
    finally:
        for handler in set(ours.handlers) - set(before[0]):
            handler.close()
            ours.removeHandler(handler)
        ours.propagate = before[1]
    assert "ValueError" in logged
    assert "harbour" not in logged
    assert capsys.readouterr().err == ""
