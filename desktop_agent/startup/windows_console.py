"""Gives a Windows program without a console its output: the console it was started from, or a message box."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable
from typing import TextIO

from desktop_agent.startup.exit_code import exit_code_of
from desktop_agent.startup.onefile import unpacked
from desktop_agent.support.operating_system import WINDOWS

NAME = "desktop-agent"
LONGEST = 4000
"""Characters that a message box shows: the last ones."""
# argparse's table of all options, made for letters of one width; what is wrong follows it.
_USAGE = re.compile(r"\Ausage: .*?\n(?=\S)", re.S)
_COLUMN, _GAP = re.compile(r" {3,}"), "   "
"""Columns do not line up in a message box: they only make lines too long."""


def with_console(run: Callable[[], int]) -> int:
    """Call `run` with stdout and stderr that show somewhere, and return its exit code.

    Python has neither in a Windows program without a console (subsystem 2), started by a double click or at
    a command prompt. Then they go to the console it was started from, else at the end into a message box.
    A stream that is piped or redirected stays as it is.
    """
    for stream in (sys.stdout, sys.stderr):
        _use_utf8(stream)
    if not WINDOWS or (sys.stdout is not None and sys.stderr is not None):
        return exit_code_of(run)
    from desktop_agent.platforms.windows import console as windows

    starter = os.getppid()
    if unpacked():  # our parent is the process that unpacked us, and has no console either
        starter = windows.parent_of(starter)
    if (console := windows.attach(starter)) is not None:
        return _run_with(run, console, console)
    words, complaints = io.StringIO(), io.StringIO()
    code = 1
    try:
        code = _run_with(run, words, complaints)
    finally:
        if text := to_show(words.getvalue(), complaints.getvalue(), code):
            windows.show(text, NAME, is_error=bool(code))
    return code


def _run_with(run: Callable[[], int], out: TextIO, err: TextIO) -> int:
    """Call `run` with these streams for those that are missing; returns the exit code, also of `sys.exit`."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = before[0] or out, before[1] or err
    try:
        return exit_code_of(run)
    finally:
        for each in (sys.stdout, sys.stderr):
            each.flush()
        sys.stdout, sys.stderr = before


def can_answer(stream: TextIO | None) -> bool:
    """True for a terminal where somebody may answer; not for the device NUL, which isatty() takes for one on Windows."""
    if stream is None or not stream.isatty():
        return False
    if not WINDOWS:
        return True
    from desktop_agent.platforms.windows import console as windows

    return windows.is_console(stream)


def ask_yes_no(question: str) -> bool | None:
    """Ask a yes-or-no question in a message box and return the answer; None where there is a stdin to ask at.

    A Windows program without a console has no stdin even when started at a command prompt: the shell reads there.
    """
    if not WINDOWS or sys.stdin is not None:
        return None
    from desktop_agent.platforms.windows import console as windows

    return windows.ask(question, NAME)


def _use_utf8(stream: TextIO | None) -> None:
    """Have a stream take every character: on Windows pipes and files take one code page's, without “→” and “▸”."""
    if WINDOWS and isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="replace")


def to_show(words: str, complaints: str, code: int) -> str:
    """The text for a message box from what went to stdout and stderr, "" for none: stderr counts only on failure.

    >>> to_show("", "a warning of a library", 0)
    ''
    >>> to_show("ok       typing             all 87 characters arrived", "", 0)
    'ok   typing   all 87 characters arrived'
    """
    parts = [words, _USAGE.sub("", complaints)] if code else [words]
    text = _COLUMN.sub(_GAP, "\n".join(part.strip() for part in parts if part.strip()))
    return text if len(text) <= LONGEST else f"… {text[-LONGEST:]}"
