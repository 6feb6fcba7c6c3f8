"""How a child process of ours is started: the command, and the little of our world that it may see.

An engine must not depend on the folder it is started in (a folder called `models` there must not be taken
for this package) and must not inherit passphrases or tokens from the environment, so both are built here
from nothing.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

_PACKAGE_ROOT = Path(__file__).resolve().parents[2]

_KEPT = frozenset(
    {
        "PATH",
        "HOME",
        "USER",
        "USERPROFILE",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "TEMP",
        "TMP",
        "SYSTEMROOT",
        "WINDIR",
        "COMSPEC",
        "APPDATA",
        "LOCALAPPDATA",
        "VIRTUAL_ENV",
    }
)
_KEPT_PREFIXES = (
    "LC_",
    "LD_",
    "DYLD_",
    "CUDA_",
    "HIP_",
    "ROCR_",
    "GGML_",
    "VK_",
    "OPENBLAS_",
    "GOMP_",
    "COV_",
)


def child_command(role: str, *arguments: str) -> list[str]:
    """Give the command that starts a child in one of its roles."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--engine", role, *arguments]
    return [sys.executable, "-P", "-m", "models.engine.server", role, *arguments]


def child_environment(parent: Mapping[str, str]) -> dict[str, str]:
    """Give the environment of a child, made from the few harmless variables of ours."""
    kept = {
        name: value
        for name, value in parent.items()
        if name.upper() in _KEPT or name.upper().startswith(_KEPT_PREFIXES)
    }
    return kept | {
        "PYTHONPATH": str(_PACKAGE_ROOT),
        "PYTHONUTF8": "1",
        "PYTHONNOUSERSITE": "1" if sys.flags.no_user_site else "",
        "OMP_WAIT_POLICY": "PASSIVE",  # threads that spin at barriers collapse on a machine with other work
        "GGML_NO_BACKTRACE": "1",  # no debugger that prints over the screen
        "HF_HUB_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
    }


def current_environment() -> dict[str, str]:
    """Give the environment for a child of this process."""
    return child_environment(os.environ)


def run_engine(arguments: list[str]) -> int:
    """Be an engine: what `locket --engine` does in a frozen build."""
    from models.engine.server import main  # noqa: PLC0415 (only in a child)

    return main(arguments)
