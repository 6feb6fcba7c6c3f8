"""Keyrings in memory: one in the place of the system's, and one that the real package takes for a backend."""

from __future__ import annotations

from dataclasses import dataclass, field

import keyring.backend
import keyring.errors

from memory.vault.errors import KeyringUnavailable


@dataclass
class FakeKeyring:
    """Keeps texts, or fails as it is told to."""

    kept: dict[str, str] = field(default_factory=dict)
    failure: str = ""
    asked: int = 0

    def keep(self, name: str, text: str) -> None:
        self._answer()
        self.kept[name] = text

    def find(self, name: str) -> str | None:
        self._answer()
        return self.kept.get(name)

    def drop(self, name: str) -> None:
        self._answer()
        self.kept.pop(name, None)

    def _answer(self) -> None:
        self.asked += 1
        if self.failure:
            raise KeyringUnavailable(self.failure)


class InMemory(keyring.backend.KeyringBackend):
    """A backend of the package `keyring` that stands in for the operating system's."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}
        self.failure: Exception | None = None

    def set_password(self, service: str, username: str, password: str) -> None:
        self._answer()
        self.kept[service, username] = password

    def get_password(self, service: str, username: str) -> str | None:
        self._answer()
        return self.kept.get((service, username))

    def delete_password(self, service: str, username: str) -> None:
        self._answer()
        if (service, username) not in self.kept:
            raise keyring.errors.PasswordDeleteError("not there")
        del self.kept[service, username]

    def _answer(self) -> None:
        if self.failure is not None:
            raise self.failure


NAME = f"{InMemory.__module__}.{InMemory.__qualname__}"
