"""Idle work in any order, as often as one likes: every message in one episode at most, and an end to everything."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st
from talk_builders import Chat

from memory import boundaries
from memory.errors import CannotUndo
from memory.records import FactState

WORDS = st.sampled_from(
    [
        "Help me plan a weekend in Porto",
        "We decided to take the night train",
        "My dog is called Biscuit",
        "My dog is called Waffle now",
        "Thanks, that helps",
        "I still need to book the hotel",
        "I'm sailing to Malta next week",
        "I live in Lisbon",
    ]
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.integers(0, 2), WORDS),
        st.tuples(st.just("branch"), st.integers(0, 2), WORDS),
        st.tuples(st.just("pause"), st.integers(0, 2), st.booleans()),
        st.tuples(st.just("leave"), st.integers(0, 2), st.none()),
        st.tuples(st.just("idle"), st.integers(0, 5), st.none()),
        st.tuples(st.just("wait"), st.sampled_from([0.5, 31.0, 60 * 24 * 200.0]), st.none()),
        st.tuples(st.just("undo"), st.none(), st.none()),
    ),
    max_size=14,
)


class Days:
    """A life made of steps."""

    def __init__(self) -> None:
        self.chat = Chat()
        self.homes: dict[int, str] = {}
        self.paused: set[str] = set()

    def say(self, number: int, words: str, *, branch: bool) -> None:
        memory, home = self.chat.memory, self.homes.get(number)
        parent = None
        if branch and home is not None:
            parent = memory.reader.messages(home)[0].id
        self.chat.clock.advance(minutes=1)
        turn = memory.begin_turn(words, conversation=home, parent=parent)
        self.homes[number] = turn.conversation
        if home is not None and not memory.reader.get_conversation(home).remembering:
            self.paused.add(turn.message.id)

    def idle(self, pieces: int) -> None:
        for _ in range(pieces):
            if not self.chat.memory.idle(lambda: False):
                return

    def take(self, step: tuple[str, object, object]) -> None:
        memory = self.chat.memory
        match step:
            case ("say" | "branch" as how, int(number), str(words)):
                self.say(number, words, branch=how == "branch")
            case ("pause", int(number), bool(on)) if number in self.homes:
                memory.set_remembering(self.homes[number], remembering=on)
            case ("leave", int(number), None) if number in self.homes:
                memory.close_episode(self.homes[number])
            case ("idle", int(pieces), None):
                self.idle(pieces)
            case ("wait", float(minutes), None):
                self.chat.clock.advance(minutes=minutes)
            case ("undo", None, None):
                with suppress(CannotUndo):
                    memory.undo()
            case _:
                pass


@given(STEPS)
def test_every_message_is_in_one_episode_at_most_and_everything_ends(
    steps: list[tuple[str, object, object]],
) -> None:
    days = Days()
    for step in steps:
        days.take(step)
    memory, db = days.chat.memory, days.chat.core.db
    memory.close_episodes()
    days.idle(300)
    assert not memory.idle(lambda: False)
    assert boundaries.next_due(days.chat.core, idle_only=False) is None
    before = db.conn.total_changes
    assert not memory.idle(lambda: False)
    assert db.conn.total_changes == before
    episodes = memory.reader.list_episodes(every_state=True, limit=-1)
    told = [
        row[0]
        for one in episodes
        for row in db.execute("SELECT parent FROM derivation WHERE child = ? AND role = 'source'", [one.id])
    ]
    assert len(told) == len(set(told))
    assert not days.paused.intersection(told)
    for fact in memory.reader.list_facts(states=None):
        if fact.state is FactState.ACTIVE and fact.expires_at is not None:
            assert fact.expires_at > days.chat.clock()
