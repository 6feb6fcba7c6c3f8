"""Merging what was said twice in nearly the same words: one fact stays and takes the other's source.

Owns which of two stays. Looks at each fact once, when it has a vector, beside the other current facts of its
slot only. The surprise: the later one goes, because the earlier one is what other things already point to.
"""

from __future__ import annotations

from dataclasses import replace

from memory import policy
from memory.core import Core
from memory.records import Fact, FactState
from memory.retrieval.near import active_key, cosines
from memory.store import due, facts
from memory.store import settings as vault_settings
from memory.store.act import Act
from memory.store.derivations import derive
from memory.store.stored import Derivation

UPTO = "idle.merged"


def merge_next(core: Core) -> bool:
    """Look whether the next fact says what an earlier one says; False when every fact was looked at."""
    embedder = active_key(core.db)
    if embedder is None:
        return False
    upto = str(vault_settings.find_setting(core.db, core.profile, UPTO, ""))
    fact = due.next_fact(core.db, core.profile, upto, embedder)
    if fact is None:
        return False
    with core.atomic():
        _merge(core, fact)
        vault_settings.put_setting(core.db, core.profile, UPTO, fact.id)
    return True


def _merge(core: Core, fact: Fact) -> None:
    if fact.pinned:
        return
    near = cosines(core.db, fact.id, due.earlier_in_slot(core.db, core.profile, fact.id))
    close = sorted(
        (-cosine, ident) for ident, cosine in near.items() if round(cosine, 6) >= policy.NEAR_COSINE
    )
    for _, ident in close:
        other = facts.get_fact(core.db, core.profile, ident)
        if policy.says_the_same(fact, other):
            _keep_one(core, other, fact)
            return


def _keep_one(core: Core, kept: Fact, gone: Fact) -> None:
    act = Act(core.db, core.profile, core.now(), core.new_id, "auto")
    after = replace(
        kept,
        confidence=max(kept.confidence, gone.confidence),
        importance=max(kept.importance, gone.importance),
        confirmed_at=max(filter(None, (kept.confirmed_at, gone.confirmed_at)), default=None),
    )
    act.write(gone, replace(gone, state=FactState.ARCHIVED))
    act.write(kept, after)
    derive(core.db, Derivation(kept.id, "fact", gone.id, "fact", "consolidated"))
    if gone.message is not None:
        derive(core.db, Derivation(kept.id, "fact", gone.message, "message", "source", gone.start, gone.end))
    act.close("merge", "fact", kept.id)
