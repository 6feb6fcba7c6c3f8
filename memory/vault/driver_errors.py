"""Turns the database driver's errors into the vault's.

A full disk, a damaged page, a busy or a read-only store each become their own error; every other driver
error (a broken constraint, wrong SQL) passes through, because it is the caller's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlcipher3 import dbapi2

from memory.vault.errors import DiskFull, StoreDamaged, StoreInUse, StoreUnwritable, VaultError

_CODES: Final = {  # a failed backup() carries its message only
    "disk I/O error": dbapi2.SQLITE_IOERR,
    "database or disk is full": dbapi2.SQLITE_FULL,
    "database disk image is malformed": dbapi2.SQLITE_CORRUPT,
    "file is not a database": dbapi2.SQLITE_NOTADB,
    "database is locked": dbapi2.SQLITE_BUSY,
    "attempt to write a readonly database": dbapi2.SQLITE_READONLY,
    "unable to open database file": dbapi2.SQLITE_CANTOPEN,
}


def find_vault_error(error: BaseException) -> VaultError | None:
    """Return the vault's error for a driver error, or None when it is not about the store's condition."""
    if not isinstance(error, dbapi2.Error):
        return None
    code = getattr(error, "sqlite_errorcode", None)
    if not isinstance(code, int):
        code = _CODES.get(str(error), dbapi2.SQLITE_OK)
    match code & 0xFF:
        case dbapi2.SQLITE_FULL:
            return DiskFull(f"the disk is full: {error}")
        case dbapi2.SQLITE_CORRUPT | dbapi2.SQLITE_NOTADB:
            return StoreDamaged(f"the store is damaged: {error}")
        case dbapi2.SQLITE_BUSY | dbapi2.SQLITE_LOCKED:
            return StoreInUse(None, None)
        case dbapi2.SQLITE_IOERR | dbapi2.SQLITE_READONLY | dbapi2.SQLITE_CANTOPEN | dbapi2.SQLITE_PERM:
            return StoreUnwritable(f"the disk refused: {error}")
        case _:
            return None


@contextmanager
def store_errors() -> Iterator[None]:
    """Raise the vault's error in place of a driver error about the store's condition."""
    try:
        yield
    except dbapi2.Error as error:
        named = find_vault_error(error)
        if named is None:
            raise
        raise named from error
