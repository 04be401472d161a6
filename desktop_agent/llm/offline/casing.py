""" "In upper case": the words are to be typed in other letters than they were said in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from desktop_agent.llm.offline.quoting import QUOTED, Masked

_STYLES: Mapping[str, Callable[[str], str]] = {
    "upper": str.upper, "capital": str.upper, "caps": str.upper, "lower": str.lower, "small": str.lower,
    "title": str.title,
}  # fmt: skip
_LETTERS = r"(?:[- ]?case)?(?:[- ]?(?:letters?|characters?|text))?"
_IN = re.compile(
    rf"\s*,?\s*\b(?:in|using|with|as)\s+(?:all[- ]?)?(?P<style>upper(?=[- ]?case)|lower(?=[- ]?case)|title(?=[- ]?case)|capitals?|caps|small)"
    rf"{_LETTERS}(?:\s+(?:only|letters))?",
    re.I,
)
_LEADING = re.compile(
    r"\b(?:the\s+)?(?P<style>upper|lower|title)[- ]?case(?:d)?\s+(?:version|form)?\s*(?:of\s+)?(?=\x02)", re.I
)
_TYPING = re.compile(r"(?:type|write|enter|input|key|put|insert|fill|set)\b", re.I)


def recased(body: str, masked: Masked) -> tuple[str, Masked] | None:
    """The clause without such words, its quotation (or the words typed) changed; None when it has none."""
    if not _TYPING.match(body):
        return None
    found = _IN.search(body) or _LEADING.search(body)
    if not found:
        return None
    style = _STYLES[next(each for each in _STYLES if found["style"].lower().startswith(each))]
    rest = (
        f"{body[: found.start()]} {body[found.end() :]}"
        if found.re is _IN
        else body[: found.start()] + body[found.end() :]
    )
    rest = " ".join(rest.split(" ")).strip()
    if re.search(QUOTED, rest):
        quotes = tuple(each[0] + style(each[1:-1]) + each[-1] for each in masked.quotes)
        return rest, Masked(rest, quotes)
    bare = re.fullmatch(
        r"(?P<verb>\S+)\s+(?P<text>.+?)(?P<place>\s+(?:in|into|to|on)\s+the\s.+)?", rest, re.S
    )
    if not bare:
        return None
    return f"{bare['verb']} {style(bare['text'])}{bare['place'] or ''}", masked
