"""Other programs' exports: what is taken in, where it lands, and that importing again changes nothing.

More than 300 lines: one foreign format after the other.
"""

import itertools
import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from builders import World, day
from transfer_builders import picture

from memory.core import Core
from memory.policy import slot_hash
from memory.records import FactState, Origin
from memory.retrieval.search import search
from memory.store import conversations, messages
from memory.store.attachments import list_attachments
from memory.store.candidates import pending_candidates
from memory.store.facts import list_facts
from memory.store.stored import Tombstone
from memory.store.tombstones import insert_tombstone
from memory.transfer.errors import SourceUnreadable
from memory.transfer.foreign import import_pieces
from memory.transfer.report import ImportReport, Skipped
from memory.transfer.sources import chatgpt, claude, lines, markdown, mcp, mem0
from memory.transfer.sources.opening import walk_source
from memory.transfer.sources.shapes import SourceConversation, SourceMemory

KEY = bytes(32)


@pytest.fixture
def world() -> World:
    world = World(_numbers=itertools.count(1))
    world.now = day(100)
    return world


def core_of(world: World) -> Core:
    return Core(world.db, world.profile, lambda: world.now, world.new_id, KEY)


def bring(world: World, path: Path, **more: Any) -> ImportReport:
    kind, pieces = walk_source(path)
    return import_pieces(core_of(world), kind, pieces, **more)


def written(path: Path, value: object) -> Path:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")
    return path


# -- ChatGPT --------------------------------------------------------------------------------------------


def node(
    ident: str, parent: str | None, role: str, text: str, when: float | None = 1.7e9, **more: Any
) -> Any:
    message = {
        "author": {"role": role},
        "create_time": when,
        "content": {"content_type": "text", "parts": [text]},
        "metadata": {},
    }
    message.update(more)
    return {"id": ident, "message": message, "parent": parent, "children": []}


def chat(*nodes: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": "c1",
        "title": "A dog's name",
        "create_time": 1.7e9,
        "update_time": 1.7e9 + 60,
        "current_node": nodes[-1]["id"],
        "mapping": {"root": {"id": "root", "message": None, "parent": None, "children": []}}
        | {one["id"]: one for one in nodes},
        "default_model_slug": "gpt-5",
        **more,
    }


def one(pieces: Any) -> SourceConversation:
    (found,) = list(pieces)
    assert isinstance(found, SourceConversation), found
    return found


def test_a_chatgpt_tree_keeps_its_branches_and_its_current_end() -> None:
    found = one(
        chatgpt.walk(
            [
                chat(
                    node("a", "root", "user", "hello"),
                    node("b", "a", "assistant", "first answer"),
                    node("c", "a", "assistant", "second answer"),
                    current_node="b",
                )
            ]
        )
    )
    assert [(m.id, m.parent, m.role) for m in found.messages] == [
        ("a", None, "user"),
        ("b", "a", "assistant"),
        ("c", "a", "assistant"),
    ]
    assert found.leaf == "b"
    assert [m.model for m in found.messages] == [None, "gpt-5", "gpt-5"]


def test_a_trusted_tree_is_recalled_along_its_current_branch_only(world: World, tmp_path: Path) -> None:
    tree = chat(
        node("a", "root", "user", "name a bird"),
        node("b", "a", "assistant", "a heron"),
        node("c", "a", "assistant", "a tern"),
    )
    bring(world, written(tmp_path / "c.json", [tree]), trust=True)
    home = conversations.find_imported_conversation(world.db, "default", "chatgpt:c1")
    assert home is not None
    states = {
        message.text: world.item_states(message.id)
        for message in messages.all_messages(world.db, "default", home.id)
    }
    assert states == {"name a bird": ["active"], "a heron": ["set_aside"], "a tern": ["active"]}


def test_hidden_nodes_tools_and_thoughts_leave_no_gap() -> None:
    hidden: dict[str, Any] = {"metadata": {"is_visually_hidden_from_conversation": True}}
    thought: dict[str, Any] = {"content": {"content_type": "thoughts", "thoughts": ["hm"]}}
    found = one(
        chatgpt.walk(
            [
                chat(
                    node("s", "root", "system", "be nice"),
                    node("h", "s", "user", "hidden", **hidden),
                    node("a", "h", "user", "hello"),
                    node("t", "a", "assistant", "", **thought),
                    node("call", "t", "assistant", "search()", recipient="web"),
                    node("tool", "call", "tool", "results"),
                    node("b", "tool", "assistant", "the answer"),
                )
            ]
        )
    )
    assert [(m.id, m.parent) for m in found.messages] == [("a", None), ("b", "a")]


