"""Export and import of our own archive: what comes back, what stands when two stores differ, what is refused.

More than 300 lines: one damage after the other.
"""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from builders import World, day, make_candidate, multi
from transfer_builders import (
    KEY,
    OTHER_KEY,
    WORDS,
    another_world,
    broken,
    clear,
    full_world,
    picture,
    seal,
    sealed,
    take,
)

from memory.policy import slot_hash
from memory.records import Fact, FactState, ItemState
from memory.store.act import Act
from memory.store.conversations import delete_conversation, get_conversation, set_leaf
from memory.store.facts import find_open, get_fact
from memory.store.items import delete_items, set_state, write_message_items
from memory.store.journal import list_lines
from memory.store.messages import get_message, rewrite_message
from memory.store.profiles import list_profiles
from memory.store.registry import exported_tables
from memory.store.settings import find_setting, put_setting
from memory.store.stored import Profile, Tombstone
from memory.store.tombstones import insert_tombstone, other_keys
from memory.transfer.archive import ORDER, read_archive
from memory.transfer.errors import (
    ArchiveNewer,
    ArchiveRefused,
    ContentRefused,
    NotAnArchive,
    WrongArchivePassphrase,
)


def test_every_table_that_the_registry_exports_is_in_the_archive() -> None:
    assert sorted(ORDER) == sorted(exported_tables())


def test_the_world_of_these_tests_holds_something_of_every_table() -> None:
    held = picture(full_world().db)
    assert [table for table in ORDER if not held[table]] == ["trace"]


def test_exported_into_a_fresh_store_everything_is_there_again() -> None:
    """Rows, items, postings; and no journal line of the import's own."""
    world, fresh = full_world(), another_world()
    report = take(fresh, sealed(world.db))
    expected, found = picture(world.db), picture(fresh.db)
    found["setting"] = [row for row in found["setting"] if "tombstone_keys" not in row]
    assert found == expected
    assert sum(report.added.values()) + sum(report.same.values()) == sum(
        len(expected[table]) for table in ORDER
    )
    assert (report.changed, report.kept, report.refused) == ({}, {}, {})


def test_the_export_of_an_import_is_the_same_record_for_record() -> None:
    world, fresh = full_world(), another_world()
    take(fresh, sealed(world.db))
    assert clear(fresh.db)[1:] == clear(world.db)[1:]
    assert clear(fresh.db)[0] == clear(world.db)[0]


def test_two_exports_differ_only_in_when_they_were_made() -> None:
    world = full_world()
    one, other = clear(world.db), clear(world.db, now=day(9))
    assert one[1:] == other[1:]
    first, second = json.loads(one[0]), json.loads(other[0])
    assert first.pop("made_at") != second.pop("made_at")
    assert first == second


def test_importing_twice_changes_nothing() -> None:
    world, fresh = full_world(), another_world()
    archive = sealed(world.db)
    take(fresh, archive)
    before = picture(fresh.db)
    report = take(fresh, archive)
    assert picture(fresh.db) == before
    assert (report.added, report.changed, report.kept, report.refused) == ({}, {}, {}, {})


def test_importing_its_own_export_changes_nothing() -> None:
    world = full_world()
    before = picture(world.db)
    report = take(world, sealed(world.db), key=KEY)
    assert picture(world.db) == before
    assert set(report.same) == {table for table in ORDER if before[table]}


def test_a_dry_run_says_the_same_and_does_nothing() -> None:
    world, fresh = full_world(), another_world()
    before = picture(fresh.db)
    archive = sealed(world.db)
    said = take(fresh, archive, dry_run=True)
    assert picture(fresh.db) == before
    assert said == take(fresh, archive)


def test_progress_ends_at_the_number_of_records() -> None:
    world, fresh = full_world(), another_world()
    told: list[tuple[int, int]] = []
    take(fresh, sealed(world.db), progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] == sum(len(picture(world.db)[table]) for table in ORDER)


