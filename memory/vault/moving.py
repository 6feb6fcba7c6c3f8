"""Moves a folder of files to a name that is free, also on another disk: whole or not at all.

Where a rename does not reach, the copy takes its name when it is complete, and only then the first one goes.
"""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

from memory.vault.errors import StoreUnwritable
from memory.vault.files import FILE_MODE, make_private_folder, sync_file, sync_folder


def move_folder(source: Path, final: Path) -> None:
    """Move a folder that holds files only."""
    if final.exists():
        raise StoreUnwritable(f"there is something at {final} already")
    try:
        source.rename(final)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _copy(source, final)
        shutil.rmtree(source)
    sync_folder(final.parent)
    sync_folder(source.parent)


def _copy(source: Path, final: Path) -> None:
    temp = final.with_name(f".{final.name}.tmp")
    shutil.rmtree(temp, ignore_errors=True)
    try:
        make_private_folder(temp)
        for path in source.iterdir():
            shutil.copyfile(path, temp / path.name)
            (temp / path.name).chmod(FILE_MODE)
            sync_file(temp / path.name)
        sync_folder(temp)
        temp.rename(final)
    except BaseException:
        shutil.rmtree(temp, ignore_errors=True)
        raise
