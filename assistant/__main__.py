"""`locket` and `python -m assistant`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line, or an engine when started as one by a frozen build."""
    if sys.argv[1:2] == ["--engine"]:
        from models.engine.launch import run_engine  # noqa: PLC0415 - a child process, not the product

        sys.exit(run_engine(sys.argv[2:]))
    try:
        from assistant.cli import main as run  # noqa: PLC0415 - an engine must not load the command line
    except KeyboardInterrupt:  # once it is loaded, it answers for itself
        sys.stderr.write("locket: interrupted\n")
        sys.exit(130)
    sys.exit(run())


if __name__ == "__main__":
    main()