def test_text_comes_back_character_for_character() -> None:
    """Composed or not, odd line ends, control characters: nothing is normalised on the way."""
    odd = 'e\u0301 é \u2028 \x07 \x1b[31m 𓀀 \u200d \ufeff\r\n\t\\ " <|im_start|>'
    world, fresh = World(), another_world()
    message = world.say(odd)
    take(fresh, sealed(world.db))
    assert get_message(fresh.db, "default", message.id).text == odd


def test_what_was_said_on_a_branch_left_behind_stays_out_of_recall() -> None:
    world, fresh = World(), another_world()
    asked = world.say("name a bird")
    left = world.answer("a heron")
    set_leaf(world.db, "default", "talk", asked.id, world.now)
    world.answer("a tern")
    set_state(world.db, [left.id], ItemState.SET_ASIDE)
    take(fresh, sealed(world.db))
    assert fresh.item_states(left.id) == ["set_aside"]
    assert picture(fresh.db)["item"] == picture(world.db)["item"]


# -- both sides have it ---------------------------------------------------------------------------------


def edited(world: World, fact: Fact, **fields: Any) -> Fact:
    """Change a fact as an act would."""
    new = replace(fact, **fields)
    with world.db.atomic():
        act = Act(world.db, world.profile, world.now, world.new_id, "user")
        act.write(fact, new)
        act.close("edit", "fact", fact.id)
    return new


@pytest.fixture
def pair() -> tuple[World, World, Fact]:
    """Two stores that were one: the second is a copy by archive."""
    world, copy = World(), another_world()
    fact = world.tell("I live in Lisbon", "user", "city", "Lisbon")
    take(copy, sealed(world.db))
    world.now = copy.now = day(3)
    return world, copy, fact


def test_the_later_change_wins_and_both_states_are_in_the_history(pair: tuple[World, World, Fact]) -> None:
    world, copy, fact = pair
    edited(copy, fact, pinned=True)
    world.now = day(4)
    edited(world, fact, text="I live in Lisbon, near the river")
    report = take(copy, sealed(world.db))
    now = get_fact(copy.db, "default", fact.id)
    assert (now.text, now.pinned) == ("I live in Lisbon, near the river", False)
    assert report.changed == {"fact": 1}
    versions = picture(copy.db)["version"]
    assert any('\\"pinned\\":1' in row for row in versions)
    assert any("near the river" in row for row in versions)
    assert copy.item_states(fact.id) == ["active"]
    assert copy.db.execute("SELECT text FROM item WHERE ref = ?", [fact.id]).fetchall()[0][0] == now.text


def test_what_was_changed_here_later_stays(pair: tuple[World, World, Fact]) -> None:
    world, copy, fact = pair
    edited(world, fact, pinned=True)
    copy.now = day(4)
    edited(copy, fact, text="I live in Lisbon for now")
    archive = sealed(world.db)
    assert take(copy, archive).kept == {"fact": 1}
    before = picture(copy.db)
    assert get_fact(copy.db, "default", fact.id).text == "I live in Lisbon for now"
    take(copy, archive)
    assert picture(copy.db) == before


def test_use_counts_are_no_difference(pair: tuple[World, World, Fact]) -> None:
    world, copy, fact = pair
    world.db.execute("UPDATE fact SET recalled = 7, importance = 0.8")
    assert take(copy, sealed(world.db)).same["fact"] == 1
    assert get_fact(copy.db, "default", fact.id).recalled == 0


def test_two_values_for_one_place_the_one_said_later_holds(pair: tuple[World, World, Fact]) -> None:
    """Each machine was told something else under the same name; the store keeps one open value."""
    world, copy, fact = pair
    with copy.db.atomic():
        copy.db.execute("DELETE FROM fact")
        delete_items(copy.db, [fact.id])
    later = copy.tell("I live in Porto", "user", "city", "Porto")
    report = take(copy, sealed(world.db))
    assert copy.believed("user", "city") == ["Porto"]
    came = get_fact(copy.db, "default", fact.id)
    assert (came.state, came.superseded_by) == (FactState.SUPERSEDED, later.id)
    assert report.added["fact"] == 1
    assert list_lines(copy.db, "default")[0].actor == "import"
    before = picture(copy.db)
    take(copy, sealed(world.db))
    assert picture(copy.db) == before


