"""Finds the place in a JSON text that a path names, so that an error can be shown where it is."""

from __future__ import annotations

import json
import re

_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_BLANKS = re.compile(r"\s*")
_LINE = re.compile(r"\bline (\d+) column (\d+)\b")
_PATH = re.compile(r"\$(?:\.[A-Za-z0-9_+]+|\[\d+\])*")


def place_of_problem(text: str, problem: str) -> int | None:
    """The offset in the text of what an error is about, by the path in it or its line and column; None where it has neither."""
    if line := _LINE.search(problem):
        lines = text.splitlines(keepends=True)
        return min(len(text), sum(map(len, lines[: int(line[1]) - 1])) + int(line[2]) - 1)
    path = _PATH.search(problem)
    return place_of_path(text, path[0]) if path is not None else None


def place_of_path(text: str, path: str) -> int | None:
    """The offset of the value at a path like `$.ui[0].value`, or of the nearest one around it; None where it is no JSON."""
    steps = [name or int(index) for name, index in _STEP.findall(path)]
    try:
        return _found(text, _begin(text, 0), steps)
    except (json.JSONDecodeError, IndexError, RecursionError):
        return None


def _begin(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    return blanks.end() if blanks else at


def _found(text: str, at: int, steps: list[str | int]) -> int:
    """Go into the value that begins here as far as the steps lead."""
    if not steps:
        return at
    wanted, decoder = steps[0], json.JSONDecoder()
    if text[at] not in "{[":
        return at
    named, index, place = text[at] == "{", 0, _begin(text, at + 1)
    while text[place] not in "}]":
        key: str | int = index
        if named:
            key, place = decoder.raw_decode(text, place)
            place = _begin(text, _begin(text, place) + 1)  # behind the colon
        if key == wanted:
            return _found(text, place, steps[1:])
        _, place = decoder.raw_decode(text, place)
        place = _begin(text, place)
        if text[place] == ",":
            place = _begin(text, place + 1)
        index += 1
    return at
