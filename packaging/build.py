"""Makes what people install: a wheel, or a folder that runs without Python.

    python packaging/build.py wheel     dist/locket_assistant-*.whl, for pip and pipx
    python packaging/build.py bundle    dist/locket/, through PyInstaller, for this system and processor only

There is no single-file archive of Python code: the encrypted driver and the model runtime are native
libraries, and those load from real files only.
"""

import argparse
import importlib.util
import shutil
import subprocess
import sys

from pins import CONSTRAINTS, ROOT

DIST = ROOT / "dist"
SPEC = ROOT / "packaging" / "locket.spec"


def build_wheel() -> None:
    """Build the wheel from a clean `build/`, or files removed from the sources would still be inside."""
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    for old in DIST.glob("locket_assistant-*.whl"):
        old.unlink()
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        str(DIST),
        str(ROOT),
    ]
    subprocess.run(command, check=True)
    shutil.rmtree(ROOT / "build", ignore_errors=True)


def build_bundle() -> None:
    """Freeze this environment's Locket, interpreter included, into one folder."""
    if importlib.util.find_spec("PyInstaller") is None:
        raise SystemExit(
            "locket: the bundle needs PyInstaller: .venv/bin/pip install pyinstaller, then run this again"
        )
    command = [
        sys.executable,
        "-m",
        "PyInstaller",
        "--noconfirm",
        "--log-level",
        "WARN",
        "--distpath",
        str(DIST),
    ]
    subprocess.run([*command, "--workpath", str(ROOT / "build"), str(SPEC)], cwd=ROOT, check=True)


def main() -> int:
    """Build what was asked for and say what came of it."""
    parser = argparse.ArgumentParser(description="Build a wheel or a bundle.")
    parser.add_argument("what", choices=["wheel", "bundle"])
    what = parser.parse_args().what
    if what == "wheel":
        build_wheel()
    else:
        build_bundle()
    for made in sorted(DIST.iterdir()):
        print(made.relative_to(ROOT))
    print(f"install with: pip install --constraint {CONSTRAINTS.name} dist/…" if what == "wheel" else "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
