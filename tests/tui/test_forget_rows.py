"""The rows of the forget dialog: as many as it counts, and a word about those below."""

from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.widgets import Static
from tui.conftest import Patient

from assistant.tui.screens.forget import ForgetScreen
from assistant.tui.widgets.tick_list import TickList
from memory.forget import ForgetPlan, Selection, Target


class Asking(App[None]):
    def __init__(self, *targets: Target) -> None:
        super().__init__()
        self.plan = ForgetPlan(Selection(), targets[:1], targets[1:], (), ())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {"muted": "#888888"}

    def on_mount(self) -> None:
        self.push_screen(ForgetScreen(self.plan, self.never, lambda _: ()))

    async def never(self, *_: Any) -> Any:
        raise AssertionError


def fact(number: int) -> Target:
    return Target("fact", f"id{number}", f"text {number}", "remove", "chosen")


def below(app: App[None]) -> Callable[[], str]:
    def words() -> str:
        line = app.screen.query_one("#below", Static)
        return str(line.content) if line.display else ""

    return words


async def test_rows_below_what_can_be_seen_are_counted(wait_for_workers: Patient) -> None:
    app = Asking(*map(fact, range(20)))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ForgetScreen))
        targets = app.screen.query_one("#targets", TickList)
        seen = below(app)
        await wait_for_workers(pilot, lambda: seen() == f"↓ {20 - targets.size.height} more below")
        targets.scroll_end(animate=False)
        await wait_for_workers(pilot, lambda: not seen())
        assert app.screen.query_one("#leave").region.bottom <= 24


async def test_few_rows_need_no_word(wait_for_workers: Patient) -> None:
    app = Asking(*map(fact, range(6)))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ForgetScreen))
        await wait_for_workers(pilot, lambda: app.screen.query_one("#targets").size.height == 6)
        assert not below(app)()


async def test_what_belongs_to_one_thing_shares_its_row_and_is_named(wait_for_workers: Patient) -> None:
    of = "conversation1"
    app = Asking(fact(1), Target("title", of, "Biscuit", "empty"), Target("summary", of, "Biscuit", "empty"))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_workers(pilot, lambda: isinstance(app.screen, ForgetScreen))
        targets = app.screen.query_one("#targets", TickList)
        await wait_for_workers(pilot, lambda: targets.option_count == 2)
        assert str(targets.get_option_at_index(1).prompt).startswith(
            "title + summary · loses its text  Biscuit"
        )
