"""Writing files so that a crash leaves the old one or the new one, and only the owner can read them.

Owns modes, atomic replacement and the words about permissions that are too open. Windows keeps its own
access lists: there modes are neither set nor judged.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memory.vault.crashpoints import point
from memory.vault.errors import DiskFull, StoreInUse, StoreUnreadable, StoreUnwritable, UnsafePermissions

FILE_MODE = 0o600
FOLDER_MODE = 0o700
_PROBE_BYTES = 1 << 16  # more than SQLite's own file beside the log begins with
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NO_FOLDER_SYNC = frozenset({errno.EINVAL, errno.EBADF, errno.ENOTSUP})
"""What file systems say that cannot sync a folder, such as some of a network's: there its names are their affair."""


@contextmanager
def disk_errors(what: str) -> Iterator[None]:
    """Turn the system's refusals while writing into the vault's own errors; a file that is not there stays one."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno in _FULL:
            raise DiskFull(f"the disk is full: could not write {what}") from error
        raise StoreUnwritable(f"could not write {what}: {error.strerror or error}") from error


@contextmanager
def read_errors(what: str) -> Iterator[None]:
    """Turn the system's refusals while reading into the vault's own error; a file that is not there stays one."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StoreUnreadable(f"could not read {what}: {error.strerror or error}") from error


@contextmanager
def full_or_refused(folder: Path) -> Iterator[None]:
    """Raise DiskFull in place of what else SQLite makes of it when the folder's disk takes no more bytes.

    It says "disk full" only of some of its writes; of a quota, and of its small file beside the log, it says "I/O
    error", as of a broken disk, and after a failed change of all pages that it is busy.
    """
    try:
        yield
    except (StoreUnwritable, StoreInUse) as error:
        held = isinstance(error, StoreInUse) and error.pid is not None
        if not held and takes_no_more(folder):
            raise DiskFull("the disk took no more bytes") from error
        raise


def takes_no_more(folder: Path) -> bool:
    """Say whether a small file cannot be written for lack of room; nothing of it stays."""
    probe = folder / f".vault.probe.{os.getpid()}.tmp"
    try:
        probe.write_bytes(bytes(_PROBE_BYTES))
    except OSError as error:
        return error.errno in _FULL
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
    return False


def make_private_folder(folder: Path) -> None:
    """Create the folder and its parents, readable by the owner only; keep one that exists."""
    with disk_errors(folder.name):
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)


def sync_folder(folder: Path) -> None:
    """Make renames and new names in the folder survive a power cut."""
    if sys.platform == "win32":
        return  # a folder cannot be opened there; NTFS journals its names
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(descriptor)


def sync_file(path: Path) -> None:
    """Make the content of a file that nobody has open survive a power cut."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_atomically(path: Path, content: bytes, *, named: str) -> None:
    """Replace the file as a whole; crash points ``<named>.temp-written`` and ``<named>.renamed`` surround the rename."""
    temp = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with disk_errors(path.name):
        try:
            descriptor = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
            try:
                view = memoryview(content)
                while view:
                    view = view[os.write(descriptor, view) :]
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            point(f"{named}.temp-written")
            temp.replace(path)
        except BaseException:
            temp.unlink(missing_ok=True)
            raise
        point(f"{named}.renamed")
        sync_folder(path.parent)


def remove_leftovers(folder: Path) -> None:
    """Remove what a killed writer left half made; call it only under the writer lock."""
    for temp in folder.glob(".vault.*.tmp"):
        temp.unlink(missing_ok=True)
    for half in (folder / ".restoring.tmp", folder / ".salvaging.tmp", *folder.glob("backups/.*.tmp")):
        shutil.rmtree(half, ignore_errors=True)


def tighten(path: Path, mode: int, *, change: bool) -> str | None:
    """Check that only the owner can reach the path, mend it when allowed, and return words if it was too open.

    Raises UnsafePermissions when the path belongs to another ordinary user.
    """
    if sys.platform == "win32":
        return None
    found = path.stat()
    if found.st_uid not in (os.geteuid(), 0) and os.geteuid() != 0:
        raise UnsafePermissions(f"{path} belongs to another user (uid {found.st_uid}), who could replace it")
    open_bits = stat.S_IMODE(found.st_mode) & ~mode & 0o777
    if not open_bits:
        return None
    words = f"{path.name} could be reached by other users (mode {stat.S_IMODE(found.st_mode):04o})"
    if not change:
        return f"{words}; run: chmod {mode:o} '{path}'"
    try:
        path.chmod(mode)
    except OSError as error:
        return f"{words} and could not be closed: {error.strerror}"
    if stat.S_IMODE(path.stat().st_mode) & ~mode & 0o777:
        return f"{words}; this disk keeps no file modes, so that cannot be changed here"
    return f"{words}; it was set to {mode:04o}"
