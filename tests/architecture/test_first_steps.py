"""The first minute on a machine where something is missing: words, at once, and nothing half done."""

import os
import shutil
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
    assert _make(checkout, "--question", "environment").returncode == 0
