"""A day that the user named may be typed in digits; another may not."""

from __future__ import annotations

import pytest

from desktop_agent.policy.facts.named_days import names_day


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("arrive on 4 March 2027", "03042027"),
        ("arrive on 4 March 2027", "04032027"),
        ("from March 4th, 2027 to March 9th, 2027", "03/09/2027"),
        ("on the 4th of march 2027", "2027-03-04"),
        ("due 2027-03-04", "04.03.2027"),
        ("due 03/04/2027", "20270403"),
    ],
)
def test_a_named_day(words: str, text: str) -> None:
    assert names_day(words, text)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("arrive on 4 March 2027", "03052027"),
        ("arrive on 4 March 2027", "04 March 2027"),
        ("4 rooms, 3 guests, 2027 euros", "03042027"),
        ("wait 1 second", "0170 1234567"),
        ("", ""),
    ],
)
def test_none(words: str, text: str) -> None:
    assert not names_day(words, text)
