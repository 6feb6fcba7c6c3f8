"""What the inspector and the forget dialog write of one memory."""

from datetime import UTC, datetime, timedelta
from typing import cast

from assistant.target_words import target_words
from assistant.tui import reads
from assistant.tui.screens.forget import counted, target_line
from assistant.tui.snapshot import Receipt
from assistant.tui.widgets.fact_card import detail_lines, left_out_line
from memory.forget import ForgetPlan, Selection, Target
from memory.reader import Provenance, Reader
from memory.records import Fact, FactState, Kind, LeftOut, Origin, Trace

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def name(ident: str, value: str, days_ago: int, until: int | None = None) -> Fact:
    since = NOW - timedelta(days=days_ago)
    return Fact(
        ident, "p", "dog", "name", value, f"My dog is called {value}", Kind.FACT, Origin.USER_SAID, since,
        valid_from=since,
        valid_to=None if until is None else NOW - timedelta(days=until),
        state=FactState.ACTIVE if until is None else FactState.SUPERSEDED,
    )  # fmt: skip


NAMES = [name("1", "Rex", 30, 20), name("2", "Biscuit", 20, 10), name("3", "Waffle", 10)]


class Names:
    """A store in which a dog was renamed twice."""

    def get_any(self, ident: str) -> Fact:
        return next(one for one in NAMES if one.id == ident)

    def provenance(self, fact: Fact) -> Provenance:
        return Provenance(fact, None, "", ())

    def history(self, *_: str) -> list[Fact]:
        return NAMES


def test_a_fact_that_was_replaced_says_what_came_after_it_and_what_before() -> None:
    detail = reads.fact_detail(cast("Reader", Names()), "2")
    words = detail_lines(detail, NOW).plain
    assert [one.value for one in detail.later] == ["Waffle"]
    assert [one.value for one in detail.earlier] == ["Rex"]
    assert words.index("after it") < words.index("Waffle") < words.index("before it") < words.index("Rex")


def test_what_another_memory_made_needless_quotes_it_and_shows_no_id() -> None:
    item = LeftOut("m1", "message", "I live in Porto by the river.", "said by f1")
    assert "said by “I live in Porto”" in left_out_line(item, {"f1": "I live in Porto"}).plain
    assert "said by f1" in left_out_line(item, {}).plain


def test_the_receipt_of_an_answer_that_is_read_again_measures_as_the_fresh_one_did() -> None:
    receipt = Receipt.of_trace(Trace("t", "p", "c", "m", "a", "", (), (), (), None, NOW), 16_384)
    assert receipt.window - receipt.reserve == 13_108


def test_a_row_of_the_forget_dialog_says_what_happens_before_the_words_that_may_be_cut() -> None:
    target = Target("message", "m1", "I sail and I swim", "redact", "where it was said")
    assert target_line(target).plain == "message · loses these words  I sail and I swim  where it was said"


def test_a_working_state_in_a_plan_is_told_in_its_own_words() -> None:
    state = '{"gathered":["I sail"],"goal":"a trip","questions":[],"steps":[["book","open"]]}'
    assert target_words(Target("working", "c1", state, "redact")) == "a trip · book · I sail"


def test_what_stays_is_only_spoken_of_where_something_does() -> None:
    sails = Target("fact", "f1", "I sail", "remove")
    assert counted(ForgetPlan(Selection(), (sails,), (), (), ())) == "Ticked: 1 × fact."
    plan = ForgetPlan(Selection(), (sails,), (), (sails,), ())
    assert counted(plan).endswith("Not ticked, though it holds the same words: 1.")
