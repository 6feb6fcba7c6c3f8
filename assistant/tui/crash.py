"""Words for any error that reaches the edge of a worker, known or not, without a word of the user's.

A known error becomes its problem. An unknown one is named by its type and place only, and logged so.
"""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

from assistant.problems import Exit, Problem, to_problem

LOG = logging.getLogger("locket.screen")


def problem_of(error: BaseException) -> Problem:
    """Return words for any error; log one that nobody foresaw by type and place."""
    if (known := to_problem(error)) is not None:
        return known
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    LOG.error("unexpected %s%s", type(error).__name__, where)
    return Problem(
        "Something inside Locket failed",
        f"{type(error).__name__}{where}.",
        "What you wrote is kept. If it happens again, please report these two lines.",
        Exit.FAILURE,
    )


def in_one(problem: Problem) -> str:
    """Put a problem into one paragraph."""
    return " ".join(part for part in (f"{problem.title}.", problem.detail, problem.hint) if part)
