"""From what was read in a clause to a candidate.

Owns what every candidate has: its place, its sentence, its dates and how sure it is. Refuses to decide whether
it is a good one. One surprise: "next Friday" says little a month later, so what will pass has its day written behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory import policy
from memory.attributes import attribute_named
from memory.cues.clauses import Clause
from memory.cues.lasting import is_ahead
from memory.cues.reading import Reading
from memory.dates import Dated, end_of, local_day
from memory.records import Candidate, Kind, Stability


def make(
    clause: Clause,
    reading: Reading,
    *,
    subject: str,
    attribute: str,
    value: str,
    rule: str,
    kind: Kind | None = None,
    text: str | None = None,
    closes: str | None = None,
    correction: bool = False,
    pronoun: bool = False,
    dates: Sequence[Dated] = (),
    stability: Stability | None = None,
) -> Candidate:
    """Put a candidate together; importance and confidence follow from how it was said."""
    message, behaves = reading.message, attribute_named(attribute)
    today = local_day(message.said_at, message.zone)
    said = as_sentence(text if text is not None else clause.text)
    ahead = [dated for dated in dates if dated.last >= today]
    passing = (stability or behaves.stability) is Stability.VOLATILE
    if passing and ahead and ahead[0].relative:
        day = (
            ahead[0].first.isoformat()
            if ahead[0].first == ahead[0].last
            else f"{ahead[0].first} – {ahead[0].last}"
        )
        said, value = f"{said} ({day})", f"{value} ({day})"
    candidate = Candidate(
        kind=kind or behaves.kind,
        subject=subject,
        attribute=attribute,
        value=value,
        text=said,
        quote=clause.quote,
        start=clause.start,
        end=clause.end,
        language=reading.reads.pack.code,
        origin=message.origin,
        cardinality=behaves.cardinality,
        stability=stability or behaves.stability,
        confidence=policy.CONFIDENCE_BOUND if pronoun else policy.CONFIDENCE_STATED,
        said_at=message.said_at,
        valid_from=message.said_at,
        expires_at=end_of(max(dated.last for dated in ahead), message.zone) if passing and ahead else None,
        is_correction=correction or clause.amends,
        closes=closes,
        pronoun=pronoun,
        rule=f"remember:{rule}" if clause.remembers else rule,
    )
    return replace(candidate, importance=policy.importance(candidate))


def planned(text: str, reading: Reading) -> Sequence[Dated]:
    """Return the dates of a text that speaks of a day to come and of no habit, none of any other."""
    dates, today = reading.dates(text), local_day(reading.message.said_at, reading.message.zone)
    ahead = any(dated.first > today for dated in dates) and is_ahead(text, reading.reads.pack.code)
    return dates if ahead else ()


def as_sentence(text: str) -> str:
    """Return the words as a sentence begins: trimmed, and with a capital letter."""
    trimmed = text.strip(" \t\n,;:-–—")
    return trimmed[:1].upper() + trimmed[1:]


def as_said(candidate: Candidate, reworded: str, said: str) -> Candidate:
    """Return the candidate with the user's own wording where it was read in a plainer one."""
    if not candidate.text.startswith(as_sentence(reworded)):
        return candidate
    return replace(candidate, text=as_sentence(said) + candidate.text[len(as_sentence(reworded)) :])
