"""Memory that leaves as one file and arrives from one, on an open store; what verbs, plain chat and screen share.

Owns which kind of file is which and the words about what came of it. Knows no terminal. One surprise: whoever
reports progress may raise to stop: an export then leaves no file and an import no change.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from assistant.paths import Kind, kind_of, typed_path
from assistant.settings import Settings

if TYPE_CHECKING:
    from sqlite_utils import Database

    from memory.transfer.archive import Manifest, What
    from memory.transfer.report import ImportReport
    from memory.vault.vault import Vault

# ruff: noqa: PLC0415 - late imports are the point: the screen loads none of this before somebody exports

Tell = Callable[[int, int], None]
"""Called with how many records are done, and how many there are (0 when that is not known)."""
T = TypeVar("T")
OPENS_WITH = "It opens with its passphrase: here with `locket import`, anywhere with `age -d`."
DRY = "Nothing was changed: this was a dry run."


class CarryStopped(Exception):  # noqa: N818 - an ending, not an error
    """The user stopped an export or import; nothing of it is left."""


def export_to(
    settings: Settings,
    db: Database,
    tombstone_key: bytes,
    file: Path,
    passphrase: str | None,
    what: What,
    tell: Tell | None = None,
) -> Manifest:
    """Write an encrypted archive; without a passphrase a masked copy in clear."""
    from assistant.wiring import clock_of
    from memory.transfer.age import CHEAPEST, COST
    from memory.transfer.export import export_file

    return export_file(
        db,
        file,
        passphrase,
        what=what,
        tombstone_key=tombstone_key,
        now=clock_of(settings)(),
        cost=CHEAPEST if settings.cheap_kdf else COST,
        allow_cheap=settings.cheap_kdf,
        progress=tell,
    )


def write_text(settings: Settings, file: Path, text: str, passphrase: str | None) -> None:
    """Write a text into a file that its passphrase opens; without one in clear."""
    from memory.transfer.age import CHEAPEST, COST
    from memory.transfer.export import write_clear, write_encrypted

    if passphrase is None:
        write_clear(file, text.encode())
        return
    cost = CHEAPEST if settings.cheap_kdf else COST
    write_encrypted(file, text.encode(), passphrase, cost=cost, allow_cheap=settings.cheap_kdf)


def import_from(
    settings: Settings,
    vault: Vault,
    file: Path,
    passphrase: str | None,
    *,
    kind: str = "auto",
    trust: bool = False,
    dry_run: bool = False,
    tell: Tell | None = None,
) -> ImportReport:
    """Take a file in, on the thread that writes: with a passphrase an archive of our own, else another's export."""
    if passphrase is None:
        return _import_foreign(settings, vault, file, kind, trust=trust, dry_run=dry_run, tell=tell)
    from assistant.wiring import clock_of
    from memory.ids import new_id_maker
    from memory.transfer.import_ import import_archive

    check_encrypted(file)
    clock = clock_of(settings)
    with file.open("rb") as source:
        return import_archive(
            vault.db,
            source,
            passphrase,
            own_key=vault.key("tombstones"),
            now=clock(),
            new_id=new_id_maker(clock, secrets.randbits),
            dry_run=dry_run,
            progress=tell,
        )


def _import_foreign(
    settings: Settings,
    vault: Vault,
    path: Path,
    kind: str,
    *,
    trust: bool,
    dry_run: bool,
    tell: Tell | None,
) -> ImportReport:
    from assistant.wiring import clock_of, profile_id
    from memory.core import Core
    from memory.ids import new_id_maker
    from memory.transfer.foreign import import_pieces
    from memory.transfer.sources.opening import KINDS, walk_source

    clock = clock_of(settings)
    found, pieces = walk_source(path, next((one for one in KINDS if one == kind), None))
    core = Core(
        vault.db,
        profile_id(settings, vault),
        clock,
        new_id_maker(clock, secrets.randbits),
        vault.key("tombstones"),
    )
    return import_pieces(core, found, told(pieces, tell), trust=trust, dry_run=dry_run)


def told(pieces: Iterable[T], tell: Tell | None) -> Iterator[T]:
    """Pass pieces on and tell how many there were."""
    for number, piece in enumerate(pieces, 1):
        if tell is not None:
            tell(number, 0)
        yield piece


def is_own(file: Path) -> bool:
    """Tell an age file, or a copy in clear that has to be refused in words, from other programs' exports."""
    start = _start(file)
    ours = b'"format":"locket-archive"' in start.split(b"\n", 1)[0]
    return ours or start.startswith((b"age-encryption.org/", b"-----BEGIN AGE"))


def check_encrypted(file: Path) -> None:
    """Refuse a copy in clear, and what is no file at all, before anybody is asked for a passphrase."""
    from memory.transfer.errors import NotAnArchive

    if kind_of(file) not in (Kind.FILE, Kind.NOTHING):
        raise NotAnArchive(f"{file} is no regular file")
    if _start(file).startswith(b"{"):
        raise NotAnArchive("it is a masked copy for reading; import the encrypted export instead")


def check_source(path: Path) -> None:
    """Refuse what is neither a file nor a folder before anybody is asked for a passphrase."""
    from memory.transfer.errors import SourceUnreadable

    if kind_of(path) is Kind.OTHER:
        raise SourceUnreadable(f"the export {path.name} is neither a file nor a folder")


def how_far(done: int, total: int) -> str:
    """Say how much is done, and of how much when that is known."""
    records = "record" if done == 1 else "records"
    return f"{done:,} {records}" + (f" of {total:,}" if total else "")


def path_of(typed: str) -> Path:
    """Return the path that somebody typed, quotes and ~ included."""
    return typed_path(typed.strip().strip("'\"")).absolute()


def target_refusal(file: Path) -> str:
    """Say why nothing can be written at a path; empty when it can, over a file that is there as well."""
    if kind_of(file.parent) is not Kind.FOLDER:
        return f"there is no folder {file.parent}"
    match kind_of(file):
        case Kind.FOLDER:
            return f"{file} is a folder"
        case Kind.OTHER:
            return f"{file} is no regular file"
        case _:
            return ""


def counted_by_outcome(report: ImportReport) -> dict[str, Mapping[str, int]]:
    """Return what became of an import by the words for it."""
    return {
        "added": report.added,
        "same": report.same,
        "changed": report.changed,
        "kept": report.kept,
        "refused": report.refused,
    }


def report_lines(report: ImportReport) -> list[str]:
    """Say what became of an import, a line each."""
    outcomes = counted_by_outcome(report)
    lines = [
        f"{name:8} {', '.join(f'{number:,} {kind}' for kind, number in sorted(counts.items()))}"
        for name, counts in outcomes.items()
        if counts
    ]
    return lines or ["nothing in it"]


def remark_lines(report: ImportReport) -> list[str]:
    """Say what was skipped, and what the other store had forgotten."""
    lines = [f"skipped  {one.what}: {one.reason}" for one in report.skipped]
    if report.forgotten_elsewhere:
        lines.append("The other store was told to forget these; they are still here:")
        lines.append(f"  locket memory forget {' '.join(report.forgotten_elsewhere)}")
    return lines


def _start(file: Path) -> bytes:
    if kind_of(file) is not Kind.FILE:
        return b""
    with file.open("rb") as source:
        return source.read(4096)
