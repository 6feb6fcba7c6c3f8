"""Memories drawn as lines of text: one fact, one sent item, one thing left out. Pure drawing, no widget state.

Every word that came from a person or a model goes in as plain text; only our own words carry style.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from textual.content import Content

from assistant.tui.days import local, said, short_date
from assistant.tui.plain import counted, one_line, visible
from assistant.tui.snapshot import Changed, FactDetail, Waiting
from memory.records import Episode, Fact, FactState, LeftOut, Origin, Rule, SentItem

MUTED = "$muted"
ORIGINS = {
    Origin.USER_SAID: "you said",
    Origin.USER_CONFIRMED: "you confirmed",
    Origin.INFERRED: "inferred",
    Origin.IMPORTED: "imported",
    Origin.DOCUMENT: "from a document",
}
Part = str | Content | tuple[str, str]


def lines(*rows: tuple[Part, ...]) -> Content:
    """Put rows under each other."""
    return Content("\n").join(Content.assemble(*row) for row in rows)


def fact_line(fact: Fact, now: datetime, *, fresh: bool = False) -> Content:
    """Draw a fact for a list: its sentence, then state, origin and date."""
    marks = ("• " if fresh else "") + ("▲ " if fact.pinned else "")
    style = "" if fact.is_current else MUTED
    return lines(
        ((marks, "$accent"), (visible(fact.text), style)),
        ((f"  {state_words(fact, now)} · {ORIGINS[fact.origin]}", MUTED),),
    )


def change_line(change: Changed, now: datetime) -> Content:
    """Draw an act on memory: what was done to what, when, and whether it can be taken back."""
    style = "" if change.can_be_undone else MUTED
    back = " · u undoes" if change.can_be_undone else ""
    return lines(
        ((f"{change.act} {change.kind}", style), (f"  {said(change.at, now)}{back}", MUTED)),
        ((f"  {one_line(change.text, 200) if change.text else 'gone since'}", MUTED),),
    )


def state_words(fact: Fact, now: datetime) -> str:
    """Say since when a fact holds, or until when it did."""
    today = local(now, now).date()
    if fact.valid_to is not None:
        return f"until {short_date(local(fact.valid_to, now).date(), today)}"
    if fact.state is not FactState.ACTIVE:
        return fact.state.value.replace("_", " ")
    since = fact.valid_from or fact.recorded_at
    return f"since {short_date(local(since, now).date(), today)}"


def item_line(item: SentItem, now: datetime) -> Content:
    """Draw an item that the prompt carried."""
    facts = [item.kind, f"{item.score:.2f}", counted(item.tokens, "token")]
    if item.as_of is not None:
        facts.insert(1, said(item.as_of, now))
    rows: list[tuple[Part, ...]] = [
        (one_line(item.text, 240),),
        ((f"  {' · '.join(facts)}", MUTED),),
    ]
    if item.replaces:
        rows.append(((f"  instead of: {one_line(item.replaces, 60)}", MUTED),))
    if why := item.reason or parts_words(item.parts):
        rows.append(((f"  {visible(why)}", MUTED),))
    return lines(*rows)


def left_out_line(item: LeftOut, known: Mapping[str, str]) -> Content:
    """Draw an item that was considered and not sent; another item that its reason names is quoted."""
    why, _, last = item.reason.rpartition(" ")
    reason = f"{why} “{one_line(known[last], 40)}”" if last in known else visible(item.reason)
    return lines(
        ((one_line(item.text, 160), MUTED),),
        ((f"  {reason} · {item.score:.2f}", MUTED),),
    )


def parts_words(parts: Mapping[str, float]) -> str:
    """Name the parts of a score, largest first."""
    named = sorted(parts.items(), key=lambda pair: (-abs(pair[1]), pair[0]))
    return " · ".join(f"{name} {value:.2f}" for name, value in named[:4])


def rule_line(rule: Rule) -> Content:
    """Draw a rule with its version."""
    return lines((visible(rule.text),), ((f"  version {rule.version} · {ORIGINS[rule.origin]}", MUTED),))


def episode_line(episode: Episode, now: datetime) -> Content:
    """Draw an episode: when, its title, its summary."""
    return lines(
        ((visible(episode.title), "bold"),),
        ((f"  {said(episode.ended_at, now)}", MUTED),),
        (f"  {one_line(episode.summary or episode.goal, 300)}",),
    )


def episode_lines(episode: Episode, now: datetime) -> Content:
    """Draw an episode in full."""
    rows: list[tuple[Part, ...]] = [
        ((visible(episode.title), "bold"),),
        ((said(episode.ended_at, now), MUTED),),
    ]
    rows += [(visible(text),) for text in (episode.summary,) if text]
    for name, texts in (
        ("goal", (episode.goal,)),
        ("decided", episode.decisions),
        ("to do", episode.actions),
        ("corrected", episode.corrections),
        ("learned", episode.lessons),
        ("preferred", episode.preferences),
        ("open", episode.open_threads),
        ("made", episode.artifacts),
        ("outcome", (episode.outcome,)),
    ):
        rows += [((f"{name}  ", MUTED), visible(text)) for text in texts if text]
    return lines(*rows)


def version_line(rule: Rule, now: datetime) -> Content:
    """Draw one version of a rule: its words, since when, and whether it is followed."""
    since = said(rule.recorded_at, now)
    return lines((visible(rule.text),), ((f"  version {rule.version} · {since} · {rule.state}", MUTED),))


def waiting_line(waiting: Waiting) -> Content:
    """Draw a candidate with the exact words it came from."""
    candidate = waiting.candidate
    why = f" · {visible(waiting.reason)}" if waiting.reason else ""
    return lines(
        (visible(candidate.text),),
        ((f"  “{one_line(candidate.quote, 120)}”", MUTED),),
        ((f"  {ORIGINS[candidate.origin]}{why}", MUTED),),
    )


def detail_lines(detail: FactDetail, now: datetime) -> Content:
    """Draw one fact in full: slot, source, dates, earlier values."""
    fact = detail.fact
    rows: list[tuple[Part, ...]] = [
        ((f"{visible(fact.subject)} · {visible(fact.attribute)}", "$primary"),),
        (visible(fact.value),),
        ((f"{state_words(fact, now)} · {ORIGINS[fact.origin]} · sure {fact.confidence:.0%}", MUTED),),
    ]
    if fact.recalled:
        rows.append(((f"used in {counted(fact.recalled, 'answer')}", MUTED),))
    if detail.source or fact.quote:
        rows.append((("from your words", MUTED),))
        rows.append(quoted(detail.source or fact.quote, fact.quote))
    for heading, others in (("after it", detail.later), ("before it", detail.earlier)):
        if others:
            rows.append(((heading, MUTED),))
            rows += [(f"{one_line(one.value, 40)} ", (state_words(one, now), MUTED)) for one in others[:5]]
    return lines(*rows)


def quoted(source: str, quote: str) -> tuple[Part, ...]:
    """Draw a message with the quoted span standing out."""
    at = source.find(quote) if quote else -1
    if at < 0:
        return ((f"“{one_line(source, 200)}”", ""),)
    before, after = source[max(0, at - 80) : at], source[at + len(quote) : at + len(quote) + 80]
    return (
        f"“{visible(before)}",
        (visible(quote), "bold"),
        f"{visible(after)}”",
    )
