"""The days that a user's words name, in the digits a date field wants: “4 March 2027” is 03042027, too."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_PART = re.compile(rf"(?i)\d{{1,4}}|\b(?:{'|'.join(f'{month[:3]}(?:{month[3:]})?' for month in MONTHS)})\b")
_BETWEEN = re.compile(r"\W{0,3}(?:(?:st|nd|rd|th|of|de|der|den)\W{1,2}){0,2}")
_ORDERS = ((0, 1, 2), (1, 2, 0), (2, 1, 0))


def names_day(words: str, text: str) -> bool:
    """Is the text, its separators apart, a day that the words name: year, month and day in an order in use?"""
    digits = re.sub(r"[\s./-]", "", text)
    return digits.isdecimal() and any(digits in _written(*day) for day in _days(words))


def _days(words: str) -> Iterator[tuple[int, int, int]]:
    """Year, month, day; both readings where numbers may be either."""
    found = list(_PART.finditer(words))
    for three in zip(found, found[1:], found[2:], strict=False):
        gaps = (words[one.end() : other.start()].lower() for one, other in itertools.pairwise(three))
        if not all(_BETWEEN.fullmatch(gap) for gap in gaps):
            continue
        texts = [each[0].lower() for each in three]
        years = [int(each) for each in texts if each.isdecimal() and len(each) == 4]
        months = [
            1 + [month[:3] for month in MONTHS].index(each[:3]) for each in texts if not each.isdecimal()
        ]
        numbers = [int(each) for each in texts if each.isdecimal() and len(each) <= 2]
        if len(years) == 1 and len(months) + len(numbers) == 2:
            one, other = (*months, *numbers)
            pairs = {(one, other)} if months else {(one, other), (other, one)}
            yield from ((years[0], month, day) for month, day in pairs if month <= 12 and day <= 31)


def _written(year: int, month: int, day: int) -> Iterator[str]:
    parts = (f"{year:04}", f"{month:02}", f"{day:02}")
    yield from ("".join(parts[at] for at in order) for order in _ORDERS)
