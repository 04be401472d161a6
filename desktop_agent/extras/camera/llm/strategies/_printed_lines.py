"""Finds what a command has printed on the picture of a terminal: where its line stands, and whether its prompt is back.

A screen may show anything, also something that looks like a prompt with our command and a good answer below it. So the
line of a command is the first one below what stood above the prompt when the command was typed.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeAlias

from desktop_agent.protocol.terminal_state import TerminalState

_ABOVE = 8
"""Rows above the prompt that are compared."""
_ENDS = "$#%>❯➜»λ"
_ALIKE = ("0OoQD", "1lI|!i", "5S$", "8B", "2Z", "6G", "9gq", "uv", ".,", ";:", "'`\"", "cC", "sS", "wW", "xX", "zZ", "kK", "pP", "vV", "-~_")  # fmt: skip
_LOOKS = {char: {other for group in _ALIKE if char in group for other in group} for char in "".join(_ALIKE)}
_MOST_MISREAD = 2

Came: TypeAlias = Literal["printed", "running", "unread"]


class Printed(NamedTuple):
    """What has come of a command line.

    "printed": its prompt is back, `lines` are what stands between; `whole` where the line itself is still to be seen.
    "running": the prompt is not back. "unread": the line is not on the screen.
    """

    came: Came
    lines: tuple[str, ...] = ()
    whole: bool = True


def waiting_prompt(state: TerminalState) -> str:
    """The prompt at which a terminal waits with nothing typed behind it; "" where it does not, or cannot be told."""
    last = state.content[-1].rstrip() if state.content else ""
    if state.activity == "running" or not last:
        return ""
    named = state.prompt.rstrip()
    if named:
        return last if _squeezed(last) == _squeezed(named) else ""
    if state.cursor is not None and state.cursor[0] != len(state.content) - 1:
        return ""
    return last if state.activity == "idle" or last[-1] in _ENDS else ""


def printed(before: TerminalState, now: TerminalState, line: str) -> Printed:
    """What has come of `line`, which was typed at the prompt of `before`, in the picture `now`."""
    rows = [each.rstrip() for each in now.content]
    prompt = before.content[-1].rstrip() if before.content else ""
    end = _line_in(rows, before, prompt, line)
    back = _is_back(now, prompt)
    if end is None:
        gone = back and not _overlaps(rows, before)
        return Printed("printed", tuple(rows[:-1]), whole=False) if gone else Printed("unread")
    if not back or end >= len(rows) - 1:
        return Printed("running")
    lines = rows[end + 1 : -1]
    above = before.content[-2].rstrip() if len(before.content) > 1 else ""
    if len(lines) > 1 and above and _like(lines[-1], above):
        lines = lines[:-1]  # a prompt of two rows
    return Printed("printed", tuple(lines))


def _line_in(rows: list[str], before: TerminalState, prompt: str, line: str) -> int | None:
    """The last row that the line takes up; None where it is not to be seen."""
    target = _squeezed(line)
    for start in range(len(rows)):
        if not _stands_below(rows, start, before):
            continue
        text = ""
        for end in range(start, len(rows)):
            text += _squeezed(rows[end])
            if len(text) < len(target):
                continue
            typed, front = text[-len(target) :], text[: -len(target)]
            if _like(front, prompt) and _misread(typed, target):
                return end
            if len(text) > len(target) + len(_squeezed(prompt)) + 4:
                break
    return None


def _stands_below(rows: list[str], start: int, before: TerminalState) -> bool:
    """Do the rows above `start` show what stood above the prompt, as far as they reach?"""
    above = [each.rstrip() for each in before.content[:-1]][-_ABOVE:]
    mine = rows[max(0, start - len(above)) : start]
    if start < len(above) and start and not mine:
        return False
    return all(_like(one, other) for one, other in zip(reversed(mine), reversed(above), strict=False)) and (
        start <= len(before.content) - 1
    )


def _overlaps(rows: list[str], before: TerminalState) -> bool:
    """Is all that was shown still there, with or without something behind the prompt, or the end of what stood above it?"""
    *above, prompt = (each.rstrip() for each in before.content)
    shown = [*rows[: len(above)], *(each[: len(prompt)] for each in rows[len(above) : len(above) + 1])]
    if len(shown) > len(above) and all(map(_like, shown, (*above, prompt))):
        return True
    last = [each for each in above if each][-3:]
    return len(last) == 3 and any(rows[at : at + 3] == last for at in range(len(rows)))


def _is_back(now: TerminalState, prompt: str) -> bool:
    """Does the last row hold a prompt alone? The folder or a number in it may be another."""
    last = waiting_prompt(now)
    if last and now.activity == "idle":
        return True
    last = now.content[-1].rstrip() if now.content and now.activity != "running" else ""
    if not last or not prompt:
        return False
    same_end = len(prompt) > 1 and last[-1] == prompt[-1]
    return _like(last, prompt) or (
        same_end and re.split(r"[:~/\[ ]", last)[0] == re.split(r"[:~/\[ ]", prompt)[0]
    )


def _like(one: str, other: str) -> bool:
    """Are they the same but for blanks, numbers (a clock, a count) and a misread letter in many?"""
    mine, yours = re.sub(r"\d", "0", _squeezed(one)), re.sub(r"\d", "0", _squeezed(other))
    if mine == yours:
        return True
    wrong = sum(a != b for a, b in zip(mine, yours, strict=False))
    return len(mine) == len(yours) and wrong <= max(1, len(mine) // 12) and len(mine) > 3


def _misread(seen: str, typed: str) -> bool:
    """May `seen` be `typed`, with a few letters taken for ones that look alike?"""
    wrong = [(a, b) for a, b in zip(seen, typed, strict=True) if a != b]
    return len(wrong) <= _MOST_MISREAD and all(a in _LOOKS.get(b, ()) for a, b in wrong)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)
