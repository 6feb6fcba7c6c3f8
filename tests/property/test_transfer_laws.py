"""Laws of taking memory along: there and back is the same, twice is once, and no forgery changes a store."""

import hashlib
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from builders import World, day, make_candidate, multi
from hypothesis import given
from hypothesis import strategies as st
from transfer_builders import KEY, another_world, clear, full_world, picture, seal, sealed, take

from memory.records import Review, Role
from memory.transfer.archive import ORDER, Manifest, manifest_line
from memory.transfer.errors import ArchiveNewer, ArchiveRefused

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=40).filter(
    lambda text: bool(text.strip())
)
WORD = st.sampled_from(["Lisbon", "Porto", "Coimbra", "peanuts", "茶", "чай"])


@st.composite
def steps(draw: Callable[..., Any]) -> list[tuple[str, str, int]]:
    """What happens to a store: somebody says, is told, answers, asks for review."""
    kinds = st.sampled_from(["say", "answer", "city", "allergy", "review"])
    return [
        (draw(kinds), draw(WORD) if draw(st.booleans()) else draw(TEXT), draw(st.integers(0, 30)))
        for _ in range(draw(st.integers(0, 8)))
    ]


def live(world: World, happened: list[tuple[str, str, int]], conversation: str = "talk") -> None:
    for kind, text, when in happened:
        world.now = day(when)
        role = Role.ASSISTANT if kind == "answer" else Role.USER
        message = world.say(text, conversation=conversation, role=role)
        if kind == "city" and not world.believed("user", "city"):
            candidate = make_candidate("user", "city", text, text=text, said_at=message.said_at)
            world.decide(candidate, message=message)
        elif kind == "allergy":
            world.decide(multi("user", "allergy", text, text=text, said_at=message.said_at), message=message)
        elif kind == "review":
            world.decide(make_candidate("user", "job", text), Review("unsure"), message=message)


@given(steps())
def test_there_and_back_is_the_same_and_twice_is_once(happened: list[tuple[str, str, int]]) -> None:
    world, fresh = World(), another_world()
    live(world, happened)
    archive = sealed(world.db)
    take(fresh, archive)
    assert clear(fresh.db)[1:] == clear(world.db)[1:]
    assert picture(fresh.db)["item"] == picture(world.db)["item"]
    before = picture(fresh.db)
    take(fresh, archive)
    assert picture(fresh.db) == before


@given(steps(), steps())
def test_two_lives_become_one_that_keeps_the_laws(
    one: list[tuple[str, str, int]], other: list[tuple[str, str, int]]
) -> None:
    """Merged both ways: one open value a place, every message there, and the second time nothing moves."""
    here, there = World(_numbers=itertools.count(1)), World(_numbers=itertools.count(1_000_000))
    live(here, one, "here")
    live(there, other, "there")
    from_there, from_here = sealed(there.db), sealed(here.db)
    take(here, from_there)
    take(there, from_here)
    for world, archive in ((here, from_there), (there, from_here)):
        assert len(world.believed("user", "city")) <= 1
        assert world.db.execute("SELECT count(*) FROM message").fetchall()[0][0] == len(one) + len(other)
        allergies = [value.casefold() for value in world.believed("user", "allergy")]
        assert len(set(allergies)) == len(allergies)
        checked = world.db.execute("INSERT INTO item_fts (item_fts) VALUES ('integrity-check')")
        assert checked is not None
        before = picture(world.db)
        take(world, archive)
        assert picture(world.db) == before
    assert here.believed("user", "city") == there.believed("user", "city")


LINES = clear(full_world().db)
CELLS = st.one_of(
    st.none(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
    st.booleans(),
    st.lists(st.integers(), max_size=2),
    st.sampled_from(
        ["{}", "[]", "null", "[[]]", '{"a":1}', "2026-01-01T12:00:00.000000Z", "default", "talk"]
    ),
)


@given(st.integers(1, len(LINES) - 1), st.integers(0, 30), CELLS, st.booleans())
def test_a_forged_record_is_taken_whole_or_changes_nothing(
    number: int, column: int, cell: Any, drops: bool
) -> None:
    """Whoever holds the passphrase may write anything; what was taken must be readable ever after."""
    value = json.loads(LINES[number])
    name = sorted(value["fields"])[column % len(value["fields"])]
    if drops:
        del value["fields"][name]
    else:
        value["fields"][name] = cell
    records = [*LINES[1:number], json.dumps(value).encode() + b"\n", *LINES[number + 1 :]]
    counts = {table: sum(json.loads(line)["kind"] == table for line in records) for table in ORDER}
    digest = hashlib.sha256(b"".join(records)).hexdigest()
    manifest = Manifest(
        "2026-01-01T12:00:00.000000Z", "all", 1, {k: n for k, n in counts.items() if n}, digest, (KEY.hex(),)
    )
    fresh = another_world()
    before = picture(fresh.db)
    try:
        take(fresh, seal(manifest_line(manifest) + b"".join(records)))
    except ArchiveRefused:
        assert picture(fresh.db) == before
    else:
        take(another_world(), sealed(fresh.db))


@given(st.binary(max_size=300))
def test_anything_at_all_inside_an_age_file_is_refused_in_words(content: bytes) -> None:
    fresh = another_world()
    with pytest.raises((ArchiveRefused, ArchiveNewer), match=r"[a-z]"):
        take(fresh, seal(content))
