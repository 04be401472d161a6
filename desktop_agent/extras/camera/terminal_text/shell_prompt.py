"""Tells from a terminal's lines and cursor whether it waits at a prompt, at which, and what went wrong last."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from desktop_agent.protocol.terminal_state import Activity
from desktop_agent.support import resources

_PROMPT = re.compile(r"^(\S.{0,79}?[$#%>λ❯»]|[$#%>λ❯»])(?: |$)(.*)$")
_WHO = re.compile(r"^(?:\([^)]*\) )?\[?([\w.-]+@[\w.-]+)")


@dataclass(frozen=True)
class ShellSituation:
    """`prompt` is where the shell waits ("" where it does not, or none is seen), `row` its line, `error` as in
    TerminalState; `started` is the line of the last command, None where none is seen."""

    prompt: str
    row: int | None
    activity: Activity
    error: str
    started: int | None = None


def situation(lines: Sequence[str], cursor: tuple[int, int] | None, columns: int = 0) -> ShellSituation:
    """What a terminal's lines tell of its shell. `columns` is its width in cells, by which wrapped lines are known."""
    last = max((number for number, line in enumerate(lines) if line.strip()), default=None)
    if last is None:
        return ShellSituation("", None, "unknown", "")
    here = min(cursor[0], len(lines) - 1) if cursor else last
    row = _first_of_wrapped(lines, here, columns)
    found = _PROMPT.match(lines[row])
    below = any(line.strip() for line in lines[here + 1 :])
    earlier = _commands(lines[:row])
    if found is None or below or not _like(found[1], [prompt for _, prompt in earlier]):
        started = earlier[-1][0] if earlier else None
        activity: Activity = "running" if started is not None or cursor else "unknown"
        return ShellSituation("", None, activity, _error(lines, started, last + 1, columns), started)
    prompt, rest = found[1], found[2]
    activity = "idle" if cursor or not rest.strip() else "unknown"
    started = earlier[-1][0] if earlier else None
    return ShellSituation(prompt, row, activity, _error(lines, started, row, columns), started)


def _first_of_wrapped(lines: Sequence[str], row: int, columns: int) -> int:
    """The row in which a line begins that was wrapped at the right edge."""
    while columns and row > 0 and len(lines[row - 1]) >= columns:
        row -= 1
    return row


def _commands(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Rows at which something was entered, and their prompts."""
    found = ((number, _PROMPT.match(line)) for number, line in enumerate(lines))
    return [(number, match[1]) for number, match in found if match and _asks(match[1])]


def _asks(prompt: str) -> bool:
    """True for what a shell writes before a command, and not for a sentence with such a sign in it."""
    return len(prompt) == 1 or bool(_WHO.match(prompt)) or (" " not in prompt and len(prompt) < 40)


def _like(prompt: str, earlier: Sequence[str]) -> bool:
    """True when it is a prompt by itself, or as the one before."""
    return _asks(prompt) or bool(earlier and prompt == earlier[-1]) or prompt.count(" ") < 4


def _error(lines: Sequence[str], started: int | None, end: int, columns: int) -> str:
    """The line that tells of an error between the last command and `end`; "" for none, or where no command is seen."""
    if started is None:
        return ""
    patterns, begins = _words()
    told = [line for line in _joined(lines[started:end], columns)[1:] if line.strip()]
    for number, line in enumerate(told):
        if begins.search(line):
            named = [each for each in told[number + 1 :] if not each.startswith(" ")]
            return named[-1].strip() if named else line.strip()
        if patterns.search(line):
            return line.strip()
    return ""


def _joined(lines: Sequence[str], columns: int) -> list[str]:
    """Lines as they were before the terminal wrapped them."""
    found: list[str] = []
    open_end = False
    for line in lines:
        if open_end:
            found[-1] += line
        else:
            found.append(line)
        open_end = bool(columns) and len(line) >= columns
    return found


@lru_cache(maxsize=1)
def _words() -> tuple[re.Pattern[str], re.Pattern[str]]:
    read = tomllib.loads(resources.text("terminal", "errors.toml"))
    patterns, begins = ("|".join(f"(?:{each})" for each in read[name]) for name in ("patterns", "begins"))
    return re.compile(patterns, re.IGNORECASE), re.compile(begins, re.IGNORECASE)
