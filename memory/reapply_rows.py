"""Carries marks of rules, episodes, drafts, notes and the like to an older copy that takes a store's place.

Owns what becomes of each: a text that the store which goes holds no more goes here too, and one that lost words there
says here what it says there. The surprise: only marks that the copy lacks count, since what it holds under an older
mark was written after it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from memory.clock import to_text
from memory.core import Core
from memory.forgetting import applying, marking, rewriting
from memory.forgetting.preview import REMOVED, preview
from memory.forgetting.selection import ForgetPlan, Selection, Target
from memory.forgetting.wording import Said, Wordings
from memory.persona import set_persona
from memory.store import conversations, holding, jobs, purge
from memory.store.holding import Held
from memory.store.rows import episode_row
from memory.store.whole_rows import delete_row

if TYPE_CHECKING:
    from sqlite_utils import Database

ROWS = REMOVED | {"episode"}


def carry_rows(old: Database, core: Core, fresh: Collection[str]) -> None:
    """Do to the texts that these marks name what was done to them in the store that goes; in one transaction."""
    if not fresh:
        return
    _forget_conversations(core, fresh)
    there = {(held.kind, held.id): held for held in holding.all_texts(old, core.profile)}
    here = [
        held for held in holding.all_texts(core.db, core.profile) if _is_marked(core, held.kind, held, fresh)
    ]
    gone = [held for held in here if held.kind in ROWS and (held.kind, held.id) not in there]
    if gone:
        targets = tuple(Target(held.kind, held.id, held.text, "remove") for held in gone)
        applying.apply(core, ForgetPlan(Selection(), targets, (), (), ()))
    stay = [(held, there.get((held.kind, held.id))) for held in here if held not in gone]
    changed = [(was, now) for was, now in stay if now is None or was.text != now.text]
    for was, now in changed:
        _say(core, was, now)
    _derive_episodes(old, core, [was.id for was, _ in changed if was.kind == "episode"])
    words = [
        word for was, now in changed for word in rewriting.removed_words(was.text, now.text if now else "")
    ]
    inside = {was.conversation for was, _ in changed if was.conversation}
    clean_receipts(core, {was.id for was, _ in changed}, inside, words)
    conversations.drop_heads(core.db, core.profile)


def clean_receipts(core: Core, changed: set[str], inside: set[str], words: Iterable[str]) -> None:
    """Have the receipts of these conversations, and of whatever carried these ids, lose words."""
    wordings = Wordings(tuple(Said("", word, everywhere=True) for word in dict.fromkeys(words)))
    receipts = [
        row
        for trace in holding.traces_holding(core.db, core.profile, changed, inside)
        if (
            row := rewriting.trace_row(
                trace, wordings, frozenset(), changed, own=trace["conversation"] in inside
            )
        )
    ]
    purge.rewrite(core.db, core.profile, "trace", receipts, to_text(core.now()))


def _is_marked(core: Core, kind: str, held: Held, fresh: Collection[str]) -> bool:
    return kind in marking.ROWS and marking.mark_of(core.tombstone_key, core.profile, kind, held.id) in fresh


def _forget_conversations(core: Core, fresh: Collection[str]) -> None:
    for held in holding.all_texts(core.db, core.profile):
        if held.kind == "title" and _is_marked(core, "conversation", held, fresh):
            applying.apply(core, preview(core, Selection(conversation=held.id)))


def _say(core: Core, was: Held, now: Held | None) -> None:
    """Have one text that keeps its place say what it says in the store that goes."""
    db, profile, at = core.db, core.profile, to_text(core.now())
    text = now.text if now else ""
    match was.kind:
        case "title":
            purge.rewrite(db, profile, "conversation", [{"id": was.id, "title": text}], at)
        case "summary":
            purge.rewrite(db, profile, "conversation", [{"id": was.id, "earlier": text}], at)
        case "working" if now is None:
            delete_row(db, "working_state", {"conversation": was.id})
        case "working":
            purge.rewrite(db, profile, "working_state", [{"id": was.id, "state": text}], at)
        case "persona":
            set_persona(core, text)
        case _:
            pass


def _derive_episodes(old: Database, core: Core, idents: list[str]) -> None:
    """Have episodes say what is left of them, and wait to be derived from what is left of their sources."""
    if not idents:
        return
    db, profile = core.db, core.profile
    kept = [episode_row(episode) for episode in holding.episodes_with_ids(old, profile, idents)]
    names = ("id", "title", "goal", "summary", "detail")
    purge.rewrite(db, profile, "episode", [{name: row[name] for name in names} for row in kept], "")
    texts: dict[str, tuple[str, str | None]] = {
        row["id"]: (f"{row['title']}\n{row['summary']}", "") for row in kept
    }
    purge.rewrite_items(db, texts, outdated=texts)
    purge.remove_versions(db, profile, idents)
    jobs.enqueue(db, applying.AGAIN, profile, {"episodes": idents}, now=core.now(), new_id=core.new_id)
