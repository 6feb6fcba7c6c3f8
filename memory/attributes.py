"""The closed list of what can be said of a subject, and how each kind of statement behaves.

Owns cardinality, stability and which attributes speak of the same thing. Refuses to read text. One surprise:
a name the list does not hold is treated like a note, so that nothing supersedes by accident.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory.records import Cardinality, Kind, Stability


@dataclass(frozen=True, slots=True)
class Attribute:
    """How one attribute behaves."""

    name: str
    cardinality: Cardinality
    stability: Stability
    kind: Kind
    replaces_alone: bool = False
    """Several may hold at once, but "now" points at the only one there is (a new job, a new car)."""
    opposite: str | None = None
    """The attribute that a change of mind closes (likes against dislikes)."""


_S, _M = Cardinality.SINGLE, Cardinality.MULTI
_STABLE, _SLOW, _VOLATILE = Stability.STABLE, Stability.SLOW, Stability.VOLATILE
_LIST = (
    Attribute("name", _S, _STABLE, Kind.FACT),
    Attribute("nickname", _S, _STABLE, Kind.PREFERENCE),
    Attribute("home", _S, _SLOW, Kind.FACT),
    Attribute("origin", _S, _STABLE, Kind.FACT),
    Attribute("birthday", _S, _STABLE, Kind.FACT),
    Attribute("age", _S, _SLOW, Kind.FACT),
    Attribute("partner", _S, _SLOW, Kind.FACT),
    Attribute("status", _S, _SLOW, Kind.FACT),
    Attribute("phone", _S, _SLOW, Kind.FACT),
    Attribute("email", _S, _SLOW, Kind.FACT),
    Attribute("value", _S, _SLOW, Kind.FACT),
    Attribute("breed", _S, _STABLE, Kind.FACT),
    Attribute("employer", _M, _SLOW, Kind.FACT, replaces_alone=True),
    Attribute("role", _M, _SLOW, Kind.FACT, replaces_alone=True),
    Attribute("school", _M, _SLOW, Kind.FACT, replaces_alone=True),
    Attribute("vehicle", _M, _SLOW, Kind.FACT, replaces_alone=True),
    Attribute("medication", _M, _SLOW, Kind.CONSTRAINT),
    Attribute("diet", _M, _STABLE, Kind.CONSTRAINT, replaces_alone=True),
    Attribute("allergy", _M, _STABLE, Kind.CONSTRAINT),
    Attribute("condition", _M, _STABLE, Kind.CONSTRAINT),
    Attribute("avoids", _M, _STABLE, Kind.CONSTRAINT, opposite="likes"),
    Attribute("likes", _M, _STABLE, Kind.PREFERENCE, opposite="dislikes"),
    Attribute("dislikes", _M, _STABLE, Kind.PREFERENCE, opposite="likes"),
    Attribute("prefers", _M, _STABLE, Kind.PREFERENCE),
    Attribute("wants", _M, _VOLATILE, Kind.PREFERENCE),
    Attribute("language", _M, _STABLE, Kind.FACT),
    Attribute("pet", _M, _STABLE, Kind.FACT),
    Attribute("child", _M, _STABLE, Kind.FACT),
    Attribute("relative", _M, _STABLE, Kind.FACT),
    Attribute("friend", _M, _STABLE, Kind.FACT),
    Attribute("hobby", _M, _STABLE, Kind.PREFERENCE),
    Attribute("possession", _M, _SLOW, Kind.FACT),
    Attribute("plan", _M, _VOLATILE, Kind.PLAN),
    Attribute("state", _M, _VOLATILE, Kind.FACT),
    Attribute("event", _M, _STABLE, Kind.EVENT),
    Attribute("appointment", _M, _VOLATILE, Kind.EVENT),
    Attribute("date", _S, _VOLATILE, Kind.EVENT),
    Attribute("decision", _M, _STABLE, Kind.DECISION),
    Attribute("opinion", _M, _STABLE, Kind.OPINION),
    Attribute("commitment", _M, _VOLATILE, Kind.COMMITMENT),
    Attribute("goal", _M, _SLOW, Kind.PLAN),
    Attribute("rule", _M, _STABLE, Kind.RULE),
    Attribute("note", _M, _STABLE, Kind.FACT),
)
ATTRIBUTES = {attribute.name: attribute for attribute in _LIST}


def attribute_named(name: str) -> Attribute:
    """Return how the attribute behaves; an unknown one behaves like a note."""
    return ATTRIBUTES.get(name) or ATTRIBUTES["note"]


def related(name: str) -> tuple[str, ...]:
    """Return the attributes whose current facts a candidate must be compared with, its own first."""
    own = attribute_named(name)
    opposites = {other.name for other in _LIST if other.opposite == name} | ({own.opposite} - {None})
    return (name, *sorted(str(other) for other in opposites))
