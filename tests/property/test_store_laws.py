"""Laws of the store: whatever is decided in whatever order, slots, history, versions and indexes stay true."""

import itertools
import json
import struct
from collections.abc import Callable
from datetime import datetime

from builders import World, day, make_candidate, multi
from hypothesis import given
from hypothesis import strategies as st

from memory import policy
from memory.errors import CannotUndo
from memory.records import Candidate, Cardinality, Fact, FactState, Origin
from memory.retrieval import vectors
from memory.store.facts import find_by_value, find_open, list_facts
from memory.store.timeline import first_said, starts_at
from memory.store.undo import undo

VECTOR = struct.pack("<8f", 1, *[0] * 7)
PLACES = ("Lisbon", "Porto", "Faro", "lisbon")
SUBJECTS = ("user", "dog")

singles = st.builds(
    lambda subject, value, said, origin: make_candidate(
        subject, "home", value, said_at=day(said), origin=origin
    ),
    st.sampled_from(SUBJECTS),
    st.sampled_from(PLACES),
    st.integers(0, 30),
    st.sampled_from([Origin.USER_SAID, Origin.USER_CONFIRMED]),
)
several = st.builds(
    lambda attribute, value, said: multi("user", attribute, value, said_at=day(said)),
    st.sampled_from(["likes", "dislikes", "allergy"]),
    st.sampled_from(["tea", "jam", "nuts"]),
    st.integers(0, 30),
)
corrections = st.builds(
    lambda value, closes, said: multi(
        "user", "allergy", value, said_at=day(said), is_correction=True, closes=closes
    ),
    st.sampled_from(["tea", "jam", "nuts"]),
    st.sampled_from(["tea", "jam", "nuts"]),
    st.integers(0, 30),
)
steps = st.lists(st.one_of(singles, several, corrections, st.just("undo")), min_size=1, max_size=10)


def neighbours(world: World, candidate: Candidate) -> policy.Neighbours:
    slot = find_open(world.db, world.profile, candidate.subject, candidate.attribute)
    opposite = {"likes": "dislikes", "dislikes": "likes"}.get(candidate.attribute)
    if opposite:
        slot += find_open(world.db, world.profile, candidate.subject, opposite)
    same = find_by_value(
        world.db, world.profile, candidate.value, subject=candidate.subject, attribute=candidate.attribute
    )
    return policy.Neighbours(same=tuple(same), slot=tuple(slot))


def say(world: World, candidate: Candidate) -> None:
    message = world.say(f"about {candidate.value}", said_at=candidate.said_at)
    world.decide(candidate, policy.decide(candidate, neighbours(world, candidate)), message=message)


def take_back(world: World) -> None:
    try:
        with world.db.atomic():
            undo(world.db, world.profile, now=world.now, new_id=world.new_id)
    except CannotUndo:
        pass


def play(world: World, played: list[Candidate | str], check: Callable[[World], None]) -> None:
    for number, step in enumerate(played):
        world.now = day(40 + number)
        if isinstance(step, str):
            take_back(world)
        else:
            say(world, step)
        check(world)


def facts_of(world: World) -> list[Fact]:
    return list_facts(world.db, world.profile, states=None)


def check_slots(world: World) -> None:
    """One open fact a single-valued slot; what is closed says when, by whom, and never ends before it began."""
    known = {fact.id: fact for fact in facts_of(world)}
    single = [fact for fact in known.values() if fact.cardinality is Cardinality.SINGLE]
    for _, slot in itertools.groupby(single, key=lambda fact: (fact.subject, fact.attribute)):
        assert len([fact for fact in slot if fact.state is FactState.ACTIVE]) == 1
    for fact in known.values():
        assert (fact.state is FactState.SUPERSEDED) == (fact.superseded_by is not None)
        if fact.superseded_by is not None:
            assert fact.superseded_by in known
            assert fact.superseded_at is not None
            assert fact.valid_to is not None
            assert fact.valid_to >= starts_at(fact)


def check_indexes(world: World) -> None:
    """Each fact has its item in the fitting state, and the full-text index agrees with its content."""
    states = dict(world.db.execute("SELECT ref, state FROM item WHERE kind = 'fact'").fetchall())
    wanted = {fact.id: "active" if fact.state is FactState.ACTIVE else "outdated" for fact in facts_of(world)}
    assert states == wanted
    world.db.execute("INSERT INTO item_fts (item_fts, rank) VALUES ('integrity-check', 1)")


