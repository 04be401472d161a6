"""Sums and equations with one unknown, as they stand on a page: finding them and working them out."""

from __future__ import annotations

import re
from fractions import Fraction

from desktop_agent.llm.offline import arithmetic

_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "∙": "*"})
_PROBLEM = re.compile(r"(?=.*\d)(?=.*[-+*/x×÷=−^])[\d\sa-z.,()+*/^=×÷·−–?_-]+", re.I)


def answer(problem: str) -> Fraction | None:
    """The number a problem asks for: "1 + 2 =" is 3, "7 - x = 3" is 4; None when it is none."""
    text = re.sub(r"[?_\s]+$", "", problem.translate(_SIGNS).strip())
    text = re.sub(r"(?<=[\d)])\s*[xX]\s*(?=[\d(])", "*", text)
    left, equals, right = text.partition("=")
    unknown = re.search(r"(?<![a-z])[a-z](?![a-z])", text, re.I)
    if unknown and equals and right.strip():
        return _solved(left, right, unknown[0])
    if unknown or (equals and right.strip(" ?_")):
        return None
    return _sum(left)


def is_problem(text: str) -> bool:
    """Does a text on the screen look like a sum or an equation?"""
    return len(text) <= 60 and bool(_PROBLEM.fullmatch(text.strip())) and answer(text) is not None


def _sum(text: str) -> Fraction | None:
    bare = re.sub(r"\s+", "", text)
    return arithmetic.value(bare) if re.search(r"\d\)?[-+*/^]", bare) else None


def _solved(left: str, right: str, name: str) -> Fraction | None:
    """Both sides are straight lines in the unknown, or there is no answer here."""
    at = [_difference(left, right, name, number) for number in (0, 1, 2)]
    if any(each is None for each in at):
        return None
    zero, one, two = (each or Fraction(0) for each in at)
    slope = one - zero
    if not slope or two - one != slope:
        return None
    return -zero / slope


def _difference(left: str, right: str, name: str, number: int) -> Fraction | None:
    sides = [_with(each, name, number) for each in (left, right)]
    if sides[0] is None or sides[1] is None:
        return None
    return sides[0] - sides[1]


def _with(side: str, name: str, number: int) -> Fraction | None:
    put = re.sub(rf"(?<=\d)\s*{name}", f"*({number})", side, flags=re.I)
    put = re.sub(rf"{name}", f"({number})", put, flags=re.I)
    return arithmetic.value(re.sub(r"\s+", "", put))


def written(number: Fraction) -> str:
    """As a person writes it into a box."""
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.10g}"
