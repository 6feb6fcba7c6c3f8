"""Takes an archive in: everything it holds inside one transaction, or nothing.

Owns the steps and the account of what became of each record. What stands when both sides differ is decided in
``merging``, what must not come back in ``guard``. The surprise: rows are written while the archive is still
being read, because nothing of it may lie in clear outside the store; the commit comes after its last byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, BinaryIO

from memory.ports import NewId
from memory.store.migrations import SCHEMA_VERSION
from memory.store.tombstones import add_keys
from memory.transfer.age import decrypt
from memory.transfer.archive import Manifest, Record, read_archive
from memory.transfer.errors import ArchiveNewer, ContentRefused, NotAnArchive
from memory.transfer.remaking import queue_work, remake_items
from memory.transfer.report import ImportReport, TakenBack, go_on_unless
from memory.transfer.staging import Staging
from memory.vault.crashpoints import point
from memory.vault.driver import IntegrityError
from memory.vault.driver_errors import store_errors

if TYPE_CHECKING:
    from sqlite_utils import Database

Progress = Callable[[int, int], None]
EVERY = 50
"""Records between two reports of progress."""


def import_archive(
    db: Database,
    source: BinaryIO,
    passphrase: str,
    *,
    own_key: bytes,
    now: datetime,
    new_id: NewId,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Read, check and merge an archive of our own; the store is unchanged unless all of it is sound."""
    manifest, records = read_archive(decrypt(source, passphrase))
    if manifest.masked:
        raise NotAnArchive("this is a masked copy for reading; import the encrypted export it came with")
    if manifest.schema > SCHEMA_VERSION:
        raise ArchiveNewer(manifest.schema, SCHEMA_VERSION)
    staging = Staging(db, own_key, now, new_id)
    try:
        with store_errors(), db.atomic():
            _take(staging, manifest, records, progress)
            point("import.rows")
            staging.finish()
            add_keys(db, _others(manifest, own_key))
            remake_items(db, staging.touched)
            queue_work(db, staging.touched, now, new_id)
            report = _report(staging, manifest)
            point("import.items")
            go_on_unless(dry_run)
    except TakenBack:
        return report
    except (IntegrityError, OverflowError, UnicodeError) as error:
        raise ContentRefused("the archive's records do not fit together") from error
    point("import.committed")
    return report


def _take(staging: Staging, manifest: Manifest, records: Iterable[Record], progress: Progress | None) -> None:
    for number, (table, row) in enumerate(records, start=1):
        staging.take(table, row)
        if number % EVERY == 0:
            point("import.some")
        if progress is not None and (number % EVERY == 0 or number == manifest.total):
            progress(number, manifest.total)


def _others(manifest: Manifest, own_key: bytes) -> list[bytes]:
    keys = [bytes.fromhex(key) for key in manifest.tombstone_keys]
    return [key for key in keys if key != own_key]


def _report(staging: Staging, manifest: Manifest) -> ImportReport:
    keys = [bytes.fromhex(key) for key in manifest.tombstone_keys]
    return ImportReport(
        added=staging.counts("added"),
        same=staging.counts("same"),
        changed=staging.counts("changed"),
        kept=staging.counts("kept"),
        refused=staging.counts("refused"),
        forgotten_elsewhere=staging.forgotten_elsewhere(keys),
    )
