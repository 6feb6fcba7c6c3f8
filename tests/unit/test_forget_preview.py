"""What a plan reaches beyond the fact itself, kind by kind, and what it leaves alone."""

from dataclasses import replace

import pytest
from builders import make_candidate, make_episode
from forget_builders import Life

from memory.errors import CannotUndo
from memory.forget import ForgetPlan, Selection
from memory.records import WorkingState
from memory.store import (
    candidates,
    conversations,
    derivations,
    drafts,
    episodes,
    goldens,
    items,
    profiles,
    versions,
    working_states,
)
from memory.store.stored import Derivation, Golden, Profile, QueuedCandidate
from memory.vault.vault import Vault

DOG = "My dog is called Biscuit and I'm allergic to peanuts"


@pytest.fixture
def life(vault: Vault) -> Life:
    return Life(vault, embedder=False)


def reached(plan: ForgetPlan) -> set[tuple[str, str]]:
    return {(target.kind, target.id) for target in plan.targets}


def only_listed(plan: ForgetPlan) -> set[tuple[str, str]]:
    return {(target.kind, target.id) for target in plan.listed}


def forget(life: Life, selection: Selection) -> None:
    outcome = life.memory.forget(life.memory.forget_preview(selection))
    assert outcome.certificate is not None, outcome.retry


def test_an_episode_loses_the_words_and_waits_to_be_derived_again(life: Life) -> None:
    turn, _ = life.turn(DOG)
    home = turn.conversation
    episode = make_episode(
        "episode-1",
        "Getting to know the dog",
        conversation=home,
        summary="The dog is called Biscuit. The user is allergic to peanuts.",
        topics=("Biscuit", "allergies"),
        ended_at=life.clock.advance(minutes=5),
    )
    with life.core.atomic():
        episodes.insert_episode(life.core.db, episode)
        items.write_episode_item(life.core.db, episode)
        derivations.derive(
            life.core.db, Derivation(episode.id, "episode", turn.message.id, "message", "source")
        )
    forget(life, Selection(ids=(life.fact("Biscuit").id,)))
    after = episodes.get_episode(life.core.db, "default", episode.id)
    assert "Biscuit" not in after.summary
    assert "peanuts" in after.summary
    assert (after.topics, after.state) == (("allergies",), "stale")
    assert life.held("Biscuit") == []


def test_notes_drafts_questions_and_candidates_go_with_it(life: Life) -> None:
    turn, _ = life.turn(DOG)
    fact, db, now = life.fact("Biscuit"), life.core.db, life.clock()
    with life.core.atomic():
        working_states.put_working_state(
            db,
            "default",
            turn.conversation,
            WorkingState(goal="a bed for Biscuit", questions=("how large?",)),
            message=turn.message.id,
            now=life.clock.advance(minutes=1),
            new_id=life.new_id,
        )
        drafts.keep_unsent(db, "default", None, "a bed for my dog Biscuit", now, life.new_id)
        drafts.queue_draft(db, "default", None, "a biscuit with tea", now, life.new_id)
        goldens.insert_golden(db, Golden("golden-1", "default", "What is he called?", (fact.id,), True, now))
        proposal = make_candidate("dog", "nickname", "Biscuit the Great", text="The dog is Biscuit the Great")
        candidates.insert_candidate(
            db,
            QueuedCandidate(
                "candidate-1", "default", turn.conversation, turn.message.id, proposal, "new", now
            ),
        )
        conversations.set_mark(db, "default", turn.conversation, "earlier", "The user named the dog Biscuit.")
    plan = life.memory.forget_preview(Selection(ids=(fact.id,)))
    kinds = {kind for kind, _ in reached(plan)}
    assert kinds == {"fact", "message", "title", "summary", "working", "draft", "golden", "candidate"}
    assert [target.text for target in plan.listed] == ["a biscuit with tea"]
    outcome = life.memory.forget(plan)
    assert outcome.certificate is not None, outcome.retry
    assert {table for table, _ in life.held("Biscuit")} == {"draft"}
    kept = working_states.get_working_state(db, "default", turn.conversation)
    assert kept.questions == ("how large?",)


