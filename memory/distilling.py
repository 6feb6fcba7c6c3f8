"""COMMIT 3: what a model finds in messages nobody has read for memories yet, and its wording of episodes.

Owns when a model is asked and what happens to its answer; the words and checks are ``distil``. The surprise: a
message is marked as read in the commit that stores what was found in it, so it is read once or not yet.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from memory import policy
from memory.core import Core
from memory.distil import (
    FACTS_SCHEMA,
    SUMMARY_SCHEMA,
    facts_prompt,
    keeps_proposals,
    parse_facts,
    parse_summary,
    repeats,
    summary_prompt,
)
from memory.ports import Distiller
from memory.provenance import own_words
from memory.records import Candidate, Episode, Message, Stability
from memory.remembering import LONGEST_READ, judge, propose
from memory.store import due, episodes, jobs, messages
from memory.store.act import Act
from memory.store.derivations import list_parents
from memory.vault.crashpoints import point

QUIET_SECONDS = 120
"""A message is read when it is this old, so that a lively conversation has the machine to itself."""
FEWEST_CHARACTERS = 6
"""What is shorter states nothing that rules would not find."""
WORD = "word-episode"
WORDING_DAYS = 30
"""An episode that no able model came for in so many days keeps its own words."""


def read_next(core: Core, distiller: Distiller) -> bool:
    """Have the model read one message; False when there is none, or somebody came first."""
    if not core.settings.remember:
        return False
    before = core.now() - timedelta(seconds=QUIET_SECONDS)
    message = due.next_to_read(core.db, core.profile, before)
    if message is None:
        return False
    answer = distiller.complete(facts_prompt(message), FACTS_SCHEMA) if _is_worth_reading(message) else ""
    if answer is None:
        return False
    point("read.answered")
    keeps = _keeps(core, distiller)
    heard = propose(core, message)  # whatever became of it, the user has had a say or could have had
    proposed = [one.candidate for one in parse_facts(answer, message) if one.refused is None]
    found = [one for one in proposed if not repeats(one, heard)]
    limits = replace(core.settings.limits, keep_inferred=keeps)
    with core.atomic():
        judge(core, message, [_with_expiry(core, one) if keeps else one for one in found], limits=limits)
        point("read.judged")
        messages.mark_distilled(core.db, core.profile, [message.id], core.now())
        due.finish_distilling(core.db, core.profile, core.now())
    return True


def _is_worth_reading(message: Message) -> bool:
    if len(message.text) > LONGEST_READ:  # a document, whoever typed it
        return False
    return len(own_words(message).strip()) >= FEWEST_CHARACTERS


def _keeps(core: Core, distiller: Distiller) -> bool:
    """Tell whether this model's proposals are kept or wait for the user."""
    match core.settings.model_memories:
        case "keep":
            return True
        case "review":
            return False
        case _:
            return keeps_proposals(distiller.parameters)


def _with_expiry(core: Core, candidate: Candidate) -> Candidate:
    """Give what nobody confirmed an end of its own."""
    if candidate.stability is Stability.VOLATILE and candidate.expires_at is not None:
        return candidate
    return replace(candidate, expires_at=policy.expiry(candidate, core.now()))


def word_next(core: Core, distiller: Distiller) -> bool:
    """Have an able model word one episode, once; False when there is none, or somebody came first."""
    if not keeps_proposals(distiller.parameters):
        return False
    job = jobs.next_waiting(core.db, core.profile, WORD)
    if job is None:
        return False
    episode = episodes.find_episode(core.db, core.profile, str(job.payload.get("episode", "")))
    fresh = job.created_at > core.now() - timedelta(days=WORDING_DAYS)
    wording = ("", "")
    if episode is not None and fresh and episode.state == "active" and not episode.worded:
        said = _transcript(core, episode)
        answer = distiller.complete(summary_prompt(said), SUMMARY_SCHEMA)
        if answer is None:
            return False
        wording = parse_summary(answer, said)
    with core.atomic():
        if episode is not None and wording[1]:
            act = Act(core.db, core.profile, core.now(), core.new_id, "auto", episode.conversation)
            title, summary = wording
            act.write(episode, replace(episode, title=title or episode.title, summary=summary, worded=True))
            act.close("word", "episode", episode.id)
        jobs.done(core.db, job.id, core.now())
    return True


def _transcript(core: Core, episode: Episode) -> list[Message]:
    """List the episode's messages with the answers between them."""
    sources = {link.parent for link in list_parents(core.db, [episode.id]) if link.role == "source"}
    path = messages.path(core.db, core.profile, episode.last_message)
    inside = [n for n, message in enumerate(path) if message.id in sources]
    return path[inside[0] : inside[-1] + 1] if inside else []
