"""What comes up in three episodes or more becomes a question to the user: is this so in general?

Owns what counts as the same thing said again and what is never general: dates, amounts, anything with a number.
Nothing is believed here; each proposal waits in Review with the episodes it came from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory import policy
from memory.core import Core
from memory.dates import find_dates
from memory.languages import detect, language
from memory.records import USER, Candidate, Cardinality, Episode, Kind, Origin, Stability
from memory.store import candidates, episodes, facts
from memory.store.act import Act
from memory.store.derivations import derive
from memory.store.stored import Derivation, QueuedCandidate

FEWEST = 3
"""Episodes, of as many conversations."""
LOWEST_CONFIDENCE = 0.7
LOOKED_AT = 200
"""The newest episodes that are compared."""
ALIKE = 0.6
"""Shared words over all words of two sentences that say the same."""
LONGEST = 200
_SPECIFIC = re.compile(r"\d|[$€£¥₽₹%]")


@dataclass(frozen=True, slots=True)
class Recurring:
    """A sentence that several episodes hold, in its newest wording, with those episodes."""

    text: str
    kind: Kind
    episodes: tuple[Episode, ...]

    @property
    def confidence(self) -> float:
        """How sure it is: three episodes just suffice."""
        return min(0.9, 0.55 + 0.05 * len(self.episodes))


def recurring(told: Sequence[Episode]) -> tuple[Recurring, ...]:
    """Find what comes up in enough episodes of different conversations."""
    groups: list[tuple[set[str], str, Kind, list[Episode]]] = []
    for episode in sorted(told, key=lambda one: (one.ended_at, one.id), reverse=True):
        for text, kind in _sentences(episode):
            words = set(policy.normalise(text).split())
            group = next((one for one in groups if _alike(words, one[0])), None)
            if group is None:
                groups.append((words, text, kind, [episode]))
            elif all(known.conversation != episode.conversation for known in group[3]):
                group[3].append(episode)
    found = (Recurring(text, kind, tuple(held)) for _, text, kind, held in groups if len(held) >= FEWEST)
    return tuple(one for one in found if one.confidence >= LOWEST_CONFIDENCE)


def _sentences(episode: Episode) -> list[tuple[str, Kind]]:
    goals = [episode.goal] if episode.goal else []
    read = [(text, Kind.PREFERENCE) for text in episode.preferences]
    read += [(text, Kind.FACT) for text in (*goals, *episode.lessons)]
    return [(text, kind) for text, kind in read if is_general(text, episode)]


def is_general(text: str, episode: Episode) -> bool:
    """Tell whether a sentence can hold beyond its day: no number, no amount, no date in it."""
    if not text.strip() or len(text) > LONGEST or _SPECIFIC.search(text):
        return False
    return not find_dates(text, episode.ended_at, "+00:00", language(detect(text)))


def _alike(one: set[str], other: set[str]) -> bool:
    return bool(one) and len(one & other) >= ALIKE * len(one | other)


def promote_next(core: Core) -> bool:
    """Propose the next thing that keeps coming up; False when there is none that is new."""
    told = episodes.list_episodes(core.db, core.profile, limit=LOOKED_AT)
    for found in recurring(told):
        candidate = _candidate(found)
        if _is_known(core, candidate):
            continue
        with core.atomic():
            _propose(core, candidate, found)
        return True
    return False


def _candidate(found: Recurring) -> Candidate:
    return Candidate(
        kind=found.kind,
        subject=USER,
        attribute="note",
        value=found.text,
        text=found.text,
        quote=found.text,
        start=0,
        end=len(found.text),
        language=detect(found.text),
        origin=Origin.INFERRED,
        cardinality=Cardinality.MULTI,
        stability=Stability.STABLE,
        confidence=found.confidence,
        rule="recurring",
    )


def _is_known(core: Core, candidate: Candidate) -> bool:
    """Tell whether this is believed, forgotten, waiting or decided about already, in these or like words."""
    db, profile = core.db, core.profile
    words = set(policy.normalise(candidate.text).split())
    asked = candidates.list_with_rule(db, profile, candidate.rule)
    if any(_alike(words, set(policy.normalise(one.candidate.text).split())) for one in asked):
        return True
    current = facts.list_facts(db, profile, subject=USER)
    return any(
        _alike(words, set(policy.normalise(text).split()))
        for fact in current
        for text in (fact.text, fact.value, fact.quote)
    )


def _propose(core: Core, candidate: Candidate, found: Recurring) -> None:
    reason = f"came up in {len(found.episodes)} conversations"
    queued = QueuedCandidate(core.new_id(), core.profile, None, None, candidate, reason, core.now())
    act = Act(core.db, core.profile, core.now(), core.new_id, "auto")
    act.write(None, queued)
    for episode in found.episodes:
        derive(core.db, Derivation(queued.id, "candidate", episode.id, "episode", "consolidated"))
    act.close("review", "candidate", queued.id)