def test_of_mixed_parts_the_words_are_kept() -> None:
    picture_part = {"content_type": "image_asset_pointer", "asset_pointer": "file-1"}
    content = {"content_type": "multimodal_text", "parts": [picture_part, "what is this?", None, 5]}
    found = one(chatgpt.walk([chat(node("a", "root", "user", "", content=content))]))
    assert found.messages[0].text == "what is this?"


def test_missing_times_fall_back_to_the_earliest_message_the_same_every_time() -> None:
    value = [
        chat(
            node("a", "root", "user", "no time", None),
            node("b", "a", "assistant", "some time", 1.6e9),
            create_time=None,
            update_time=None,
            title=None,
        )
    ]
    found = one(chatgpt.walk(value))
    expected = datetime.fromtimestamp(1.6e9, UTC)
    assert (found.created_at, found.messages[0].said_at, found.title) == (expected, expected, "no time")
    assert found == one(chatgpt.walk(json.loads(json.dumps(value))))


def test_a_ring_of_parents_ends() -> None:
    found = one(chatgpt.walk([chat(node("a", "b", "user", "one"), node("b", "a", "assistant", "two"))]))
    assert {m.id for m in found.messages} == {"a", "b"}
    placed: set[str | None] = {None}
    for message in found.messages:
        assert message.parent in placed or message is found.messages[0]
        placed.add(message.id)


def test_one_bad_conversation_does_not_drop_the_file(world: World, tmp_path: Path) -> None:
    bad: list[Any] = [5, None, {"mapping": 3}, {"mapping": {"x": []}}, {"title": "empty", "mapping": {}}]
    path = written(tmp_path / "conversations.json", [*bad, chat(node("a", "root", "user", "hello"))])
    report = bring(world, path)
    assert report.added == {"conversation": 1, "message": 1}
    assert len(report.skipped) == len(bad)
    assert any("empty" in skipped.what for skipped in report.skipped)


SHARDED = [
    chat(node("a", "root", "user", "My dog is called Biscuit"), node("b", "a", "assistant", "Hello Biscuit")),
    chat(node("z", "root", "user", "another talk"), id="c2", title="Other"),
]


