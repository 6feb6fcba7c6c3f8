"""Reads constraints.txt: the one place where versions are pinned.

Knows names and versions, nothing of how they are installed.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"


def canonical(name: str) -> str:
    """Spell a distribution's name the one way an index does."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned_version(name: str) -> str:
    """Give the version that constraints.txt pins; a missing pin is a fault of the repository."""
    for line in CONSTRAINTS.read_text(encoding="utf-8").splitlines():
        pin, _, version = line.partition("==")
        if canonical(pin) == canonical(name):
            return version
    raise KeyError(name)
