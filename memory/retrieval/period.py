"""Time expressions of a question as a range of instants: "in March", "last summer", "on 7 May 2023", "上周".

Owns the reckoning; the words are in ``period_words``. Refuses to guess: no expression, no range. Reckons in the zone
of the present instant it is given. One surprise: a month or a day without a year is the last one that began before
now, since memory is of the past.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from memory.retrieval import period_words as spoken

Found = tuple["Period", str]

# an Indian vowel sign is no letter to `\b`, which would cut a word in the middle
_B, _E = r"(?<![\w\u0900-\u097f])", r"(?![\w\u0900-\u097f])"


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=lambda name: (-len(name), name)))


_YEAR_NUMBER = r"(?:19|20)\d\d"
_MONTH_NAMES = _any(spoken.MONTHS)
_DAY_MONTH = re.compile(
    rf"{_B}(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s*(?:of\s+|de\s+)?(?P<month>{_MONTH_NAMES}){_E}\.?"
    rf"(?:,?\s*(?:de\s+)?(?P<year>{_YEAR_NUMBER}))?"
)
_MONTH_DAY = re.compile(
    rf"{_B}(?P<month>{_MONTH_NAMES})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?{_E}(?:,?\s*(?P<year>{_YEAR_NUMBER}))?"
)
_MONTH_YEAR = re.compile(
    rf"{_B}(?P<month>{_MONTH_NAMES})\.?,?\s+(?:of\s+|de\s+)?(?P<year>{_YEAR_NUMBER}){_E}"
)
_MONTH_ALONE = re.compile(rf"{_B}(?P<lead>{spoken.LEAD}\s+)?(?P<month>{_MONTH_NAMES}){_E}")
_ISO = re.compile(rf"{_B}(?P<year>{_YEAR_NUMBER})-(?P<month>\d\d)(?:-(?P<day>\d\d))?{_E}")
_CJK = re.compile(
    rf"(?:(?P<year>{_YEAR_NUMBER}) ?[年년] ?)?(?<![\d十百])(?P<month>\d{{1,2}}|{_any(spoken.HAN_MONTHS)})[月월]"
    r"(?: ?(?P<day>\d{1,2})[日号號일])?"
)
_SEASON = re.compile(
    rf"{_B}(?:(?P<lead>{spoken.SEASON_LEAD})\s*)?(?P<season>{_any(spoken.SEASONS)}){_E}"
    rf"(?:\s+(?P<after>{spoken.PAST_AFTER}){_E})?(?:\s+(?:of\s+|del?\s+)?(?P<year>{_YEAR_NUMBER}){_E})?"
)
_SEASON_UNSPACED = re.compile(
    rf"(?P<which>{spoken.WHICH_UNSPACED})?(?P<season>{_any(spoken.SEASONS_UNSPACED)})"
)
_YEAR = re.compile(
    rf"{_B}(?:in|during|since|of|im jahr|seit|en|nel|em|в)\s+(?P<year>{_YEAR_NUMBER}){_E}"
    rf"|(?<!\d)(?P<spelled>{_YEAR_NUMBER}) ?(?:[年년]|में{_E})"
)
_DAYS = _any(spoken.WEEKDAYS)
_LAST_DAY = re.compile(
    rf"{_B}{spoken.PAST_BEFORE}\s+(?P<before>{_DAYS}){_E}|{_B}(?P<after>{_DAYS})\s+{spoken.PAST_AFTER}{_E}"
)
_DAY_OF_LAST_WEEK = re.compile(rf"(?:{spoken.OF_LAST_WEEK})(?P<day>{_DAYS})")
_BARE_DAY = re.compile(rf"{_B}(?P<day>{_DAYS}){_E}")
_TO_COME_BEFORE = re.compile(rf"(?:{spoken.TO_COME_BEFORE})\s*$")
_TO_COME_AFTER = re.compile(rf"\s*(?:{spoken.TO_COME_AFTER})")
_PAST = re.compile(rf"{_B}(?:{spoken.PAST}){_E}")
_PAST_LEAD = re.compile(spoken.PAST_BEFORE)
_PAST_UNSPACED = re.compile(spoken.PAST_UNSPACED)
_QUESTION = re.compile("[?？؟]")
_OPENS_A_QUESTION = re.compile(rf"\W*(?:{spoken.ASKING}){_E}")
_NAMED = re.compile(
    "|".join(
        rf"(?P<{name}>{_B}(?:{phrases}){_E}|{spoken.UNSPACED[name]})"
        for name, phrases in spoken.NAMED.items()
    )
)
_LAST_YEAR, _THIS_YEAR = (
    re.compile(rf"{_B}(?:{spoken.NAMED[name]}){_E}|{spoken.UNSPACED[name]}")
    for name in ("last_year", "this_year")
)
_HIER = re.compile(rf"{_B}hier{_E}")
_FRENCH, _GERMAN = (re.compile(rf"{_B}(?:{words}){_E}") for words in (spoken.FRENCH, spoken.GERMAN))
_KAL = re.compile(rf"{_B}कल{_E}")
_UNIT = rf"(?P<unit>{'|'.join(f'(?:{names})' for names, _ in spoken.UNITS)})"
_COUNT = rf"(?P<count>\d{{1,3}}|{_any(spoken.NUMBERS)})"


def _ago_patterns() -> Iterable[tuple[str, re.Pattern[str]]]:
    for before, after, templates in ((_B, _E, spoken.AGO), (r"(?<!\d)", "", spoken.AGO_UNSPACED)):
        for word, template in templates:
            filled = template.replace("{n}", _COUNT).replace("{unit}", _UNIT)
            yield word, re.compile(f"{before}{filled}{after}")


_AGO = tuple(_ago_patterns())

LAST_WEEK: Final = 14
"""Days that "last week" may mean, from today backwards."""
NIGHT: Final = 6
"""The hour at which the night before is over."""


@dataclass(frozen=True, slots=True)
class Period:
    """Instants from ``start`` up to, not including, ``end``."""

    start: datetime
    end: datetime

    def holds(self, instant: datetime | None) -> bool:
        """Tell whether an instant lies inside."""
        return instant is not None and self.start <= instant < self.end

    @property
    def is_short(self) -> bool:
        """Tell whether it is a day or two: short enough that everything said then may be meant."""
        return self.end - self.start <= timedelta(days=2)


def find_period(text: str, now: datetime) -> Found | None:
    """Find the first time expression of a question: its range around the present, and its words."""
    lowered = text.lower()
    plain = lowered.replace("’", "'")
    for reader in (_dated, _season, _weekday, _relative, _year):
        found = reader(plain, now)
        if found is not None:
            at = plain.find(found[1])
            return found[0], lowered[at : at + len(found[1])]
    return None


def asks_of_a_day(text: str, period: Period, now: datetime) -> bool:
    """Tell whether a question wants to know what a day or two brought: "What did I say today?", no "today" as such."""
    lowered = text.lower()
    asks = _QUESTION.search(text) is not None or _OPENS_A_QUESTION.match(lowered) is not None
    if not asks or not period.is_short:
        return False
    past = _PAST.search(lowered) or _PAST_UNSPACED.search(lowered)
    return period.end <= now or past is not None


def _dated(text: str, now: datetime) -> Found | None:
    for pattern in (_ISO, _CJK, _DAY_MONTH, _MONTH_DAY, _MONTH_YEAR, _MONTH_ALONE):
        match = pattern.search(text)
        if match is None:
            continue
        groups = match.groupdict()
        name = groups["month"]
        month = int(name) if name.isdecimal() else (spoken.MONTHS.get(name) or spoken.HAN_MONTHS[name])
        plain = pattern is _MONTH_ALONE and not groups.get("lead")
        if not 1 <= month <= 12 or (plain and name in spoken.AMBIGUOUS):
            continue
        day = int(groups["day"]) if groups.get("day") else None
        said = int(groups["year"]) if groups.get("year") else _year_said(text, now)
        year = said or _last_year_of(month, day or 1, now)
        try:
            return (_day(year, month, day, now) if day else _months(year, month, 1, now)), match[0]
        except ValueError:
            continue
    return None


def _season(text: str, now: datetime) -> Found | None:
    for match in _SEASON.finditer(text):
        lead, after, year = match["lead"], match["after"], match["year"]
        if lead or after or year or match["season"] in spoken.ADVERBS:
            said = int(year) if year else _year_said(text, now)
            past = after is not None or (lead is not None and _PAST_LEAD.fullmatch(lead) is not None)
            return _three_months(spoken.SEASONS[match["season"]], said, now, past=past), match[0]
    for match in _SEASON_UNSPACED.finditer(text):
        which, season = match["which"] or "", match["season"]
        if which or (len(season) > 1 and season[-1] in "天季에"):
            digits = which[:4] if which[:4].isdecimal() else ""
            said = int(digits) if digits else _year_said(which, now)
            past = which.startswith("지난")
            return _three_months(spoken.SEASONS_UNSPACED[season], said, now, past=past), match[0]
    return None


def _three_months(month: int, said: int | None, now: datetime, *, past: bool) -> Period:
    year = said or _last_year_of(month, 1, now)
    if past and not said and _months(year, month, 3, now).end > now:
        year -= 1
    return _months(year, month, 3, now)


def _weekday(text: str, now: datetime) -> Found | None:
    midnight = _midnight(now)
    if match := _LAST_DAY.search(text):
        return _last(spoken.WEEKDAYS[match["before"] or match["after"]], midnight), match[0]
    if match := _DAY_OF_LAST_WEEK.search(text):
        monday = midnight - timedelta(days=midnight.weekday() + 7)
        return _one_day(monday + timedelta(days=spoken.WEEKDAYS[match["day"]])), match[0]
    if _QUESTION.search(text) and _PAST.search(text):
        for match in _BARE_DAY.finditer(text):
            to_come = _TO_COME_BEFORE.search(text[: match.start()]) or _TO_COME_AFTER.match(text, match.end())
            if not to_come and match["day"] not in spoken.NOT_BARE:
                return _last(spoken.WEEKDAYS[match["day"]], midnight), match[0]
    return None


def _relative(text: str, now: datetime) -> Found | None:
    for word, pattern in _AGO:
        if word in text and (match := pattern.search(text)):
            count = match["count"] or "1"
            return _ago(spoken.NUMBERS.get(count) or int(count), match["unit"], now), match[0]
    if match := _NAMED.search(text):
        return _READINGS[str(match.lastgroup)](_midnight(now)), match[0]
    if (match := _HIER.search(text)) and _FRENCH.search(text) and not _GERMAN.search(text):
        return _READINGS["yesterday"](_midnight(now)), match[0]
    if (match := _KAL.search(text)) and _PAST.search(text):
        return _READINGS["yesterday"](_midnight(now)), match[0]
    return None


def _ago(count: int, unit: str, now: datetime) -> Period:
    days = next(days for names, days in spoken.UNITS if re.fullmatch(names, unit))
    middle = _midnight(now) - timedelta(days=count * days)
    slack = timedelta(days=max(1, days // 2))
    return Period(middle - slack, middle + slack)


def _year(text: str, now: datetime) -> Found | None:
    match = _YEAR.search(text)
    if match is None:
        return None
    return _months(int(match["year"] or match["spelled"]), 1, 12, now), match[0]


def _year_said(text: str, now: datetime) -> int | None:
    """Return the year that "last year" or "this year" beside a month or a season tells."""
    if _LAST_YEAR.search(text):
        return now.year - 1
    return now.year if _THIS_YEAR.search(text) else None


def _last_year_of(month: int, day: int, now: datetime) -> int:
    return now.year if (month, day) <= (now.month, now.day) else now.year - 1


def _midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _months(year: int, month: int, count: int, now: datetime) -> Period:
    start = _midnight(now).replace(year=year, month=month, day=1)
    last = month - 1 + count
    return Period(start, start.replace(year=year + last // 12, month=last % 12 + 1))


def _day(year: int, month: int, day: int, now: datetime) -> Period:
    return _one_day(_midnight(now).replace(year=year, month=month, day=day))


def _one_day(start: datetime) -> Period:
    return Period(start, start + timedelta(days=1))


def _last(weekday: int, midnight: datetime) -> Period:
    return _one_day(midnight - timedelta(days=(midnight.weekday() - weekday - 1) % 7 + 1))


def _until_now(start: datetime, midnight: datetime) -> Period:
    return Period(start, midnight + timedelta(days=1))


def _last_weekend(midnight: datetime) -> Period:
    monday = midnight - timedelta(days=midnight.weekday())
    return Period(monday - timedelta(days=2), monday)


def _last_month(midnight: datetime) -> Period:
    end = midnight.replace(day=1)
    return Period((end - timedelta(days=1)).replace(day=1), end)


_READINGS: dict[str, Callable[[datetime], Period]] = {
    "day_before": lambda midnight: _one_day(midnight - timedelta(days=2)),
    "last_night": lambda midnight: Period(midnight - timedelta(days=1), midnight + timedelta(hours=NIGHT)),
    "yesterday": lambda midnight: _one_day(midnight - timedelta(days=1)),
    "today": _one_day,
    "last_weekend": _last_weekend,
    "last_week": lambda midnight: Period(midnight - timedelta(days=LAST_WEEK), midnight),
    "this_week": lambda midnight: _until_now(midnight - timedelta(days=midnight.weekday()), midnight),
    "last_month": _last_month,
    "this_month": lambda midnight: _until_now(midnight.replace(day=1), midnight),
    "last_year": lambda midnight: _months(midnight.year - 1, 1, 12, midnight),
    "this_year": lambda midnight: _until_now(midnight.replace(month=1, day=1), midnight),
}
