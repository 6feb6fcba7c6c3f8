"""Weighs every text of the store against what is to be forgotten: what goes, what is only listed.

Reads only, in a number of statements that does not grow with the number of things chosen. The rule: what was
made of the chosen goes, and what says both subject and value; a bare mention of the value is listed. One
surprise: of the user's own facts the subject is never named, so there a whole wording has to be repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memory.errors import BadInput
from memory.forgetting.choosing import Chosen, Record, Seen, choose, load, said_by
from memory.forgetting.selection import Act, ForgetPlan, Selection, Target
from memory.forgetting.wording import Match, Said, Wordings, echoes
from memory.saying import title_of
from memory.store import holding
from memory.store.holding import Held

REMOVED = frozenset({"fact", "rule", "candidate", "draft", "golden", "attachment", "conversation", "persona"})
"""Kinds that go as rows; the others lose the words."""
OPENING = 1000
"""Characters of a message among which its conversation's title was found."""
MADE_OF_IT = "made of what is chosen"
SOURCE = "where it was said"
REPEATS = "an answer that repeats it"
SAYS_BOTH = "says what it is about, and the value"
NAMED = "says these words"
SAME_WORDS = "holds the same words"
EXPECTS = "a test question that expects it"
KEPT = "left out of the choice"


@dataclass(slots=True)
class _Reach:
    """Where each forgotten thing was said, and since when its words were before the model."""

    sources: dict[str, set[str]] = field(default_factory=dict)
    """Messages by what was taken from them."""
    since: dict[str, dict[str, str]] = field(default_factory=dict)
    """By thing and conversation, the first moment it stood there."""

    def note(self, ref: str, conversation: str, at: str) -> None:
        """Note that something stood in a conversation at a moment."""
        known = self.since.setdefault(ref, {})
        known[conversation] = min(known.get(conversation, at), at)

    def reached(self, ref: str, held: Held) -> bool:
        """Tell whether a text was written with something before its writer."""
        since = self.since.get(ref, {}).get(held.conversation or "")
        return since is not None and held.at >= since


def preview(seen: Seen, selection: Selection) -> ForgetPlan:
    """Return everything that forgetting a selection would touch; nothing is done."""
    if selection.is_empty:
        raise BadInput("choose what to forget: ids, words, a time, a conversation or a source")
    chosen = choose(seen, selection)
    derived = _derived(seen, chosen, selection)
    texts = holding.all_texts(seen.db, seen.profile)
    saying = _saying(texts, selection)
    records = load(seen, [*chosen.ids(*_LOADED), *(ident for _, ident in derived.found), *saying])
    said = _said(records, selection)
    reach = _reach(seen, records)
    weighing = _Weighing(selection, chosen, derived, Wordings(said), reach)
    for held in texts:
        weighing.weigh(held)
    weighing.tick_titles(texts)
    goldens = set(holding.goldens_about(seen.db, seen.profile, [one.ref for one in said if one.ref]))
    weighing.tick_goldens(goldens)
    return _plan(seen, selection, weighing, said)


_LOADED = ("fact", "message", "answer", "episode", "rule", "candidate")


def _derived(seen: Seen, chosen: Chosen, selection: Selection) -> Chosen:
    """Return the facts that rest on chosen messages or were consolidated from chosen things."""
    derived = Chosen()
    parents = chosen.ids("message", "answer", "fact", "episode")
    if parents:
        made = holding.facts_made_of(seen.db, seen.profile, parents)
        derived.add((("fact", ident) for ident in made), MADE_OF_IT, selection.leave)
    for key in chosen.found:
        derived.found.pop(key, None)
    return derived


def _named(selection: Selection) -> tuple[Said, ...]:
    """Return the words that are named and go wherever they stand."""
    named = [words for words in (selection.about.strip(), *selection.words) if words]
    return tuple(Said("", words, everywhere=True) for words in named)


def _saying(texts: Iterable[Held], selection: Selection) -> list[str]:
    """Return the memories that say named words: they go, so what repeats them goes as if they were chosen."""
    named = Wordings(_named(selection))
    return [
        held.id
        for held in texts
        if held.kind in ("fact", "candidate")
        and not {held.id, held.kind} & selection.leave
        and named.says(held.text)
    ]


def _said(records: Iterable[Record], selection: Selection) -> tuple[Said, ...]:
    return (*(said_by(record) for record in records), *_named(selection))


def _reach(seen: Seen, records: Iterable[Record]) -> _Reach:
    reach = _Reach()
    refs = [record.id for record in records]
    if not refs:
        return reach
    for row in holding.sources_of(seen.db, seen.profile, refs):
        reach.sources.setdefault(row["child"], set()).add(row["message"])
        reach.note(row["child"], row["conversation"], row["at"])
    for row in holding.carried(seen.db, seen.profile, refs):
        reach.note(row["ref"], row["conversation"], row["at"])
    return reach


