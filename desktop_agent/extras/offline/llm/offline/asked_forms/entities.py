"""What can be told from its looks in a goal: addresses, numbers, days, places, names."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import msgspec

from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import form_words, number_of
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_words import GoalWords


class Entity(msgspec.Struct, frozen=True):
    """Words `start` to `end` of the goal that are an e-mail address, a telephone number, …"""

    kind: str
    start: int
    end: int
    text: str


_EMAIL = re.compile(r"[\w.+-]*\w@[\w-]+(?:\.[\w-]+)+")
_TIME = re.compile(
    r"(?<![\w.:])(?:\d{1,2}[:.]\d{2}(?:\s?(?:am|pm|uhr))?|\d{1,2}\s?(?:am|pm|uhr|o'clock))(?!\w|[.:]\d)", re.I
)
_HOUR = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\\d{1,2}"
_PART_OF_DAY = r"(?:\s+(?:in the (?:morning|afternoon|evening)|at night|am|pm|vormittags|nachmittags|morgens|abends|am (?:Vormittag|Nachmittag|Abend|Morgen)))?"
_SPOKEN_TIME = re.compile(
    rf"(?<!\w)(?:(?:a\s+)?(?P<part>quarter|half|viertel|halb|dreiviertel|twenty|ten|five|zehn|zwanzig|fünf)\s+(?P<to>to|past|after|vor|nach)?\s*(?P<hour>{_HOUR})|(?P<whole>{_HOUR})\s+(?:o'clock|uhr)(?:\s+(?P<minutes>\d{{1,2}}))?|(?P<noon>noon|midday|mittags|midnight))(?P<day>{_PART_OF_DAY})(?!\w)",
    re.I,
)
_PHONE = re.compile(
    r"(?<![\w.@-])(?:\+\d{1,3}[ /-]?)?(?:\(0?\d+\)[ /-]?)?0?\d{2,5}(?:[ /-]{1,3}\d{2,})+(?![\w@]|-\w)|(?<![\w.@-])(?:\+\d{8,14}|0\d{6,13})(?!\w)"
)
_UK = r"[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}"
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?:\s?[A-Z\d]{4}){3,7}(?:\s?[A-Z\d]{1,3})?(?!\w)")
_POSTCODE = rf"(?:{_UK}|(?:[A-Z]{{1,2}}-)?\d{{5}}(?:-\d{{4}})?|\d{{4}}(?=\s[A-ZÄÖÜ][a-zäöü]))"
_CAPITAL = r"[A-ZÄÖÜ][\w'’.-]*[\w'’]"
_TOWN = rf"{_CAPITAL}(?:(?:\s(?:am|an der|ob der|upon|le|la|St\.?))?\s{_CAPITAL}){{0,2}}"
_PLACE = re.compile(rf"(?<![\w.-])(?P<postcode>{_POSTCODE})(?![\w-])(?:,?\s+(?P<town>{_TOWN}))?")
_TOWN_FIRST = re.compile(rf"(?P<town>{_TOWN}),?\s+(?P<postcode>{_UK})(?!\w)")
_KIND_OF_STREET = r"(?:straße|strasse|str\.|weg|platz|gasse|allee|ring|damm|ufer|steig|markt|graben|chaussee|wall|tor|pfad|kamp|hof|berg|stieg|twiete|brücke|winkel|zeile|reihe)"
_STREET = re.compile(
    rf"(?<!\w)(?:\d{{1,4}}[a-zA-Z]?(?:[-/]\d+[a-z]?)?\s+(?:{_CAPITAL}\s+){{0,3}}(?:Street|St|Road|Rd|Row|Lane|Avenue|Ave|Close|Drive|Way|Quay|Court|Place|Square|Terrace|Crescent|Gardens|Grove|Hill|Park|Walk|Mews|Green|Yard|Parade|Rise|View|Wharf|Boulevard|Gate|Bridge|Market|Bank|End)\b"
    rf"|(?:(?:Am|An der|An den|Im|In der|In den|Auf der|Auf dem|Zum|Zur|Unter den|Hinter der|Alte|Alter|Neue|Neuer|Lange|Kleine|Große)\s+)(?:{_CAPITAL}\s+){{1,2}}\d{{1,4}}\s?[a-z]?(?![\w.])"
    rf"|(?:{_CAPITAL}\s+|{_CAPITAL}-)?(?:[A-ZÄÖÜ]\w*{_KIND_OF_STREET}|{_CAPITAL}[ -](?:Straße|Str\.|Weg|Platz|Allee|Gasse|Ring))\s*\d{{1,4}}\s?(?:[a-z](?!\w))?)"
)


class _DayPatterns(NamedTuple):
    """`date` finds one day, `days` two of which month and year are said once."""

    date: re.Pattern[str]
    days: re.Pattern[str]


@cache
def _day_patterns() -> _DayPatterns:
    month = "|".join(sorted(form_words().months, key=len, reverse=True))
    return _DayPatterns(
        re.compile(
            rf"(?<![\w.])(?:\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{1,2}}\.\s?\d{{1,2}}\.\s?\d{{4}}|\d{{1,2}}/\d{{1,2}}/\d{{4}}"
            rf"|(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?:{month})\.?,?\s+\d{{4}}"
            rf"|(?:{month})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}})(?![\w])",
            re.I,
        ),
        re.compile(
            rf"(?<![\w.])(?P<one>\d{{1,2}})(?:st|nd|rd|th|\.)?\s*(?:bis|to|until|till|through|and|und|-|–)\s*(?:zum\s+|the\s+)?(?P<other>\d{{1,2}})(?:st|nd|rd|th)?(?:\.?\s+(?:of\s+)?(?P<month>{month})\.?,?\s+|\.(?P<number>\d{{1,2}})\.\s?)(?P<year>\d{{4}})(?!\w)",
            re.I,
        ),
    )


def entities(goal: GoalWords) -> Iterator[Entity]:
    """What can be told from its looks, none of it overlapping; the surest kinds first."""
    taken: set[int] = set()

    def found(kind: str, start: int, end: int) -> Iterator[Entity]:
        span = goal.span(start, end)
        if span and not taken & set(range(*span)) and goal.free(*span):
            taken.update(range(*span))
            yield Entity(kind, *span, goal.text(*span))

    text = goal.masked.text
    for each in _day_patterns().days.finditer(
        text
    ):  # “vom 1. bis 4. Mai 2027”: the month and the year are said once
        month = each["month"] or ""
        rest = f"{month} {each['year']}" if month else f"{each['number']}.{each['year']}"
        for part in ("one", "other"):
            end = each.end() if part == "other" else each.end(part)
            span = goal.span(each.start(part), end)
            if span and not taken & set(range(*span)) and goal.free(*span):
                taken.update(range(*span))
                yield Entity("date", *span, f"{each[part]} {rest}" if month else f"{each[part]}.{rest}")
    for kind, pattern in (
        ("email", _EMAIL),
        ("iban", _IBAN),
        ("date", _day_patterns().date),
        ("phone", _PHONE),
        ("street", _STREET),
    ):
        for each in pattern.finditer(text):
            yield from found(kind, *each.span())
    for pattern in (_TOWN_FIRST, _PLACE):
        for each in pattern.finditer(text):
            for kind in ("postcode", "town"):
                if each[kind] and (kind == "postcode" or not _is_after_phone(text, each.start("postcode"))):
                    yield from found(kind, *each.span(kind))
    for pattern in (_TIME, _SPOKEN_TIME):
        for each in pattern.finditer(text):
            yield from found("time", *each.span())


def _is_after_phone(text: str, at: int) -> bool:
    return bool(re.search(r"\d[ /-]$", text[:at]))


def time_said(text: str) -> tuple[tuple[int, int], ...]:
    """The times of day that words name, as hours and minutes: two where only the half of the day is open, () for none."""
    clock = re.fullmatch(
        r"(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|uhr|h|o'clock)?" + _PART_OF_DAY, text.strip(), re.I
    )
    if clock and (clock[2] or clock[3]):
        hour, minute, day = int(clock[1]), int(clock[2] or 0), text.lower()
        open_half = not clock[2] and (clock[3] or "").lower() in ("o'clock",)
    elif spoken := _SPOKEN_TIME.fullmatch(text.strip()):
        day, open_half = (spoken["day"] or "").lower(), True
        if spoken["noon"]:
            return ((0, 0),) if spoken["noon"].lower() == "midnight" else ((12, 0),)
        hour = number_of(spoken["hour"] or spoken["whole"]) or 0
        minute = int(spoken["minutes"] or 0)
        if part := (spoken["part"] or "").lower():
            to = (spoken["to"] or "").lower()
            minute = (
                {"quarter": 15, "viertel": 15, "half": 30, "halb": 30, "dreiviertel": 45}.get(part)
                or number_of(part)
                or 0
            )
            if to in ("to", "vor") or part in ("halb", "dreiviertel") or (part == "viertel" and not to):
                hour, minute = hour - 1, (60 - minute if to in ("to", "vor") else minute)
    else:
        return ()
    if re.search(r"pm|afternoon|evening|night|nachmittag|abend", day):
        return ((hour % 12 + 12, minute),)
    if open_half and not re.search(r"am$|morn|vormittag", day) and hour <= 12:
        return (hour % 12, minute), (hour % 12 + 12, minute)
    return ((hour, minute),)


def day_said(text: str) -> datetime.date | None:
    """The day that words name with day, month and year; None when one is missing or there is no such day.

    Of numbers with slashes that make sense either way nothing is told.
    """
    numbers = [int(each) for each in re.findall(r"\d+", text)]
    month = next(
        (form_words().months[w] for w in re.findall(r"[^\W\d_]+", text.lower()) if w in form_words().months),
        0,
    )
    try:
        if re.match(r"\s*\d{4}-", text):
            return datetime.date(*numbers[:3])
        if month and len(numbers) == 2:
            return datetime.date(numbers[1], month, numbers[0])
        if len(numbers) == 3:
            if "/" in text and numbers[0] <= 12 and numbers[1] <= 12 and numbers[0] != numbers[1]:
                return None
            day, month = (numbers[0], numbers[1]) if numbers[1] <= 12 else (numbers[1], numbers[0])
            return datetime.date(numbers[2], month, day)
    except ValueError:
        return None
    return None


def day_written(day: datetime.date, hint: str) -> str:
    """A day as a field's hint wants it ("YYYY-MM-DD", "TT.MM.JJJJ", …); "" when the hint tells of none."""
    form = re.search(
        r"(?:yyyy|jjjj|tt|dd|mm|m|d|t)(?:([-./ ]{1,2})(?:yyyy|jjjj|yy|jj|tt|dd|mm|m|d|t)){2}", hint, re.I
    )
    if not form:
        return ""
    parts = {
        "y": f"{day.year:04}",
        "j": f"{day.year:04}",
        "m": f"{day.month:02}",
        "d": f"{day.day:02}",
        "t": f"{day.day:02}",
    }
    return re.sub(
        r"([yjmdt])\1*",
        lambda part: (
            parts[part[1].lower()]
            if len(part[0]) != 2 or part[1].lower() not in "yj"
            else f"{day.year % 100:02}"
        ),
        form[0],
        flags=re.I,
    )
