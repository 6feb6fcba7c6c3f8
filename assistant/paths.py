"""Where everything is on this computer. Knows places, never contents.

LOCKET_HOME moves all of it; otherwise the platform's own folders are used.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import platformdirs

APP = "locket"


class FolderUnusableError(Exception):
    """One of our folders can be neither found nor made; the message names it and the reason."""


@dataclass(frozen=True, slots=True)
class Paths:
    """Locket's folders and files."""

    config: Path
    """The TOML file of settings."""
    vault: Path
    """The encrypted store's folder."""
    models: Path
    """Model files; they are public, not secret."""
    logs: Path
    """Engine logs; never any text of a conversation."""

    @classmethod
    def find(cls, environment: Mapping[str, str]) -> Paths:
        """Return the places for this environment, creating nothing."""
        if home := environment.get("LOCKET_HOME"):
            root = typed_path(home).absolute()
            return cls(root / "config.toml", root / "vault", root / "models", root / "logs")
        config = Path(platformdirs.user_config_dir(APP, appauthor=False))
        data = Path(platformdirs.user_data_dir(APP, appauthor=False))
        state = Path(platformdirs.user_state_dir(APP, appauthor=False))
        return cls(config / "config.toml", data / "vault", data / "models", state / "logs")

    def named(self) -> dict[str, str]:
        """Return each place by name, for `locket paths`."""
        return {
            "config": str(self.config),
            "vault": str(self.vault),
            "models": str(self.models),
            "logs": str(self.logs),
        }

    def make_private(self) -> None:
        """Create the folders, readable by their owner only."""
        for folder in (self.config.parent, self.vault.parent, self.models, self.logs):
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise FolderUnusableError(f"{folder}: {error.strerror}") from error


class Kind(Enum):
    """What stands at a path, behind links."""

    NOTHING = 0
    FILE = 1
    FOLDER = 2
    OTHER = 3


def typed_path(text: str) -> Path:
    """Return the path that somebody typed, ~ included; the ~name of nobody is a name like any other."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 - the method of Path raises for such a name


def kind_of(path: Path) -> Kind:
    """Tell what is there; a name that no disk takes names nothing."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return Kind.NOTHING
    if stat.S_ISREG(mode):
        return Kind.FILE
    return Kind.FOLDER if stat.S_ISDIR(mode) else Kind.OTHER


def holds_store(vault: Path) -> bool:
    """Tell whether there is a store to unlock in a folder; asked before the first picture, so it loads nothing."""
    return any((vault / name).exists() for name in ("vault.key", "vault.db", "restoring"))