class Letters:
    """An embedder's name; its vectors are all alike, since only their bookkeeping is looked at."""

    name = "letters"
    sha256 = "00" * 32
    dims = 8
    normalised = True


def embed(world: World) -> int:
    with world.db.atomic():
        embedder = vectors.ensure_embedder(world.db, Letters(), world.now)
        waiting = vectors.pending(world.db, embedder.key, 1000)
        vectors.store(world.db, embedder.key, [(key, VECTOR) for key, _ in waiting])
    return embedder.key


def check_vectors(world: World) -> None:
    """Each item has one vector that says what the item says, and no vector is without its item."""
    embedder = embed(world)
    items = world.db.execute("SELECT key, profile, kind, state, expires_at FROM item ORDER BY key").fetchall()
    found = world.db.execute(
        f"SELECT id, profile, kind, state, expires_at FROM item_vec_{embedder} ORDER BY id"
    ).fetchall()
    assert found == items


def check_messages(world: World) -> None:
    """A message is out of recall exactly when all facts that rest on it are closed."""
    resting: dict[str, list[bool]] = {}
    for message, state in world.db.execute(
        "SELECT derivation.parent, fact.state FROM derivation JOIN fact ON fact.id = derivation.child"
        " WHERE derivation.role = 'source'"
    ).fetchall():
        resting.setdefault(message, []).append(state == "active")
    for message, state in world.db.execute("SELECT ref, state FROM item WHERE kind = 'message'").fetchall():
        facts = resting.get(message, [])
        assert state == ("outdated" if facts and not any(facts) else "active")


def check_versions(world: World) -> None:
    """The versions of each record follow one another without a gap and end in what is stored."""
    now = {fact.id: fact for fact in facts_of(world)}
    found = world.db.execute(
        "SELECT ref, before, after FROM version WHERE kind = 'fact' ORDER BY key"
    ).fetchall()
    last: dict[str, str | None] = {}
    for ref, before, after in found:
        assert last.get(ref) == before
        last[ref] = after
    assert {ref for ref, after in last.items() if after is not None} == set(now)
    for ref, fact in now.items():
        assert json.loads(last[ref] or "{}")["value"] == fact.value


def check_all(world: World) -> None:
    check_slots(world)
    check_indexes(world)
    check_vectors(world)
    check_messages(world)
    check_versions(world)


@given(steps)
def test_the_laws_hold_after_every_step(played: list[Candidate | str]) -> None:
    play(World(), played, check_all)


def spoken(values: list[str], order: list[int]) -> World:
    """Read statements made on successive days in some order."""
    world = World()
    for number in order:
        candidate = make_candidate("user", "home", values[number], said_at=day(number))
        world.decide(candidate)
    return world


def spells(world: World) -> list[tuple[str, datetime, datetime | None]]:
    facts = sorted(facts_of(world), key=first_said)
    return [(fact.value, starts_at(fact), fact.valid_to) for fact in facts]


@given(st.data())
def test_the_outcome_follows_the_order_of_saying_not_of_reading(data: st.DataObject) -> None:
    values = data.draw(st.lists(st.sampled_from(["Lisbon", "Porto", "Faro"]), min_size=1, max_size=6))
    order = data.draw(st.permutations(range(len(values))))
    world = spoken(values, order)
    assert world.believed("user", "home") == [values[-1]]
    check_slots(world)


@given(st.permutations(range(5)))
def test_the_whole_history_follows_when_every_value_is_another(order: list[int]) -> None:
    values = ["Lisbon", "Porto", "Faro", "Braga", "Évora"]
    ends = [*(day(number) for number in range(1, 5)), None]
    wanted = [(value, day(number), ends[number]) for number, value in enumerate(values)]
    assert spells(spoken(values, order)) == wanted


@given(steps)
def test_undoing_everything_ends_where_it_began(played: list[Candidate | str]) -> None:
    world = World()
    told = [step for step in played if not isinstance(step, str)]
    play(world, list(told), lambda _: None)
    for _ in told:
        take_back(world)
    assert facts_of(world) == []
    check_all(world)
