"""The only place where an error becomes words: title, detail, hint and exit code, for screen and verbs alike.

An unknown exception is not a problem but a crash, and stays one.
More than 300 lines: it is one table of words.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from enum import IntEnum

from assistant.evaluation.dataset import BadDataset
from assistant.paths import FolderUnusableError
from assistant.settings import PassphraseError, SettingsError
from assistant.streams import NoScreenError
from memory import errors as store
from memory.transfer import errors as transfer
from memory.vault import errors as vault
from models import errors as models


class Exit(IntEnum):
    """What a verb returns to the shell."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    PARTLY = 3
    NO_STORE = 10
    IN_USE = 11
    WRONG_PASSPHRASE = 12
    STORE_DAMAGED = 13
    MODEL_UNUSABLE = 14
    KEY_FILE_DAMAGED = 15
    NEWER_VERSION = 16
    ARCHIVE_REFUSED = 17
    DISK_FULL = 18
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Problem:
    """An error in words."""

    title: str
    detail: str
    hint: str
    exit_code: Exit


KNOWN: dict[type[BaseException], tuple[str, str, Exit]] = {
    PassphraseError: ("There is no passphrase", "Nothing was changed.", Exit.USAGE),
    SettingsError: ("A setting cannot be used", "Correct it and start again.", Exit.USAGE),
    FolderUnusableError: (
        "A folder of Locket cannot be used",
        "`locket paths` lists them; LOCKET_HOME moves them all.",
        Exit.FAILURE,
    ),
    BadDataset: (
        "This file cannot be measured with",
        "It must be JSON: conversations with dated items, and questions about them.",
        Exit.USAGE,
    ),
    NoScreenError: (
        "The screen cannot be drawn here",
        "`locket chat --plain` is the same conversation in plain lines.",
        Exit.USAGE,
    ),
    vault.NoStore: ("There is no store yet", "Run `locket` to make one.", Exit.NO_STORE),
    vault.StoreExists: ("There is a store already", "Use it, or choose another LOCKET_HOME.", Exit.FAILURE),
    vault.StoreInUse: (
        "The store is in use",
        "Another Locket is writing to it: close or lock that one first (`locket vault lock`).",
        Exit.IN_USE,
    ),
    vault.WrongPassphrase: (
        "Wrong passphrase",
        "Nothing was changed. Check the keyboard layout and caps lock, then try again.",
        Exit.WRONG_PASSPHRASE,
    ),
    vault.KeyFileDamaged: (
        "The key file is damaged",
        "`locket vault restore BACKUP --key-only` puts a backup's copy back. The store itself may be whole.",
        Exit.KEY_FILE_DAMAGED,
    ),
    vault.StoreDamaged: (
        "The store is damaged",
        "Restore a backup (`locket vault restore`) or save what reads (`locket vault salvage`); `locket vault check` says more.",
        Exit.STORE_DAMAGED,
    ),
    vault.NewerVersion: (
        "This store was made by a newer Locket",
        "Update Locket. Nothing was changed.",
        Exit.NEWER_VERSION,
    ),
    vault.MigrationNeeded: (
        "This store is from an older Locket",
        "Open it once with `locket`; it is backed up and brought up to date.",
        Exit.FAILURE,
    ),
    vault.MigrationFailed: (
        "The store could not be brought up to date",
        "It is unchanged and a backup exists. Use the version you had, and report this.",
        Exit.FAILURE,
    ),
    vault.DiskFull: (
        "The disk is full",
        "Make room and try again. Nothing was half-written.",
        Exit.DISK_FULL,
    ),
    vault.StoreUnwritable: ("The store cannot be written", "Check the folder and the disk.", Exit.FAILURE),
    vault.StoreUnreadable: (
        "The store cannot be read",
        "Check whom its folder and files belong to, and the disk. Nothing was changed.",
        Exit.FAILURE,
    ),
    vault.UnsafePermissions: (
        "Somebody else could replace the store",
        "Make the folder yours again (chown), then try once more.",
        Exit.FAILURE,
    ),
    vault.KdfOutOfBounds: (
        "The key file asks for an unreasonable passphrase derivation",
        "It is refused to protect this computer. Put a backup's copy back (`locket vault restore BACKUP --key-only`).",
        Exit.KEY_FILE_DAMAGED,
    ),
    vault.LastSlot: ("The last key cannot be removed", "Add another key first.", Exit.USAGE),
    vault.NoSuchSlot: ("There is no such key slot", "`locket vault slots` lists them.", Exit.USAGE),
    vault.BadRecoveryText: (
        "That is not the recovery key",
        "A group is mistyped: compare each with your note.",
        Exit.WRONG_PASSPHRASE,
    ),
    vault.KeyringUnavailable: (
        "The system's keyring cannot be used",
        "Use the passphrase.",
        Exit.FAILURE,
    ),
    vault.BackupUnusable: (
        "This backup cannot be used",
        "`locket vault backups` lists what is kept beside the store.",
        Exit.FAILURE,
    ),
    vault.NothingToPutBack: (
        "Nothing was put back",
        "Nothing was changed. Without --key-only the whole backup is restored.",
        Exit.USAGE,
    ),
    vault.VaultClosed: ("Locket is locked", "Unlock it and try again.", Exit.FAILURE),
    store.NoReceipt: (
        "There is no finished answer with a receipt there yet",
        "A receipt comes with a finished answer: when one is being written, ask again after it.",
        Exit.USAGE,
    ),
    store.NotFound: ("Not found", "`locket memory list` shows what there is.", Exit.USAGE),
    store.AmbiguousId: ("That id is not unique", "Give more of it.", Exit.USAGE),
    store.BadInput: ("That cannot be used", "Nothing was changed.", Exit.USAGE),
    store.EmbedderMismatch: (
        "These vectors belong to another embedding model",
        "Run `locket model reembed`.",
        Exit.MODEL_UNUSABLE,
    ),
    store.CannotUndo: (
        "This cannot be undone any more",
        "`locket memory history` shows what happened.",
        Exit.FAILURE,
    ),
    store.BudgetImpossible: (
        "The message does not fit the model's window",
        "Shorten it, attach it as a file, or raise `window` in the settings.",
        Exit.USAGE,
    ),
    transfer.ForAKey: (
        "This archive cannot be opened here",
        "Locket opens archives made with a passphrase. Nothing was changed.",
        Exit.ARCHIVE_REFUSED,
    ),
    transfer.WrongArchivePassphrase: (
        "The archive does not open",
        "It has a passphrase of its own. Nothing was changed.",
        Exit.ARCHIVE_REFUSED,
    ),
    transfer.NotAnArchive: (
        "This is no archive of Locket",
        "`locket import --help` lists the other formats it reads. Nothing was changed.",
        Exit.ARCHIVE_REFUSED,
    ),
    transfer.ArchiveRefused: (
        "The archive is damaged",
        "Nothing of it was taken in. Try another copy of the file.",
        Exit.ARCHIVE_REFUSED,
    ),
    transfer.ArchiveNewer: (
        "This archive was made by a newer Locket",
        "Update Locket. Nothing was changed.",
        Exit.NEWER_VERSION,
    ),
    transfer.ArchiveTooLarge: ("This cannot be exported", "Nothing was written.", Exit.FAILURE),
    transfer.SourceUnreadable: (
        "This export cannot be read",
        "Nothing was changed. Say with --format which program it is from.",
        Exit.ARCHIVE_REFUSED,
    ),
    models.ModelMissing: (
        "There is no model",
        "Run `locket model setup`, or `locket model add PATH` for a GGUF file you have.",
        Exit.MODEL_UNUSABLE,
    ),
    models.NotAChatModel: (
        "This model cannot hold a conversation",
        "Choose an instruct or chat model: `locket model list`.",
        Exit.MODEL_UNUSABLE,
    ),
    models.WindowTooSmall: (
        "This model's window is too small",
        "Locket needs 4,096 tokens or more: choose another model.",
        Exit.MODEL_UNUSABLE,
    ),
    models.ModelUnusable: (
        "This model file cannot be used",
        "Fetch it again (`locket model pull`) or choose another: `locket model list`.",
        Exit.MODEL_UNUSABLE,
    ),
    models.ModelChanged: (
        "The model file has changed",
        "If that was you, run `locket model add` on it; if not, fetch it again.",
        Exit.MODEL_UNUSABLE,
    ),
    models.RuntimeMissing: (
        "The model runtime is not installed",
        "Install llama-cpp-python (it needs a C++ compiler), then start again.",
        Exit.MODEL_UNUSABLE,
    ),
    models.ContextOverflow: (
        "The prompt is longer than the model's window",
        "Start a new conversation or shorten the message.",
        Exit.FAILURE,
    ),
    models.EngineCrashed: (
        "The model's process ended unexpectedly",
        "It starts again with the next message; if it keeps happening, choose another model.",
        Exit.FAILURE,
    ),
    models.EngineUnavailable: (
        "This model keeps crashing",
        "It is not started again. Choose another with `/model` or `locket model use`.",
        Exit.MODEL_UNUSABLE,
    ),
    models.RemoteFailed: (
        "The remote server did not answer",
        "Check that it runs and that its address is right.",
        Exit.MODEL_UNUSABLE,
    ),
    models.RemoteRefused: (
        "This stays on this computer",
        "Choose a local model, or set `remote_incognito` in the settings.",
        Exit.MODEL_UNUSABLE,
    ),
    models.PullFailed: (
        "The model could not be fetched",
        "Check the connection, or bring a file with `locket model add PATH`.",
        Exit.MODEL_UNUSABLE,
    ),
    models.Interrupted: ("Interrupted", "Nothing was changed.", Exit.INTERRUPTED),
    models.EngineClosed: ("The model was closed", "Try again.", Exit.FAILURE),
    KeyboardInterrupt: ("Interrupted", "Nothing was changed.", Exit.INTERRUPTED),
}


