"""The first minute on a machine where something is missing: words, at once, and nothing half done."""

import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Copy what the first step needs."""
    copy = tmp_path / "checkout"
    shutil.copytree(ROOT / "packaging", copy / "packaging", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Makefile", "constraints.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, copy / name)
    return copy


def _install(checkout: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "packaging/install.py"],
        cwd=checkout,
        env={"HOME": str(checkout.parent), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def _make(checkout: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run make as a person would, also when these tests were started by make."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))
    }
    return subprocess.run(
        ["make", *arguments],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_without_a_compiler_the_way_out_is_named_before_anything_is_installed(checkout: Path) -> None:
    ended = _install(checkout, PATH=str(checkout.parent / "nothing-here"))
    assert ended.returncode == 1
    assert "no C++ compiler" in ended.stderr
    assert "apt install g++" in ended.stderr
    assert not (checkout / ".venv").exists()


def test_a_compiler_that_does_not_answer_is_none(checkout: Path) -> None:
    """On a fresh macOS `c++` exists and only says that it is not there."""
    programs = checkout.parent / "bin"
    programs.mkdir()
    stub = programs / "c++"
    stub.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    stub.chmod(0o755)
    ended = _install(checkout, PATH=str(programs))
    assert "no C++ compiler" in ended.stderr


def test_without_a_new_enough_python_make_says_so(checkout: Path) -> None:
    ended = _make(checkout, "run", "PYTHON=")
    assert ended.returncode != 0
    assert "Python 3.11 or newer is needed" in ended.stderr
    assert not (checkout / ".venv").exists()


def test_make_alone_lists_what_there_is(checkout: Path) -> None:
    listed = _make(checkout)
    assert {"run", "test", "quick", "lint", "bench", "crash", "eval", "clean"} <= set(listed.stdout.split())


def test_a_made_environment_is_not_made_again(checkout: Path) -> None:
    """What a daily start costs before Locket itself: nothing but make looking at two files."""
    for name in (".installed", ".installed-dev"):
        stamp = checkout / ".venv" / name
        stamp.parent.mkdir(exist_ok=True)
        stamp.touch()
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    assert _make(checkout, "--question", "environment").returncode == 0
    python.unlink()
    python.symlink_to(checkout / "a python that the system had once")
    assert _make(checkout, "--question", "environment").returncode == 1


def test_without_a_home_the_models_have_a_place_all_the_same(checkout: Path) -> None:
    (checkout / ".venv" / "bin").mkdir(parents=True)
    told = subprocess.run(
        ["make", "-n", "models-for-tests", f"PYTHON={sys.executable}"],
        cwd=checkout,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert f"'{pwd.getpwuid(os.getuid()).pw_dir}/.cache/locket/models'" in told.stdout


def test_a_second_make_waits_for_the_first(checkout: Path) -> None:
    with (checkout / "constraints.txt").open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        waiting = subprocess.Popen(
            [sys.executable, "packaging/install.py"],
            cwd=checkout,
            env={"HOME": str(checkout.parent), "PATH": _with_a_compiler(checkout)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert waiting.stdout is not None
        assert "another make is at work" in waiting.stdout.readline()
        assert not (checkout / ".venv").exists()
        waiting.send_signal(signal.SIGINT)
        _, said = waiting.communicate(timeout=60)
    assert said == "locket: stopped; the next make goes on from here.\n"
    assert waiting.returncode == 128 + signal.SIGINT


def _with_a_compiler(checkout: Path) -> str:
    """Give a search path with a C++ compiler that answers."""
    programs = checkout.parent / "bin"
    programs.mkdir()
    (programs / "c++").symlink_to(shutil.which("true") or "/bin/true")
    return str(programs)
