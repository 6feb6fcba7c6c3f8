"""What Locket remembers and why it said what it said, in seven tabs beside the conversation.

Renders one frozen snapshot and nothing else; says what the user wants done with a memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input, Static, TabbedContent, TabPane

from assistant.tui.plain import counted
from assistant.tui.snapshot import Changed, InspectorSnapshot, Receipt
from assistant.tui.widgets.budget_bar import BudgetBar
from assistant.tui.widgets.change_list import ChangeList
from assistant.tui.widgets.fact_card import (
    change_line,
    detail_lines,
    episode_line,
    episode_lines,
    fact_line,
    item_line,
    left_out_line,
)
from assistant.tui.widgets.record_list import RecordList, Row
from assistant.tui.widgets.review import ReviewList
from assistant.tui.widgets.rules import RuleList
from assistant.tui.widgets.working import WorkingList
from memory.ports import Clock
from memory.records import Fact

TABS = ("answer", "facts", "episodes", "rules", "working", "review", "changes")
SHOWN_FACTS = 500
NO_ANSWER = "Nothing has been asked here yet. After an answer this shows what was in its prompt, and why."
NO_FACTS = "Nothing is remembered yet. Tell Locket something about you, or type /remember."


class Inspector(Vertical):
    """The pane on the right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "tab(-1)", "the tab before", id="inspector.previous_tab"),
        Binding("right", "tab(1)", "the next tab", id="inspector.next_tab"),
        Binding("slash", "filter", "filter facts", id="inspector.filter"),
    ]

    snapshot: reactive[InspectorSnapshot] = reactive(InspectorSnapshot, init=False)

    @dataclass
    class TabOpened(Message):
        """Another tab is shown; its contents may have to be read."""

        tab: str

    def __init__(self, now: Clock, *, id: str | None = None) -> None:  # noqa: A002 - textual's own name
        super().__init__(id=id)
        self.now = now

    def compose(self) -> ComposeResult:
        """Lay out the tabs."""
        with TabbedContent(initial="answer"):
            with TabPane("Answer", id="answer"):
                yield BudgetBar(id="budget")
                yield RecordList("item", empty=NO_ANSWER, id="answer-list")
            with TabPane("Facts", id="facts"):
                yield Input(placeholder="filter", id="fact-filter", compact=True)
                yield RecordList("fact", empty=NO_FACTS, id="fact-list")
                with VerticalScroll(id="fact-detail", can_focus=False):
                    yield Static(markup=False, id="fact-card")
            with TabPane("Episodes", id="episodes"):
                yield RecordList(
                    "episode",
                    empty="No episode yet. One is kept when a conversation closes.",
                    id="episode-list",
                )
                with VerticalScroll(id="episode-detail", can_focus=False):
                    yield Static(markup=False, id="episode-card")
            with TabPane("Rules", id="rules"):
                yield RuleList(id="rule-list")
            with TabPane("Working", id="working"):
                yield WorkingList(id="working-list")
            with TabPane("Review", id="review"):
                yield ReviewList(id="review-list")
            with TabPane("Changes", id="changes"):
                yield ChangeList(id="change-list")

    def on_mount(self) -> None:
        """Draw the empty state."""
        self._draw()

    def watch_snapshot(self) -> None:
        """Draw everything from the new snapshot."""
        if self.is_mounted:
            self._draw()

    def _draw(self) -> None:
        now = self.snapshot
        self.query_one(BudgetBar).show(now.receipt)
        self.query_one("#answer-list", RecordList).show(receipt_rows(now.receipt, self.now()))
        self._draw_facts()
        card = self.query_one("#fact-card", Static)
        card.update(detail_lines(now.detail, self.now()) if now.detail else "")
        self.query_one("#fact-detail").display = now.detail is not None
        self.query_one("#episode-list", RecordList).show(
            Row(episode_line(e, self.now()), e.id) for e in now.episodes
        )
        told = self.query_one("#episode-card", Static)
        told.update(episode_lines(now.episode, self.now()) if now.episode else "")
        self.query_one("#episode-detail").display = now.episode is not None
        self.query_one(RuleList).show_rules(now.rules)
        self.query_one(WorkingList).show_state(now.working)
        self.query_one(ReviewList).show_waiting(now.review)
        self.query_one(ChangeList).show(change_rows(now.changes, self.now()))
        tabs = self.query_one(TabbedContent)
        tabs.get_tab("review").label = Content(f"Review {len(now.review)}" if now.review else "Review")

    def open_tab(self, tab: str) -> None:
        """Show a tab and give it the keyboard."""
        self.query_one(TabbedContent).active = tab
        self.call_after_refresh(self.focus_list)

    def focus_list(self) -> None:
        """Give the keyboard to the list of the tab that is shown."""
        pane = self.query_one(TabbedContent).active_pane
        if pane is None:
            return
        for found in pane.query("RecordList, VerticalScroll"):
            if found.focusable:
                found.focus()
                return

    def action_tab(self, step: int) -> None:
        """Go to the next tab or the one before."""
        tabs = self.query_one(TabbedContent)
        self.open_tab(TABS[(TABS.index(tabs.active) + step) % len(TABS)])

    def action_filter(self) -> None:
        """Write into the filter of the facts."""
        self.query_one(TabbedContent).active = "facts"
        self.query_one("#fact-filter", Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the facts."""
        event.stop()
        self._draw_facts()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go from the filter to the facts."""
        event.stop()
        self.query_one("#fact-list", RecordList).focus()

    def on_tabbed_content_tab_activated(self, event: TabbedContent.TabActivated) -> None:
        """Say that a tab is shown."""
        event.stop()
        self.post_message(self.TabOpened(event.pane.id or "answer"))

    def _draw_facts(self) -> None:
        words = self.query_one("#fact-filter", Input).value
        rows = fact_rows(self.snapshot.facts, words, self.now(), self.snapshot.fresh)
        self.query_one("#fact-list", RecordList).show(rows)


def receipt_rows(receipt: Receipt | None, now: datetime) -> list[Row]:
    """List what the prompt carried, then what it left out."""
    if receipt is None:
        return []
    used = counted(len(receipt.items), "memory", "memories")
    rows = [Row(Content.styled(f"in the prompt · {used}", "$primary"))]
    rows += [Row(item_line(item, now), f"sent-{item.id}") for item in receipt.items]
    if receipt.left_out:
        rows.append(Row(Content.styled(f"left out · {len(receipt.left_out)}", "$primary")))
        known = {one.id: one.text for one in receipt.items} | {one.id: one.text for one in receipt.left_out}
        rows += [Row(left_out_line(item, known), f"left-{item.id}") for item in receipt.left_out]
    return unique(rows)


def fact_rows(facts: Sequence[Fact], words: str, now: datetime, fresh: frozenset[str]) -> list[Row]:
    """List the facts that hold every word, by subject."""
    wanted = words.casefold().split()
    found = [
        f
        for f in facts
        if all(w in f"{f.text} {f.subject} {f.attribute} {f.value}".casefold() for w in wanted)
    ]
    rows: list[Row] = []
    subject = None
    for fact in sorted(found, key=lambda f: (f.subject != "user", f.subject, not f.is_current, f.id))[
        :SHOWN_FACTS
    ]:
        if fact.subject != subject:
            subject = fact.subject
            rows.append(Row(Content.styled("you" if subject == "user" else subject, "$primary")))
        rows.append(Row(fact_line(fact, now, fresh=fact.id in fresh), fact.id))
    if len(found) > SHOWN_FACTS:
        more = counted(len(found) - SHOWN_FACTS, "more fact")
        rows.append(Row(Content.styled(f"{more}: filter to see them", "$muted")))
    return unique(rows)


def change_rows(changes: Sequence[Changed], now: datetime) -> list[Row]:
    """List what this conversation wrote to memory, then what was written elsewhere."""
    here = [change for change in changes if change.here]
    elsewhere = [change for change in changes if not change.here]
    rows: list[Row] = []
    for heading, some in (("in this conversation", here), ("elsewhere", elsewhere)):
        if some and here:
            rows.append(Row(Content.styled(heading, "$primary")))
        rows += [Row(change_line(change, now), change.journal) for change in some]
    return rows


def unique(rows: list[Row]) -> list[Row]:
    """Drop rows whose id came before; an item may have been sent in two roles."""
    seen: set[str] = set()
    kept = []
    for row in rows:
        if row.id is None or row.id not in seen:
            kept.append(row)
        if row.id is not None:
            seen.add(row.id)
    return kept