def zipped(path: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


def test_a_zip_of_shards_is_read_whole(world: World, tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "export.zip",
        {
            "conversations-000.json": json.dumps(SHARDED[:1]),
            "conversations-001.json": json.dumps(SHARDED[1:]),
            "user.json": "{}",
            "chat.html": "<html>",
        },
    )
    report = bring(world, path)
    assert report.added == {"conversation": 2, "message": 3}
    assert report.skipped == ()


def test_imported_words_are_found_by_the_user_and_not_recalled_until_trusted(
    world: World, tmp_path: Path
) -> None:
    path = written(tmp_path / "conversations.json", SHARDED)
    bring(world, path)
    (first, _) = sorted(
        (one for one in conversations.list_conversations(world.db, "default")), key=lambda c: c.title
    )
    said = messages.all_messages(world.db, "default", first.id)
    assert {message.origin for message in said} == {Origin.IMPORTED}
    assert said[0].said_at == datetime.fromtimestamp(1.7e9, UTC)
    assert first.source == "chatgpt:c1"
    assert {state for message in said for state in world.item_states(message.id)} == {"review"}
    assert [found.item.ref for found in search(world.db, "default", "Biscuit")]
    report = bring(world, path, trust=True)
    assert report.changed == {"conversation": 2}
    assert {state for message in said for state in world.item_states(message.id)} == {"active"}


def test_importing_again_changes_nothing_and_a_grown_talk_only_grows(world: World, tmp_path: Path) -> None:
    path = written(tmp_path / "conversations.json", SHARDED)
    bring(world, path)
    before = picture(world.db)
    report = bring(world, path)
    assert picture(world.db) == before
    assert (report.added, report.same) == ({}, {"conversation": 2, "message": 3})
    grown = json.loads(json.dumps(SHARDED))
    grown[0]["mapping"]["c"] = node("c", "b", "user", "and a cat", 1.7e9 + 100)
    grown[0]["current_node"] = "c"
    report = bring(world, written(tmp_path / "again.json", grown))
    assert report.added == {"message": 1}
    home = conversations.find_imported_conversation(world.db, "default", "chatgpt:c1")
    assert home is not None
    assert [m.text for m in messages.path(world.db, "default", home.leaf)][-1] == "and a cat"


def test_a_talk_that_was_forgotten_here_is_not_imported_again(world: World, tmp_path: Path) -> None:
    path = written(tmp_path / "conversations.json", SHARDED[:1])
    bring(world, path)
    home = conversations.find_imported_conversation(world.db, "default", "chatgpt:c1")
    assert home is not None
    with world.db.atomic():
        for number, message in enumerate(messages.all_messages(world.db, "default", home.id)):
            mark = Tombstone(f"mark-{number}", "default", "message", "00", world.now, message.id)
            insert_tombstone(world.db, mark)
        conversations.delete_conversation(world.db, "default", home.id)
    report = bring(world, path)
    assert report.refused == {"message": 2, "conversation": 1}
    assert conversations.list_conversations(world.db, "default") == []


def test_secrets_in_imported_words_are_masked_wherever_they_are_searched(
    world: World, tmp_path: Path
) -> None:
    secret = "my password is hunter2hunter2"
    bring(world, written(tmp_path / "c.json", [chat(node("a", "root", "user", secret), title=secret)]))
    held = picture(world.db)
    assert not any("hunter2" in row for row in [*held["item"], *held["item_vocab"], *held["conversation"]])


def test_a_dry_run_tells_all_and_keeps_nothing(world: World, tmp_path: Path) -> None:
    path = written(tmp_path / "conversations.json", SHARDED)
    before = picture(world.db)
    said = bring(world, path, dry_run=True)
    assert picture(world.db) == before
    assert said == bring(world, path)


def test_half_a_character_anywhere_is_no_obstacle(world: World, tmp_path: Path) -> None:
    """JSON can spell what no text can hold; names, ids and words of that kind come in mended."""
    half = "\ud800"
    tree = chat(node(f"a{half}", "root", "user", f"hello {half}"), id=f"c{half}", title=f"t{half}")
    path = tmp_path / "c.json"
    path.write_text(json.dumps([tree, {"title": half, "mapping": {}}]))
    report = bring(world, path)
    assert report.added == {"conversation": 1, "message": 1}
    assert json.dumps([skipped.what for skipped in report.skipped], ensure_ascii=False).encode()
    before = picture(world.db)
    assert bring(world, path).added == {}
    assert picture(world.db) == before


# -- Claude ---------------------------------------------------------------------------------------------

ROOT = "00000000-0000-4000-8000-000000000000"


def said(ident: str, sender: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "uuid": ident,
        "text": text,
        "content": [{"type": "text", "text": text}],
        "sender": sender,
        "created_at": "2026-01-01T10:00:00.000000Z",
        "attachments": [],
        **more,
    }


def claude_talk(*entries: dict[str, Any]) -> dict[str, Any]:
    return {
        "uuid": "k1",
        "name": "Talk",
        "created_at": "2026-01-01T10:00:00Z",
        "updated_at": "2026-01-01T11:00:00+02:00",
        "chat_messages": list(entries),
    }


def test_a_claude_talk_with_branches_blocks_and_pastes() -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "From a block"},
        {"type": "new"},
    ]
    pasted = [{"file_name": "", "extracted_content": "a long paste"}, {"file_name": "x.pdf"}]
    found = one(
        claude.walk(
            [
                claude_talk(
                    said("m1", "human", "hello", parent_message_uuid=ROOT, attachments=pasted),
                    said("m2", "assistant", "flat", content=blocks, parent_message_uuid="m1"),
                    said("m3", "assistant", "only flat", content=[], parent_message_uuid="m1"),
                    said("m4", "robot", "nobody", parent_message_uuid="m3"),
                    said("m5", "human", "after nobody", parent_message_uuid="m4"),
                )
            ]
        )
    )
    assert [(m.id, m.parent, m.text) for m in found.messages] == [
        ("m1", None, "hello"),
        ("m2", "m1", "From a block"),
        ("m3", "m1", "only flat"),
        ("m5", "m3", "after nobody"),
    ]
    assert [(a.name, a.text) for a in found.messages[0].attachments] == [("pasted text", "a long paste")]
    assert found.updated_at == datetime(2026, 1, 1, 9, tzinfo=UTC)