class _Weighing:
    """Sorts texts into what is chosen, ticked and listed."""

    def __init__(
        self, selection: Selection, chosen: Chosen, derived: Chosen, wordings: Wordings, reach: _Reach
    ) -> None:
        self.selection, self.chosen_ids, self.derived = selection, chosen, derived
        self.wordings, self.reach = wordings, reach
        self.chosen: list[Target] = []
        self.ticked: list[Target] = []
        self.listed: list[Target] = []
        self.passed: dict[str, Held] = {}
        self._of_source: dict[str, set[str]] = {}
        for ref, messages in reach.sources.items():
            for message in messages:
                self._of_source.setdefault(message, set()).add(ref)
        self._by_ref: Mapping[str, Said] = {one.ref: one for one in wordings.said if one.ref}
        self._told: dict[str, list[Said]] = {}
        for ref, since in reach.since.items():
            for conversation in since:
                self._told.setdefault(conversation, []).append(self._by_ref[ref])

    def weigh(self, held: Held) -> None:
        """Put one text where it belongs."""
        if held.kind == "golden":
            self.passed[held.id] = held
        reason = self.chosen_ids.found.get((held.kind, held.id))
        if held.kind in ("title", "summary", "working") and self._conversation_goes(held):
            if held.kind == "title":
                self.chosen.append(Target("conversation", held.id, held.text, "remove", "chosen"))
            return
        if reason is not None:
            goes = (
                "remove" if self._conversation_goes(held) or held.kind in REMOVED | {"episode"} else "empty"
            )
            self.chosen.append(self._target(held, reason, goes))
            return
        if (held.kind, held.id) in self.derived.found:
            self.ticked.append(self._target(held, MADE_OF_IT, "remove"))
            return
        self._weigh_words(held)

    def _weigh_words(self, held: Held) -> None:
        why = self._why(held)
        if why is None:
            return
        reason, strong = why
        leave = self.selection.leave
        stays = held.id in leave or held.kind in leave
        ticks = (strong and not stays) or held.id in self.selection.include
        act: Act = "remove" if held.kind in REMOVED else "redact"
        if self.selection.whole and reason == SOURCE:
            act = "empty"
        target = self._target(held, KEPT if strong and not ticks else reason, act)
        (self.ticked if ticks else self.listed).append(target)

    def _why(self, held: Held) -> tuple[str, bool] | None:
        """Say why a text is reached, and whether strongly enough to be ticked; None when it is not."""
        if held.kind == "message" and held.id in self._of_source:
            return SOURCE, True
        matches = self.wordings.matches(held.text)
        if any(match.said.everywhere for match in matches):
            return NAMED, True
        for match in matches:
            if self._is_derived(held, match.said):
                return (REPEATS if held.kind == "answer" else MADE_OF_IT), True
        if held.kind == "answer" and not matches and self._echoes(held):
            return REPEATS, True
        if any(self._names_both(held, match) for match in matches):
            return SAYS_BOTH, True
        return (SAME_WORDS, False) if matches else None

    def _is_derived(self, held: Held, said: Said) -> bool:
        """Tell whether a text was made with this before its writer: answers, titles, notes, episodes."""
        if held.kind not in ("answer", "title", "summary", "working", "episode", "candidate"):
            return False
        return self.reach.reached(said.ref, held)

    def _echoes(self, held: Held) -> bool:
        told = self._told.get(held.conversation or "", ())
        return any(self.reach.reached(one.ref, held) and echoes(held.text, one) for one in told)

    def _names_both(self, held: Held, match: Match) -> bool:
        if held.kind in ("fact", "candidate") and not match.whole:
            return held.subject == match.said.subject
        return self.wordings.names_both(held.text, match)

    def _conversation_goes(self, held: Held) -> bool:
        return ("conversation", held.conversation or held.id) in self.chosen_ids.found

    def _target(self, held: Held, reason: str, act: str) -> Target:
        goes: Act = "remove" if act == "remove" else "empty" if act == "empty" else "redact"
        text = held.text if held.kind not in ("fact", "candidate") else held.text.split("\n", 1)[0]
        return Target(held.kind, held.id, text, goes, reason)

    def tick_titles(self, texts: Sequence[Held]) -> None:
        """Have titles go that are the beginning of a message that loses its words."""
        known = {
            target.id for target in (*self.chosen, *self.ticked) if target.kind in ("title", "conversation")
        }
        rewritten = {target.id for target in (*self.chosen, *self.ticked) if target.kind == "message"}
        starts = {
            (held.conversation, title_of(held.text[:OPENING]))
            for held in texts
            if held.id in rewritten and held.text.strip()
        }
        for held in texts:
            if held.kind == "title" and held.id not in known and (held.id, held.text) in starts:
                self.listed = [
                    target for target in self.listed if (target.kind, target.id) != ("title", held.id)
                ]
                self.ticked.append(self._target(held, MADE_OF_IT, "redact"))

    def tick_goldens(self, idents: set[str]) -> None:
        """Have test questions go that expect something forgotten."""
        known = {target.id for target in (*self.chosen, *self.ticked)}
        self.listed = [target for target in self.listed if target.id not in idents]
        for ident in sorted(idents - known - self.selection.leave):
            self.ticked.append(self._target(self.passed[ident], EXPECTS, "remove"))


def _plan(seen: Seen, selection: Selection, weighing: _Weighing, said: tuple[Said, ...]) -> ForgetPlan:
    plan = ForgetPlan(selection, tuple(weighing.chosen), tuple(weighing.ticked), tuple(weighing.listed), said)
    follows = holding.following(seen.db, [target.id for target in plan.targets])
    return ForgetPlan(selection, plan.chosen, plan.ticked, plan.listed, said, follows)