LISTED_BY = {
    "conversation": "`locket conversations list` shows what there is.",
    "profile": "`locket profile list` shows what there is.",
    "certificate": "`locket memory certificates` shows what there is.",
    "question": "`locket eval run --golden` shows what there is.",
    "embedding model": "`locket model embedders` shows what there is.",
}
"""Where to look for what is not found and is no memory."""

FINISHED_BY = "The next opening with `locket`, or by a verb that writes, finishes the restore."
NO_ROOM = "Make room where the output goes, and try again."


def to_problem(error: BaseException) -> Problem | None:
    """Return the words for a known error; None for one that nobody foresaw."""
    for kind in type(error).__mro__:
        if kind in KNOWN:
            title, hint, code = KNOWN[kind]
            if isinstance(error, store.NotFound):
                hint = LISTED_BY.get(error.what, hint)
            if isinstance(error, vault.StoreInUse) and error.is_half_restored:
                hint = FINISHED_BY
            return Problem(title, _detail(error), hint, code)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Problem("The disk is full", "Not everything could be written.", NO_ROOM, Exit.DISK_FULL)
    named = _of_the_driver(error)
    return None if named is None else to_problem(named)


def _of_the_driver(error: BaseException) -> BaseException | None:
    """Return what the vault calls an error of its database driver, such as a page that does not read."""
    if not type(error).__module__.startswith("sqlcipher3"):
        return None
    from memory.vault.driver_errors import find_vault_error  # noqa: PLC0415 - the driver is loaded by now

    return find_vault_error(error)


def _detail(error: BaseException) -> str:
    """Say what the title does not; who holds a store, with the time as people here read it."""
    if isinstance(error, store.NoReceipt):
        return ""
    if isinstance(error, vault.StoreInUse) and error.is_held:
        from assistant.times import minute  # noqa: PLC0415 - it loads the store's records, which a start does without

        who = "Another program" if error.pid is None else f"Process {error.pid}"
        return f"{who} has had it open since {minute(error.since)}." if error.since else f"{who} has it open."
    return _sentence(str(error))


def _sentence(text: str) -> str:
    text = text.strip()
    if not text:
        return ""
    if (
        text.split()[0].rstrip(".,:").replace("'", "").isalpha()
    ):  # else a name, and names are kept as they are
        text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else text + "."
