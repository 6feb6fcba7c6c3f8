"""What SQL may not do through our door: leave the encrypted file, or undo its protections.

An authorizer judges every statement when it is prepared: no ATTACH (which also means no VACUUM INTO), no
loading of code, no export, and only listed pragmas. The surprise: unlisted pragmas are refused even for
reading, so that a new one in a later SQLite is not allowed by accident.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlcipher3 import dbapi2

READABLE: Final = frozenset(
    {
        "application_id", "busy_timeout", "cache_size", "cipher_integrity_check", "cipher_settings",
        "cipher_version", "collation_list", "compile_options", "data_version", "database_list",
        "defer_foreign_keys", "encoding", "foreign_key_check", "foreign_keys", "freelist_count",
        "function_list", "integrity_check", "journal_mode", "journal_size_limit", "legacy_alter_table", "module_list",
        "optimize", "page_count", "page_size", "query_only", "quick_check", "recursive_triggers",
        "schema_version", "secure_delete", "synchronous", "table_list", "temp_store", "trusted_schema",
        "user_version", "wal_autocheckpoint", "wal_checkpoint",
    }
)  # fmt: skip
WITH_ARGUMENT: Final = frozenset(
    {
        "busy_timeout", "cache_size", "defer_foreign_keys", "foreign_key_check", "foreign_key_list",
        "foreign_keys", "index_info", "index_list", "index_xinfo", "integrity_check", "legacy_alter_table",
        "optimize",
        "quick_check", "recursive_triggers", "table_info", "table_list", "table_xinfo", "wal_checkpoint",
    }
)  # fmt: skip
REFUSED_FUNCTIONS: Final = frozenset({"load_extension", "sqlcipher_export", "fts3_tokenizer"})


def judge(action: int, first: str | None, second: str | None, _database: str | None, _by: str | None) -> int:
    """Return SQLITE_OK or SQLITE_DENY for one step of a statement."""
    if action in (dbapi2.SQLITE_ATTACH, dbapi2.SQLITE_DETACH):
        return int(dbapi2.SQLITE_DENY)
    if action == dbapi2.SQLITE_FUNCTION and (second or "").lower() in REFUSED_FUNCTIONS:
        return int(dbapi2.SQLITE_DENY)
    if action == dbapi2.SQLITE_PRAGMA and not _pragma_allowed((first or "").lower(), second):
        return int(dbapi2.SQLITE_DENY)
    return int(dbapi2.SQLITE_OK)


def stand_guard(connection: Any) -> None:
    """Have every later statement of the connection judged."""
    connection.set_authorizer(judge)


@contextmanager
def off_guard(connection: Any) -> Iterator[None]:
    """Let the vault's own code run what is refused to everybody else."""
    connection.set_authorizer(None)
    try:
        yield
    finally:
        stand_guard(connection)


def _pragma_allowed(name: str, argument: str | None) -> bool:
    if argument is None:
        return name in READABLE or name in WITH_ARGUMENT
    if name == "journal_mode":
        return argument.lower() == "wal"
    return name in WITH_ARGUMENT
