"""Loads the SQLCipher driver and makes sqlite-utils use its error classes.

sqlite-utils looks for a module called ``pysqlite3`` before the standard library's, so that name is pointed at
the encrypted driver; this must happen before sqlite-utils is first imported, and is checked. Every file that
imports sqlite_utils imports this one first.
"""

from __future__ import annotations

import sys

import sqlcipher3
from sqlcipher3 import dbapi2

sys.modules["pysqlite3"] = sqlcipher3
sys.modules["pysqlite3.dbapi2"] = dbapi2

DriverError: type[Exception] = dbapi2.Error
DatabaseError: type[Exception] = dbapi2.DatabaseError
OperationalError: type[Exception] = dbapi2.OperationalError
ProgrammingError: type[Exception] = dbapi2.ProgrammingError
IntegrityError: type[Exception] = dbapi2.IntegrityError


def check_sqlite_utils() -> None:
    """Raise RuntimeError when sqlite-utils was imported too early and holds the wrong error classes."""
    loaded = sys.modules.get("sqlite_utils.utils")
    if loaded is not None and loaded.OperationalError is not dbapi2.OperationalError:
        raise RuntimeError("sqlite_utils was imported before memory.vault.driver")


def engine_version() -> str:
    """Return the versions of the encryption and of the database."""
    connection = dbapi2.connect(":memory:")
    try:
        row = connection.execute("PRAGMA cipher_version").fetchone()
        cipher = str(row[0]) if row else "missing"
        (sqlite,) = connection.execute("SELECT sqlite_version()").fetchone()
    finally:
        connection.close()
    return f"SQLCipher {cipher}, SQLite {sqlite}"
