"""What idle time does to facts and episodes: expiry, doubt, cold, doubles, what keeps coming up."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from builders import make_episode, make_fact
from forget_builders import Life

from memory import consolidate, policy
from memory.promoting import FEWEST, is_general, recurring
from memory.records import Cardinality, Episode, Fact, FactState, Origin, Stability
from memory.store import due, facts
from memory.store.act import Act
from memory.vault.vault import Vault


def never() -> bool:
    return False


@pytest.fixture
def life(vault: Vault) -> Life:
    return Life(vault)


def idle_out(life: Life) -> int:
    pieces = 0
    while life.memory.idle(never):
        pieces += 1
        assert pieces < 500
    return pieces


def put(life: Life, record: Fact | Episode) -> None:
    with life.core.atomic():
        act = Act(life.core.db, "default", life.clock(), life.new_id, "auto")
        act.write(None, record)
        act.close("add", "fact" if isinstance(record, Fact) else "episode", record.id)


def told(life: Life, subject: str, attribute: str, value: str, **fields: object) -> Fact:
    values = {"cardinality": Cardinality.MULTI, "recorded_at": life.clock()} | fields
    made = make_fact(life.new_id(), subject, attribute, value, **values)
    put(life, made)
    return made


def state_of(life: Life, fact: Fact) -> FactState:
    return facts.get_fact(life.core.db, "default", fact.id).state


def lines(life: Life, act: str) -> list[str]:
    return [change.entry.ref for change in life.memory.reader.changes() if change.entry.act == act]


def test_a_fact_past_its_time_expires_once_and_leaves_recall(life: Life) -> None:
    plan = told(life, "user", "plan", "sail to Malta", expires_at=life.clock() + timedelta(days=3))
    idle_out(life)
    assert state_of(life, plan) is FactState.ACTIVE
    life.clock.advance(days=4)
    idle_out(life)
    idle_out(life)
    assert state_of(life, plan) is FactState.EXPIRED
    assert lines(life, "expire") == [plan.id]
    (state,) = life.core.db.execute("SELECT state FROM item WHERE ref = ?", [plan.id]).fetchone()
    assert state == "outdated"


def test_an_expiry_taken_back_stays_taken_back(life: Life) -> None:
    plan = told(life, "user", "plan", "sail to Malta", expires_at=life.clock() + timedelta(days=3))
    life.clock.advance(days=4)
    idle_out(life)
    life.memory.undo()
    idle_out(life)
    again = facts.get_fact(life.core.db, "default", plan.id)
    assert (again.state, again.expires_at) == (FactState.ACTIVE, None)


@pytest.mark.parametrize("origin", [Origin.INFERRED, Origin.IMPORTED])
def test_what_nobody_confirmed_is_believed_for_half_a_year(life: Life, origin: Origin) -> None:
    guess = told(life, "user", "likes", "jazz", origin=origin)
    own = told(life, "user", "likes", "tea")
    life.clock.advance(days=policy.UNCONFIRMED_DAYS - 1)
    idle_out(life)
    assert state_of(life, guess) is FactState.ACTIVE
    life.clock.advance(days=2)
    idle_out(life)
    assert (state_of(life, guess), state_of(life, own)) == (FactState.EXPIRED, FactState.ACTIVE)


def test_a_pinned_fact_does_not_expire(life: Life) -> None:
    plan = told(life, "user", "plan", "sail", expires_at=life.clock() + timedelta(days=3), pinned=True)
    life.clock.advance(days=40)
    idle_out(life)
    assert state_of(life, plan) is FactState.ACTIVE


def test_a_doubtful_fact_is_asked_about_once(life: Life) -> None:
    home = {"cardinality": Cardinality.SINGLE, "stability": Stability.SLOW}
    job = told(life, "user", "home", "Lisbon", **home)
    life.clock.advance(days=policy.TENTATIVE_DAYS + 1)
    for _ in range(3):
        idle_out(life)
        life.clock.advance(days=2)
    (asked,) = life.memory.reader.review_list()
    assert (asked.reason, asked.candidate.value) == (consolidate.STILL_TRUE, "Lisbon")
    assert state_of(life, job) is FactState.ACTIVE


def test_a_yes_makes_a_doubtful_fact_sure_for_another_half_year(life: Life) -> None:
    home = {"cardinality": Cardinality.SINGLE, "stability": Stability.SLOW}
    job = told(life, "user", "home", "Lisbon", **home)
    life.clock.advance(days=policy.TENTATIVE_DAYS + 1)
    idle_out(life)
    (asked,) = life.memory.reader.review_list()
    life.memory.accept(asked.id)
    after = facts.get_fact(life.core.db, "default", job.id)
    assert not policy.is_tentative(after, life.clock())
    life.clock.advance(days=2)
    idle_out(life)
    assert life.memory.reader.review_list() == []
    life.clock.advance(days=policy.TENTATIVE_DAYS)
    idle_out(life)
    assert len(life.memory.reader.review_list()) == 1


def test_few_questions_wait_at_a_time(life: Life) -> None:
    for number in range(9):
        told(life, f"friend {number}", "home", "Lisbon", stability=Stability.SLOW)
    life.clock.advance(days=policy.TENTATIVE_DAYS + 1)
    idle_out(life)
    assert len(life.memory.reader.review_list()) == consolidate.ASKED_AT_ONCE


def test_an_unused_episode_goes_cold_and_a_used_one_does_not(life: Life) -> None:
    now = life.clock()
    cold = make_episode(life.new_id(), "Porto", started_at=now, ended_at=now)
    used = replace(cold, id=life.new_id(), recalled_at=now + timedelta(days=60))
    put(life, cold)
    put(life, used)
    life.clock.advance(days=policy.EPISODE_COLD_DAYS + 1)
    idle_out(life)
    assert {one.id: one.state for one in life.memory.reader.list_episodes(every_state=True)} == {
        cold.id: "archived",
        used.id: "active",
    }
    life.memory.undo()
    life.clock.advance(days=2)
    idle_out(life)
    assert all(one.state == "active" for one in life.memory.reader.list_episodes(every_state=True))


def several(life: Life, value: str, **fields: object) -> Fact:
    made = told(life, "user", "likes", value, text=f"I like {value}", **fields)
    life.clock.advance(seconds=1)
    return made


def test_nearly_the_same_words_become_one_fact(life: Life) -> None:
    first = several(life, "long walks by the sea", confidence=0.7)
    second = several(life, "long walks by the sea!", confidence=0.9)
    other = several(life, "strong coffee")
    idle_out(life)
    assert [state_of(life, one) for one in (first, second, other)] == [
        FactState.ACTIVE,
        FactState.ARCHIVED,
        FactState.ACTIVE,
    ]
    assert facts.get_fact(life.core.db, "default", first.id).confidence == 0.9
    assert lines(life, "merge") == [first.id]
    life.memory.undo()
    life.clock.advance(days=2)
    idle_out(life)
    assert state_of(life, second) is FactState.ACTIVE


def test_another_number_is_another_fact(life: Life) -> None:
    first = several(life, "walks of 5 km by the sea")
    second = several(life, "walks of 8 km by the sea")
    idle_out(life)
    assert {state_of(life, first), state_of(life, second)} == {FactState.ACTIVE}


def preferring(life: Life, conversation: str, words: str) -> Episode:
    now = life.clock.advance(hours=1)
    made = make_episode(
        life.new_id(),
        words,
        conversation=conversation,
        preferences=(words,),
        started_at=now,
        ended_at=now,
    )
    put(life, made)
    return made


def test_what_comes_up_in_three_conversations_is_proposed_with_its_episodes(life: Life) -> None:
    made = [preferring(life, f"c{n}", "I prefer short answers with examples") for n in range(FEWEST)]
    idle_out(life)
    (waiting,) = life.memory.reader.review_list()
    assert waiting.candidate.text == "I prefer short answers with examples"
    assert waiting.candidate.confidence >= 0.7
    links = life.core.db.execute(
        "SELECT parent FROM derivation WHERE child = ? AND role = 'consolidated'", [waiting.id]
    ).fetchall()
    assert {row[0] for row in links} == {one.id for one in made}
    life.clock.advance(days=3)
    idle_out(life)
    assert len(life.memory.reader.review_list()) == 1
    assert life.memory.reader.list_facts() == []


def test_two_conversations_or_one_often_prove_nothing(life: Life) -> None:
    for conversation in ("c1", "c2", "c2", "c1"):
        preferring(life, conversation, "I prefer short answers with examples")
    assert recurring(life.memory.reader.list_episodes()) == ()


@pytest.mark.parametrize(
    "words", ["I want to leave tomorrow", "I prefer the 20 euro ticket", "I prefer it at $ prices"]
)
def test_dates_and_amounts_are_never_general(words: str) -> None:
    assert not is_general(words, make_episode("e", words))


def test_what_is_known_already_is_not_proposed(life: Life) -> None:
    told(life, "user", "prefers", "short answers", text="I prefer short answers with examples")
    for n in range(FEWEST):
        preferring(life, f"c{n}", "I prefer short answers with examples")
    idle_out(life)
    assert life.memory.reader.review_list() == []


def test_a_large_memory_loses_what_matters_least_once_a_month(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "ARCHIVE_ABOVE", 6)
    low = [told(life, f"thing {n}", "note", f"shade {n}", importance=0.4) for n in range(3)]
    high = [told(life, f"friend {n}", "note", f"colour {n}", importance=0.9) for n in range(6)]
    life.clock.advance(days=policy.EPISODE_COLD_DAYS + 1)
    idle_out(life)
    assert {state_of(life, one) for one in low} == {FactState.ARCHIVED}
    assert {state_of(life, one) for one in high} == {FactState.ACTIVE}
    told(life, "thing 9", "note", "shade 9", importance=0.1)
    life.clock.advance(days=2)
    idle_out(life)
    assert due.count_standing(life.core.db, "default") == 7


def test_a_fresh_fact_is_not_archived_however_much_there_is(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "ARCHIVE_ABOVE", 1)
    for n in range(4):
        told(life, f"thing {n}", "note", f"shade {n}")
    idle_out(life)
    assert due.count_standing(life.core.db, "default") == 4


def test_nothing_more_is_to_be_done_after_everything_was_done(life: Life) -> None:
    told(life, "user", "plan", "sail", expires_at=life.clock() + timedelta(days=1))
    life.clock.advance(days=2)
    assert idle_out(life) > 0
    before = life.core.db.conn.total_changes
    assert idle_out(life) == 0
    assert life.core.db.conn.total_changes == before


def test_idle_work_stops_before_its_next_piece(life: Life) -> None:
    plan = told(life, "user", "plan", "sail", expires_at=life.clock() + timedelta(days=1))
    life.embed()
    life.clock.advance(days=2)
    assert not life.memory.idle(lambda: True)
    assert state_of(life, plan) is FactState.ACTIVE


def test_what_an_answer_said_gains_importance_and_what_is_closed_cannot(life: Life) -> None:
    said = told(life, "user", "likes", "jazz")
    silent = told(life, "user", "likes", "tea", recalled=facts.OFTEN)
    rare = told(life, "user", "likes", "chess")
    closed = told(life, "user", "likes", "rock", state=FactState.ARCHIVED)
    with life.core.atomic():
        facts.record_use(life.core.db, "default", [said.id, closed.id], [silent.id, rare.id])
    after = {one.id: one.importance for one in life.memory.reader.list_facts(states=None)}
    assert after[said.id] > 0.5 > after[silent.id]
    assert (after[rare.id], after[closed.id]) == (0.5, 0.5)
    for _ in range(100):
        facts.record_use(life.core.db, "default", [said.id], [silent.id])
    after = {one.id: one.importance for one in life.memory.reader.list_facts(states=None)}
    assert (after[said.id], after[silent.id]) == (facts.IMPORTANCE_TOP, facts.IMPORTANCE_FLOOR)
