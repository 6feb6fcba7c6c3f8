"""The composition root: where settings, the vault, memory and the engines are joined. Knows everybody, does little.

Opening never loads a model: engines come later, on their own thread, so that a chat is on the screen first.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.paths import holds_store
from assistant.settings import Settings
from memory.budget import BudgetSettings
from memory.clock import system_clock
from memory.core import Core, MemorySettings
from memory.errors import BadInput
from memory.ids import new_id_maker
from memory.memory import Memory
from memory.policy import Limits
from memory.reader import Reader
from memory.reapply import carry_forgetting
from memory.store.mending import mend
from memory.store.migrations import SCHEMA_VERSION, migrate
from memory.vault import keyfile, keyring_slot
from memory.vault.errors import (
    BadRecoveryText,
    KeyFileDamaged,
    NewerVersion,
    NoStore,
    StoreInUse,
    WrongPassphrase,
)
from memory.vault.hardening import harden_process
from memory.vault.kdf import CHEAPEST, DEFAULT, Argon2Params
from memory.vault.key_copy import KeyPutBack, put_key_file_back
from memory.vault.keys import KeyringSecret, Passphrase, Secret
from memory.vault.recovery import find_recovery, looks_like_recovery
from memory.vault.restore import Restored, restore_backup
from memory.vault.salvage import Salvaged, salvage
from memory.vault.vault import Vault, create_vault, open_vault

if TYPE_CHECKING:
    from assistant.locket import Locket
    from assistant.runtimes import Runtimes

KEYRING_SLOT = b'"kind":"keyring"'
"""How a key file says it; whatever people write into one has its quotation marks escaped."""


def clock_of(settings: Settings) -> Callable[[], datetime]:
    """Return the clock: the fixed one of the settings, else the computer's."""
    fixed = settings.now
    return system_clock if fixed is None else lambda: fixed


def require_store(settings: Settings) -> None:
    """Raise NoStore when there is none to unlock."""
    if not holds_store(settings.paths.vault):
        raise NoStore(f"there is none in {settings.paths.vault}")


def cost_of(settings: Settings) -> Argon2Params:
    """Return what a passphrase costs to try."""
    return CHEAPEST if settings.cheap_kdf else DEFAULT


def secret_of(given: str | Secret) -> Secret:
    """Return what somebody typed as the secret it is: a recovery key shows by its checksum."""
    return (find_recovery(given) or Passphrase(given)) if isinstance(given, str) else given


def has_keyring_slot(settings: Settings) -> bool:
    """Tell whether a key slot is for a keyring, and may be used; what the key file is worth, opening it says."""
    try:
        return settings.keyring and KEYRING_SLOT in (settings.paths.vault / "vault.key").read_bytes()
    except OSError:
        return False


def find_keyring_secret(settings: Settings) -> KeyringSecret | None:
    """Return what this computer's keyring unlocks the store with; None when no key slot is for a keyring.

    Raises KeyringUnavailable when there is such a slot, and this keyring does not open it. A damaged key file
    is for the opening to tell.
    """
    if not has_keyring_slot(settings):
        return None
    try:
        key_file = keyfile.load(settings.paths.vault / "vault.key", allow_cheap=settings.cheap_kdf)
    except (KeyFileDamaged, NewerVersion):
        return None
    return keyring_slot.find_keyring_secret(key_file, allow_cheap=settings.cheap_kdf)


def check_new_passphrase(text: str) -> str:
    """Return a passphrase that may be set; one that spells a recovery key would never be taken for a passphrase."""
    if find_recovery(text) is not None:
        raise BadInput("a recovery key cannot be a passphrase too")
    return text


def create_store(settings: Settings, passphrase: str) -> None:
    """Make an empty store that this passphrase opens."""
    harden_process()
    settings.paths.make_private()
    create_vault(
        settings.paths.vault,
        check_new_passphrase(passphrase),
        params=cost_of(settings),
        migrate=migrate,
        schema_version=SCHEMA_VERSION,
        now=clock_of(settings),
        allow_cheap=settings.cheap_kdf,
    ).close()


