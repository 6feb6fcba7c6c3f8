from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from memory.dates import RECKONINGS, end_of, find_dates, local_day, start_of
from memory.languages import CODES, language

WEDNESDAY = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)


def days(
    text: str, code: str = "en", said_at: datetime = WEDNESDAY, zone: str = "+00:00"
) -> list[tuple[date, date]]:
    return [(dated.first, dated.last) for dated in find_dates(text, said_at, zone, language(code))]


@pytest.mark.parametrize(
    ("code", "text", "day"),
    [
        ("en", "see you tomorrow", date(2026, 3, 12)),
        ("en", "on Friday", date(2026, 3, 13)),
        ("en", "next Friday", date(2026, 3, 20)),
        ("en", "in two weeks", date(2026, 3, 25)),
        ("en", "on 4 April", date(2026, 4, 4)),
        ("en", "on January 5, 2027", date(2027, 1, 5)),
        ("en", "on 2026-07-01", date(2026, 7, 1)),
        ("de", "am nächsten Montag", date(2026, 3, 16)),
        ("de", "am 6. Mai", date(2026, 5, 6)),
        ("es", "el próximo viernes", date(2026, 3, 20)),
        ("fr", "vendredi prochain", date(2026, 3, 20)),
        ("it", "venerdì prossimo", date(2026, 3, 20)),
        ("pt", "na próxima sexta-feira", date(2026, 3, 20)),
        ("ru", "в следующую пятницу", date(2026, 3, 20)),
        ("hi", "अगले शुक्रवार", date(2026, 3, 20)),
        ("zh", "下周五", date(2026, 3, 20)),
        ("ko", "다음 주 금요일에", date(2026, 3, 20)),
    ],
)
def test_a_phrase_is_counted_from_the_message(code: str, text: str, day: date) -> None:
    assert days(text, code) == [(day, day)]


def test_next_month_is_the_whole_month() -> None:
    assert days("next month") == [(date(2026, 4, 1), date(2026, 4, 30))]


def test_a_message_after_midnight_counts_from_the_speakers_own_day() -> None:
    late = datetime(2026, 3, 11, 23, 30, tzinfo=UTC)
    assert days("tomorrow", said_at=late, zone="+02:00") == [(date(2026, 3, 13), date(2026, 3, 13))]


def test_an_imported_message_counts_from_its_own_year() -> None:
    assert days("tomorrow", said_at=datetime(2019, 12, 31, tzinfo=UTC)) == [
        (date(2020, 1, 1), date(2020, 1, 1))
    ]


def test_a_date_long_past_means_next_year() -> None:
    assert days("on 4 January", said_at=datetime(2026, 11, 1, tzinfo=UTC)) == [
        (date(2027, 1, 4), date(2027, 1, 4))
    ]


def test_digits_whose_order_is_unclear_are_no_date() -> None:
    assert days("on 03/04/2026") == []


def test_a_day_that_does_not_exist_is_no_date() -> None:
    assert days("on 31 February") == []


def test_a_day_begins_and_ends_in_the_speakers_zone() -> None:
    day = local_day(WEDNESDAY, "+02:00")
    assert start_of(day, "+02:00") == datetime(2026, 3, 10, 22, 0, tzinfo=UTC)
    assert end_of(day, "+02:00") == datetime(2026, 3, 11, 22, 0, tzinfo=UTC)


def test_an_unreadable_zone_is_utc() -> None:
    assert local_day(WEDNESDAY, "nonsense") == date(2026, 3, 11)


@pytest.mark.parametrize("code", CODES)
def test_every_language_names_known_reckonings(code: str) -> None:
    assert {name for _, name in language(code).dates} <= RECKONINGS


@pytest.mark.parametrize(
    "text",
    [
        "in May 0000",
        "on 31 February 0000",
        "on December 31, 9999",
        "in December 9999",
        "on 0000-01-01",
        "in 999 weeks",
    ],
)
def test_a_day_that_no_calendar_has_is_no_date(text: str) -> None:
    late = datetime(2998, 12, 31, tzinfo=UTC)
    assert days(text, said_at=late) == []
