"""A home with real models in it, and Locket's verbs run in it as a person would: each in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PASSPHRASE = "four plain words here"


def link_model(model: Path, folder: Path) -> None:
    """Put a model into a models folder without copying it where the disk allows."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / model.name
    if not target.exists():
        target.symlink_to(model)


@dataclass(frozen=True)
class Home:
    """One LOCKET_HOME."""

    path: Path

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("LOCKET_")}
        return kept | {
            "LOCKET_HOME": str(self.path),
            "LOCKET_PASSPHRASE": PASSPHRASE,
            "LOCKET_TEST_CHEAP_KDF": "1",
            "LOCKET_TEMPERATURE": "0",
            "LOCKET_SEED": "1",
            **(extra or {}),
        }

    def start(self, *arguments: str, extra: Mapping[str, str] | None = None) -> "subprocess.Popen[str]":
        """Start a verb and leave it running."""
        return subprocess.Popen(
            [sys.executable, "-m", "assistant", *arguments],
            env=self.environment(extra),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(
        self, *arguments: str, extra: Mapping[str, str] | None = None, text: str = ""
    ) -> "subprocess.CompletedProcess[str]":
        """Run a verb to its end."""
        return subprocess.run(
            [sys.executable, "-m", "assistant", *arguments],
            env=self.environment(extra),
            input=text,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )

    def json(self, *arguments: str, extra: Mapping[str, str] | None = None, text: str = "") -> Any:
        """Run a verb that must succeed, and return its JSON object."""
        done = self.run(*arguments, "--json", extra=extra, text=text)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def files(self) -> list[Path]:
        """Every file that Locket may have written; models and their hashes are public."""
        return [path for path in self.path.rglob("*") if path.is_file() and "models" not in path.parts]