def test_an_older_value_here_gives_way_to_a_later_one_from_there() -> None:
    here, there = another_world(), World()
    old = here.tell("I live in Lisbon", "user", "city", "Lisbon")
    there.now = day(5)
    message = there.say("I live in Porto", conversation="elsewhere")
    decided = there.decide(make_candidate("user", "city", "Porto", said_at=message.said_at), message=message)
    take(here, sealed(there.db))
    assert here.believed("user", "city") == ["Porto"]
    assert get_fact(here.db, "default", old.id).superseded_by == decided.id
    assert here.item_states(old.id) == ["outdated"]


def test_the_same_thing_told_to_both_is_one_memory_that_rests_on_both_messages() -> None:
    here, there = another_world(), World()
    here.say("hello", conversation="here")
    mine = here.decide(multi("user", "allergy", "peanuts"), message=here.say("peanuts!", conversation="here"))
    there.now = day(1)
    said = there.say("I'm allergic to peanuts", conversation="there")
    theirs = there.decide(multi("user", "allergy", "peanuts", said_at=said.said_at), message=said)
    take(here, sealed(there.db))
    open_facts = find_open(here.db, "default", "user", "allergy")
    assert [fact.id for fact in open_facts] == [theirs.id]
    sources = here.db.execute(
        "SELECT count(*) FROM derivation WHERE child = ? AND role = 'source'", [theirs.id]
    ).fetchall()
    assert sources[0][0] == 2
    assert mine.id is not None


def test_a_conversation_that_went_on_here_keeps_its_end(pair: tuple[World, World, Fact]) -> None:
    world, copy, _ = pair
    world.say("there")
    copy.now = day(6)
    last = copy.say("here, and later")
    take(copy, sealed(world.db))
    assert get_conversation(copy.db, "default", "talk").leaf == last.id
    assert copy.db.execute("SELECT count(*) FROM message").fetchall()[0][0] == 3


def test_a_profile_of_the_same_name_comes_in_under_a_number() -> None:
    here, there = another_world(), World()
    from memory.store.profiles import insert_profile

    insert_profile(here.db, Profile("mine", "work", day(0)))
    insert_profile(there.db, Profile("theirs", "work", day(0)))
    take(here, sealed(there.db))
    assert {profile.id: profile.name for profile in list_profiles(here.db)} == {
        "default": "default",
        "mine": "work",
        "theirs": "work 2",
    }


def test_a_setting_here_is_not_overwritten(pair: tuple[World, World, Fact]) -> None:
    world, copy, _ = pair
    put_setting(world.db, "default", "colour", "green")
    put_setting(copy.db, "default", "colour", "red")
    assert take(copy, sealed(world.db)).kept == {"setting": 1}
    assert find_setting(copy.db, "default", "colour") == "red"


# -- forgotten on one side ------------------------------------------------------------------------------


def forget(world: World, key: bytes, fact: Fact) -> None:
    """Forget a fact as far as these tests need it: its row, its words in the message, its mark."""
    db = world.db
    digest = slot_hash(key, world.profile, fact.subject, fact.attribute, fact.value).hex()
    with db.atomic():
        db.execute("DELETE FROM fact WHERE id = ?", [fact.id])
        db.execute("DELETE FROM version WHERE ref IN (?, ?)", [fact.id, fact.message])
        db.execute("DELETE FROM derivation WHERE child = ?", [fact.id])
        delete_items(db, [fact.id])
        assert fact.message is not None
        rewrite_message(db, world.profile, fact.message, "I live in […]", None, world.now)
        write_message_items(db, get_message(db, world.profile, fact.message))
        insert_tombstone(
            db,
            Tombstone(
                world.new_id(), world.profile, "fact", digest, world.now, fact.message, fact.start, fact.end
            ),
        )


def words_of(world: World) -> str:
    held = picture(world.db)
    return "\n".join(row for table in held for row in held[table])


