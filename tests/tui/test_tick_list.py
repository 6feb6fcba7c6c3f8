"""Ticked and unticked rows differ without colour."""

from textual.app import App, ComposeResult
from textual.widgets.selection_list import Selection

from assistant.tui.widgets.tick_list import TickList


class Ticks(App[None]):
    def compose(self) -> ComposeResult:
        yield TickList(Selection("goes", "a", initial_state=True), Selection("stays", "b"))


async def test_only_a_ticked_row_shows_the_mark() -> None:
    async with Ticks().run_test(size=(40, 10)) as pilot:
        ticks = pilot.app.query_one(TickList)
        assert ticks.render_line(0).text.count("X") == 1
        assert "X" not in ticks.render_line(1).text
        ticks.select("b")
        await pilot.pause()
        assert "X" in ticks.render_line(1).text
