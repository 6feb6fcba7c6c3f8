"""Writes a golden store of the present schema; run it once per schema number and never again for an old one.

PYTHONPATH=.:tests python tests/golden/make_store.py tests/golden/store-N
"""

from __future__ import annotations

import sys
from pathlib import Path

from forget_builders import PASSPHRASE, Life

from memory.forget import Selection
from memory.store.migrations import SCHEMA_VERSION, migrate
from memory.vault.kdf import CHEAPEST
from memory.vault.vault import create_vault

SAID = (
    "My dog is called Biscuit and I'm allergic to peanuts",
    "Ich heiße Jürgen",
    "我叫小明",
    "My boat is called Zubrowka",
)
FORGOTTEN = "Zubrowka"


def main(folder: Path) -> None:
    vault = create_vault(
        folder, PASSPHRASE, params=CHEAPEST, migrate=migrate, schema_version=SCHEMA_VERSION, allow_cheap=True
    )
    with vault:
        life = Life(vault, embedder=False)  # a table of vectors would be two megabytes
        for text in SAID:
            life.turn(text, "All right.")
        life.memory.forget(life.memory.forget_preview(Selection(ids=(life.fact(FORGOTTEN).id,))))
        vault.checkpoint_truncate()
    (folder / "vault.lock").unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
