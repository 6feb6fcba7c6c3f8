"""Installs the built wheel into a fresh environment and starts it there, as somebody else would.

The surprise: the new environment sees the packages of .venv instead of downloading them again, so this
checks what the wheel itself carries and says, in seconds, and nothing of its dependencies.
"""

import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from pins import ROOT

CARRIED = (
    "memory/transfer/FORMAT.md",
    "memory/vault/FORMAT.md",
    "models/catalogue.toml",
    "assistant/tui/app.tcss",
)


def main() -> int:
    """Install, start, look for the files that are no code; the exit code says whether all went well."""
    wheels = sorted((ROOT / "dist").glob("locket_assistant-*.whl"))
    if len(wheels) != 1:
        print(
            f"locket: dist/ should hold one wheel and holds {len(wheels)}; run packaging/build.py wheel",
            file=sys.stderr,
        )
        return 1
    with tempfile.TemporaryDirectory(prefix="locket-smoke-") as scratch:
        return _try_wheel(wheels[0], Path(scratch))


def _try_wheel(wheel: Path, scratch: Path) -> int:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(scratch / "venv")], check=True)
    python = scratch / "venv" / "bin" / "python"
    packages = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    # pip of .venv installs into the new environment; the borrowed packages come after the wheel's own
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--no-deps",
        str(wheel),
    ]
    subprocess.run(install, check=True)
    (Path(packages) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    environment = {**os.environ, "LOCKET_HOME": str(scratch / "home")}
    environment.pop("PYTHONPATH", None)
    started = subprocess.run(
        [str(scratch / "venv" / "bin" / "locket"), "--version"],
        cwd=scratch,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    missing = [name for name in CARRIED if (ROOT / name).exists() and not (Path(packages) / name).exists()]
    print(started.stdout.strip() or started.stderr.strip())
    if missing:
        print(f"locket: the wheel lacks {', '.join(missing)}", file=sys.stderr)
    return started.returncode or bool(missing)


if __name__ == "__main__":
    sys.exit(main())
