"""Rules in force: n adds one, a ends one, h shows the versions of one to go back to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from assistant.tui.messages import Act, ActAsked
from assistant.tui.widgets.fact_card import rule_line
from assistant.tui.widgets.record_list import RecordList, Row
from memory.records import Rule


class RuleList(RecordList):
    """What every prompt follows."""

    BINDING_GROUP_TITLE = "In Rules"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new", "add a rule", id="rule.add"),
        Binding("a", "ask('archive')", "no longer follow it", id="rule.retire"),
        Binding("h", "ask('history')", "earlier versions, to go back to", id="rule.versions"),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - textual's own name
        super().__init__("rule", empty="No rules. Say how you want things done: n here, or /rule.", id=id)

    def show_rules(self, rules: Sequence[Rule]) -> None:
        """Show these rules."""
        self.show(Row(rule_line(rule), rule.id) for rule in rules)

    def action_new(self) -> None:
        """Ask for a new rule; there may be none yet to stand on."""
        self.post_message(ActAsked(Act.ADD, self.kind, ()))
