"""In the inspector: this should have been remembered for that question, and this should not."""

from tui.conftest import Open, Patient
from tui.fakes import FACTS, FakeLocket
from tui.test_chat import chat, notes, plain, say

from assistant.tui.screens.help import HelpScreen
from assistant.tui.widgets.record_list import RecordList


async def test_what_was_left_out_or_sent_is_judged_by_a_key(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        await say(pilot, wait_for_workers, "Where is the map?")
        await pilot.press("f3")
        rows = chat(pilot).query_one("#answer-list", RecordList)
        await wait_for_workers(pilot, lambda: rows.rows and rows.has_focus)
        ids = [row.id for row in rows.rows]
        rows.highlighted = ids.index("left-m9")
        await pilot.press("plus")
        await wait_for_workers(pilot, lambda: locket.acts)
        rows.highlighted = ids.index("sent-f1")
        await pilot.press("minus")
        await wait_for_workers(pilot, lambda: len(locket.acts) == 2)
        assert locket.acts == [("Where is the map?", ("m9",), True), ("Where is the map?", ("f1",), False)]
        await wait_for_workers(pilot, lambda: any("should not bring" in note for note in notes(pilot)))


async def test_a_fact_that_was_not_even_near_is_judged_in_the_list_of_facts(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.reader.facts = list(FACTS)
    async with chatting() as pilot:
        await say(pilot, wait_for_workers, "Where do I live?")
        chat(pilot).show_tab("facts")
        rows = chat(pilot).query_one("#fact-list", RecordList)
        await wait_for_workers(pilot, lambda: rows.rows and rows.has_focus)
        rows.highlighted = [row.id for row in rows.rows].index("f3")
        await pilot.press("plus")
        await wait_for_workers(pilot, lambda: locket.acts)
        assert locket.acts == [("Where do I live?", ("f3",), True)]


async def test_without_a_question_nothing_is_kept(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.reader.facts = list(FACTS)
    async with chatting() as pilot:
        chat(pilot).show_tab("facts")
        rows = chat(pilot).query_one("#fact-list", RecordList)
        await wait_for_workers(pilot, lambda: rows.rows and rows.has_focus)
        rows.highlighted = 1
        await pilot.press("plus")
        await wait_for_workers(pilot, lambda: any("Ask something first" in note for note in notes(pilot)))
        assert locket.acts == []


async def test_the_help_names_both_keys(chatting: Open, wait_for_workers: Patient) -> None:
    async with chatting(size=(120, 200)) as pilot:
        await pilot.press("f1")
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        words = plain(pilot.app.screen.query_one("#help").query_one("Static"))  # type: ignore[arg-type]
        assert "should have been remembered" in words
        assert "should not have been" in words
