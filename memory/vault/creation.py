"""Makes the files of a new vault in an order in which a crash leaves either no vault or a whole one.

The store is prepared under another name, the key file is written, and only then the store takes its name. A
key file beside a prepared store is a finished creation that only lacks the last renaming.
"""

from __future__ import annotations

import os

from memory.vault import keyfile
from memory.vault.connection import connect_writer, refuse_foreign
from memory.vault.crashpoints import point
from memory.vault.driver_errors import store_errors
from memory.vault.exclusive import close_self_contained, put_in_place, remove_store
from memory.vault.files import FILE_MODE, disk_errors, remove_leftovers
from memory.vault.identity import write_identity
from memory.vault.kdf import Argon2Params
from memory.vault.keyfile import FILE_ID_BYTES, KeyFile
from memory.vault.keys import Passphrase, new_data_key, subkey
from memory.vault.keyslots import wrap
from memory.vault.layout import Layout


def make_files(
    layout: Layout,
    passphrase: Passphrase,
    params: Argon2Params,
    created: str,
    *,
    allow_cheap: bool,
    lineage: tuple[bytes, bytes | None] | None = None,
) -> None:
    """Write store and key file of a new vault; the caller holds the lock and has looked that none is there."""
    remove_leftovers(layout.folder)
    remove_store(layout.new_store)
    data_key = new_data_key()
    file_id, seal = lineage or (os.urandom(FILE_ID_BYTES), None)
    empty = KeyFile(file_id, (), {})
    slot = wrap(
        data_key,
        passphrase,
        head=empty.head,
        label="",
        created=created,
        generation=1,
        params=params,
        allow_cheap=allow_cheap,
    )
    key_file = keyfile.sealed(KeyFile(empty.file_id, (slot,), {}), {1: data_key})
    try:
        with disk_errors(layout.new_store.name), store_errors():
            db = connect_writer(layout.new_store, subkey(data_key, "db", key_file.file_id), create=True)
            try:
                write_identity(db, key_file.file_id, seal=seal)
            except BaseException:
                db.close()
                raise
            close_self_contained(db)
            layout.new_store.chmod(FILE_MODE)
        refuse_foreign(layout.new_store)
        point("create.store-prepared")
        keyfile.save(key_file, layout.key_file)
    except BaseException:
        remove_store(layout.new_store)
        raise
    put_in_place(layout.new_store, layout.store, named="create")


def finish_creation(layout: Layout) -> None:
    """Give a prepared store its name when the key file is there, and clear away what an unfinished job left."""
    remove_leftovers(layout.folder)
    if not layout.new_store.exists():
        return
    if layout.key_file.exists() and not layout.store.exists():
        put_in_place(layout.new_store, layout.store, named="create")
    elif layout.store.exists():
        remove_store(layout.new_store)  # a copy that a killed migration was working on
