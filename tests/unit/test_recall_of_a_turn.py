"""Recall as a turn asks for it: in the user's own zone, measured by the model that will read it."""

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

import pytest
from forget_builders import Life

from memory.ports import CountTokens
from memory.vault.vault import Vault

FAR_WEST = timezone(timedelta(hours=-8))


@pytest.fixture
def life(vault: Vault) -> Life:
    return Life(vault, embedder=False)


def test_yesterday_is_the_users_own_yesterday(life: Life) -> None:
    life.clock.instant = datetime(2026, 3, 3, 10, tzinfo=FAR_WEST)
    before, _ = life.turn("The plumber wants forty for the tap")
    life.clock.instant = datetime(2026, 3, 4, 9, tzinfo=FAR_WEST)
    life.turn("The gardener brings two apple trees")
    life.clock.instant = datetime(2026, 3, 4, 20, tzinfo=FAR_WEST)  # in Greenwich it is the fifth already
    turn = life.memory.begin_turn("What did I tell you yesterday?")
    assert [hit.item.ref for hit in life.recall(turn).hits] == [before.message.id]


def test_an_item_is_cut_by_what_it_costs_the_model_that_reads_it(life: Life) -> None:
    said, _ = life.turn("मेरा कुत्ता शेरू है। " + "वह हर सुबह नदी के किनारे दौड़ता है। " * 6)
    turn = life.memory.begin_turn("मेरा कुत्ता कौन है?")

    def each_letter(texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def told(count: CountTokens | None) -> str:
        hits = life.memory.recall(turn, count).hits
        return next(hit.item.text for hit in hits if hit.item.ref == said.message.id)

    assert "शेरू" in told(each_letter)
    assert len(told(each_letter)) <= life.core.settings.recall.item_tokens < len(told(None))
