"""The only door to the encrypted database.

Owns every pragma and check without which SQLCipher would write clear text, keep deleted text or print on the
terminal. Connections are in driver autocommit mode: a transaction exists only inside ``with db.atomic():``, so
a failed write never leaves one open. sqlite-utils (and numpy with it) is imported at the first opening.
"""

from __future__ import annotations

import importlib.util
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlcipher3 import dbapi2

from memory.vault import driver, rawfile
from memory.vault.cipher import PAGE_BYTES, SQLITE_START
from memory.vault.driver_errors import store_errors
from memory.vault.errors import StoreDamaged, StoreUnwritable
from memory.vault.files import read_errors
from memory.vault.guard import stand_guard
from memory.vault.hardening import wipe_freed_memory
from memory.vault.layout import sidecars

if TYPE_CHECKING:
    from sqlite_utils import Database

KEY_BYTES: Final = 32
BUSY_SECONDS: Final = 5.0
CACHE_AT_LEAST: Final = 16 << 20
CACHE_AT_MOST: Final = 256 << 20
_WRITER_PRAGMAS: Final = (
    "synchronous = FULL",  # costs the same encrypted or not, and survives a power cut
    "secure_delete = ON",  # FAST would leave freed pages as they were
    "journal_size_limit = 0",
)
_PRAGMAS: Final = (
    "temp_store = MEMORY",  # the sorter's temporary file would be clear text
    "foreign_keys = ON",
    "trusted_schema = OFF",
)
_VECTOR_TABLES: Final = "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '*_vector_chunks[0-9][0-9]' ORDER BY name"


def connect_writer(path: Path, key: bytes, *, create: bool = False) -> Database:
    """Open the store for writing; the key is SQLCipher's raw key, not the data key."""
    with store_errors(), ExitStack() as on_failure:
        connection = _open(path, key, "rwc" if create else "rw")
        on_failure.callback(connection.close)
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode is None or mode[0] != "wal":
            raise StoreDamaged(f"the store cannot use its write-ahead log (it is in mode {mode})")
        for pragma in _WRITER_PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        database = _finish(connection)
        on_failure.pop_all()
        return database


def connect_reader(path: Path, key: bytes) -> Database:
    """Open the store for reading only, also beside a writer, from another thread, or on a disk that refuses writes."""
    try:
        return _connect_reader(path, key, "ro")
    except StoreUnwritable:
        log = sidecars(path)[0]
        if log.exists() and log.stat().st_size:
            raise  # its last commits are in the log, which cannot be read without writing beside it
        return _connect_reader(path, key, "ro&immutable=1")


def connect_in_memory(key: bytes) -> Database:
    """Make a database that never reaches a disk: it ends with its connection."""
    with store_errors(), ExitStack() as on_failure:
        connection = dbapi2.connect(":memory:", isolation_level=None, check_same_thread=False)
        on_failure.callback(connection.close)
        _key(connection, key)
        database = _finish(connection)
        on_failure.pop_all()
        return database


def connect_bare(path: Path, key: bytes) -> Any:
    """Open or make a keyed file that a copy is about to be written into; the caller sees only encrypted pages."""
    with store_errors():
        return _open(path, key, "rwc")


def refuse_foreign(path: Path) -> None:
    """Raise StoreDamaged when the file cannot be an encrypted store: an ordinary SQLite file, or hardly any file.

    SQLite takes less than a page for an empty database, which every key opens and the next write fills.
    """
    if path.is_file() and path.stat().st_size < PAGE_BYTES:
        raise StoreDamaged(f"{path.name} is cut off: it holds not even its first page", pages=(1,))
    with read_errors(path.name):
        start = rawfile.read_start(path, len(SQLITE_START))
    if start == SQLITE_START:
        raise StoreDamaged(f"{path.name} is not encrypted: it is not a store that Locket wrote")


def size_cache(connection: Any) -> int:
    """Make the page cache larger than all vector tables, without which each search decrypts them anew."""
    total = 0
    for (name,) in connection.execute(_VECTOR_TABLES).fetchall():
        quoted = name.replace('"', '""')
        (size,) = connection.execute(f'SELECT COALESCE(SUM(LENGTH(vectors)), 0) FROM "{quoted}"').fetchone()  # noqa: S608 - a name from the schema, quoted
        total += size
    wanted = min(max(CACHE_AT_LEAST, total * 6 // 5 + CACHE_AT_LEAST // 4), CACHE_AT_MOST)
    connection.execute(f"PRAGMA cache_size = -{wanted // 1024}")
    return wanted


def extension_path() -> str:
    """Return where sqlite-vec's library lies, without importing the package (which would import numpy)."""
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or spec.origin is None:
        raise RuntimeError("the package sqlite-vec is not installed")
    return str(Path(spec.origin).with_name("vec0"))


def _connect_reader(path: Path, key: bytes, mode: str) -> Database:
    with store_errors(), ExitStack() as on_failure:
        connection = _open(path, key, mode)
        on_failure.callback(connection.close)
        connection.execute("PRAGMA query_only = ON")
        database = _finish(connection)
        on_failure.pop_all()
        return database


def _open(path: Path, key: bytes, mode: str) -> Any:
    if len(key) != KEY_BYTES:
        raise ValueError("the store's key has 32 bytes; SQLCipher would take any other for a passphrase")
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    connection = dbapi2.connect(
        uri, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS
    )
    with ExitStack() as on_failure:
        on_failure.callback(connection.close)
        _key(connection, key)
        on_failure.pop_all()
    return connection


def _key(connection: Any, key: bytes) -> None:
    """Key a fresh connection and set what every connection needs."""
    connection.execute("PRAGMA cipher_log_level = NONE")  # else a wrong key prints over the screen
    if not wipe_freed_memory():
        # SQLCipher's own way to the same end: it also pins every single allocation, which takes a system call or
        # two each time. Measured in two processes taking turns: search by words 10 times as long, bulk insert 9,
        # JSON 20, a commit 3, against 1.0 for what the allocator does. Its keys are pinned and wiped either way.
        connection.execute("PRAGMA cipher_memory_security = ON")  # for the whole process, until it ends
    connection.execute(f"PRAGMA key = \"x'{bytes(key).hex()}'\"")  # takes no bound parameter
    connection.execute("PRAGMA cipher_compatibility = 4")
    if not connection.execute("PRAGMA cipher_version").fetchone():
        raise RuntimeError("this SQLite driver has no encryption")
    connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()  # a wrong key fails here
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _finish(connection: Any) -> Database:
    connection.enable_load_extension(True)
    connection.load_extension(extension_path())
    connection.enable_load_extension(False)
    size_cache(connection)
    driver.check_sqlite_utils()
    from sqlite_utils import Database  # noqa: PLC0415 - brings numpy along, so not before it is needed

    driver.check_sqlite_utils()
    database = Database(connection, execute_plugins=False)
    stand_guard(connection)
    return database
