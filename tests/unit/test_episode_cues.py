from __future__ import annotations

from datetime import UTC, datetime

from memory.episode_cues import EpisodeCues, episode_cues
from memory.records import Message, Role

NOON = datetime(2026, 3, 11, 12, 0, tzinfo=UTC)


def talk(*lines: str) -> list[Message]:
    roles = (Role.USER, Role.ASSISTANT)
    return [Message(f"m{n}", "default", "c", None, roles[n % 2], text, NOON) for n, text in enumerate(lines)]


def test_small_talk_is_no_episode() -> None:
    assert not episode_cues(talk("Hi!", "Hello.", "Nice weather, thanks")).is_worth_keeping
    assert episode_cues([]) == EpisodeCues()


def test_a_planning_talk_is_marked() -> None:
    found = episode_cues(
        talk(
            "Help me plan a weekend in Porto with Ines",
            "Of course.",
            "We decided to take the night train to Porto",
            "Good.",
            "I still need to book the hotel. I prefer small hotels over big ones. See notes.md",
        )
    )
    assert found.goal == "Help me plan a weekend in Porto with Ines"
    assert found.decisions == ("We decided to take the night train to Porto",)
    assert found.preferences == ("I prefer small hotels over big ones",)
    assert "I still need to book the hotel" in found.open_threads
    assert found.artifacts == ("notes.md",)
    assert found.topics[0] == "Porto"
    assert found.is_worth_keeping


def test_what_was_promised_is_an_action() -> None:
    found = episode_cues(talk("I'll send the landlord the papers by Monday", "Good."))
    assert found.actions == ("I'll send the landlord the papers by Monday (2026-03-16)",)


def test_the_assistants_words_mark_nothing() -> None:
    assert not episode_cues(talk("ok", "We decided to sell the house. Help me plan.")).is_worth_keeping


def test_secrets_never_enter_an_episode() -> None:
    found = episode_cues(talk("Help me set up the router, my password is hunter2"))
    assert "hunter2" not in repr(found)


def test_a_sentence_said_twice_is_kept_once() -> None:
    found = episode_cues(talk("We decided to move to Ghent", "ok", "We decided to move to Ghent"))
    assert len(found.decisions) == 1
