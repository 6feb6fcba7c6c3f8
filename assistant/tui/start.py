"""Start the screen from the command line, with logs kept off it.

One surprise: what other libraries log goes nowhere. Nobody vouches that it holds no words of a conversation.
"""

from __future__ import annotations

import logging
from pathlib import Path

from assistant.settings import Settings
from assistant.tui.app import LocketApp
from assistant.tui.doors import real_doors


def run_screen(settings: Settings) -> int:
    """Show the screen until the user leaves; return the exit code."""
    keep_logs(settings.paths.logs)
    app = LocketApp(settings, real_doors())
    result = app.run()
    return result if result is not None else (app.return_code or 0)


def keep_logs(folder: Path) -> None:
    """Send our own log to a file, everybody else's nowhere; a line on standard error would tear the screen."""
    logging.getLogger().addHandler(logging.NullHandler())
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    ours = logging.getLogger("locket")
    file = logging.FileHandler(folder / "screen.log", encoding="utf-8", delay=True)
    file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    ours.addHandler(file)
    ours.propagate = False
