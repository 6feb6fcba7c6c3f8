"""Builds the wheel of llama-cpp-python once, and keeps it outside the repository.

The index has its source only, and the build takes minutes. The surprise: the wheel fits every Python 3
but not every processor, for the compiler is told to use all that this one can do; so the folder it is
kept in is named after the processor's abilities too.
"""

import hashlib
import os
import platform
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import time
import zipfile
import zlib
from pathlib import Path

PROJECT = "llama-cpp-python"
_ABILITIES = ("sse", "ssse", "avx", "fma", "f16c", "bmi", "amx", "asimd", "sve", "i8mm", "bf16", "dotprod")
_WORD_EVERY_S = 30
_LOG_TAIL_LINES = 40


class BuildFailed(Exception):  # noqa: N818 - says what happened
    """The compiler or the downloads it needs said no; the text holds the end of the log."""


def cache_folder() -> Path:
    """Give the folder that keeps wheels between checkouts."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "locket" / "wheels"


def find_compiler() -> str | None:
    """Name a C++ compiler that answers, or None."""
    for name in filter(None, (os.environ.get("CXX"), "c++", "g++", "clang++")):
        path = shutil.which(name.split()[0])
        if path and subprocess.run([path, "--version"], capture_output=True, check=False).returncode == 0:
            return path
    return None


def find_wheel(version: str) -> Path | None:
    """Give the wheel built earlier for this processor, or None; one that a crash cut short is none."""
    return next(filter(_is_whole, sorted(_kept_in(version).glob("*.whl"))), None)


def build_wheel(python: Path, version: str) -> Path:
    """Compile the wheel and keep it; several minutes, with a word every half minute."""
    kept_in = _kept_in(version)
    kept_in.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept_in.parent, prefix="building-") as scratch:
        # pip's own cache knows nothing of processors, so it is not asked
        command = [str(python), "-m", "pip", "wheel", "--no-deps", "--no-cache-dir", "--no-binary", PROJECT]
        command += ["--wheel-dir", f"{scratch}/wheel", f"{PROJECT}=={version}"]
        _run_with_words(command, Path(scratch) / "build.log")
        built = Path(scratch) / "wheel"
        shutil.rmtree(kept_in, ignore_errors=True)
        built.rename(kept_in)
    wheel = find_wheel(version)
    if wheel is None:
        raise BuildFailed(f"the build ended well but left no wheel in {kept_in}")
    return wheel


def _is_whole(wheel: Path) -> bool:
    try:
        with zipfile.ZipFile(wheel) as content:
            return content.testzip() is None
    except (OSError, zipfile.BadZipFile, zlib.error):
        return False


def _kept_in(version: str) -> Path:
    marks = "\n".join([sysconfig.get_platform(), os.environ.get("CMAKE_ARGS", ""), *_processor_abilities()])
    return cache_folder() / f"{PROJECT}-{version}-{hashlib.sha256(marks.encode()).hexdigest()[:12]}"


def _processor_abilities() -> list[str]:
    """List what the compiler may use; other flags come and go with the kernel and say nothing."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
        flags = next((line for line in lines if line.lower().startswith(("flags", "features"))), "")
        return sorted({flag for flag in flags.split() if flag.startswith(_ABILITIES)})
    if platform.system() == "Darwin":
        found = subprocess.run(
            ["sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True, check=False
        )
        return [found.stdout.strip()]
    return [platform.processor()]


def _run_with_words(command: list[str], log: Path) -> None:
    started = time.monotonic()
    with log.open("wb") as output:
        # a session of its own, so that the compilers below pip can be ended together with it
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            while True:
                try:
                    status = child.wait(timeout=_WORD_EVERY_S)
                    break
                except subprocess.TimeoutExpired:
                    print(f"  still compiling, {time.monotonic() - started:.0f} s so far", flush=True)
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGTERM)
                child.wait()
    if status:
        tail = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LOG_TAIL_LINES:]
        raise BuildFailed("\n".join(tail))
