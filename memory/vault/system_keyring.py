"""The system's own keyring, behind three verbs and one error.

Owns which keyrings count: those that the operating system itself guards, and no file or plug-in that calls itself
one. The package is an extra and imported when first used. The surprise: each system's keyring fails in ways of its
own, so whatever it raises means that it did not answer.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from memory.vault.errors import KeyringUnavailable

SERVICE: Final = "locket"
ACCEPTED: Final = frozenset(
    {
        "keyring.backends.macOS.Keyring",
        "keyring.backends.Windows.WinVaultKeyring",
        "keyring.backends.SecretService.Keyring",
        "keyring.backends.kwallet.DBusKeyring",
    }
)
NOT_INSTALLED: Final = (
    "the package keyring is not installed; `pip install keyring` in Locket's environment brings it"
)
NONE_ACCEPTED: Final = (
    "this computer has none that Locket accepts: macOS Keychain, Windows Credential Locker, "
    "Secret Service (GNOME) or KWallet"
)


class Keyring(Protocol):
    """Keeps one text for each vault."""

    def keep(self, name: str, text: str) -> None:
        """Keep a text, in the place of an earlier one of that name."""

    def find(self, name: str) -> str | None:
        """Return the text of that name."""

    def drop(self, name: str) -> None:
        """Keep it no longer; one that is not there is no error."""


class SystemKeyring:
    """A keyring that the operating system guards."""

    def __init__(self, backend: Any, errors: Any) -> None:
        self._backend, self._errors = backend, errors

    def keep(self, name: str, text: str) -> None:
        """Keep a text, in the place of an earlier one of that name."""
        try:
            self._backend.set_password(SERVICE, name, text)
        except Exception as error:
            raise self._failed("it did not take the secret", error) from error

    def find(self, name: str) -> str | None:
        """Return the text of that name."""
        try:
            found = self._backend.get_password(SERVICE, name)
        except Exception as error:
            raise self._failed("it did not answer", error) from error
        return None if found is None else str(found)

    def drop(self, name: str) -> None:
        """Keep it no longer; one that is not there is no error."""
        try:
            self._backend.delete_password(SERVICE, name)
        except self._errors.PasswordDeleteError:
            return
        except Exception as error:
            raise self._failed("it did not let go of the secret", error) from error

    def _failed(self, words: str, error: Exception) -> KeyringUnavailable:
        if isinstance(error, self._errors.KeyringLocked):
            words = "it is locked"
        return KeyringUnavailable(f"{words} ({type(error).__name__})")


def system_keyring() -> Keyring:
    """Return this computer's keyring; raise KeyringUnavailable when there is none that counts."""
    try:
        import keyring  # noqa: PLC0415 - optional, and slow to import
        from keyring import errors  # noqa: PLC0415
    except ImportError as error:
        raise KeyringUnavailable(NOT_INSTALLED) from error
    try:
        chosen = keyring.get_keyring()
        backends = (chosen, *getattr(chosen, "backends", ()))
    except Exception as error:
        raise KeyringUnavailable(f"it did not start ({type(error).__name__})") from error
    for backend in backends:
        kind = type(backend)
        if f"{kind.__module__}.{kind.__qualname__}" in ACCEPTED:
            return SystemKeyring(backend, errors)
    raise KeyringUnavailable(NONE_ACCEPTED)
