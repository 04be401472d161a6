"""Dates and times as people say them, typed into fields that are made of parts (month, day, year, …)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence

from desktop_agent.policy.facts.named_days import MONTHS

_PARTS = ("year", "month", "day", "hour", "minute", "second", "am/pm")
_NUMERIC = re.compile(r"\b(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})\b")


def part_of(name: str) -> str:
    """Which part of a date or time a field of that name takes ("Month Arrival" → month), "" when none."""
    words = re.findall(r"[a-z/]+", name.lower())
    return next((part for part in _PARTS if part in words or f"{part}s" in words), "")


def day_of(text: str) -> tuple[int, int, int] | None:
    """Year, month and day that a text names; numbers are month first unless only day first makes sense.

    None when a part is missing or no such day exists.
    """
    known = parts_of(text)
    numeric = _NUMERIC.search(text)
    if numeric and not {"month", "day"} <= known.keys():
        one, other, last = int(numeric[1]), int(numeric[3]), int(numeric[4])
        year, month, day = (one, other, last) if len(numeric[1]) == 4 else (last, one, other)
        month, day = (day, month) if month > 12 else (month, day)
        year += 2000 if year < 100 else 0
    elif {"year", "month", "day"} <= known.keys():
        year, month, day = (int(known[each]) for each in ("year", "month", "day"))
    else:
        return None
    try:
        return (year, month, day) if datetime.date(year, month, day) else None
    except ValueError:
        return None


def month_shown(texts: Iterable[str]) -> tuple[int, int] | None:
    """Year and month that the heading of a calendar tells, in one text or two; None when it does not."""
    month = year = None
    for text in texts:
        named = next(
            (n for n, m in enumerate(MONTHS, 1) if re.search(rf"\b{m[:3]}(?:{m[3:]})?\b", text.lower())), 0
        )
        month = month or named or None
        found = re.search(r"\b(1[5-9]\d\d|2\d\d\d)\b", text)
        year = year or (int(found[1]) if found else None)
    return (year, month) if year and month else None


def parts_of(text: str) -> dict[str, str]:
    """The parts that can be told for sure: {"year": "2027", "month": "03", "day": "04", "hour": …}.

    Of numbers like 03/04/2027 only the year is sure; what they are otherwise depends on the field.
    """
    found: dict[str, str] = {}
    lower = text.lower()
    iso = re.search(r"(\d{4})-(\d{1,2})-(\d{1,2})", lower)
    if iso:
        found |= {"year": iso[1], "month": iso[2].zfill(2), "day": iso[3].zfill(2)}
    found |= {} if iso else _spoken(lower)
    return found | _clock(lower)


def _clock(text: str) -> dict[str, str]:
    """ "7:55 PM", "19.55", "8 am", "noon"."""
    text = re.sub(r"\bnoon\b", "12:00 pm", re.sub(r"\bmidnight\b", "12:00 am", text))
    clock = re.search(r"\b(\d{1,2})(?:[:.](\d{2})(?:[:.]\d{2})?)?\s*([ap]\.?m\b\.?)?(?![/.\d-])", text)
    if not clock or not (clock[2] or clock[3]):
        return {}
    half = {"am/pm": clock[3].replace(".", "")} if clock[3] else {}
    return {"hour": clock[1].zfill(2), "minute": clock[2] or "00", "second": "00"} | half


def _spoken(text: str) -> dict[str, str]:
    """ "4 March 2027", "March 4th, 2027", "4.3.2027"."""
    dotted = re.search(r"\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b", text)
    if dotted:
        return {"day": dotted[1].zfill(2), "month": dotted[2].zfill(2), "year": dotted[3]}
    name = next((month for month in MONTHS if re.search(rf"\b{month[:3]}(?:{month[3:]})?\b", text)), None)
    if name is None:
        return {}
    found = {"month": f"{MONTHS.index(name) + 1:02}"}
    day, year = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", text), re.search(r"\b(\d{4})\b", text)
    found |= {"day": day[1].zfill(2)} if day else {}
    return found | ({"year": year[1]} if year else {})


def part_values(text: str, fields: Sequence[str]) -> list[str] | None:
    """What each of a row of part fields is to show, two digits (a year four); None when a part is missing."""
    named = [part_of(name) for name in fields]
    known = parts_of(text)
    if "hour" in known:
        known |= _half_day(known, "am/pm" in named)
    if all(part in known for part in named) and all(named):
        return [known[part] for part in named]
    numbers = re.findall(r"\d+", text)
    day = day_of(text)
    if len(numbers) == len(named) and (day is None or _fits(named, numbers)):
        return [each.zfill(2) for each in numbers]
    if day is None:
        return None
    known |= {"year": f"{day[0]:04}", "month": f"{day[1]:02}", "day": f"{day[2]:02}"}
    return [known[part] for part in named] if all(part in known for part in named) else None


def _fits(named: Sequence[str], numbers: Sequence[str]) -> bool:
    """Can the numbers, as they were said, be these parts?"""
    for part, said in zip(named, numbers, strict=True):
        most = {"month": 12, "day": 31, "hour": 23, "minute": 59, "second": 59}.get(part, 9999)
        if int(said) > most or (part == "year") != (len(said) == 4):
            return False
    return True


def _half_day(known: dict[str, str], halved: bool) -> dict[str, str]:
    """The hour on a clock of twelve with its half, or of twenty-four, as the fields have it."""
    hour = int(known["hour"])
    if "am/pm" in known:
        hour = hour % 12 + (12 if known["am/pm"].startswith("p") else 0)
    if not halved:
        return {"hour": f"{hour:02}"}
    return {"hour": f"{(hour - 1) % 12 + 1:02}", "am/pm": "am" if hour < 12 else "pm"}
