"""Makes .venv with the whole stack at its pinned versions. Called by make; run again it mends what is missing.

Owns the order: what can fail cheaply is looked at before anything heavy starts. The surprise: torch and
llama-cpp-python go in first and by hand, so that pip, resolving the rest, finds both already there.
"""

import argparse
import fcntl
import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from llama_wheel import PROJECT, BuildFailed, build_wheel, cache_folder, find_compiler, find_wheel
from pins import CONSTRAINTS, ROOT, pinned_version
from torch_cpu import install_torch, torch_problem

OLDEST_PYTHON = (3, 11)
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"

NO_COMPILER = f"""\
locket: no C++ compiler was found, and the model runtime ({PROJECT}) has to be compiled once.
  Debian, Ubuntu:  sudo apt install g++ make
  Fedora:          sudo dnf install gcc-c++ make
  macOS:           xcode-select --install
Then run make again. Nothing has been installed so far."""

NO_VENV = """\
locket: this Python cannot make virtual environments (its ensurepip module is missing).
  Debian, Ubuntu:  sudo apt install python3-venv
Then run make again. Nothing has been installed so far."""

NO_TORCH = """\
locket: no CPU build of torch is to be had here (one for graphics cards has several gigabytes), so it is
  left out. Everything works without it but embedding models kept as sentence-transformers folders."""

STOPPED = "locket: stopped; the next make goes on from here."


def main() -> int:
    """Make or mend the environment, with words about what takes how long."""
    parser = argparse.ArgumentParser(description="Make .venv with the whole stack.")
    parser.add_argument("--dev", action="store_true", help="the tools of tests and lint too")
    dev = parser.parse_args().dev
    refusal = _refusal()
    if refusal:
        print(refusal, file=sys.stderr)
        return 1
    # ended from outside, it still ends the compilers it started and removes what is half done
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with _alone():
            return _install(dev=dev)
    except KeyboardInterrupt:
        print(STOPPED, file=sys.stderr)
        return 128 + signal.SIGINT


@contextmanager
def _alone() -> Iterator[None]:
    """Wait for another make in this checkout: two in one environment take it away from each other."""
    with CONSTRAINTS.open("rb") as file:  # it is always there, and is only locked
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say("another make is at work on .venv; this one waits for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _install(*, dev: bool) -> int:
    started = time.monotonic()
    try:
        _make_environment()
        with_torch = install_torch(PYTHON)
        if not with_torch:
            print(NO_TORCH, file=sys.stderr)
        _install_llama()
        _install_rest(dev=dev, with_torch=with_torch)
    except BuildFailed as failure:
        print(f"{failure}\nlocket: {PROJECT} could not be built; its last words are above.", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as failure:
        print(f"locket: this step failed: {' '.join(map(str, failure.cmd))}", file=sys.stderr)
        return 1
    problem = _does_not_load() or (with_torch and torch_problem(PYTHON))
    if problem:
        print(f"locket: {problem}", file=sys.stderr)
        return 1
    _say(f"the environment is ready after {time.monotonic() - started:.0f} s")
    return 0


def _refusal() -> str | None:
    if sys.version_info < OLDEST_PYTHON:
        return f"locket: Python 3.11 or newer is needed; this one is {sys.version.split()[0]}."
    if importlib.util.find_spec("ensurepip") is None:
        return NO_VENV
    if find_wheel(pinned_version(PROJECT)) is None and find_compiler() is None:
        return NO_COMPILER
    return None


def _make_environment() -> None:
    works = (
        PYTHON.exists()
        and not subprocess.run(
            [str(PYTHON), "-m", "pip", "--version"], capture_output=True, check=False
        ).returncode
    )
    if not works:
        _say("making .venv (some seconds)")
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)


def _install_llama() -> None:
    version = pinned_version(PROJECT)
    wheel = find_wheel(version)
    if wheel is None:
        _say(f"compiling {PROJECT} {version}: once on this machine, 5 to 10 minutes on two cores")
        wheel = build_wheel(PYTHON, version)
        _say(f"kept for next time: {wheel}")
    _pip("--no-deps", str(wheel))


def _install_rest(*, dev: bool, with_torch: bool) -> None:
    _say("installing the other packages (one to five minutes the first time)")
    extras = ["all" if with_torch else "keyring", *(["dev"] if dev else [])]
    _pip("--constraint", str(CONSTRAINTS), "--editable", f"{ROOT}[{','.join(extras)}]")


def _does_not_load() -> str | None:
    """Load the model runtime once: a wheel made for another processor dies here and not in a chat."""
    if subprocess.run([str(PYTHON), "-c", "import llama_cpp"], cwd=VENV, check=False).returncode:
        return f"{PROJECT} does not load here; remove {cache_folder()} and .venv, then run make again."
    return None


def _pip(*arguments: str) -> None:
    # setuptools warns of every editable installation, at length
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    subprocess.run([str(PYTHON), "-m", "pip", "install", "--quiet", *arguments], env=environment, check=True)


def _say(text: str) -> None:
    print(f"locket: {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
