"""Whatever another program's export holds, its walkers end, name what they leave out, and the store stays sound."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from builders import World
from hypothesis import given
from hypothesis import strategies as st
from transfer_builders import picture

from memory.core import Core
from memory.transfer.errors import SourceUnreadable
from memory.transfer.foreign import import_pieces
from memory.transfer.report import Skipped
from memory.transfer.sources import chatgpt, claude, lines, markdown, mcp, mem0
from memory.transfer.sources.opening import walk_source
from memory.transfer.sources.shapes import SourceConversation, SourceMemory

IDS = st.sampled_from(["a", "b", "c", "root", ""])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.text(max_size=12),
    IDS,
    st.sampled_from(["user", "assistant", "human", "text", "all", "2026-01-01", "9999-12-31T23:59:59-12:00"]),
)
NAMES = st.sampled_from(
    [
        "id",
        "title",
        "create_time",
        "update_time",
        "current_node",
        "mapping",
        "message",
        "parent",
        "author",
        "role",
        "content",
        "content_type",
        "parts",
        "text",
        "metadata",
        "recipient",
        "uuid",
        "name",
        "chat_messages",
        "sender",
        "created_at",
        "attachments",
        "file_name",
        "extracted_content",
        "parent_message_uuid",
        "conversations_memory",
        "project_memories",
        "memory",
        "results",
        "type",
        "observations",
        "from",
        "to",
        "relationType",
    ]
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(NAMES, IDS), inner, max_size=6)
    ),
    max_leaves=20,
)


def nodes() -> st.SearchStrategy[Any]:
    """Trees as ChatGPT has them, with rings, gaps and odd values."""
    parts = st.lists(st.one_of(st.text(max_size=10), SCALARS), max_size=3)
    content = st.fixed_dictionaries({"content_type": SCALARS, "parts": st.one_of(parts, SCALARS)})
    author = st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "tool", None, 5])})
    message = st.fixed_dictionaries(
        {"author": st.one_of(author, SCALARS), "create_time": SCALARS, "content": st.one_of(content, SCALARS)}
    )
    node = st.fixed_dictionaries({"message": st.one_of(message, SCALARS), "parent": st.one_of(IDS, SCALARS)})
    mapping = st.dictionaries(IDS, st.one_of(node, SCALARS), max_size=4)
    return st.fixed_dictionaries(
        {"id": SCALARS, "title": SCALARS, "create_time": SCALARS, "current_node": SCALARS, "mapping": mapping}
    )


def talks() -> st.SearchStrategy[Any]:
    """Talks as Claude has them, with odd values."""
    entry = st.fixed_dictionaries(
        {"uuid": st.one_of(IDS, SCALARS), "sender": SCALARS, "text": SCALARS},
        optional={
            "parent_message_uuid": st.one_of(IDS, SCALARS),
            "content": ANYTHING,
            "attachments": ANYTHING,
        },
    )
    return st.fixed_dictionaries(
        {"uuid": SCALARS, "name": SCALARS, "chat_messages": st.lists(entry, max_size=4)}
    )


def check(pieces: Any) -> list[Any]:
    found = list(pieces)
    for piece in found:
        assert isinstance(piece, SourceConversation | SourceMemory | Skipped)
        if isinstance(piece, SourceConversation):
            seen: set[str | None] = {None}
            for message in piece.messages:
                assert message.parent in seen
                assert message.id not in seen
                assert message.text
                seen.add(message.id)
            assert piece.leaf in seen
    return found


def fresh() -> Core:
    world = World(_numbers=itertools.count(1))
    return Core(world.db, world.profile, lambda: world.now, world.new_id, bytes(32))


@given(ANYTHING)
def test_walkers_of_json_bear_anything(value: Any) -> None:
    for walk in (chatgpt.walk, claude.walk, mem0.walk):
        check(walk(value))
        check(walk([value]))


@given(st.lists(nodes(), max_size=3))
def test_trees_come_in_parents_first_and_twice_is_once(value: Any) -> None:
    core = fresh()
    import_pieces(core, "chatgpt", check(chatgpt.walk(value)))
    before = picture(core.db)
    report = import_pieces(core, "chatgpt", chatgpt.walk(value))
    assert picture(core.db) == before
    assert report.added == {}


@given(st.lists(talks(), max_size=3), st.booleans())
def test_talks_come_in_parents_first_and_twice_is_once(value: Any, trust: bool) -> None:
    core = fresh()
    import_pieces(core, "claude", check(claude.walk(value)), trust=trust)
    before = picture(core.db)
    assert import_pieces(core, "claude", claude.walk(value), trust=trust).added == {}
    assert picture(core.db) == before


@given(st.text(max_size=200), st.booleans())
def test_walkers_of_text_bear_anything(text: str, trust: bool) -> None:
    core = fresh()
    for kind, pieces in (
        ("lines", lines.walk(f"[unknown] - {text}")),
        ("mcp", mcp.walk(text)),
        ("mcp", mcp.walk(json.dumps({"type": "entity", "name": text, "observations": [text]}))),
        ("markdown", markdown.walk(f"---\n{text}\n---\n- [x y] {text}", "note.md")),
    ):
        import_pieces(core, kind, check(pieces), trust=trust)  # type: ignore[arg-type]


@given(st.binary(max_size=200))
def test_any_file_is_read_or_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = Path(tmp_path_factory.getbasetemp()) / "anything"
    path.write_bytes(content)
    try:
        _, pieces = walk_source(path)
        check(pieces)
    except SourceUnreadable as refused:
        message = str(refused)
    else:
        message = "read"
    assert message