def test_a_claude_talk_without_parents_is_one_line() -> None:
    found = one(claude.walk([claude_talk(said("m1", "human", "a"), said("m2", "assistant", "b"))]))
    assert [m.parent for m in found.messages] == [None, "m1"]


def test_claudes_zip_without_an_ending_brings_talks_pastes_and_memories(world: World, tmp_path: Path) -> None:
    pasted = [{"file_name": "notes.txt", "extracted_content": "the paste speaks of herons"}]
    remembered = [
        {
            "conversations_memory": "**Work**\n\n- Builds boats in Porto\n- Prefers short answers",
            "project_memories": {"p1": "The boat is called Zubrowka"},
        }
    ]
    path = zipped(
        tmp_path / "data-2026-batch-0000",
        {
            "conversations.json": json.dumps([claude_talk(said("m1", "human", "hi", attachments=pasted))]),
            "memories.json": json.dumps(remembered),
            "users.json": "[]",
            "projects.json": "[]",
        },
    )
    report = bring(world, path)
    assert report.added == {"conversation": 1, "message": 1, "attachment": 1, "candidate": 3}
    waiting = [queued.candidate.text for queued in pending_candidates(world.db, "default")]
    assert waiting == ["Builds boats in Porto", "Prefers short answers", "The boat is called Zubrowka"]
    home = conversations.find_imported_conversation(world.db, "default", "claude:k1")
    assert home is not None
    (attachment,) = list_attachments(world.db, "default", home.id)
    assert world.item_states(attachment.id) == ["review"]
    before = picture(world.db)
    bring(world, path)
    assert picture(world.db) == before


# -- memories -------------------------------------------------------------------------------------------


def memories(pieces: Any) -> list[tuple[str, str]]:
    return [(piece.subject, piece.text) for piece in pieces if isinstance(piece, SourceMemory)]


def left_out(pieces: Any) -> list[str]:
    return [piece.what for piece in pieces if isinstance(piece, Skipped)]


def test_the_paste_format() -> None:
    text = "```\n[2026-01-31] - Likes green tea\n[unknown] - Has a sister\n\nnonsense\n[soon] - x\n```"
    found = list(lines.walk(text))
    assert memories(found) == [("user", "Likes green tea"), ("user", "Has a sister")]
    assert left_out(found) == ["line 5", "line 6"]
    (first, second, *_) = [piece for piece in found if isinstance(piece, SourceMemory)]
    assert (first.said_at, second.said_at) == (datetime(2026, 1, 31, tzinfo=UTC), None)


def test_mem0() -> None:
    value = [
        {"id": "1", "memory": "Likes tea", "created_at": "2026-01-01T10:00:00-08:00", "updated_at": None},
        {"id": "2", "memory": "  "},
        "odd",
    ]
    for shape in (value, {"results": value}):
        found = list(mem0.walk(shape))
        assert memories(found) == [("user", "Likes tea")]
        assert left_out(found) == ["memory 2", "memory 3"]
    first = next(piece for piece in mem0.walk(value) if isinstance(piece, SourceMemory))
    assert first.said_at == datetime(2026, 1, 1, 18, tzinfo=UTC)


def test_the_mcp_memory_file() -> None:
    text = "\n".join(  # noqa: FLY002 - one line a line
        [
            '{"type":"entity","name":"default_user","entityType":"person","observations":["Lives in Porto"]}',
            '{"type":"entity","name":"Biscuit","entityType":"dog","observations":["Is brown", 7]}',
            '{"type":"relation","from":"Anna","to":"Porto","relationType":"lives_in"}',
            '{"type":"relation","from":"Anna"}',
            "not json",
        ]
    )
    found = list(mcp.walk(text))
    assert memories(found) == [
        ("user", "Lives in Porto"),
        ("biscuit", "Biscuit: Is brown"),
        ("anna", "Anna lives in Porto"),
    ]
    assert left_out(found) == ["line 2", "line 4", "line 5"]


