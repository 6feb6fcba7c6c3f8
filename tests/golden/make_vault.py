"""Writes a golden vault and a golden backup of the present format; run it once per format version and never again.

PYTHONPATH=.:tests python tests/golden/make_vault.py tests/golden/vault-N tests/golden/backup-N
"""

from __future__ import annotations

import sys
from pathlib import Path

import vault_builders as build

from memory.vault.keys import Recovery
from memory.vault.slots import add_slot

TEXTS = ("the kettle is blue", "Grüße aus Köln", "猫の名前はたま", "long " * 3000)


def main(folder: Path, backup: Path) -> None:
    with build.fresh(folder) as vault:
        add_slot(vault, Recovery(bytes(range(32))), label="paper")
        build.say(vault, *TEXTS)
        print(vault.key("tombstones").hex(), vault.key("files").hex())
        vault.backup(destination=backup)
    (folder / "vault.lock").unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
