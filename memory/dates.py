"""Turning the dates people write into days, counted from when they wrote them.

Owns reckoning by the message's own instant and zone, never the clock. Refuses ambiguous digits (03/04/2026)
and says nothing of them. One surprise: "next Friday" is the Friday of the coming week, a bare "Friday" the
first one ahead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import cache

from memory.languages import language as language_of
from memory.languages.pack import Language

_ISO = re.compile(r"(?<!\d)(?P<y>\d{4})[-/.年](?P<m>\d{1,2})[-/.月](?P<d>\d{1,2})日?(?!\d)")
_POINTED = re.compile(r"(?<![\d.])(?P<d>\d{1,2})[./](?P<m>\d{1,2})[./](?P<y>\d{4}|\d{2})(?!\d)")
_ZONE = re.compile(r"(?P<sign>[+-])(?P<h>\d\d):?(?P<m>\d\d)")
_NUMBERS = {
    word: number
    for number, spoken in enumerate(
        (
            "one a an ein eine einem einer un una uno une один одну одна एक 一 um uma",
            "two zwei dos deux два две दो 二 两 兩 due dois duas",
            "three drei tres trois три तीन 三 tre três",
            "four vier cuatro quatre четыре चार 四 quattro quatro",
            "five fünf cinco cinq пять पाँच पांच 五 cinque",
            "six sechs seis шесть छह 六 sei",
            "seven sieben siete sept семь सात 七 sette sete",
            "eight acht ocho huit восемь आठ 八 otto oito",
            "nine neun nueve neuf девять नौ 九 nove",
            "ten zehn diez dix десять दस 十 dieci dez",
        ),
        start=1,
    )
    for word in spoken.split()
}


_YEARS = frozenset(range(1000, 3000))
"""What somebody may mean by a year; others are numbers, and some of them have no day after."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A date phrase in a text and the days it stands for, both ends included."""

    start: int
    end: int
    first: date
    last: date
    relative: bool
    """Whether the phrase means another day when read later."""


Reckon = Callable[[date, "re.Match[str]", Language], tuple[date, date] | None]


def local_day(said_at: datetime, zone: str = "+00:00") -> date:
    """Return the speaker's own calendar day."""
    return said_at.astimezone(zone_of(zone)).date()


def zone_of(zone: str) -> timezone:
    """Return the fixed offset that a message carries; UTC when it is unreadable."""
    match = _ZONE.fullmatch(zone.strip())
    if not match:
        return UTC
    minutes = int(match["h"]) * 60 + int(match["m"])
    return timezone(timedelta(minutes=minutes if match["sign"] == "+" else -minutes))


def start_of(day: date, zone: str) -> datetime:
    """Return the UTC instant at which the day begins for the speaker."""
    return datetime.combine(day, time(), zone_of(zone)).astimezone(UTC)


def end_of(day: date, zone: str) -> datetime:
    """Return the UTC instant at which the day is over for the speaker."""
    return start_of(day + timedelta(days=1), zone)


def find_dates(text: str, said_at: datetime, zone: str, language: Language) -> tuple[Dated, ...]:
    """Return the date phrases of the text in order, the longest where two overlap."""
    found: list[Dated] = []
    today = local_day(said_at, zone)
    for dated in sorted(_all(text, today, language), key=lambda d: (d.start - d.end, d.start)):
        if not any(dated.start < other.end and other.start < dated.end for other in found):
            found.append(dated)
    return tuple(sorted(found, key=lambda d: d.start))


def _all(text: str, today: date, language: Language) -> Iterator[Dated]:
    return (one for one in _readings(text, today, language) if {one.first.year, one.last.year} <= _YEARS)


def _readings(text: str, today: date, language: Language) -> Iterator[Dated]:
    for match in _ISO.finditer(text):
        if day := _day(int(match["y"]), int(match["m"]), int(match["d"])):
            yield Dated(*match.span(), day, day, relative=False)
    for match in _POINTED.finditer(text):
        if day := _pointed(match):
            yield Dated(*match.span(), day, day, relative=False)
    for pattern, name in _compiled(language.code):
        for match in pattern.finditer(text):
            if days := _reckoned(name, today, match, language):
                yield Dated(*match.span(), *days, relative=not match.groupdict().get("year"))


def _reckoned(name: str, today: date, match: re.Match[str], language: Language) -> tuple[date, date] | None:
    try:
        return _RECKONINGS[name](today, match, language)
    except (ValueError, OverflowError):  # the calendar has no such day: "May 0000"
        return None


