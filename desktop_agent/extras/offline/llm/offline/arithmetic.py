"""Turns spoken sums into expressions, and works them out exactly to check what a calculator shows."""

from __future__ import annotations

import re
from fractions import Fraction

from desktop_agent.extras.offline.llm.offline import words

MAX_EXPRESSION = 200
_NUM = r"(?:\d[\d,]*(?:\.\d+)?|\.\d+)"
_BINARY = {
    r"(?:sum|total) of (.+)": "+", r"product of (.+)": "*", r"difference (?:between|of) (.+)": "-",
    r"quotient of (.+)": "/",
}  # fmt: skip
_VERBS = (
    (re.compile(r"add (.+?) to (.+)"), "{1}+{0}"),
    (re.compile(r"(?:add|sum)(?: up)? (.+)"), "+"),
    (re.compile(r"(?:subtract|take) (.+?) from (.+)"), "{1}-{0}"),
    (re.compile(r"multiply (.+?) (?:by|with|times|and) (.+)"), "{0}*{1}"),
    (re.compile(r"divide (.+?) by (.+)"), "{0}/{1}"),
)
_WORDS = (
    (r"\bdivided by\b|\bover\b", "/"), (r"\bmultiplied (?:by|with)\b|\btimes\b", "*"), (r"(?<=\d)\s*[x×·]\s*(?=[\d(.])", "*"),
    (r"\bplus\b|\badded to\b", "+"), (r"\bminus\b|\bless\b|\btake away\b", "-"),
    (r"\b(?:to the power(?: of)?|raised to(?: the power of)?)\b", "^"), (r"\bsquared\b", "^2"), (r"\bcubed\b", "^3"),
    (rf"({_NUM})\s*(?:%|percent) of\s*", r"\1/100*"), (r"÷", "/"), (r"[−–]", "-"), (r"\*\*", "^"),
)  # fmt: skip
_TOKEN = re.compile(rf"\s*({_NUM}|[-+*/^()%])")
_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}


def expression(text: str) -> str:
    """The expression that words or symbols stand for, without blanks; "" when they are no sum.

    "the sum of 12 and 30" → 12+30, "12 x 7" → 12*7, "15% of 80" → 15/100*80.
    """
    spoken = " ".join(text.lower().split()).rstrip("=?. ")
    spoken = re.sub(r"^(?:the )?(?:result|value|answer|outcome) of ", "", spoken)
    found = _of_verb(spoken) or _of_noun(spoken) or _plain(spoken)
    return found if re.search(r"[-+*/^]", found[1:]) else ""


def value(expression: str) -> Fraction | None:
    """The exact value, None for a malformed sum or a division by zero."""
    try:
        return _evaluate(_tokens(expression))
    except (ValueError, ZeroDivisionError, IndexError, OverflowError):
        return None


def _of_verb(text: str) -> str:
    for pattern, shape in _VERBS:
        found = pattern.fullmatch(text)
        if found and shape == "+":
            return _joined(found[1], "+")
        if found:
            parts = [_number(each) for each in found.groups()]
            if all(parts):
                return shape.format(*parts)
    return ""


def _of_noun(text: str) -> str:
    for pattern, sign in _BINARY.items():
        found = re.fullmatch(r"(?:the )?" + pattern, text)
        if found:
            return _joined(found[1], sign)
    return ""


def _joined(listing: str, sign: str) -> str:
    parts = [_number(each) for each in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s+with\s+", listing)]
    return sign.join(parts) if len(parts) > 1 and all(parts) else ""


def _number(text: str) -> str:
    text = text.strip()
    if re.fullmatch(rf"-?{_NUM}", text):
        return text.replace(",", "")
    spoken = None if text in ("a", "an", "some", "once") else words.number(text)
    return f"{spoken:g}" if spoken is not None else ""


def _plain(text: str) -> str:
    for pattern, sign in _WORDS:
        text = re.sub(pattern, sign, text)
    text = re.sub(r"[a-z]+(?:-[a-z]+)?", lambda found: _number(found[0]) or found[0], text)
    tokens = _tokens(text)
    return "".join(tokens) if tokens and value("".join(tokens)) is not None else ""


def _tokens(text: str) -> list[str]:
    """Numbers and signs; [] when anything else is in the text."""
    tokens, at, text = [], 0, text.strip()
    if len(text) > MAX_EXPRESSION:
        return []
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            return []
        tokens.append(found[1].replace(",", ""))
        at = found.end()
    return tokens


def _evaluate(tokens: list[str]) -> Fraction:
    """Precedence climbing over the tokens. Raises ValueError when they are no sum."""
    rest = list(reversed(tokens))
    result = _climb(rest, 0)
    if rest:
        raise ValueError("not a sum")
    return result


def _climb(rest: list[str], rank: int) -> Fraction:
    left = _atom(rest)
    while rest and _RANK.get(rest[-1], 0) > rank:
        sign = rest.pop()
        right = _climb(rest, _RANK[sign] - (sign == "^"))
        left = _apply(sign, left, right)
    return left


def _atom(rest: list[str]) -> Fraction:
    sign = rest.pop()
    if sign == "(":
        inner = _climb(rest, 0)
        if rest.pop() != ")":
            raise ValueError("a parenthesis is missing")
        return _percent(inner, rest)
    if sign in "+-":
        return _climb(rest, 2) * (-1 if sign == "-" else 1)
    return _percent(Fraction(sign), rest)


def _percent(number: Fraction, rest: list[str]) -> Fraction:
    if rest and rest[-1] == "%":
        rest.pop()
        return number / 100
    return number


def _apply(sign: str, left: Fraction, right: Fraction) -> Fraction:
    if sign == "^":
        if right.denominator != 1 or abs(right) > 64 or abs(left) > 10**9:
            raise ValueError("too large a power")
        return left ** int(right)
    return {"+": left + right, "-": left - right, "*": left * right}[sign] if sign != "/" else left / right
