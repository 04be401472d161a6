"""Dates and times as people say them, typed into fields that are made of parts (month, day, year, …)."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_PARTS = ("year", "month", "day", "hour", "minute", "second", "am/pm")


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
    clock = re.search(r"(\d{1,2})[:.](\d{2})(?::\d{2})?\s*(am|pm|a\.m\.|p\.m\.)?", lower)
    if clock:
        found |= {"hour": clock[1].zfill(2), "minute": clock[2]}
        found |= {"am/pm": clock[3].replace(".", "")} if clock[3] else {}
    return found


def _spoken(text: str) -> dict[str, str]:
    """ "4 March 2027", "March 4th, 2027", "4.3.2027"."""
    dotted = re.search(r"\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b", text)
    if dotted:
        return {"day": dotted[1].zfill(2), "month": dotted[2].zfill(2), "year": dotted[3]}
    name = next((month for month in _MONTHS if re.search(rf"\b{month[:3]}(?:{month[3:]})?\b", text)), None)
    if name is None:
        return {}
    found = {"month": f"{_MONTHS.index(name) + 1:02}"}
    day, year = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", text), re.search(r"\b(\d{4})\b", text)
    found |= {"day": day[1].zfill(2)} if day else {}
    return found | ({"year": year[1]} if year else {})


def keystrokes(text: str, fields: Sequence[str]) -> str | None:
    """What to type into the first of a row of part fields, named in order ("Month Arrival", "Day …").

    None when a part is missing. Digits move on to the next part by themselves.
    """
    named = [next((part for part in _PARTS if part in name.lower()), "") for name in fields]
    known = parts_of(text)
    if named and all(part in known for part in named if part != "am/pm"):
        known.setdefault("am/pm", "am" if int(known.get("hour", "0")) < 12 else "pm")
        if "am/pm" in named and "hour" in known:
            known["hour"] = f"{(int(known['hour']) - 1) % 12 + 1:02}"
        return "".join(known[part] for part in named)
    numbers = re.findall(r"\d+", text)
    if len(numbers) == len(named):
        return "".join(each.zfill(2) for each in numbers)
    return None
