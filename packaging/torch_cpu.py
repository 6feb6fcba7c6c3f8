"""Installs torch as its CPU build, or does without it.

On Linux the ordinary index answers a plain `torch` with gigabytes for graphics cards. torch's own index
has the CPU build; where that does not answer, pip is asked what it would take, and a build for graphics
cards is declined. Without torch everything works but embedding models kept as folders.
"""

import http.client
import json
import subprocess
import sys
import urllib.request
from pathlib import Path

from pins import CONSTRAINTS, pinned_version

CPU_INDEX = "https://download.pytorch.org/whl/cpu"
_PATIENCE_S = 5
# a wheel names what it was built for only through what it needs
_CUDA_MARKS = ("nvidia", "cuda", "triton")
_IS_CPU = "import sys, torch; sys.exit(torch.version.cuda is not None)"
_INSTALLED = "from importlib.metadata import version; print(version('torch'))"


def install_torch(python: Path) -> bool:
    """Put the pinned torch into the environment of `python`; False when no CPU build of it is to be had."""
    version = pinned_version("torch")
    if _installed_version(python) == version:
        return True
    requirement = f"torch=={version}"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--constraint", str(CONSTRAINTS)]
    from_index = [*pip, "--index-url", CPU_INDEX, requirement]
    answers = sys.platform != "darwin" and _cpu_index_answers()
    if answers and subprocess.run(from_index, check=False).returncode == 0:
        return True
    if sys.platform == "darwin" or _pip_would_take_cpu_build(python, requirement):
        subprocess.run([*pip, requirement], check=True)
        return True
    if answers:  # the next try may get it, and doing without would be for good
        raise subprocess.CalledProcessError(1, from_index)
    return False


def torch_problem(python: Path) -> str | None:
    """Say what is wrong with the installed torch, or None when it is a CPU build that loads."""
    if subprocess.run([str(python), "-c", _IS_CPU], check=False).returncode:
        return "the torch in .venv is broken or made for graphics cards; remove .venv and run make again."
    return None


def _installed_version(python: Path) -> str | None:
    found = subprocess.run([str(python), "-c", _INSTALLED], capture_output=True, text=True, check=False)
    return found.stdout.strip().partition("+")[0] or None


def _cpu_index_answers() -> bool:
    try:
        with urllib.request.urlopen(f"{CPU_INDEX}/torch/", timeout=_PATIENCE_S) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (OSError, http.client.HTTPException):  # whatever stands between here and there may say anything
        return False


def _pip_would_take_cpu_build(python: Path, requirement: str) -> bool:
    command = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--ignore-installed"]
    found = subprocess.run(
        [*command, "--dry-run", "--report", "-", requirement], capture_output=True, text=True, check=False
    )
    if found.returncode:
        print(found.stderr, file=sys.stderr)
        return False
    (choice,) = json.loads(found.stdout)["install"]
    needs = choice["metadata"].get("requires_dist", [])
    return not any(need.lower().startswith(_CUDA_MARKS) for need in needs)
