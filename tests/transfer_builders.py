"""A small world of every kind of record, and archives of it at the cheapest cost."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from builders import DAY_ZERO, World, day, make_candidate, make_episode, make_rule, multi

from memory.policy import slot_hash
from memory.records import Review, Supersede, WorkingState
from memory.store.act import Act
from memory.store.attachments import insert_attachment
from memory.store.certificates import insert_certificate
from memory.store.derivations import derive
from memory.store.drafts import keep_unsent
from memory.store.goldens import insert_golden
from memory.store.items import write_attachment_items
from memory.store.settings import put_setting
from memory.store.stored import Attachment, Certificate, Derivation, Golden, Tombstone
from memory.store.tombstones import insert_tombstone
from memory.store.whole_rows import iter_rows
from memory.store.working_states import put_working_state
from memory.transfer import age
from memory.transfer.archive import ORDER, What
from memory.transfer.export import write_archive
from memory.transfer.import_ import import_archive
from memory.transfer.report import ImportReport

if TYPE_CHECKING:
    from sqlite_utils import Database

WORDS = "archive words"
KEY = bytes(range(32))
OTHER_KEY = bytes(range(32, 64))


def full_world() -> World:
    """Return a store that holds at least one row of every table that an archive carries, but traces."""
    world = World()
    db, profile = world.db, world.profile
    first = world.tell("My dog is called Biscuit", "dog", "name", "Biscuit")
    world.answer("Biscuit is a fine name.", first.id)
    world.now = day(2)
    message = world.say("Actually, he's called Waffle")
    world.decide(
        make_candidate("dog", "name", "Waffle", text=message.text, said_at=message.said_at),
        Supersede((first.id,), "corrected"),
        message=message,
    )
    world.decide(multi("user", "allergy", "peanuts"), message=message)
    world.decide(make_candidate("user", "city", "Lisbon"), Review("unsure"), message=message)
    with db.atomic():
        act = Act(db, profile, world.now, world.new_id, "user")
        act.write(None, make_rule("rule-1", "answer in metric units"))
        episode = make_episode("episode-1", "the dog", first_message=message.id, last_message=message.id)
        act.write(None, episode)
        act.close("add", "rule", "rule-1")
        derive(db, Derivation(episode.id, "episode", message.id, "message", "source"))
        keep_unsent(db, profile, "talk", "not yet said", world.now, world.new_id)
        put_setting(db, profile, "colour", "green")
        put_working_state(
            db,
            profile,
            "talk",
            WorkingState(goal="name the dog"),
            message=message.id,
            now=world.now,
            new_id=world.new_id,
        )
        attached = Attachment(
            "attachment-1",
            profile,
            "talk",
            message.id,
            "dogs.txt",
            "text/plain",
            "All about dogs. 🐕",
            "0" * 64,
            DAY_ZERO,
        )
        insert_attachment(db, attached)
        write_attachment_items(db, attached)
        insert_golden(db, Golden("golden-1", profile, "What is my dog called?", ("Waffle",), True, DAY_ZERO))
        insert_certificate(db, Certificate("certificate-1", profile, {"facts": 1}, "00", DAY_ZERO))
        digest = slot_hash(KEY, profile, "cat", "name", "Tom").hex()
        insert_tombstone(db, Tombstone("tombstone-1", profile, "fact", digest, DAY_ZERO))
    return world


def sealed(db: Database, *, what: What = "all", key: bytes = KEY, words: str = WORDS) -> bytes:
    """Return an archive of a store."""
    sink = io.BytesIO()
    writer = age.Encryptor(sink, words, cost=age.CHEAPEST, allow_cheap=True)
    write_archive(db, writer.write, what=what, keys=[key.hex()], now=DAY_ZERO)
    writer.finish()
    return sink.getvalue()


def clear(db: Database, **more: Any) -> list[bytes]:
    """Return the lines of an archive."""
    settings: dict[str, Any] = {"what": "all", "keys": [KEY.hex()], "now": DAY_ZERO, **more}
    written: list[bytes] = []
    write_archive(db, written.append, **settings)
    return written


def seal(content: bytes, words: str = WORDS) -> bytes:
    """Encrypt anything as an archive would be."""
    sink = io.BytesIO()
    writer = age.Encryptor(sink, words, cost=age.CHEAPEST, allow_cheap=True)
    writer.write(content)
    writer.finish()
    return sink.getvalue()


def take(
    world: World, archive: bytes, *, key: bytes = OTHER_KEY, words: str = WORDS, **more: Any
) -> ImportReport:
    """Import an archive into a store."""
    return import_archive(
        world.db, io.BytesIO(archive), words, own_key=key, now=world.now, new_id=world.new_id, **more
    )


def another_world(start: int = 1_000_000) -> World:
    """Return an empty store whose ids are its own."""
    return World(_numbers=itertools.count(start))


def picture(db: Database, *, also: tuple[str, ...] = ("item", "item_vocab")) -> dict[str, list[str]]:
    """Return every exported row, and what is made of them, to be compared."""
    found = {table: [json.dumps(row, sort_keys=True) for row in iter_rows(db, table)] for table in ORDER}
    for table in also:
        names = [column[1] for column in db.execute(f"PRAGMA table_info({table})").fetchall()]
        kept = [name for name in names if name not in {"key", "embedded_by"}]
        rows = db.execute(f"SELECT {', '.join(kept)} FROM {table}").fetchall()
        found[table] = sorted(repr(row) for row in rows)
    return found


def broken(lines: list[bytes], change: Callable[[dict[str, Any]], None], number: int = 0) -> bytes:
    """Return an archive whose line of this number was changed by somebody who holds the passphrase."""
    value = json.loads(lines[number])
    change(value)
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    return seal(b"".join([*lines[:number], text, *lines[number + 1 :]]))