def test_a_markdown_folder(world: World, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    written(
        folder / "tea.md",
        "---\ntitle: Tea\ncreated: 2026-01-31\n---\n# Tea\n\n- [preference] Likes green tea #drinks #tea\n- plain\n",
    )
    written(folder / "empty.md", "# Nothing\n")
    (folder / ".hidden.md").write_text("- [fact] hidden")
    found = list(markdown.walk((folder / "tea.md").read_text(), "tea.md"))
    assert memories(found) == [("user", "Likes green tea")]
    report = bring(world, folder)
    assert report.added == {"candidate": 1}
    assert [skipped.what for skipped in report.skipped] == ["empty.md"]
    (queued,) = pending_candidates(world.db, "default")
    assert queued.candidate.said_at == datetime(2026, 1, 31, tzinfo=UTC)


PASTE = (
    "[2026-01-31] - Likes green tea\n[unknown] - My password is hunter2hunter2\n[unknown] - Has a sister\n"
)


def test_memories_wait_in_review_and_secrets_stay_out_by_number_not_by_word(
    world: World, tmp_path: Path
) -> None:
    report = bring(world, written(tmp_path / "paste.txt", PASTE))
    assert report.added == {"candidate": 2}
    (skipped,) = report.skipped
    assert "hunter2" not in skipped.what + skipped.reason
    assert list_facts(world.db, "default", states=None) == []
    (first, _) = pending_candidates(world.db, "default")
    assert (first.candidate.origin, first.reason) == (Origin.IMPORTED, "imported from lines")


def test_trusted_memories_are_facts_of_imported_origin_with_their_source(
    world: World, tmp_path: Path
) -> None:
    path = written(tmp_path / "paste.txt", PASTE)
    bring(world, path)
    report = bring(world, path, trust=True)
    assert report.added == {"fact": 2}
    facts = list_facts(world.db, "default")
    assert {(fact.text, fact.origin, fact.source, fact.state) for fact in facts} == {
        ("Likes green tea", Origin.IMPORTED, "lines", FactState.ACTIVE),
        ("Has a sister", Origin.IMPORTED, "lines", FactState.ACTIVE),
    }
    assert pending_candidates(world.db, "default") == []
    before = picture(world.db)
    assert bring(world, path, trust=True).same == {"fact": 2}
    assert picture(world.db) == before


def test_a_forgotten_memory_does_not_come_back_by_import(world: World, tmp_path: Path) -> None:
    digest = slot_hash(KEY, "default", "user", "note", "Likes green tea").hex()
    insert_tombstone(world.db, Tombstone("mark", "default", "fact", digest, world.now))
    report = bring(world, written(tmp_path / "paste.txt", PASTE))
    assert (report.added, report.refused) == ({"candidate": 1}, {"fact": 1})


# -- files ----------------------------------------------------------------------------------------------


def test_what_is_no_export_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match="looks like none"):
        walk_source(written(tmp_path / "a.txt", "dear diary"))
    (tmp_path / "b.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SourceUnreadable, match="UTF-8"):
        walk_source(tmp_path / "b.json")
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceUnreadable, match="nothing"):
        walk_source(tmp_path / "empty")


def test_one_broken_shard_is_named_and_the_other_read(world: World, tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "x.zip",
        {"conversations-000.json": json.dumps(SHARDED[:1]), "conversations-001.json": '[{"mapping": {'},
    )
    report = bring(world, path)
    assert report.added["conversation"] == 1
    assert [skipped.what for skipped in report.skipped] == ["conversations-001.json"]


def test_a_zip_that_would_fill_the_memory_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = zipped(tmp_path / "bomb.zip", {"conversations.json": " " * (3 << 20)})
    with pytest.raises(SourceUnreadable, match="far too few"):
        walk_source(path)


def test_a_zip_with_a_lie_about_its_size_is_refused(tmp_path: Path) -> None:
    content = zipped(tmp_path / "x.zip", {"conversations.json": json.dumps(SHARDED)}).read_bytes()
    size = len(json.dumps(SHARDED)).to_bytes(4, "little")
    assert content.count(size) >= 2
    (tmp_path / "lie.zip").write_bytes(content.replace(size, (10).to_bytes(4, "little")))
    with pytest.raises(SourceUnreadable):
        walk_source(tmp_path / "lie.zip")


