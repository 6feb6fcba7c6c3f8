"""What a plan to forget would reach, in words a person can read. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.forget import Target


def target_words(target: Target) -> str:
    """Return what a target says; of a working state, which is kept as JSON, only what somebody said or noted."""
    if target.kind != "working":
        return target.text
    state = json.loads(target.text)
    notes = [state["goal"], *(step for step, _ in state["steps"]), *state["gathered"], *state["questions"]]
    return " · ".join(note for note in notes if note)
