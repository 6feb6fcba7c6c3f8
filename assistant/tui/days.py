"""Times as people say them: Today, Yesterday, a date; minutes until something.

Pure; the present is always passed in.
"""

from __future__ import annotations

from datetime import date, datetime


def day_heading(day: date, today: date) -> str:
    """Name a day: "Today", "Yesterday", "Tue 3 Nov", or with its year when it is another one."""
    distance = (today - day).days
    if distance == 0:
        return "Today"
    if distance == 1:
        return "Yesterday"
    return short_date(day, today)


def short_date(day: date, today: date) -> str:
    """Write a date without what goes without saying."""
    year = "" if day.year == today.year else f" {day.year}"
    return f"{day:%a} {day.day} {day:%b}{year}"


def local(instant: datetime, now: datetime) -> datetime:
    """Bring an instant into the zone of the present one."""
    return instant.astimezone(now.tzinfo)


def said(instant: datetime, now: datetime) -> str:
    """Write when something was said: the time today, the day before that."""
    here = local(instant, now)
    if here.date() == now.date():
        return f"{here:%H:%M}"
    return f"{day_heading(here.date(), now.date())} {here:%H:%M}"


def minutes_left(seconds: float) -> str:
    """Round up to minutes, the last one to seconds."""
    if seconds > 60:
        return f"{int(-(-seconds // 60))} min"
    return f"{max(0, int(seconds))} s"
