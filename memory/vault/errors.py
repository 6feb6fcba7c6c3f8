"""Everything that can go wrong with a vault, each with its own name.

VaultError (never raised itself)
├── NoStore             the folder holds no vault
├── StoreExists         a vault is already there
├── StoreInUse          another program holds the writer lock, or reads while exclusive work needs it
├── WrongPassphrase     no key slot opens with the secret given
├── KeyFileDamaged      the key file is missing, cut, changed or does not belong to the store
├── StoreDamaged        pages of the store do not decrypt or do not fit together
├── NewerVersion        written by a newer Locket
├── MigrationNeeded     an older store was opened for reading only
├── MigrationFailed     a migration stopped; the store is as it was
├── DiskFull            the disk took no more bytes
├── StoreUnwritable     the folder or disk refuses writes
├── StoreUnreadable     the system refuses to read a file that is there
├── UnsafePermissions   the folder or a file in it belongs to somebody else
├── KdfOutOfBounds      Argon2id parameters too weak or too costly
├── LastSlot            the only key slot cannot be removed
├── NoSuchSlot          no key slot has this id
├── BadRecoveryText     the typed recovery key has a mistake in it
├── KeyringUnavailable  the system has no keyring we accept
├── BackupUnusable      the backup is missing, incomplete or damaged
├── NothingToPutBack    the key file is whole, so no copy of it is needed
└── VaultClosed         the vault was locked while somebody still held it
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

# The names are the words people read in messages and manuals; most are states, not "...Error"s.
# ruff: noqa: N818


HELD: Final = "in use"
READ_BY_ANOTHER: Final = "open for reading by another connection"
HALF_RESTORED: Final = "half restored: open it once for writing"


class VaultError(Exception):
    """Root of the vault's errors; never raised itself."""


class NoStore(VaultError):
    """The folder holds no vault."""


class StoreExists(VaultError):
    """A vault is already there; it is never overwritten."""


class StoreInUse(VaultError):
    """Another program holds the store; ``pid`` and ``since`` are None when it did not say."""

    def __init__(self, pid: int | None, since: str | None, what: str = HELD) -> None:
        who = f" by process {pid}" if pid is not None else ""
        when = f" since {since}" if since else ""
        super().__init__(f"the store is {what}{who}{when}")
        self.pid = pid
        self.since = since
        self.is_held = what == HELD
        """Whether somebody simply has it open; else the text says what keeps it."""
        self.is_half_restored = what == HALF_RESTORED


class WrongPassphrase(VaultError):
    """No key slot opens with the secret given; nothing was changed."""

    def __init__(self, detail: str = "") -> None:
        super().__init__(detail)


class KeyFileDamaged(VaultError):
    """The key file is missing, cut, changed or belongs to another store."""


class StoreDamaged(VaultError):
    """Pages of the store do not decrypt or do not fit together; ``pages`` may be empty when unknown."""

    def __init__(self, detail: str, pages: Sequence[int] = ()) -> None:
        super().__init__(detail)
        self.pages = tuple(pages)


class NewerVersion(VaultError):
    """Written by a newer Locket; nothing was changed."""

    def __init__(self, what: str, found: int, supported: int) -> None:
        super().__init__(f"the {what} has version {found}, this program knows versions up to {supported}")
        self.found = found
        self.supported = supported


class MigrationNeeded(VaultError):
    """An older store was opened for reading only; opening it once for writing brings it up to date."""

    def __init__(self, found: int, wanted: int) -> None:
        super().__init__(f"the store has schema {found}, reading needs {wanted}: open it once for writing")
        self.found = found
        self.wanted = wanted


class MigrationFailed(VaultError):
    """A migration stopped; the store is exactly as it was before."""


class DiskFull(VaultError):
    """The disk took no more bytes; what was acknowledged before is safe."""


class StoreUnwritable(VaultError):
    """The folder or disk refuses writes."""


class StoreUnreadable(VaultError):
    """The system refuses to read a file that is there."""


class UnsafePermissions(VaultError):
    """The folder or a file in it belongs to somebody else, who could replace it."""


class KdfOutOfBounds(VaultError):
    """Argon2id parameters are too weak to protect or too costly to run."""


class LastSlot(VaultError):
    """The only key slot cannot be removed: nothing would open the store again."""


class NoSuchSlot(VaultError):
    """No key slot has this id."""


class BadRecoveryText(VaultError):
    """The typed recovery key has a mistake in it, found by its own checksum."""


class KeyringUnavailable(VaultError):
    """The system has no keyring we accept, or it did not answer."""


class BackupUnusable(VaultError):
    """The backup is missing, incomplete or damaged."""


class NothingToPutBack(VaultError):
    """The key file is whole: a copy of an earlier day would only undo what was changed since."""


class VaultClosed(VaultError):
    """The vault was locked while somebody still held it."""
