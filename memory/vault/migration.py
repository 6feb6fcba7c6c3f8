"""Brings a store to a newer schema without ever endangering the old one.

The migration runs on a copy, which takes the store's name only when it is complete and on the disk: a failure or
a kill at any moment leaves the old store, untouched. The copy is encrypted like the store; nothing here knows
what a migration does.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from memory.vault.backup import make_backup
from memory.vault.connection import connect_writer
from memory.vault.crashpoints import point
from memory.vault.driver_errors import find_vault_error
from memory.vault.errors import MigrationFailed, MigrationNeeded, NewerVersion, VaultError
from memory.vault.exclusive import close_self_contained, leave_log, put_in_place, remove_store
from memory.vault.files import FILE_MODE, disk_errors
from memory.vault.identity import read_schema_version, write_schema_version
from memory.vault.keyfile import KeyFile
from memory.vault.keys import subkey
from memory.vault.layout import Layout
from memory.vault.opening import Unlocked

if TYPE_CHECKING:
    from sqlite_utils import Database

Migrate = Callable[["Database"], None]


def migrate_store(layout: Layout, key: bytes, migrate: Migrate, *, version: int) -> None:
    """Replace the closed, self-contained store by a migrated copy of it."""
    prepared = layout.new_store
    remove_store(prepared)
    try:
        with disk_errors(prepared.name):
            shutil.copyfile(layout.store, prepared)
            prepared.chmod(FILE_MODE)
        point("migration.copied")
        db = connect_writer(prepared, key)
        try:
            migrate(db)
            write_schema_version(db, version)
            point("migration.migrated")
        except BaseException:
            db.close()
            raise
        close_self_contained(db)
        put_in_place(prepared, layout.store, named="migration")
    except VaultError:
        remove_store(prepared)
        raise
    except Exception as error:  # the edge to code that is not ours: whatever it raised, the old store stays
        remove_store(prepared)
        named = find_vault_error(error)
        if named is not None:
            raise named from error
        raise MigrationFailed(
            f"the store could not be brought to schema {version}: {type(error).__name__}"
        ) from error


def brought_up_to_date(
    layout: Layout,
    key_file: KeyFile,
    unlocked: Unlocked,
    migrate: Migrate | None,
    wanted: int | None,
    *,
    writer: bool,
    now: datetime,
) -> Unlocked:
    """Return the store at the wanted schema, migrated if need be."""
    found = read_schema_version(unlocked.db)
    if wanted is None or found == wanted:
        return unlocked
    if found > wanted:
        raise NewerVersion("store", found, wanted)
    if not writer or migrate is None:
        raise MigrationNeeded(found, wanted)
    key = subkey(unlocked.opened.data_key, "db", key_file.file_id)
    if found:
        make_backup(layout, unlocked.db, key, key_file, reason="migration", now=now)
        point("migration.backed-up")
    leave_log(unlocked.db)
    unlocked.db.close()
    migrate_store(layout, key, migrate, version=wanted)
    return replace(unlocked, db=connect_writer(layout.store, key))
