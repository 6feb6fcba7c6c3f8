"""From a secret to a connected store: tries what the key file opens on what the folder holds.

Owns the pairing of key file and store, and what an opening for writing puts right on the way. While the data
key is being changed a secret may open an older and a newer key; the newest that the store answers to wins, and
an old one alone is "wrong passphrase", since the slot it came from is about to vanish.
"""

from __future__ import annotations

import base64
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memory.vault import keyfile
from memory.vault.connection import connect_reader, connect_writer, refuse_foreign
from memory.vault.errors import KeyFileDamaged, NoStore, StoreDamaged, WrongPassphrase
from memory.vault.exclusive import truncate_log
from memory.vault.files import FILE_MODE, FOLDER_MODE, tighten
from memory.vault.identity import Identity, read_identity
from memory.vault.kdf import Argon2Params
from memory.vault.keyfile import KeyFile, Opened
from memory.vault.keys import Passphrase, Secret, subkey
from memory.vault.keyslots import fresh_draw, wrap
from memory.vault.layout import Layout
from memory.vault.pages import PageReader

if TYPE_CHECKING:
    from sqlite_utils import Database


NAMED: Final = 12
"""Damaged pages that are listed in words; the error holds all."""


@dataclass(frozen=True, slots=True)
class Unlocked:
    """A store that answered, and what opened it."""

    db: Database
    identity: Identity
    opened: Opened = field(repr=False)


def require_store(layout: Layout) -> None:
    """Raise unless both the key file and the store are there; each missing alone has its own error."""
    has_key, has_store = layout.key_file.exists(), layout.store.exists()
    if not has_key and not has_store:
        raise NoStore(f"there is no vault in {layout.folder}")
    if not has_key:
        raise KeyFileDamaged(f"{layout.key_file.name} is missing; a backup holds a copy")
    if not has_store:
        raise StoreDamaged(f"{layout.store.name} is missing; restore a backup")


def unlock(
    store: Path, key_file: KeyFile, secret: Secret, *, writer: bool, allow_cheap: bool = False
) -> Unlocked:
    """Return the connected store, or raise WrongPassphrase before the store was touched."""
    refused: StoreDamaged | None = None
    newest_tried = 0
    newest_key = b""
    connect = connect_writer if writer else connect_reader
    for opened in keyfile.iter_opened(key_file, secret, allow_cheap=allow_cheap):
        key = subkey(opened.data_key, "db", key_file.file_id)
        if opened.slot.generation > newest_tried:
            newest_tried, newest_key = opened.slot.generation, key
        refuse_foreign(store)
        try:
            db = connect(store, key)
        except StoreDamaged as error:
            refused = error
            continue
        with ExitStack() as on_failure:
            on_failure.callback(db.close)
            identity = read_identity(db)
            if identity.file_id != key_file.file_id:
                raise KeyFileDamaged("the key file belongs to another store")
            on_failure.pop_all()
        return Unlocked(db, identity, opened)
    if newest_tried < key_file.generation:
        raise WrongPassphrase("this secret belongs to a data key that was replaced")
    raise _damaged(store, newest_key) from refused


def _damaged(store: Path, key: bytes) -> StoreDamaged:
    """Return what is wrong with a store that does not open with its key: which pages, if the key is its own."""
    with PageReader(store, key) as pages:
        count, damaged = pages.page_count, pages.damaged_pages()
    if not damaged:
        return StoreDamaged("every page is whole, and they do not fit together")
    if len(damaged) == count:
        words = "the store does not open with its key: its beginning is damaged, or it belongs to another key file"
        return StoreDamaged(words, pages=(1,))
    listed = ", ".join(str(number) for number in damaged[:NAMED])
    more = f" and {len(damaged) - NAMED} more" if len(damaged) > NAMED else ""
    return StoreDamaged(f"{len(damaged)} of {count} pages are damaged: {listed}{more}", damaged)


def settled(key_file: KeyFile, opened: Opened) -> KeyFile:
    """Return the key file without the slots of a data key that the store does not have (any longer, or yet)."""
    kept = tuple(slot for slot in key_file.slots if slot.generation == opened.slot.generation)
    return keyfile.sealed(replace(key_file, slots=kept), {opened.slot.generation: opened.data_key})


def costlier(
    key_file: KeyFile, opened: Opened, secret: Secret, params: Argon2Params, *, allow_cheap: bool
) -> tuple[KeyFile, Opened]:
    """Return the key file with the used passphrase slot brought up to the wanted cost, if it was below."""
    slot = opened.slot
    if not isinstance(secret, Passphrase) or slot.params is None or not slot.params.weaker_than(params):
        return key_file, opened
    stronger = wrap(
        opened.data_key,
        secret,
        head=key_file.head,
        label=slot.label,
        created=slot.created,
        generation=slot.generation,
        params=params,
        allow_cheap=allow_cheap,
        draw=replace(fresh_draw(), slot_id=base64.b64decode(slot.id)),  # still the same slot to people
    )
    slots = tuple(stronger if other.id == slot.id else other for other in key_file.slots)
    changed = keyfile.sealed(replace(key_file, slots=slots), {slot.generation: opened.data_key})
    return changed, Opened(stronger, opened.data_key)


def judged_modes(layout: Layout, *, change: bool) -> tuple[str, ...]:
    """Return words about whatever others could reach, and close it to them when allowed."""
    wanted = ((layout.folder, FOLDER_MODE), (layout.key_file, FILE_MODE), (layout.store, FILE_MODE))
    words = [tighten(path, mode, change=change) for path, mode in wanted]
    return tuple(word for word in words if word is not None)


def tidied(
    layout: Layout,
    key_file: KeyFile,
    unlocked: Unlocked,
    secret: Secret,
    params: Argon2Params | None,
    *,
    allow_cheap: bool,
) -> tuple[KeyFile, Unlocked]:
    """Finish a rotation that was interrupted, and raise the cost of the slot that was used."""
    tidy, opened = key_file, unlocked.opened
    if key_file.rotating and truncate_log(unlocked.db):
        tidy = settled(key_file, opened)  # not before the log is empty: its tail may still be lost
    if params is not None and not tidy.rotating:
        tidy, opened = costlier(tidy, opened, secret, params, allow_cheap=allow_cheap)
    if tidy != key_file:
        keyfile.save(tidy, layout.key_file)
    return tidy, replace(unlocked, opened=opened)
