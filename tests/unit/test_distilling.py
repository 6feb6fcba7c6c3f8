"""COMMIT 3: what a model adds, and that nothing is lost when it is stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from forget_builders import Life

from memory import distilling
from memory.distil import KEEPS_FROM_PARAMETERS, SUMMARY_SCHEMA
from memory.forget import Selection
from memory.records import Origin, PromptMessage
from memory.store import due, jobs
from memory.vault.vault import Vault

STATED = "we adopted a beagle, Juno, she sleeps on the stairs"
PROPOSED = {
    "facts": [
        {"quote": "she sleeps on the stairs", "subject": "Juno", "attribute": "likes", "value": "the stairs"}
    ]
}
GOAL = "Help me plan a weekend in Porto with Ines"


def never() -> bool:
    return False


class Told:
    """A model that says what it is told, and gives way when told nothing."""

    def __init__(self, *answers: str | None, parameters: int | None = 500_000_000) -> None:
        self.answers = list(answers)
        self.parameters = parameters
        self.asked: list[tuple[str, Mapping[str, Any]]] = []

    def complete(self, messages: Sequence[PromptMessage], schema: Mapping[str, Any]) -> str | None:
        self.asked.append((messages[-1].text, schema))
        return self.answers.pop(0) if self.answers else '{"facts": []}'


LARGE = KEEPS_FROM_PARAMETERS


def proposal() -> str:
    return json.dumps(PROPOSED)


@pytest.fixture
def life(vault: Vault) -> Life:
    return Life(vault, embedder=False)


def idle_out(life: Life, model: Told | None) -> None:
    for _ in range(100):
        if not life.memory.idle(never, model):
            return
    pytest.fail("idle work never ends")


def quiet(life: Life) -> None:
    life.clock.advance(seconds=distilling.QUIET_SECONDS + 1)


def values(life: Life) -> list[str]:
    return [fact.value for fact in life.memory.reader.list_facts()]


def test_what_the_rules_heard_is_not_proposed_once_more_nor_brought_back(life: Life) -> None:
    life.turn("My dog is called Biscuit")
    life.memory.undo()
    quiet(life)
    again = {"quote": "My dog is called Biscuit", "subject": "user", "attribute": "pet", "value": "Biscuit"}
    idle_out(life, Told(json.dumps({"facts": [again]}), parameters=LARGE))
    assert values(life) == []
    assert life.memory.reader.review_list() == []


def test_a_small_model_only_proposes(life: Life) -> None:
    life.turn(STATED)
    quiet(life)
    before = values(life)
    idle_out(life, Told(proposal()))
    (waiting,) = [one for one in life.memory.reader.review_list() if one.candidate.origin is Origin.INFERRED]
    assert waiting.candidate.value == "the stairs"
    assert values(life) == before


def test_a_large_model_writes_what_passes_every_check_and_it_expires_unconfirmed(life: Life) -> None:
    life.turn(STATED)
    quiet(life)
    idle_out(life, Told(proposal(), parameters=LARGE))
    (made,) = [one for one in life.memory.reader.list_facts() if one.value == "the stairs"]
    assert made.origin is Origin.INFERRED
    assert made.expires_at is not None
    life.clock.advance(days=181)
    idle_out(life, None)
    assert "the stairs" not in values(life)


@pytest.mark.parametrize(("setting", "size", "kept"), [("keep", 1, True), ("review", LARGE, False)])
def test_the_setting_has_the_last_word(life: Life, setting: str, size: int, kept: bool) -> None:
    life.core.settings = replace(life.core.settings, model_memories=setting)
    life.turn(STATED)
    quiet(life)
    idle_out(life, Told(proposal(), parameters=size))
    assert ("the stairs" in values(life)) is kept


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "not json",
        '{"facts": [{"quote": "she sleeps in Rome", "subject": "Juno", "attribute": "likes", "value": "Rome"}]}',
        '{"facts": [{"quote": "she sleeps on the stairs", "subject": "Juno", "attribute": "likes", "value": "seven cats"}]}',
    ],
)
def test_what_the_words_do_not_support_is_dropped(life: Life, answer: str) -> None:
    life.turn(STATED)
    quiet(life)
    before = values(life)
    idle_out(life, Told(answer, parameters=LARGE))
    assert values(life) == before
    assert not any(one.candidate.rule == "model" for one in life.memory.reader.review_list())
    assert due.next_to_read(life.core.db, "default", life.clock()) is None


def test_a_message_is_read_once(life: Life) -> None:
    life.turn(STATED)
    quiet(life)
    model = Told(proposal())
    idle_out(life, model)
    idle_out(life, model)
    assert len(model.asked) == 1


def test_a_lively_conversation_is_left_alone(life: Life) -> None:
    life.turn(STATED)
    model = Told(proposal())
    idle_out(life, model)
    assert model.asked == []


def test_who_gives_way_loses_nothing_and_writes_nothing(life: Life) -> None:
    life.turn(STATED)
    quiet(life)
    idle_out(life, None)
    model = Told(None)
    before = life.core.db.conn.total_changes
    assert not life.memory.idle(never, model)
    assert life.core.db.conn.total_changes == before
    idle_out(life, Told(proposal()))
    assert any(one.candidate.value == "the stairs" for one in life.memory.reader.review_list())


def test_a_crash_between_the_model_and_the_commit_costs_nothing(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    life.turn(STATED)
    quiet(life)

    def torn(*_: object) -> None:
        raise OSError("the lights went out")

    with monkeypatch.context() as patched:
        patched.setattr("memory.distilling.messages.mark_distilled", torn)
        with pytest.raises(OSError, match="lights"):
            life.memory.idle(never, Told(proposal()))
    assert not any(one.candidate.rule == "model" for one in life.memory.reader.review_list())
    idle_out(life, Told(proposal()))
    assert len([one for one in life.memory.reader.review_list() if one.candidate.rule == "model"]) == 1


def test_the_model_sees_no_secret_and_no_paste(life: Life) -> None:
    card = "4539 1488 0343 6467"
    life.turn(f"my card is {card} and we adopted a beagle")
    paste = "the launch code is omega"
    text = f"look at this please: {paste}"
    life.memory.begin_turn(text, pasted=((text.index(paste), len(text)),))
    quiet(life)
    model = Told()
    idle_out(life, model)
    assert len(model.asked) == 2
    assert not any(card in words or "omega" in words for words, _ in model.asked)


def test_what_is_a_document_is_not_read(life: Life) -> None:
    life.memory.begin_turn("word " * 5000)
    quiet(life)
    model = Told()
    idle_out(life, model)
    assert model.asked == []
    assert due.next_to_read(life.core.db, "default", life.clock()) is None


def test_what_was_forgotten_does_not_come_back_through_a_model(life: Life) -> None:
    life.turn(STATED)
    quiet(life)
    idle_out(life, Told(proposal(), parameters=LARGE))
    (made,) = [one for one in life.memory.reader.list_facts() if one.value == "the stairs"]
    life.memory.forget(life.memory.forget_preview(Selection(ids=(made.id,))))
    life.core.db.execute("UPDATE message SET distilled_at = NULL")
    life.turn(STATED)
    quiet(life)
    idle_out(life, Told(proposal(), proposal(), parameters=LARGE))
    assert "the stairs" not in values(life)


def test_the_work_is_done_when_everything_was_read_and_closed(life: Life) -> None:
    life.turn(GOAL)
    life.clock.advance(hours=1)
    idle_out(life, None)
    assert jobs.count_waiting(life.core.db, due.DISTIL) == 1
    idle_out(life, Told())
    assert jobs.count_waiting(life.core.db, due.DISTIL) == 0


def worded(summary: str) -> str:
    return json.dumps({"title": "Weekend in Porto", "summary": summary})


def test_a_large_model_words_an_episode_once_and_invents_nothing(life: Life) -> None:
    turn, _ = life.turn(GOAL, "Of course. Porto is lovely in May.")
    life.memory.close_episode(turn.conversation)
    quiet(life)
    model = Told(
        '{"facts": []}',
        worded("The user plans a weekend in Porto with Ines. They will meet Ronaldo there. It costs 900."),
        parameters=LARGE,
    )
    idle_out(life, model)
    idle_out(life, model)
    (episode,) = life.memory.reader.list_episodes()
    assert episode.worded
    assert episode.title == "Weekend in Porto"
    assert "Ines" in episode.summary
    assert "Ronaldo" not in episode.summary
    assert "900" not in episode.summary
    assert [schema for _, schema in model.asked].count(SUMMARY_SCHEMA) == 1
    life.memory.undo()
    assert not life.memory.reader.list_episodes()[0].worded


def test_a_small_model_words_nothing(life: Life) -> None:
    turn, _ = life.turn(GOAL)
    life.memory.close_episode(turn.conversation)
    quiet(life)
    model = Told()
    idle_out(life, model)
    assert all(schema is not SUMMARY_SCHEMA for _, schema in model.asked)
    assert not life.memory.reader.list_episodes()[0].worded


def test_a_wording_of_which_nothing_is_left_changes_nothing(life: Life) -> None:
    turn, _ = life.turn(GOAL)
    (before,) = life.memory.close_episode(turn.conversation)
    quiet(life)
    idle_out(life, Told('{"facts": []}', worded("They met Ronaldo in Madrid for 900."), parameters=LARGE))
    assert life.memory.reader.list_episodes() == [before]