def open_store(
    settings: Settings, secret: str | Secret, *, writer: bool = True, upgrade_kdf: bool = True
) -> Vault:
    """Unlock the store, for writing or beside another Locket for reading; a text may be a recovery key too."""
    unprotected = harden_process()
    try:
        vault = open_vault(
            settings.paths.vault,
            secret_of(secret),
            writer=writer,
            migrate=migrate if writer else None,
            schema_version=SCHEMA_VERSION,
            params=cost_of(settings),
            now=clock_of(settings),
            allow_cheap=settings.cheap_kdf,
            upgrade_kdf=upgrade_kdf,
        )
    except WrongPassphrase as error:
        if isinstance(secret, str) and looks_like_recovery(secret) and find_recovery(secret) is None:
            raise BadRecoveryText("the recovery key is mistyped somewhere") from error
        raise
    vault.notices += unprotected
    return vault


def restore_store(settings: Settings, backup: Path, opener: Secret, current: Secret | None) -> Restored:
    """Put a backup in the store's place; what was forgotten since stays forgotten when ``current`` opens the store."""
    clock = clock_of(settings)
    harden_process()
    return restore_backup(
        settings.paths.vault,
        backup,
        opener,
        current=current,
        reapply=partial(carry_forgetting, clock=clock, new_id=new_id_maker(clock, secrets.randbits)),
        migrate=migrate,
        schema_version=SCHEMA_VERSION,
        now=clock,
        allow_cheap=settings.cheap_kdf,
    )


def put_key_back(settings: Settings, backup: Path, opener: Secret) -> KeyPutBack:
    """Put a backup's copy of the key file in the place of a damaged or lost one."""
    harden_process()
    return put_key_file_back(
        settings.paths.vault, backup, opener, now=clock_of(settings), allow_cheap=settings.cheap_kdf
    )


def salvage_store(settings: Settings, secret: Secret, destination: Path, passphrase: str) -> Salvaged:
    """Make a new store of what still reads in the present one."""
    harden_process()
    return salvage(
        settings.paths.vault,
        secret,
        destination,
        check_new_passphrase(passphrase),
        migrate=migrate,
        schema_version=SCHEMA_VERSION,
        mend=mend,
        params=cost_of(settings),
        now=clock_of(settings),
        allow_cheap=settings.cheap_kdf,
    )


def memory_of(settings: Settings, vault: Vault) -> Memory:
    """Return the memory of the settings' profile in an open vault; no embedding model yet."""
    clock = clock_of(settings)
    return Memory(
        Core(
            db=vault.db,
            profile=profile_id(settings, vault),
            clock=clock,
            new_id=new_id_maker(clock, secrets.randbits),
            tombstone_key=vault.key("tombstones"),
            vault=vault,
            settings=MemorySettings(
                remember=settings.remember,
                persona=settings.persona,
                budget=BudgetSettings(window=settings.window),
                model_memories=settings.model_memories,
                limits=Limits(keep_inferred=settings.model_memories == "keep"),
            ),
        )
    )


def reader_of(settings: Settings, vault: Vault) -> Reader:
    """Return the read side of the settings' profile on its own connection."""
    return Reader(vault.read_only(), profile_id(settings, vault))


def profile_id(settings: Settings, vault: Vault) -> str:
    """Return the id of the profile that the settings name."""
    from memory.store.profiles import get_profile  # noqa: PLC0415

    return get_profile(vault.db, settings.profile).id


def _open_sealed(settings: Settings, secret: str | Secret) -> Vault:
    """Unlock the store without changing it: a reader alone would leave the files of its log behind."""
    try:
        return open_store(settings, secret, upgrade_kdf=False)
    except StoreInUse:  # whoever has it open keeps those files anyway
        return open_store(settings, secret, writer=False)


def open_locket(
    settings: Settings, secret: str | Secret, runtimes: Runtimes | None = None, *, sealed: bool = False
) -> Locket:
    """Unlock the store and start the session; engines load by themselves afterwards.

    ``sealed`` leaves the store as it is, to the byte: all that is said is incognito.
    """
    from assistant.locket import Locket  # noqa: PLC0415 - verbs that only read need no session
    from assistant.runtimes import LocalRuntimes  # noqa: PLC0415

    settings.paths.make_private()
    vault = _open_sealed(settings, secret) if sealed else open_store(settings, secret)
    try:
        return Locket(settings, vault, runtimes or LocalRuntimes(settings), sealed=sealed)
    except BaseException:
        vault.close()
        raise
