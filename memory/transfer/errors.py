"""Everything that can go wrong with memory that leaves or arrives.

TransferError (never raised itself)
├── ArchiveRefused          (never raised itself) a file that is not taken in; the store is as it was
│   ├── NotAnArchive        no age file, or an age file with something else inside
│   ├── ForAKey             encrypted for a key, and only passphrases are known here
│   ├── WrongArchivePassphrase
│   ├── HeaderDamaged       the header is spelled as no writer spells it, or asks for too much
│   ├── HeaderChanged       the header's code does not fit: somebody changed it
│   ├── PayloadDamaged      the encrypted part was changed, cut or appended to
│   └── ContentRefused      it decrypts, but its records break the format or its limits
├── ArchiveNewer            written by a newer Locket
├── ArchiveTooLarge         what is to be exported exceeds what an import would take
└── SourceUnreadable        another program's export is not what its kind looks like
"""

from __future__ import annotations

# The names are the words people read in messages and manuals; most are states, not "...Error"s.
# ruff: noqa: N818


class TransferError(Exception):
    """Root of the errors of export and import; never raised itself."""


class ArchiveRefused(TransferError):
    """A file that is not taken in; never raised itself."""


class NotAnArchive(ArchiveRefused):
    """No age file, or an age file with something else inside."""


class ForAKey(ArchiveRefused):
    """Encrypted for a key, not with a passphrase."""

    def __init__(self) -> None:
        super().__init__("this archive is for a key, not a passphrase")


class WrongArchivePassphrase(ArchiveRefused):
    """The passphrase does not open the archive, or the part that it opens is damaged."""

    def __init__(self) -> None:
        super().__init__("the passphrase does not open this archive, or its first lines are damaged")


class HeaderDamaged(ArchiveRefused):
    """The header is spelled as no writer spells it, or asks for too much work."""


class HeaderChanged(ArchiveRefused):
    """The header's authentication code does not fit what it covers."""


class PayloadDamaged(ArchiveRefused):
    """The encrypted part was changed, cut or appended to."""


class ContentRefused(ArchiveRefused):
    """The archive decrypts, but its records break the format or its limits."""


class ArchiveNewer(TransferError):
    """Written by a newer Locket."""

    def __init__(self, found: int, supported: int) -> None:
        super().__init__(f"the archive has version {found}, this program knows versions up to {supported}")
        self.found = found
        self.supported = supported


class ArchiveTooLarge(TransferError):
    """What is to be exported exceeds what an import would take."""


class SourceUnreadable(TransferError):
    """Another program's export is not what its kind looks like."""
