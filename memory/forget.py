"""Forgetting, from the question what it would touch to the certificate that it is done.

Owns the order: plan, one commit, proof. One surprise: a killed process leaves either everything or nothing of
the rows, and the proof is finished by the next one, without the text, which nobody has any more.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from memory.core import Core
from memory.errors import BadInput
from memory.forgetting import applying, verifying
from memory.forgetting.applying import STEPS, Applied, Progress, silent
from memory.forgetting.choosing import Seen
from memory.forgetting.preview import preview
from memory.forgetting.selection import ForgetPlan, Selection, Target
from memory.forgetting.verifying import Outcome, Seal, list_sealed
from memory.records import Message
from memory.secret_answers import secrets_of
from memory.store import messages
from memory.vault.crashpoints import point

__all__ = [
    "ForgetPlan",
    "Forgetting",
    "Outcome",
    "Seal",
    "Selection",
    "Target",
    "list_sealed",
    "preview",
    "redaction",
]


@dataclass(slots=True)
class Forgetting:
    """The forgets of one open store; remembers the words of those whose proof is still to come."""

    core: Core
    unproved: dict[str, Applied] = field(default_factory=dict)
    """By job. Never stored: gone when the store closes."""

    def forget(self, plan: ForgetPlan, progress: Progress = silent) -> Outcome:
        """Carry out a plan and prove it."""
        if plan.is_empty:
            raise BadInput("there is nothing like that to forget")
        with self.core.atomic():
            applied = applying.apply(self.core, plan, progress)
            progress(STEPS[4], 4, len(STEPS))
        point("forget.committed")
        self.unproved[applied.job] = applied
        progress(STEPS[5], 5, len(STEPS))
        outcome = self._finish(applied.job)
        progress("done", len(STEPS), len(STEPS))
        re.purge()  # expressions made of the words
        return outcome

    def finish(self, stopped: Callable[[], bool] = lambda: False) -> list[Outcome]:
        """Prove the forgets that still wait for it: after a crash, or when somebody was reading."""
        outcomes = []
        for job in verifying.waiting(self.core):
            if stopped():
                break
            outcomes.append(self._finish(job.id))
        return outcomes

    def _finish(self, ident: str) -> Outcome:
        job = next(job for job in verifying.waiting(self.core) if job.id == ident)
        outcome = verifying.finish(self.core, job, self.unproved.get(ident))
        if outcome.certificate is not None:
            self.unproved.pop(ident, None)
        return outcome


def redaction(core: Seen, message: str) -> Selection:
    """Return what redacting a message's secrets would forget: their very characters, wherever they stand."""
    return Selection(words=tuple(secret_texts(messages.get_message(core.db, core.profile, message))))


def secret_texts(message: Message) -> list[str]:
    """Return the secrets of a message, as they are written in it."""
    return list(dict.fromkeys(message.text[found.start : found.end] for found in secrets_of(message)))