def test_what_was_forgotten_here_does_not_come_back_with_an_older_archive(
    pair: tuple[World, World, Fact],
) -> None:
    world, copy, fact = pair
    archive = sealed(world.db)
    forget(copy, OTHER_KEY, fact)
    report = take(copy, archive)
    assert "Lisbon" not in words_of(copy)
    assert report.refused == {"version": 1, "fact": 1, "derivation": 1}
    assert report.kept == {"message": 1}


def test_a_conversation_forgotten_here_does_not_come_back_either(pair: tuple[World, World, Fact]) -> None:
    world, copy, fact = pair
    archive = sealed(world.db)
    forget(copy, OTHER_KEY, fact)
    with copy.db.atomic():
        delete_items(copy.db, [fact.message or ""])
        delete_conversation(copy.db, "default", "talk")
    report = take(copy, archive)
    assert "Lisbon" not in words_of(copy)
    assert report.refused == {"version": 1, "conversation": 1, "message": 1, "fact": 1, "derivation": 1}


def test_a_gap_in_a_conversation_is_closed() -> None:
    world, copy = World(), another_world()
    first = world.say("one")
    second = world.say("two, a secret thing")
    third = world.say("three")
    copy.now = day(1)
    mark = Tombstone("mark", "default", "message", "00" * 32, day(1), second.id)
    insert_tombstone(copy.db, mark)
    take(copy, sealed(world.db))
    assert get_message(copy.db, "default", third.id).parent == first.id
    assert "secret thing" not in words_of(copy)


def test_a_mark_from_there_keeps_the_memory_away_here_whatever_key_made_it() -> None:
    there, here = World(), another_world()
    fact = there.tell("I live in Lisbon", "user", "city", "Lisbon")
    old_archive = sealed(there.db)
    there.now = day(1)
    forget(there, KEY, fact)
    take(here, sealed(there.db))
    assert other_keys(here.db) == (KEY,)
    report = take(here, old_archive)
    assert report.refused["fact"] == 1
    assert "Lisbon" not in words_of(here)


def test_a_memory_that_was_forgotten_there_is_named_not_taken(pair: tuple[World, World, Fact]) -> None:
    world, copy, fact = pair
    forget(world, KEY, fact)
    report = take(copy, sealed(world.db))
    assert report.forgotten_elsewhere == (fact.id,)
    assert copy.believed("user", "city") == ["Lisbon"]
    assert get_message(copy.db, "default", fact.message or "").text == "I live in […]"


# -- parts ----------------------------------------------------------------------------------------------


def test_an_archive_of_memory_holds_no_word_of_a_conversation_and_the_other_way_round() -> None:
    world = full_world()
    memory = b"".join(clear(world.db, what="memory"))
    assert b"Waffle" in memory
    assert b"Biscuit is a fine name." not in memory
    chats = b"".join(clear(world.db, what="chats"))
    assert b"Biscuit is a fine name." in chats
    assert b"metric units" not in chats
    together = clear(world.db, what="memory")[1:] + clear(world.db, what="chats")[1:]
    assert set(together) == set(clear(world.db)[1:])


@pytest.mark.parametrize("what", ["memory", "chats"])
def test_a_part_can_be_taken_in_alone_and_the_rest_after_it(what: Any) -> None:
    world, fresh = full_world(), another_world()
    take(fresh, sealed(world.db, what=what))
    take(fresh, sealed(world.db))
    expected, found = picture(world.db), picture(fresh.db)
    for table in ORDER:
        assert sorted(row for row in found[table] if "tombstone_keys" not in row) == sorted(expected[table])
    assert found["item"] == expected["item"]


def test_a_copy_in_clear_holds_no_secret_and_no_key_and_is_not_taken_back() -> None:
    world, fresh = World(), another_world()
    secret = "my password is hunter2hunter2"
    world.say(secret, masked="my password is [password]")
    put_setting(world.db, "*", "tombstone_keys", ["ab" * 32])
    copy = b"".join(clear(world.db, masked=True, keys=()))
    assert b"hunter2" not in copy
    assert b"abababab" not in copy
    with pytest.raises(NotAnArchive, match="masked copy"):
        take(fresh, seal(copy))


