import os
import time
from collections.abc import Iterator
from datetime import datetime

import pytest

from assistant import times

LATE = "2026-03-01T23:30:00+00:00"


@pytest.fixture
def in_tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        pytest.skip("this system takes its zone from elsewhere")
    before = os.environ.get("TZ")
    monkeypatch.setenv("TZ", "JST-9")
    time.tzset()
    yield
    if before is None:
        monkeypatch.delenv("TZ")
    else:
        monkeypatch.setenv("TZ", before)
    time.tzset()


def test_days_and_minutes_are_those_of_the_users_wall(in_tokyo: None) -> None:
    for late in (LATE, datetime.fromisoformat(LATE)):
        assert times.day(late) == "2026-03-02"
        assert times.minute(late) == "2026-03-02 08:30"


def test_json_has_one_form_whatever_the_zone_it_was_written_in(in_tokyo: None) -> None:
    expected = "2026-03-01T23:30:00.000000Z"
    assert times.text_in_json(LATE) == expected
    assert times.text_in_json("2026-03-02T08:30:00+09:00") == expected
    assert times.in_json(datetime.fromisoformat(LATE).astimezone()) == expected
    assert times.in_json(None) is None


@pytest.mark.parametrize("text", ["", "yesterday", "2026-03-01T12:00:00"])
def test_what_is_no_time_is_shown_as_it_stands(text: str) -> None:
    assert times.text_in_json(text) == text
    assert times.day(text) == text[:10]
    assert times.minute(text) == text[:16]
