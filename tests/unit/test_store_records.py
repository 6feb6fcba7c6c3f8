"""The smaller stores: links, rules, episodes, queue, settings, marks, certificates, golden questions."""

from dataclasses import replace

import pytest
from builders import World, day, make_candidate, make_episode, make_rule

from memory.errors import NotFound
from memory.records import (
    EVERY_PROFILE,
    Kind,
)
from memory.store import (
    candidates,
    certificates,
    derivations,
    episodes,
    goldens,
    rules,
    settings,
    tombstones,
)
from memory.store.stored import Certificate, Derivation, Golden, QueuedCandidate, Tombstone

P = "default"


@pytest.fixture
def world() -> World:
    return World()


def test_a_link_is_made_once(world: World) -> None:
    link = Derivation("f", "fact", "m", "message", "source", 1, 5)
    assert derivations.derive(world.db, link)
    assert not derivations.derive(world.db, link)
    assert derivations.list_parents(world.db, ["f"]) == [link]
    assert derivations.list_children(world.db, ["m"]) == [link]


def test_descendants_are_what_holds_content_not_mere_neighbours(world: World) -> None:
    for child, parent, role in (
        ("fact", "message", "source"),
        ("answer", "fact", "prompt"),
        ("neighbour", "message", "context"),
    ):
        derivations.derive(world.db, Derivation(child, "x", parent, "x", role))  # type: ignore[arg-type]
    assert derivations.list_descendants(world.db, ["message"]) == ["answer", "fact"]
    assert derivations.list_descendants(world.db, ["message"], ["context"]) == ["neighbour"]
    assert derivations.delete_derivations(world.db, ["fact"]) == 2


def test_rules_of_every_profile_are_in_force(world: World) -> None:
    rules.insert_rule(world.db, make_rule("r1", "Be brief"))
    rules.insert_rule(world.db, make_rule("r2", "Use metric units", profile=EVERY_PROFILE))
    rules.insert_rule(world.db, make_rule("r3", "Be formal", profile="work"))
    assert [rule.id for rule in rules.current_rules(world.db, P)] == ["r1", "r2"]
    assert rules.get_rule(world.db, "work", "r2").text == "Use metric units"
    with pytest.raises(NotFound):
        rules.get_rule(world.db, P, "r3")


def test_a_rule_has_one_version_in_force(world: World) -> None:
    first = make_rule("r1", "Be brief")
    rules.insert_rule(world.db, first)
    rules.update_rule(world.db, replace(first, state="replaced"))
    rules.insert_rule(world.db, make_rule("r2", "Be very brief", lineage="r1", version=2))
    assert [rule.id for rule in rules.current_rules(world.db, P)] == ["r2"]
    assert [rule.version for rule in rules.rule_versions(world.db, P, "r1")] == [1, 2]


def test_an_episode_comes_back_as_it_was_kept(world: World) -> None:
    episode = make_episode(
        "e",
        "Trip",
        goal="plan",
        worded=True,
        topics=("Rome", "trains"),
        actions=("booked",),
        decisions=("night train",),
        corrections=("two, not three",),
        lessons=("book early",),
        preferences=("window seat",),
        open_threads=("hotel",),
        artifacts=("list.txt",),
        outcome="booked",
        recalled_at=day(2),
    )
    episodes.insert_episode(world.db, episode)
    assert episodes.get_episode(world.db, P, "e") == episode


def test_recent_episodes_leave_the_present_conversation_out(world: World) -> None:
    for number, state in enumerate(("active", "stale", "active")):
        where = f"talk{number}"
        episodes.insert_episode(
            world.db, make_episode(f"e{number}", "x", conversation=where, ended_at=day(number), state=state)
        )

    def listed(**where: object) -> list[str]:
        return [episode.id for episode in episodes.list_episodes(world.db, P, **where)]  # type: ignore[arg-type]

    assert listed() == ["e2", "e0"]
    assert listed(every_state=True) == ["e2", "e1", "e0"]
    assert listed(other_than="talk2") == ["e0"]
    assert listed(limit=1) == ["e2"]
    assert [episode.id for episode in episodes.episodes_of(world.db, P, "talk1")] == ["e1"]


def test_episodes_are_found_by_their_messages_and_counted(world: World) -> None:
    episodes.insert_episode(world.db, make_episode("e", "x"))
    derivations.derive(world.db, Derivation("e", "episode", "m", "message", "source"))
    episodes.record_episodes_recalled(world.db, P, ["e"], day(3))
    (found,) = episodes.episodes_resting_on(world.db, P, ["m"])
    assert (found.id, found.recalled) == ("e", 1)
    assert episodes.delete_episodes(world.db, P, ["e"]) == 1