# -- refused --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    return clear(full_world().db)


@pytest.fixture(scope="module")
def reader() -> World:
    """A store that refuses everything these tests bring, and so stays the same."""
    return another_world()


def refuse(
    reader: World, archive: bytes, error: type[Exception], match: str = "[a-z]", words: str = WORDS
) -> None:
    before = picture(reader.db)
    with pytest.raises(error, match=match):
        take(reader, archive, words=words)
    assert picture(reader.db) == before


def test_a_wrong_passphrase_changes_nothing(reader: World, lines: list[bytes]) -> None:
    refuse(reader, seal(b"".join(lines)), WrongArchivePassphrase, words="other words")


def test_a_newer_archive_is_named_as_such(reader: World, lines: list[bytes]) -> None:
    refuse(reader, broken(lines, lambda value: value.update(version=2)), ArchiveNewer, "version 2")
    refuse(reader, broken(lines, lambda value: value.update(schema=99)), ArchiveNewer, "version 99")


def test_an_age_file_of_something_else_is_no_archive(reader: World) -> None:
    for content in (b"", b"\n", b"hello", b"{}\n", b"[1]\n", b"\xff\xfe\n", b"null\n"):
        refuse(reader, seal(content), (NotAnArchive, ContentRefused))  # type: ignore[arg-type]