def test_names_inside_a_zip_lead_nowhere(world: World, tmp_path: Path) -> None:
    """Members are read into memory by their own entry; nothing is ever written where a name points."""
    path = zipped(tmp_path / "x.zip", {"../../conversations.json": json.dumps(SHARDED[:1])})
    bring(world, path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["x.zip"]
    assert not (tmp_path.parent.parent / "conversations.json").exists()


def test_a_damaged_zip_is_refused(tmp_path: Path) -> None:
    content = bytearray(zipped(tmp_path / "x.zip", {"conversations.json": json.dumps(SHARDED)}).read_bytes())
    content[60] ^= 0xFF
    (tmp_path / "bad.zip").write_bytes(content)
    with pytest.raises(SourceUnreadable):
        walk_source(tmp_path / "bad.zip")


def test_a_linked_file_in_a_folder_is_not_followed(tmp_path: Path) -> None:
    outside = written(tmp_path / "outside.json", SHARDED)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "conversations.json").symlink_to(outside)
    with pytest.raises(SourceUnreadable):
        walk_source(folder)


def told_tree(*said: str, start: float = 1.7e9) -> dict[str, Any]:
    """Return a conversation in which the user said these, one after the other."""
    mapping: dict[str, Any] = {"root": node("root", None, "system", "", start)}
    above = "root"
    for n, text in enumerate(said):
        mapping[above]["children"] = [f"m{n}"]
        mapping[f"m{n}"] = node(f"m{n}", above, "user", text, start + 60 * n)
        above = f"m{n}"
    return {"id": "t1", "title": "Told", "create_time": start, "mapping": mapping, "current_node": above}


def test_a_trusted_talk_is_heard_as_it_was_said_and_only_once(world: World, tmp_path: Path) -> None:
    tree = told_tree(
        "My dog is called Biscuit", "Actually, he's called Waffle", "From now on always answer in Latin"
    )
    path = written(tmp_path / "conversations.json", [tree])
    bring(world, path)
    assert list_facts(world.db, "default", states=None) == []
    report = bring(world, path, trust=True)
    assert report.added == {"fact": 2, "candidate": 1}
    new, old = sorted(list_facts(world.db, "default", states=None), key=lambda one: one.value, reverse=True)
    assert (new.value, new.state, new.origin) == ("Waffle", FactState.ACTIVE, Origin.IMPORTED)
    assert (old.value, old.state) == ("Biscuit", FactState.SUPERSEDED)
    assert new.said_at == datetime.fromtimestamp(1.7e9 + 60, UTC)
    assert new.message is not None
    before = picture(world.db)
    assert bring(world, path, trust=True).added == {}
    assert picture(world.db) == before


def test_what_the_user_said_since_is_not_replaced_by_an_older_trusted_talk(
    world: World, tmp_path: Path
) -> None:
    world.tell("I live in Porto", "user", "home", "Porto")
    bring(world, written(tmp_path / "c.json", [told_tree("I live in Lisbon")]), trust=True)
    states = {one.value: one.state for one in list_facts(world.db, "default", states=None)}
    assert states == {"Porto": FactState.ACTIVE, "Lisbon": FactState.SUPERSEDED}


def test_trusted_statements_find_their_place_and_an_undated_one_ends_nothing(
    world: World, tmp_path: Path
) -> None:
    world.tell("I live in Porto", "user", "home", "Porto")
    listed = "[2020-01-31] - User is allergic to peanuts\n[unknown] - I live in Lisbon\n[2020-02-01] - My dog is called Rex\n"
    report = bring(world, written(tmp_path / "paste.txt", listed), trust=True)
    assert report.added == {"fact": 2, "candidate": 1}
    found = {(one.subject, one.attribute, one.value, one.text) for one in list_facts(world.db, "default")}
    assert found == {
        ("user", "home", "Porto", "I live in Porto"),
        ("user", "allergy", "peanuts", "User is allergic to peanuts"),
        ("dog", "name", "Rex", "My dog is called Rex"),
    }
    (waiting,) = pending_candidates(world.db, "default")
    assert (waiting.candidate.attribute, waiting.candidate.value) == ("home", "Lisbon")