def queued(ident: str, value: str, **fields: object) -> QueuedCandidate:
    made = QueuedCandidate(ident, P, None, None, make_candidate("user", "rent", value), "imported", day(0))
    return replace(made, **fields)  # type: ignore[arg-type]


def test_what_was_rejected_for_good_is_known_again(world: World) -> None:
    candidates.insert_candidate(world.db, queued("a", "900", state="rejected_always", decided_at=day(1)))
    candidates.insert_candidate(world.db, queued("b", "800", state="rejected"))
    assert candidates.is_rejected_always(world.db, P, make_candidate("user", "rent", "900."))
    assert not candidates.is_rejected_always(world.db, P, make_candidate("user", "rent", "800"))
    assert not candidates.is_rejected_always(world.db, "work", make_candidate("user", "rent", "900"))
    other_kind = make_candidate("user", "rent", "900", kind=Kind.PLAN)
    assert not candidates.is_rejected_always(world.db, P, other_kind)


def test_the_queue_holds_what_waits(world: World) -> None:
    waiting = queued(
        "a", "900", candidate=make_candidate("user", "rent", "900", said_at=day(3), pronoun=True)
    )
    candidates.insert_candidate(world.db, waiting)
    candidates.insert_candidate(world.db, queued("b", "800", state="accepted"))
    assert candidates.pending_candidates(world.db, P) == [waiting]
    assert candidates.count_candidates(world.db, P) == 1
    with pytest.raises(NotFound):
        candidates.update_candidate(world.db, queued("zzz", "1"))


def test_a_setting_is_any_json_value(world: World) -> None:
    for value in (1, "x", None, [1, {"a": "é"}], False):
        settings.put_setting(world.db, P, "theme", value)
        assert settings.find_setting(world.db, P, "theme", "default") == value
    assert settings.list_settings(world.db, P) == {"theme": False}
    assert settings.find_setting(world.db, "work", "theme", 7) == 7
    settings.delete_setting(world.db, P, "theme")
    assert settings.find_setting(world.db, P, "theme") is None


def test_a_mark_covers_its_hash_and_its_characters(world: World) -> None:
    mark = Tombstone("t", P, "fact", "hash", day(0), "m", 10, 20)
    tombstones.insert_tombstone(world.db, mark)
    tombstones.insert_tombstone(world.db, replace(mark, id="t2"))
    assert tombstones.find_tombstones(world.db, P, "hash") == [mark]
    assert tombstones.find_tombstones(world.db, "work", "hash") == []
    for start, end, covered in ((0, 10, False), (5, 11, True), (12, 15, True), (20, 30, False)):
        assert tombstones.is_covered(world.db, P, "m", start, end) is covered
    tombstones.remove_tombstone(world.db, P, "t")
    assert tombstones.list_tombstones(world.db, P) == []
    with pytest.raises(NotFound):
        tombstones.remove_tombstone(world.db, P, "t")


def test_a_mark_without_a_span_covers_the_whole_message(world: World) -> None:
    tombstones.insert_tombstone(world.db, Tombstone("t", P, "message", "hash", day(0), "m"))
    assert tombstones.is_covered(world.db, P, "m", 0, 1)
    assert not tombstones.is_covered(world.db, P, "other", 0, 1)


def test_a_certificate_is_kept_word_for_word(world: World) -> None:
    kept = Certificate("c", P, {"when": "now", "items": 3}, "mac", day(0))
    certificates.insert_certificate(world.db, kept)
    assert certificates.get_certificate(world.db, P, "c") == kept
    assert certificates.list_certificates(world.db, P) == [kept]
    assert certificates.signed_text(kept) == '{"items":3,"when":"now"}'
    with pytest.raises(NotFound):
        certificates.get_certificate(world.db, "work", "c")


def test_golden_questions_are_kept_and_deleted(world: World) -> None:
    kept = Golden("g", P, "What is my dog called?", ("f1", "f2"), should=True, recorded_at=day(0))
    goldens.insert_golden(world.db, kept)
    assert goldens.list_goldens(world.db, P) == [kept]
    assert goldens.delete_goldens(world.db, P, ["g"]) == 1
    assert goldens.list_goldens(world.db, P) == []