CHANGES: dict[str, Any] = {
    "a count too many": lambda value: value["counts"].update(fact=99),
    "a count too few": lambda value: value["counts"].update(fact=1),
    "a kind nobody knows": lambda value: value["counts"].update(ghost=1),
    "a negative count": lambda value: value["counts"].update(fact=-1),
    "a hash of something else": lambda value: value.update(sha256="0" * 64),
    "a key that is none": lambda value: value.update(tombstone_keys=["zz"]),
    "a short key": lambda value: value.update(tombstone_keys=["00"]),
    "one word more": lambda value: value.update(more=1),
    "one word less": lambda value: value.pop("what"),
    "a version that is none": lambda value: value.update(version="1"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_first_line_that_does_not_describe_what_follows(
    reader: World, lines: list[bytes], change: Any
) -> None:
    refuse(reader, broken(lines, change), ContentRefused)


def describing(records: list[bytes]) -> bytes:
    """Return an archive whose first line is true of these records, as a forger with the passphrase would."""
    import hashlib

    counts: dict[str, int] = {}
    for record in records:
        kind = json.loads(record)["kind"]
        counts[kind] = counts.get(kind, 0) + 1
    from memory.transfer.archive import Manifest, manifest_line

    digest = hashlib.sha256(b"".join(records)).hexdigest()
    manifest = Manifest("2026-01-01T12:00:00.000000Z", "all", 1, counts, digest, (KEY.hex(),))
    return seal(b"".join([manifest_line(manifest), *records]))


def forged(lines: list[bytes], kind: str, **fields: Any) -> bytes:
    """Change fields of the first record of a kind; None takes a field away."""
    records = list(lines[1:])
    for number, line in enumerate(records):
        value = json.loads(line)
        if value["kind"] == kind:
            for name, cell in fields.items():
                if cell is ...:
                    del value["fields"][name]
                else:
                    value["fields"][name] = cell
            records[number] = json.dumps(value).encode() + b"\n"
            return describing(records)
    raise AssertionError(kind)


FORGERIES: list[tuple[str, dict[str, Any]]] = [
    ("fact", {"text": 5}),
    ("fact", {"text": None}),
    ("fact", {"state": "floating"}),
    ("fact", {"confidence": 7.5}),
    ("fact", {"confidence": 10**400}),
    ("fact", {"pinned": 2}),
    ("fact", {"pinned": 2**70}),
    ("fact", {"said_at": "yesterday"}),
    ("fact", {"recorded_at": "2026-01-01"}),
    ("fact", {"quote": ...}),
    ("fact", {"extra": "x"}),
    ("fact", {"key": 1}),
    ("fact", {"profile": "nobody"}),
    ("fact", {"text": "\ud800"}),
    ("message", {"conversation": "nowhere"}),
    ("message", {"pasted": "[[1]]"}),
    ("message", {"pasted": "not json"}),
    ("message", {"role": "oracle"}),
    ("episode", {"detail": "[]"}),
    ("candidate", {"payload": "{}"}),
    ("candidate", {"payload": "[" * 3000}),
    ("working_state", {"state": "{}"}),
    ("journal", {"actor": "nobody"}),
    ("tombstone", {"id": ["a", "list"]}),
    ("golden", {"should": True}),
]


@pytest.mark.parametrize(("kind", "fields"), FORGERIES, ids=lambda value: str(value)[:40])
def test_a_record_that_the_store_could_not_live_with(
    reader: World, lines: list[bytes], kind: str, fields: dict[str, Any]
) -> None:
    refuse(reader, forged(lines, kind, **fields), ContentRefused)


def test_records_in_another_order_or_twice(reader: World, lines: list[bytes]) -> None:
    records = lines[1:]
    refuse(reader, describing(records[::-1]), ContentRefused, "order")
    vault_meta = json.dumps({"kind": "vault_meta", "fields": {"name": "seal", "value": "x"}}).encode() + b"\n"
    refuse(reader, describing([vault_meta]), ContentRefused)
    twice = b'{"kind":"fact","kind":"fact","fields":{}}\n'
    refuse(reader, describing([twice]), ContentRefused)


def test_two_open_values_for_one_place_become_one_and_its_history(lines: list[bytes]) -> None:
    """A forged archive cannot break the law of single values."""
    world, fresh = World(), another_world()
    world.tell("I live in Lisbon", "user", "city", "Lisbon")
    records = clear(world.db)[1:]
    (at,) = [number for number, line in enumerate(records) if json.loads(line)["kind"] == "fact"]
    value = json.loads(records[at])
    value["fields"] |= {"id": "another", "value": "Porto", "value_norm": "porto"}
    records.insert(at + 1, json.dumps(value).encode() + b"\n")
    take(fresh, describing(records))
    assert len(fresh.believed("user", "city")) == 1


def test_a_line_without_an_end_or_longer_than_allowed(
    reader: World, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse(reader, seal(b"".join(lines)[:-1]), ContentRefused, "no end")
    monkeypatch.setattr("memory.transfer.archive.MAX_LINE", 100)
    refuse(reader, seal(b"".join(lines)), ArchiveRefused)


def test_a_damaged_archive_is_refused_wherever_it_is_hit(reader: World) -> None:
    """Every byte of a small archive flipped, every length cut: refused, and the store is as it was."""
    world = World()
    world.say("hi")
    archive = sealed(world.db)
    before = picture(reader.db)
    for at in range(len(archive)):
        changed = bytearray(archive)
        changed[at] ^= 0x40
        for bad in (bytes(changed), archive[:at]):
            with pytest.raises(ArchiveRefused):
                take(reader, bad)
    with pytest.raises(ArchiveRefused):
        take(reader, archive + b"\n")
    assert picture(reader.db) == before


def test_a_damaged_end_takes_back_what_came_before_it(reader: World) -> None:
    """The damage is met only after many chunks were read and their rows written."""
    world = World()
    for number in range(80):
        world.say(f"{number} " + "words " * 400)
    archive = bytearray(sealed(world.db))
    archive[-1] ^= 1
    refuse(reader, bytes(archive), ArchiveRefused)


def test_reading_stops_at_the_first_line_for_a_newer_version() -> None:
    content = b'{"format":"locket-archive","version":7}\n' + b"nothing that is known\n"
    with pytest.raises(ArchiveNewer):
        read_archive([content])


def test_the_time_an_archive_tells_is_when_it_was_made() -> None:
    world = World()
    manifest, records = read_archive(clear(world.db, now=day(1) + timedelta(hours=1)))
    assert manifest.made_at.startswith("2026-01-02T13:00")
    assert [table for table, _ in records] == ["profile"]
