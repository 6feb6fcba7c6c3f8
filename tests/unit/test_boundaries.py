"""Where conversations end, and what is kept of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from forget_builders import Life

from memory import boundaries
from memory.errors import BadInput
from memory.records import Episode, WorkingState
from memory.store import due, jobs, working_states
from memory.vault.vault import Vault

GOAL = "Help me plan a weekend in Porto with Ines"
DECISION = "We decided to take the night train to Porto"


def never() -> bool:
    return False


@pytest.fixture
def life(vault: Vault) -> Life:
    return Life(vault, embedder=False)


def idle_out(life: Life) -> None:
    while life.memory.idle(never):
        pass


def kept(life: Life) -> list[Episode]:
    return life.memory.reader.list_episodes(every_state=True)


def test_leaving_a_conversation_keeps_what_happened_in_it(life: Life) -> None:
    turn, _ = life.turn(GOAL)
    life.turn(DECISION, conversation=turn.conversation)
    (episode,) = life.memory.close_episode(turn.conversation)
    assert (episode.goal, episode.decisions) == (GOAL, (DECISION,))
    assert [found.id for found in kept(life)] == [episode.id]
    assert "episode" in {str(found.item.kind) for found in life.memory.search("night train")}


def test_a_conversation_left_twice_without_new_words_is_kept_once(life: Life) -> None:
    turn, _ = life.turn(GOAL)
    assert len(life.memory.close_episode(turn.conversation)) == 1
    assert life.memory.close_episode(turn.conversation) == ()
    assert life.memory.close_episodes() == ()


def test_what_is_said_after_an_episode_makes_another(life: Life) -> None:
    turn, _ = life.turn(GOAL)
    life.memory.close_episode(turn.conversation)
    life.turn(DECISION, conversation=turn.conversation)
    (second,) = life.memory.close_episode(turn.conversation)
    assert second.goal == ""
    assert second.decisions == (DECISION,)


def test_small_talk_leaves_no_episode_and_no_work(life: Life) -> None:
    turn, _ = life.turn("Nice weather today, isn't it?")
    assert life.memory.close_episode(turn.conversation) == ()
    assert kept(life) == []
    assert due.boundary_due(life.core.db, "default", None) is None


def test_half_an_hour_of_silence_ends_a_conversation(life: Life) -> None:
    life.turn(GOAL)
    life.clock.advance(minutes=boundaries.IDLE_MINUTES - 1)
    idle_out(life)
    assert kept(life) == []
    life.clock.advance(minutes=2)
    idle_out(life)
    assert len(kept(life)) == 1
    idle_out(life)
    assert len(kept(life)) == 1


def test_quitting_ends_every_conversation(life: Life) -> None:
    life.turn(GOAL)
    life.turn("Ich möchte einen Garten anlegen")
    assert {episode.goal for episode in life.memory.close_episodes()} == {
        GOAL,
        "Ich möchte einen Garten anlegen",
    }


@pytest.mark.parametrize(
    "words",
    [
        "Help me write a letter to my landlord",
        "Ich möchte einen Garten anlegen",
        "Quiero aprender a cocinar",
        "Je voudrais apprendre le piano",
        "Помоги мне написать письмо",
        "मैं एक किताब लिखना चाहता हूँ",
        "帮我写一封信",
        "Vorrei imparare a nuotare",
        "Preciso escrever uma carta",
        "편지를 쓰고 싶어",
    ],
)
def test_a_goal_in_any_language_of_the_rules_makes_an_episode(life: Life, words: str) -> None:
    turn, _ = life.turn(words)
    (episode,) = life.memory.close_episode(turn.conversation)
    assert episode.goal.rstrip("।。.") == words


def test_a_replaced_value_is_an_entry_of_the_episode(life: Life) -> None:
    first, _ = life.turn("My dog is called Biscuit")
    life.memory.close_episode(first.conversation)
    turn, _ = life.turn("My dog is called Waffle now")
    (episode,) = life.memory.close_episode(turn.conversation)
    assert any("Biscuit → Waffle" in line for line in episode.corrections)


def test_a_value_said_again_later_is_no_news(life: Life) -> None:
    life.turn("My dog is called Biscuit")
    life.turn("My dog is called Waffle now")
    life.memory.close_episodes()
    turn, _ = life.turn("My dog is called Waffle")
    assert life.memory.close_episode(turn.conversation) == ()


def test_a_paused_conversation_leaves_nothing_of_what_was_said_in_the_pause(life: Life) -> None:
    turn, _ = life.turn(GOAL)
    life.memory.set_remembering(turn.conversation, remembering=False)
    life.turn("I want to buy a zeppelin", conversation=turn.conversation)
    life.memory.set_remembering(turn.conversation, remembering=True)
    life.turn(DECISION, conversation=turn.conversation)
    life.memory.close_episode(turn.conversation)
    assert [episode.goal for episode in kept(life)] == ["", GOAL]
    assert not any("zeppelin" in str(episode) for episode in kept(life))


def test_nothing_is_kept_when_nothing_is_to_be_remembered(life: Life) -> None:
    life.core.settings = replace(life.core.settings, remember=False)
    turn, _ = life.turn(GOAL)
    assert life.memory.close_episode(turn.conversation) == ()
    life.core.settings = replace(life.core.settings, remember=True)
    assert life.memory.close_episodes() == ()


def test_a_secret_is_masked_in_an_episode(life: Life) -> None:
    card = "4539 1488 0343 6467"
    turn, _ = life.turn(f"Help me pay with my card {card} please")
    life.memory.close_episode(turn.conversation)
    assert kept(life)
    assert card not in str(kept(life))


def test_a_long_conversation_gives_several_episodes(life: Life) -> None:
    turn = life.memory.begin_turn(GOAL)
    for number in range(boundaries.MOST_MESSAGES + 4):
        life.memory.begin_turn(f"We decided to take route {number}", conversation=turn.conversation)
    made = life.memory.close_episode(turn.conversation)
    assert len(made) == 2
    assert made[0].goal == GOAL
    assert boundaries.is_closed(life.core, turn.conversation)


def test_another_branch_tells_only_what_is_its_own(life: Life) -> None:
    first, _ = life.turn(GOAL)
    life.turn(DECISION, conversation=first.conversation)
    life.memory.close_episode(first.conversation)
    life.clock.advance(minutes=1)
    life.memory.begin_turn(
        "We decided to take the bus", conversation=first.conversation, parent=first.message.id
    )
    (episode,) = life.memory.close_episode(first.conversation)
    assert episode.goal == ""
    assert episode.decisions == ("We decided to take the bus",)


def test_an_episode_that_lost_words_is_derived_again_without_them(life: Life) -> None:
    turn, _ = life.turn(GOAL)
    other, _ = life.turn(DECISION, conversation=turn.conversation)
    (episode,) = life.memory.close_episode(turn.conversation)
    db = life.core.db
    db.execute("UPDATE episode SET state = 'stale' WHERE id = ?", [episode.id])
    db.execute("UPDATE message SET text = 'x', masked = NULL WHERE id = ?", [other.message.id])
    jobs.enqueue(
        db, boundaries.AGAIN, "default", {"episodes": [episode.id]}, now=life.clock(), new_id=life.new_id
    )
    idle_out(life)
    (again,) = kept(life)
    assert (again.id, again.state, again.goal, again.decisions) == (episode.id, "active", GOAL, ())


def test_an_episode_of_which_nothing_is_left_goes(life: Life) -> None:
    turn, _ = life.turn(GOAL)
    (episode,) = life.memory.close_episode(turn.conversation)
    db = life.core.db
    db.execute("UPDATE episode SET state = 'stale' WHERE id = ?", [episode.id])
    db.execute("UPDATE message SET text = 'x', masked = NULL WHERE id = ?", [turn.message.id])
    jobs.enqueue(
        db, boundaries.AGAIN, "default", {"episodes": [episode.id]}, now=life.clock(), new_id=life.new_id
    )
    idle_out(life)
    assert kept(life) == []


def test_an_episode_can_be_undone_and_does_not_come_back(life: Life) -> None:
    turn, _ = life.turn(GOAL)
    life.memory.close_episode(turn.conversation)
    life.memory.undo()
    life.clock.advance(hours=1)
    idle_out(life)
    assert kept(life) == []


def test_open_threads_are_offered_the_last_first(life: Life) -> None:
    life.turn("I still need to book the hotel in Porto")
    life.memory.close_episodes()
    life.clock.advance(hours=1)
    life.turn("I still need to call the dentist")
    life.memory.close_episodes()
    threads = life.memory.reader.open_threads()
    assert [thread.text for thread in threads] == [
        "I still need to call the dentist",
        "I still need to book the hotel in Porto",
    ]
    assert threads[0].said_at - threads[1].said_at > timedelta(minutes=59)


def test_a_turn_moves_the_working_state_and_says_which_message_did(life: Life) -> None:
    turn, _ = life.turn(GOAL, "1. Book the train\n2. Book a room")
    state = life.memory.reader.working_state(turn.conversation)
    assert state.goal == GOAL
    assert [step for step, _ in state.steps] == ["Book the train", "Book a room"]


def test_the_state_is_sent_when_it_changed_and_not_again(life: Life) -> None:
    turn, _ = life.turn(GOAL)
    for words in ("In May, by train", "For two nights", "We like small hotels. What is best?"):
        life.turn(words, "What else?", conversation=turn.conversation)
    told = [prompt.block.count("this conversation: goal") for prompt in life.prompts]
    assert told == [0, 1, 0, 0]
    life.memory.set_working(turn.conversation, WorkingState(goal="see Lisbon instead"))
    life.turn("Go on", conversation=turn.conversation)
    assert "goal: see Lisbon instead" in life.prompts[-1].block


def test_a_state_written_by_hand_is_kept_small_and_without_secrets(life: Life) -> None:
    turn, _ = life.turn(GOAL)
    life.memory.set_working(
        turn.conversation, WorkingState(goal="pay with 4539 1488 0343 6467", gathered=("x" * 9000,) * 40)
    )
    state = working_states.get_working_state(life.core.db, "default", turn.conversation)
    assert "4539" not in state.goal
    assert len(state.gathered) <= 12
    assert len(state.gathered[0]) <= 160


def test_the_end_of_a_long_conversation_gives_way_between_two_messages(life: Life) -> None:
    turn = life.memory.begin_turn(GOAL)
    for number in range(5):
        life.memory.begin_turn(f"We decided to take route {number}", conversation=turn.conversation)
    life.clock.advance(hours=1)
    looks = iter([False] * 8 + [True] * 100)
    assert not life.memory.idle(lambda: next(looks))
    assert kept(life) == []
    assert life.memory.idle(never)
    assert len(kept(life)) == 1


def test_an_archived_episode_is_out_of_recall_and_opens_nothing_until_it_is_brought_back(life: Life) -> None:
    turn, _ = life.turn(GOAL)
    (episode,) = life.memory.close_episode(turn.conversation)
    assert life.memory.archive(episode.id) == replace(episode, state="archived")
    assert life.memory.reader.list_episodes() == []
    states = [str(found.item.state) for found in life.memory.search("Porto", kinds=("episode",))]
    assert states == ["archived"]
    with pytest.raises(BadInput):
        life.memory.archive(episode.id)
    life.memory.undo()
    assert life.memory.reader.list_episodes() == [episode]
    life.memory.archive(episode.id)
    assert life.memory.archive(episode.id, archived=False) == episode