@cache
def _compiled(code: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    language = language_of(code)
    months = "|".join(sorted(map(re.escape, language.months), key=len, reverse=True)) or r"(?!)"
    weekdays = "|".join(sorted(map(re.escape, language.weekdays), key=len, reverse=True)) or r"(?!)"
    filled = {
        "{month}": f"(?P<month>{months})",
        "{weekday}": f"(?P<weekday>{weekdays})",
        "{n}": r"(?P<n>\d{1,3}|" + "|".join(_NUMBERS) + ")",
        "{day}": r"(?P<day>\d{1,2})",
        "{year}": r"(?P<year>\d{4})",
    }
    out = []
    for pattern, name in language.dates:
        template = pattern
        for key, value in filled.items():
            template = template.replace(key, value)
        bounded = rf"(?<!\w)(?:{template})(?!\w)" if language.spaced else f"(?:{template})"
        out.append((re.compile(bounded, re.IGNORECASE), name))
    return tuple(out)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _pointed(match: re.Match[str]) -> date | None:
    day, month, year = int(match["d"]), int(match["m"]), int(match["y"])
    if "/" in match[0] and day <= 12 and month <= 12 and day != month:
        return None  # the order of day and month differs between countries
    if month > 12 >= day:
        day, month = month, day
    return _day(year + 2000 if year < 100 else year, month, day)


def _count(match: re.Match[str]) -> int:
    said = match["n"].casefold()
    return int(said) if said.isdecimal() else _NUMBERS[said]


def _ahead(days: int) -> Reckon:
    def reckon(today: date, _match: re.Match[str], _language: Language) -> tuple[date, date]:
        return today + timedelta(days=days), today + timedelta(days=days)

    return reckon


def _after(unit: int, sign: int = 1) -> Reckon:
    def reckon(today: date, match: re.Match[str], _language: Language) -> tuple[date, date]:
        day = today + timedelta(days=unit * sign * _count(match))
        return day, day

    return reckon


def _weekday(today: date, match: re.Match[str], language: Language) -> tuple[date, date]:
    wanted = language.weekdays[match["weekday"].casefold()]
    day = today + timedelta(days=(wanted - today.weekday() - 1) % 7 + 1)
    return day, day


def _next_weekday(today: date, match: re.Match[str], language: Language) -> tuple[date, date]:
    wanted = language.weekdays[match["weekday"].casefold()]
    day = today - timedelta(days=today.weekday()) + timedelta(days=7 + wanted)
    return day, day


def _last_weekday(today: date, match: re.Match[str], language: Language) -> tuple[date, date]:
    wanted = language.weekdays[match["weekday"].casefold()]
    day = today - timedelta(days=(today.weekday() - wanted - 1) % 7 + 1)
    return day, day


def _week(offset: int) -> Reckon:
    def reckon(today: date, _match: re.Match[str], _language: Language) -> tuple[date, date]:
        monday = today - timedelta(days=today.weekday()) + timedelta(days=7 * offset)
        return monday, monday + timedelta(days=6)

    return reckon


def _weekend(offset: int) -> Reckon:
    def reckon(today: date, _match: re.Match[str], _language: Language) -> tuple[date, date]:
        saturday = today - timedelta(days=today.weekday()) + timedelta(days=7 * offset + 5)
        return saturday, saturday + timedelta(days=1)

    return reckon


def _month(offset: int) -> Reckon:
    def reckon(today: date, _match: re.Match[str], _language: Language) -> tuple[date, date]:
        return _whole_month(today.year, today.month + offset)

    return reckon


def _whole_month(year: int, month: int) -> tuple[date, date]:
    first = date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
    after = date(first.year + first.month // 12, first.month % 12 + 1, 1)
    return first, after - timedelta(days=1)


def _year(offset: int) -> Reckon:
    def reckon(today: date, _match: re.Match[str], _language: Language) -> tuple[date, date]:
        return date(today.year + offset, 1, 1), date(today.year + offset, 12, 31)

    return reckon


def _month_day(today: date, match: re.Match[str], language: Language) -> tuple[date, date] | None:
    month, said = language.months[match["month"].casefold()], match.groupdict().get("year")
    day = _day(int(said) if said else today.year, month, int(match["day"]))
    if day and not said and day < today - timedelta(days=90):
        day = _day(today.year + 1, month, int(match["day"]))
    return (day, day) if day else None


def _in_month(today: date, match: re.Match[str], language: Language) -> tuple[date, date]:
    month, said = language.months[match["month"].casefold()], match.groupdict().get("year")
    year = int(said) if said else today.year + (month < today.month)
    return _whole_month(year, month)


_RECKONINGS: dict[str, Reckon] = {
    "today": _ahead(0),
    "tomorrow": _ahead(1),
    "day_after": _ahead(2),
    "yesterday": _ahead(-1),
    "day_before": _ahead(-2),
    "in_days": _after(1),
    "in_weeks": _after(7),
    "in_months": _after(30),
    "days_ago": _after(1, -1),
    "weeks_ago": _after(7, -1),
    "weekday": _weekday,
    "next_weekday": _next_weekday,
    "last_weekday": _last_weekday,
    "this_week": _week(0),
    "next_week": _week(1),
    "last_week": _week(-1),
    "this_weekend": _weekend(0),
    "next_weekend": _weekend(1),
    "this_month": _month(0),
    "next_month": _month(1),
    "last_month": _month(-1),
    "this_year": _year(0),
    "next_year": _year(1),
    "last_year": _year(-1),
    "month_day": _month_day,
    "in_month": _in_month,
}
RECKONINGS = frozenset(_RECKONINGS)
