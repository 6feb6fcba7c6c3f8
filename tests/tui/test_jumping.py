"""What a search finds is gone to: its conversation, its branch, the message itself. And conversations are renamed."""

from collections.abc import Sequence

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static
from tui.conftest import Open, Patient, write
from tui.fakes import FakeLocket, FakeMemory, FakeReader, conversation, message

from assistant.tui import acts
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.confirm import AskScreen
from assistant.tui.screens.search import Found, SearchScreen
from assistant.tui.widgets.record_list import RecordList
from assistant.tui.widgets.transcript import Transcript
from memory.records import Role

LONG = [message(f"m{n}", Role.USER, f"line {n}") for n in range(200)]


@pytest.fixture
def finding(monkeypatch: pytest.MonkeyPatch) -> Sequence[Found]:
    """Have every search find the same message."""
    found = [Found("message", "m50", "line 50", "c1")]
    monkeypatch.setattr(acts, "search", lambda _memory, _words: found)
    return found


async def open_first(pilot: Pilot[int], wait: Patient) -> None:
    await pilot.press("ctrl+f")
    await wait(pilot, lambda: isinstance(pilot.app.screen, SearchScreen))
    await write(pilot, "line")
    results = pilot.app.screen.query_one(RecordList)
    await wait(pilot, lambda: any(row.id for row in results.rows))
    await pilot.press("enter")
    await wait(pilot, lambda: results.has_focus)
    await pilot.press("enter")
    await wait(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))


def selected(pilot: Pilot[int]) -> str | None:
    view = pilot.app.screen.query_one(Transcript).selected
    return view.message.id if view is not None and view.message is not None else None


async def test_a_found_message_is_selected_in_the_middle_of_its_conversation(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient, finding: Sequence[Found]
) -> None:
    locket.reader.talks = [conversation("c1", "Lines", 1)]
    locket.reader.said["c1"] = list(LONG)
    async with chatting() as pilot:
        await open_first(pilot, wait_for_workers)
        await wait_for_workers(pilot, lambda: selected(pilot) == "m50")
        transcript = pilot.app.screen.query_one(Transcript)
        assert transcript.has_focus
        assert len(transcript.views) <= 60
        view = transcript.selected
        assert view is not None
        await wait_for_workers(pilot, lambda: transcript.region.overlaps(view.region))
        await pilot.press("j")
        assert selected(pilot) == "m51"


async def test_a_message_on_another_branch_brings_its_branch_back(
    chatting: Open,
    locket: FakeLocket,
    wait_for_workers: Patient,
    finding: Sequence[Found],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    locket.reader.talks = [conversation("c1", "Lines", 1)]
    locket.reader.said["c1"] = [message("m1", Role.USER, "another branch")]
    hidden = [message("m50", Role.USER, "line 50")]

    def get_any(_reader: FakeReader, _ident: str) -> object:
        return hidden[0]

    def switch(memory: FakeMemory, conversation: str, leaf: str) -> None:
        memory.locket.acts.append((conversation, leaf))
        memory.locket.reader.said[conversation] = hidden

    monkeypatch.setattr(FakeReader, "get_any", get_any)
    monkeypatch.setattr(FakeReader, "end_below", lambda _reader, ident: f"end of {ident}", raising=False)
    monkeypatch.setattr(FakeMemory, "switch_branch", switch, raising=False)
    async with chatting() as pilot:
        await open_first(pilot, wait_for_workers)
        await wait_for_workers(pilot, lambda: selected(pilot) == "m50")
        assert locket.acts == [("c1", "end of m50")]


async def test_e_renames_a_conversation(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    locket.reader.talks = [conversation("c9", "Lines", 1)]
    titles: list[tuple[str, str]] = []
    monkeypatch.setattr(
        FakeMemory, "set_title", lambda _memory, ident, title: titles.append((ident, title)), raising=False
    )
    async with chatting() as pilot:
        await pilot.press("ctrl+s")
        listed = pilot.app.screen.query_one("#conversation-list", RecordList)
        await wait_for_workers(pilot, lambda: listed.has_focus and any(row.id for row in listed.rows))
        await pilot.press("g", "e")
        await wait_for_workers(
            pilot, lambda: isinstance(pilot.app.screen, AskScreen) and pilot.app.screen.query("#line")
        )
        assert pilot.app.screen.query_one("#line", Input).value == "Lines"
        await write(pilot, " and words")
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: titles == [("c9", "Lines and words")])


async def test_a_new_conversation_says_where_something_is_not_sent(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.reader.talks = [conversation("c9", "Trip to the coast", 1), conversation("c8", "Lines", 2)]
    locket.reader.unsent["c9"] = "half a thought"
    async with chatting() as pilot:
        welcome = pilot.app.screen.query_one("#welcome", Static)
        await wait_for_workers(pilot, lambda: "not sent yet" in str(welcome.content))
        assert "Trip to the coast" in str(welcome.content)
        assert "Lines" not in str(welcome.content)