def test_the_source_names_no_subject_but_an_answer_may_repeat_in_other_words(life: Life) -> None:
    turn, _ = life.turn("Remember that I parked the car on level three near the blue pillar")
    (fact,) = life.memory.reader.list_facts()
    _, answer = life.turn(
        "Where is the car?",
        "Your car is parked near the blue pillar, level three. Anything else?",
        conversation=turn.conversation,
    )
    plan = life.memory.forget_preview(Selection(ids=(fact.id,)))
    assert ("answer", answer.id) in reached(plan)
    life.memory.forget(plan)
    assert life.held("pillar") == []
    assert "Anything else?" in life.memory.reader.get_any(answer.id).text  # type: ignore[union-attr]


def test_another_persons_memory_is_not_looked_into(life: Life) -> None:
    with life.core.atomic():
        profiles.insert_profile(life.core.db, Profile("other", "other", life.clock()))
    other = Life(life.vault, embedder=False, profile="other")
    other.clock.advance(days=2)
    theirs, _ = other.turn("My dog is called Biscuit too")
    life.turn(DOG)
    plan = life.memory.forget_preview(Selection(ids=(life.fact("Biscuit").id,)))
    assert theirs.message.id not in {ident for _, ident in reached(plan) | only_listed(plan)}
    outcome = life.memory.forget(plan)
    assert outcome.certificate is not None, outcome.retry
    assert [fact.is_current for fact in other.memory.reader.list_facts()] == [True]


def test_versions_go_and_undo_says_why_not(life: Life) -> None:
    life.turn(DOG)
    fact = life.fact("Biscuit")
    forget(life, Selection(ids=(fact.id,)))
    assert versions.versions_of(life.core.db, "default", fact.id) == []
    assert versions.versions_of(life.core.db, "default", life.fact("peanuts").id)
    with pytest.raises(CannotUndo):
        life.memory.undo()


def test_other_spans_of_a_redacted_message_stay_true(life: Life) -> None:
    life.turn(DOG)
    forget(life, Selection(ids=(life.fact("Biscuit").id,)))
    found = life.memory.reader.provenance(life.fact("peanuts"))
    assert "peanuts" in found.quote
    assert found.message is not None
    assert found.quote in found.message.text


def test_a_listed_thing_can_be_included(life: Life) -> None:
    life.turn("I like tea")
    turn, _ = life.turn("The tea shop at the corner is closed", "I see.")
    chosen = Selection(ids=(life.fact("tea").id,))
    assert ("message", turn.message.id) in only_listed(life.memory.forget_preview(chosen))
    forget(life, chosen.including(turn.message.id))
    assert life.held("tea") == []
    assert "corner is closed" in life.memory.reader.get_any(turn.message.id).text  # type: ignore[union-attr]


def test_what_an_import_brought_goes_by_its_source(life: Life) -> None:
    turn, _ = life.turn(DOG)
    home = conversations.get_conversation(life.core.db, "default", turn.conversation)
    with life.core.atomic():
        conversations.update_conversation(life.core.db, replace(home, source="chatgpt:abc"))
    life.turn("The harbour was quiet")
    forget(life, Selection(source="chatgpt"))
    assert life.held("Biscuit", "peanuts") == []
    assert [c.title for c in life.memory.reader.list_conversations()] == ["The harbour was quiet"]


def test_facts_of_a_deleted_conversation_can_be_kept(life: Life) -> None:
    turn, _ = life.turn(DOG)
    forget(life, Selection(conversation=turn.conversation).leaving("fact"))
    assert life.memory.reader.list_conversations() == []
    assert {fact.value for fact in life.memory.reader.list_facts()} == {"Biscuit", "peanuts"}
    assert life.fact("Biscuit").message is None
