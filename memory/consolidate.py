"""Tidying in idle time: what expired goes out of recall, what is doubtful is asked about, what is cold is archived.

Owns the numbers of how much at once and how often. Every piece is one short commit with a journal line for each
thing, so that each can be taken back; an interrupted round starts over from what the store says. The surprise:
an expiry that is undone leaves a fact that no longer expires, since that is what undoing it means.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from memory import policy
from memory.clock import from_text, to_text
from memory.core import Core
from memory.merging_near import merge_next
from memory.promoting import promote_next
from memory.records import Candidate, Episode, Fact, FactState, Origin
from memory.store import candidates, due, jobs, traces
from memory.store import settings as vault_settings
from memory.store.act import Act
from memory.store.derivations import derive
from memory.store.stored import Derivation, QueuedCandidate

AT_ONCE = 10
"""Things changed in one commit."""
ROUND_DAYS = 1
ARCHIVE_DAYS = 30
ASKED_AT_ONCE = 5
"""Questions "still true?" that wait at a time."""
LEFT_OUT_DAYS = 90
"""How long a receipt tells what was considered and not sent."""
DONE_DAYS = 7
STILL_TRUE = "still true?"
ROUND = "idle.round"
ARCHIVED = "idle.archived"


def expire(core: Core) -> bool:
    """Take facts past their time out of recall; say whether there were any."""
    now = core.now()
    unconfirmed = now - timedelta(days=policy.UNCONFIRMED_DAYS)
    found = due.expired(core.db, core.profile, now, unconfirmed, AT_ONCE)
    if not found:
        return False
    with core.atomic():
        for fact in found:
            ends = fact.expires_at or now
            kept = replace(fact, expires_at=None)  # what undo brings back stays
            gone = replace(fact, state=FactState.EXPIRED, valid_to=fact.valid_to or ends, expires_at=ends)
            _change(core, "expire", kept, gone)
    return True


def consolidate(core: Core) -> bool:
    """Do one piece of the daily round; say whether there may be more of it."""
    if not _is_time(core, ROUND, ROUND_DAYS):
        return False
    pieces: tuple[Callable[[Core], bool], ...] = (
        ask_again,
        archive_cold,
        merge_next,
        promote_next,
        archive_unused,
    )
    if any(piece(core) for piece in pieces):
        return True
    _finish_round(core)
    return False


def _finish_round(core: Core) -> None:
    """Drop what has served its time and note when the round was."""
    now = core.now()
    with core.atomic():
        traces.trim_left_out(core.db, core.profile, now - timedelta(days=LEFT_OUT_DAYS))
        jobs.sweep(core.db, now - timedelta(days=DONE_DAYS))
    _note_time(core, ROUND)


def ask_again(core: Core) -> bool:
    """Ask in Review whether slow-changing facts that nobody confirmed for long still hold."""
    waiting = [
        one for one in candidates.pending_candidates(core.db, core.profile) if one.reason == STILL_TRUE
    ]
    room = ASKED_AT_ONCE - len(waiting)
    before = core.now() - timedelta(days=policy.TENTATIVE_DAYS)
    found = due.doubtful(core.db, core.profile, before, room) if room > 0 else []
    if not found:
        return False
    with core.atomic():
        for fact in found:
            _ask(core, fact)
    return True


def _ask(core: Core, fact: Fact) -> None:
    candidate = Candidate(
        kind=fact.kind,
        subject=fact.subject,
        attribute=fact.attribute,
        value=fact.value,
        text=fact.text,
        quote=fact.quote or fact.text,
        start=fact.start or 0,
        end=fact.end or len(fact.quote or fact.text),
        language=fact.language,
        origin=Origin.USER_CONFIRMED,
        cardinality=fact.cardinality,
        stability=fact.stability,
        confidence=fact.confidence,
        importance=fact.importance,
        rule="still true",
    )
    queued = QueuedCandidate(core.new_id(), core.profile, None, None, candidate, STILL_TRUE, core.now())
    act = Act(core.db, core.profile, core.now(), core.new_id, "auto")
    act.write(None, queued)
    derive(core.db, Derivation(queued.id, "candidate", fact.id, "fact", "source"))
    act.close("review", "candidate", queued.id)


def archive_cold(core: Core) -> bool:
    """Archive episodes that nothing used for long."""
    before = core.now() - timedelta(days=policy.EPISODE_COLD_DAYS)
    found = due.cold(core.db, core.profile, before, AT_ONCE)
    if not found:
        return False
    with core.atomic():
        for episode in found:
            _change(core, "archive", episode, replace(episode, state="archived"))
    return True


def archive_unused(core: Core) -> bool:
    """Once a month, when there is much, archive the facts that matter least and that nothing used."""
    if not _is_time(core, ARCHIVED, ARCHIVE_DAYS):
        return False
    over = due.count_standing(core.db, core.profile) - policy.ARCHIVE_ABOVE
    before = core.now() - timedelta(days=policy.EPISODE_COLD_DAYS)
    found = due.least_used(core.db, core.profile, before, min(over, AT_ONCE)) if over > 0 else []
    if not found:
        _note_time(core, ARCHIVED)
        return False
    with core.atomic():
        for fact in found:
            _change(core, "archive", fact, replace(fact, state=FactState.ARCHIVED))
    return True


def _change(core: Core, name: str, before: Fact | Episode, after: Fact | Episode) -> None:
    act = Act(core.db, core.profile, core.now(), core.new_id, "auto")
    act.write(before, after)
    act.close(name, "fact" if isinstance(after, Fact) else "episode", after.id)


def _is_time(core: Core, name: str, days: float) -> bool:
    last = vault_settings.find_setting(core.db, core.profile, name)
    return last is None or core.now() - _instant(last) >= timedelta(days=days)


def _instant(written: object) -> datetime:
    return from_text(str(written))


def _note_time(core: Core, name: str) -> None:
    with core.atomic():
        vault_settings.put_setting(core.db, core.profile, name, to_text(core.now()))
